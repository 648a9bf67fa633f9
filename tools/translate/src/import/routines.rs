//! Functions that an import adds to a module: the long parts of expansions that are rarely executed
//! or too long to duplicate, one function each for the whole module. ptxas does the same
//! (`$__internal_0_$__cuda_sm20_div_rn_f64_full`).

use std::cell::RefCell;
use std::collections::BTreeSet;

use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Location, Operation, OperationName,
    OperationState, Region, Type, Value,
};
use orison_ori::Register;
use orison_ori::operations::control::{Call, Ret};
use orison_ori::operations::structure::Func;

use super::emitter::Emitter;
use super::registers::Registers;
use super::select::{Format, Wanted, divide_pairs, rounded};
use super::symbols::Symbols;

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
    fn name(self) -> String {
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
    fn interface(self) -> (Vec<Register>, Register) {
        match self {
            Routine::Quotient(format, _) => (vec![format.register(); 2], format.register()),
            Routine::Root(format, _) => (vec![format.register()], format.register()),
            Routine::Divide { .. } => (vec![Register::R64; 2], Register::R64),
        }
    }

    /// Emits the body of the function; `None` if the number of values does not match.
    fn compute(self, emitter: &mut Emitter<'_, '_>, arguments: &[Value]) -> Option<Value> {
        Some(match (self, arguments) {
            (Routine::Quotient(format, rounding), [a, b]) => {
                rounded(emitter, format, Wanted::Quotient(*a, *b), rounding)
            }
            (Routine::Root(format, rounding), [a]) => {
                rounded(emitter, format, Wanted::Root(*a), rounding)
            }
            (Routine::Divide { signed, remainder }, [a, b]) => {
                divide_pairs(emitter, signed, *a, *b, remainder)?
            }
            _ => return None,
        })
    }
}

/// The routines that a module calls.
#[derive(Debug, Default)]
pub(super) struct Routines(RefCell<BTreeSet<Routine>>);

impl Routines {
    /// Creates the functions of all called routines at the end of the body of a module, in the
    /// order of [`Routine`].
    pub fn build(&self, context: &mut Context, symbols: &Symbols<'_>, module: Block) {
        for routine in self.0.borrow().iter() {
            let function = function(context, symbols, *routine);
            module.append(context, function);
        }
    }
}

impl Emitter<'_, '_> {
    /// The result of a routine.
    pub fn routine(&mut self, routine: Routine, arguments: &[Value]) -> Value {
        self.symbols.routines.0.borrow_mut().insert(routine);
        let location = self.location;
        let context = self.context();
        let name = OperationName::new(context, Call::NAME);
        let mut state = OperationState::new(name, location);
        let callee = Attribute::symbol(context, &routine.name());
        state.set_property(context, "callee", callee);
        state.set_property(context, "pure", Attribute::UNIT);
        state.operands.extend(arguments.iter().copied());
        state.result_types.push(routine.interface().1.ty(context));
        let op = self.builder.create(&state);
        op.result(self.builder.ir(), 0)
    }
}

/// The function of a routine.
fn function(context: &mut Context, symbols: &Symbols<'_>, routine: Routine) -> Operation {
    let (arguments, result) = routine.interface();
    let arguments: Vec<Type> = arguments.iter().map(|each| each.ty(context)).collect();
    let result = result.ty(context);
    let name = OperationName::new(context, Func::NAME);
    let mut state = OperationState::new(name, Location::UNKNOWN);
    let ty = Type::function(context, &arguments, &[result]);
    let properties = [
        ("sym_name", Attribute::string(context, &routine.name())),
        ("function_type", Attribute::ty(context, ty)),
        ("target", Attribute::string(context, symbols.target)),
        ("sym_visibility", Attribute::string(context, "private")),
    ];
    for (key, value) in properties {
        state.set_property(context, key, value);
    }
    let region = Region::new(context);
    let arguments: Vec<_> = arguments
        .into_iter()
        .map(|ty| (ty, Location::UNKNOWN))
        .collect();
    let body = Block::new(context, &arguments);
    region.append_block(context, body);
    state.regions.push(region);
    let function = Operation::create(context, &state);
    let registers = Registers::default();
    let mut emitter = Emitter {
        builder: Builder::at(context, InsertionPoint::End(body)),
        location: Location::UNKNOWN,
        place: Location::UNKNOWN,
        registers: &registers,
        scope: 0,
        symbols,
        parameters: &[],
        values: Vec::new(),
        replaced: Vec::new(),
        touched: Vec::new(),
        guard: None,
        guarded: false,
        is_kernel: false,
        carry: None,
        unfinished: &[],
    };
    let arguments: Vec<Value> = body.arguments(emitter.builder.ir()).collect();
    let value = routine.compute(&mut emitter, &arguments);
    let context = emitter.builder.context();
    let name = OperationName::new(context, Ret::NAME);
    let mut state = OperationState::new(name, Location::UNKNOWN);
    state.operands.extend(value);
    emitter.builder.create(&state);
    function
}
