//! The func dialect: functions and calls.

use orison_ir::declare::constraints::ANY_TYPE;
use orison_ir::declare::{
    Assembly, DialectDefinition, DictionaryArrayAttr, Effects, Folded, FunctionTypeAttr,
    RegionConstraint, StrAttr, SymbolRefAttr, Trait, UnitAttr,
};
use orison_ir::{
    Attribute, Block, Builder, Context, Declined, Identifier, Location, Operation, OperationState,
    Rewriter, RuleResult, Type, rule,
};

use crate::types::FUNCTION;

mod assembly;
mod verify;

/// The dialect definition.
pub static DIALECT: DialectDefinition = DialectDefinition {
    name: "func",
    documentation: "Functions and calls.",
    operations: &[
        Call::DEFINITION,
        CallIndirect::DEFINITION,
        Constant::DEFINITION,
        Func::DEFINITION,
        Return::DEFINITION,
    ],
    materialize_constant: Some(materialize_constant),
    upstream: true,
    ..DialectDefinition::DEFAULT
};

orison_ir::operations! {
    /// A function.
    ///
    /// A function without a body is a declaration and must be private. Arguments of the entry block
    /// are the parameters; arguments and results may have dialect attributes.
    op Func = "func.func" {
        attributes {
            /// The symbol name.
            sym_name = "sym_name": required(StrAttr),
            /// The types of parameters and results.
            function_type = "function_type": required(FunctionTypeAttr),
            /// The symbol visibility: `public`, `private` or `nested`.
            sym_visibility = "sym_visibility": optional(StrAttr),
            /// An attribute dictionary for each parameter.
            arg_attrs = "arg_attrs": optional(DictionaryArrayAttr),
            /// An attribute dictionary for each result.
            res_attrs = "res_attrs": optional(DictionaryArrayAttr),
            /// Calls of this function are not inlined.
            no_inline = "no_inline": optional(UnitAttr),
        }
        regions {
            /// The body; empty for a declaration.
            body: one(RegionConstraint::Any),
        }
        with {
            traits: &[Trait::Symbol, Trait::IsolatedFromAbove],
            assembly: Assembly::Custom {
                parse: assembly::parse_function,
                print: assembly::print_function,
            },
            verify: Some(verify::function),
            default_dialect: "func",
        }
    }

    /// Returns from a function.
    op Return = "func.return" {
        operands {
            /// The results of the function.
            values: variadic(ANY_TYPE),
        }
        with {
            traits: &[
                Trait::HasParent(&[Func::NAME]),
                Trait::Terminator,
                Trait::ReturnLike,
                Trait::AlwaysSpeculatable,
            ],
            effects: Effects::None,
            assembly: Assembly::Format("attr-dict ($values^ `:` type($values))?"),
            verify: Some(verify::return_),
        }
    }

    /// Calls a function by name.
    op Call = "func.call" {
        operands {
            /// The arguments.
            arguments: variadic(ANY_TYPE),
        }
        results {
            /// The results of the call.
            outputs: variadic(ANY_TYPE),
        }
        attributes {
            /// The callee.
            callee = "callee": required(SymbolRefAttr),
            /// An attribute dictionary for each argument.
            arg_attrs = "arg_attrs": optional(DictionaryArrayAttr),
            /// An attribute dictionary for each result.
            res_attrs = "res_attrs": optional(DictionaryArrayAttr),
            /// This call is not inlined.
            no_inline = "no_inline": optional(UnitAttr),
        }
        with {
            assembly: Assembly::Format(
                "$callee `(` operands `)` attr-dict `:` functional-type(operands, results)"
            ),
            verify_symbols: Some(verify::call),
        }
    }

    /// Calls a function value.
    op CallIndirect = "func.call_indirect" {
        operands {
            /// The callee.
            callee: one(FUNCTION),
            /// The arguments.
            arguments: variadic(ANY_TYPE),
        }
        results {
            /// The results of the call.
            outputs: variadic(ANY_TYPE),
        }
        attributes {
            /// An attribute dictionary for each argument.
            arg_attrs = "arg_attrs": optional(DictionaryArrayAttr),
            /// An attribute dictionary for each result.
            res_attrs = "res_attrs": optional(DictionaryArrayAttr),
        }
        with {
            assembly: Assembly::Custom {
                parse: assembly::parse_call_indirect,
                print: assembly::print_call_indirect,
            },
            rules: &[&CALL_OF_CONSTANT],
        }
    }

    /// Makes a function value from a symbol name.
    op Constant = "func.constant" {
        results {
            /// The function value.
            result: one(ANY_TYPE),
        }
        attributes {
            /// The symbol name of the function.
            value = "value": required(SymbolRefAttr),
        }
        with {
            traits: &[Trait::ConstantLike, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format("attr-dict $value `:` type($result)"),
            verify_symbols: Some(verify::constant),
            fold: Some(|context, op, _| {
                Some(vec![Folded::Constant(op.attribute(context, "value")?)])
            }),
            result_name: Some(|_, _| Some("f".to_owned())),
        }
    }
}

rule!(
    CALL_OF_CONSTANT,
    "func-call-indirect-of-constant",
    "an indirect call of a constant function becomes a direct call",
    CallIndirect::NAME,
    call_by_name
);

fn call_by_name(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let call = CallIndirect(op);
    let constant = call.callee(context).defining_op(context);
    let name = constant.and_then(|op| Constant::of(context, op)?.value(context));
    let Some(name) = name else {
        return Declined::because("the callee is not a constant");
    };
    let (location, arguments) = (op.location(context), call.arguments(context));
    let types = op.result_types(context);
    let (arg_attrs, res_attrs) = (call.arg_attrs(context), call.res_attrs(context));
    let new = Call::build(rewriter, location, &arguments, name, &types);
    if let Some(attributes) = arg_attrs {
        new.set_arg_attrs(rewriter.context(), attributes);
    }
    if let Some(attributes) = res_attrs {
        new.set_res_attrs(rewriter.context(), attributes);
    }
    let results: Vec<_> = new.0.results(rewriter.ir()).collect();
    rewriter.replace(op, &results);
    Ok(())
}

impl Func {
    /// Creates a function at the builder's insertion point with an entry block for its parameters.
    pub fn define(builder: &mut Builder<'_>, location: Location, name: &str, ty: Type) -> Func {
        let func = Func::declare(builder, location, name, ty, None);
        let context = builder.context();
        let inputs = ty.as_function(context).map_or(&[][..], |parts| parts.0);
        let arguments: Vec<_> = inputs.iter().map(|input| (*input, location)).collect();
        let entry = Block::new(context, &arguments);
        func.body(context).append_block(context, entry);
        func
    }

    /// Creates a function without a body.
    pub fn declare(
        builder: &mut Builder<'_>,
        location: Location,
        name: &str,
        ty: Type,
        visibility: Option<&str>,
    ) -> Func {
        let func = Func::build(builder, location, name, ty);
        if let Some(visibility) = visibility {
            func.set_sym_visibility(builder.context(), visibility);
        }
        func
    }

    /// The entry block; `None` for a declaration.
    pub fn entry(self, context: &Context) -> Option<Block> {
        self.0.body_block(context, 0)
    }

    /// The types of the parameters.
    pub fn inputs(self, context: &Context) -> &[Type] {
        self.signature(context).0
    }

    /// The types of the results.
    pub fn outputs(self, context: &Context) -> &[Type] {
        self.signature(context).1
    }

    fn signature(self, context: &Context) -> (&[Type], &[Type]) {
        self.function_type(context)
            .and_then(|ty| ty.as_function(context))
            .unwrap_or_default()
    }
}

/// Describes `func.constant` for a symbol reference.
fn materialize_constant(
    context: &mut Context,
    value: Attribute,
    ty: Type,
    location: Location,
) -> Option<OperationState> {
    value.as_symbol(context)?;
    ty.as_function(context)?;
    let name = orison_ir::OperationName::new(context, Constant::NAME);
    let mut state = OperationState::new(name, location);
    state.result_types.push(ty);
    let key = Identifier::new(context, "value");
    state.properties = Attribute::dictionary(context, &[(key, value)]);
    Some(state)
}

/// The attribute dictionary of a parameter or result, if any.
fn dictionary_at(context: &Context, op: Operation, key: &str, number: usize) -> Option<Attribute> {
    let all = op.attribute(context, key)?.as_array(context)?;
    all.get(number)
        .copied()
        .filter(|dictionary| *dictionary != Attribute::EMPTY_DICTIONARY)
}
