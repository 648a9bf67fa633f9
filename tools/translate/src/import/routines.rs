//! Functions that an import adds to a module: the long parts of expansions that are rarely executed
//! or too long to duplicate, one function each for the whole module. ptxas does the same
//! (`$__internal_0_$__cuda_sm20_div_rn_f64_full`).

use std::cell::RefCell;
use std::collections::BTreeSet;

use orison_ori::Register;

/// A float format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Format {
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

impl Format {
    /// How many bits it has.
    pub const fn bits(self) -> u32 {
        if matches!(self, Format::Single) {
            32
        } else {
            64
        }
    }

    /// Its registers.
    pub const fn register(self) -> Register {
        if matches!(self, Format::Single) {
            Register::R
        } else {
            Register::R64
        }
    }
}

/// A function that expansions call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Routine {
    /// The quotient of two floats, with this rounding; to nearest if absent.
    Quotient(Format, Option<&'static str>),
    /// The square root of a float, with this rounding.
    Root(Format, Option<&'static str>),
    /// The quotient or remainder of two 64-bit integers.
    Divide {
        /// Whether the integers are signed.
        signed: bool,
        /// Whether the remainder is computed.
        remainder: bool,
    },
}

impl Routine {
    /// The name of the function. PTX names contain no dot, and names derived from two names contain
    /// at most one besides a number.
    pub fn name(self) -> String {
        let float = |what, format: Format, rounding: Option<&str>| {
            format!(
                "orison.{what}.{}.f{}",
                rounding.unwrap_or("rn"),
                format.bits()
            )
        };
        match self {
            Routine::Quotient(format, rounding) => float("div", format, rounding),
            Routine::Root(format, rounding) => float("sqrt", format, rounding),
            Routine::Divide { signed, remainder } => format!(
                "orison.{}.{}64",
                if remainder { "rem" } else { "div" },
                if signed { 's' } else { 'u' }
            ),
        }
    }

    /// The types of the arguments, and that of the result.
    pub fn interface(self) -> (Vec<Register>, Register) {
        match self {
            Routine::Quotient(format, _) => (vec![format.register(); 2], format.register()),
            Routine::Root(format, _) => (vec![format.register()], format.register()),
            Routine::Divide { .. } => (vec![Register::R64; 2], Register::R64),
        }
    }
}

/// The routines that a module calls.
#[derive(Debug, Default)]
pub(super) struct Routines(RefCell<BTreeSet<Routine>>);

impl Routines {
    /// Records a call.
    pub fn call(&self, routine: Routine) {
        self.0.borrow_mut().insert(routine);
    }

    /// All called routines, in the order of [`Routine`].
    pub fn called(&self) -> Vec<Routine> {
        self.0.borrow().iter().copied().collect()
    }
}
