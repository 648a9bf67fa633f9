//! The tables of `encodings/`: how the bits of instructions are divided. The codec of `sass` reads
//! them at its first use.

/// A line for each form of an instruction.
pub const FORMS: &str = include_str!("../encodings/forms.txt");
/// A line for each list of values that the forms name.
pub const VALUES: &str = include_str!("../encodings/values.txt");
