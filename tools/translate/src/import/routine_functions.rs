//! The functions of the routines that a module calls.

use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Location, Operation, OperationName,
    OperationState, Region, Type, Value,
};
use orison_ori::operations::control::Ret;
use orison_ori::operations::structure::Func;

use super::emitter::Emitter;
use super::registers::Registers;
use super::routines::{Routine, Routines};
use super::select::{Wanted, divide_pairs, rounded};
use super::symbols::Symbols;

impl Routine {
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

impl Routines {
    /// Creates the functions of all called routines at the end of the body of a module, in the
    /// order of [`Routine`].
    pub fn build(&self, context: &mut Context, symbols: &Symbols<'_>, module: Block) {
        for routine in self.called() {
            let function = function(context, symbols, routine);
            module.append(context, function);
        }
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
        names: false,
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
