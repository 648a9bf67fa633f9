//! Whose rules a pass follows where ptxas does otherwise than its documentation says.

orison_ir::option_enum! {
    /// Whose rules decide. Passes that have the choice have an option `rules`; where it is not set,
    /// `orison-opt --diagnostics=page` sets it to [`Rules::Page`].
    pub enum Rules {
        /// Those of ptxas 13.0.88, measured.
        Ptxas = "ptxas",
        /// Those of the documentation.
        Page = "page",
    }
}
