//! The builtin dialect: modules and casts between type systems.

use orison_ir::declare::constraints::ANY_TYPE;
use orison_ir::declare::{
    Assembly, DialectDefinition, Effects, Folded, RegionConstraint, StrAttr, Trait, VerifyResult,
};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::{Printer, RegionStyle};
use orison_ir::{Attribute, Block, Builder, Context, Location, Operation, OperationState};

/// The dialect definition.
pub static DIALECT: DialectDefinition = DialectDefinition {
    name: "builtin",
    documentation: "Modules, and casts between type systems.",
    operations: &[Module::DEFINITION, UnrealizedConversionCast::DEFINITION],
    upstream: true,
    ..DialectDefinition::DEFAULT
};

orison_ir::operations! {
    /// A container of functions and other symbols.
    ///
    /// Its single block is a graph region: the order of operations has no meaning and there is no
    /// terminator. A file is parsed into a module.
    op Module = "builtin.module" {
        attributes {
            /// The symbol name of this module.
            sym_name = "sym_name": optional(StrAttr),
            /// The symbol visibility: `public`, `private` or `nested`.
            sym_visibility = "sym_visibility": optional(StrAttr),
        }
        regions {
            /// The block of symbols.
            body_region: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::IsolatedFromAbove,
                Trait::SymbolTable,
                Trait::Symbol,
                Trait::NoTerminator,
                Trait::GraphRegion,
                Trait::SingleBlock,
            ],
            effects: Effects::Recursive,
            assembly: Assembly::Custom { parse: parse_module, print: print_module },
            verify_regions: Some(verify_module),
            default_dialect: "builtin",
        }
    }

    /// Reconciles two type systems until a lowering connects them.
    ///
    /// Converts any number of values of any types to any number of values of other types.
    op UnrealizedConversionCast = "builtin.unrealized_conversion_cast" {
        operands {
            /// The values to convert.
            inputs: variadic(ANY_TYPE),
        }
        results {
            /// The converted values.
            outputs: variadic(ANY_TYPE),
        }
        with {
            traits: &[Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Format(
                "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict"
            ),
            verify: Some(verify_cast),
            fold: Some(fold_cast),
        }
    }
}

impl Module {
    /// Creates a detached module with an empty block.
    pub fn new(context: &mut Context, location: Location) -> Module {
        let module = Module::build(&mut Builder::new(context), location);
        let block = Block::new(context, &[]);
        let region = module.body_region(context);
        region.append_block(context, block);
        module
    }

    /// The block of symbols; `None` if the module is malformed.
    pub fn body(self, context: &Context) -> Option<Block> {
        self.0.body_block(context, 0)
    }
}

fn parse_module(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    if parser.at(TokenKind::AtIdentifier) {
        let name = parser.parse_symbol_name()?;
        let name = Attribute::string(parser.context, &name);
        state.set_property(parser.context, "sym_name", name);
    }
    let place = parser.token();
    parser.parse_attribute_dictionary_with_keyword(state)?;
    let name = state.attributes.get(parser.context, "sym_name");
    if name.is_some_and(|name| name.as_str(parser.context).is_none()) {
        let message = "'builtin.module' op attribute 'sym_name' failed to satisfy constraint: \
                       string attribute";
        return Err(parser.op_error_at(state, place, message));
    }
    let region = parser.parse_region(&[])?;
    if region.is_empty(parser.context) {
        let block = Block::new(parser.context, &[]);
        region.append_block(parser.context, block);
    }
    state.regions.push(region);
    Ok(())
}

fn print_module(printer: &mut Printer<'_>, op: Operation) {
    let context = printer.context;
    let module = Module(op);
    if let Some(name) = module.sym_name(context) {
        printer.write(" ");
        printer.symbol_name(name);
    }
    printer.attribute_dictionary_with_keyword(op, &["sym_name"]);
    printer.write(" ");
    printer.region(module.body_region(context), RegionStyle::FULL);
}

/// A module may have discardable dialect attributes, its name and its visibility, and nothing else.
fn verify_module(context: &Context, op: Operation) -> VerifyResult {
    if op
        .body_block(context, 0)
        .is_some_and(|body| body.argument_count(context) > 0)
    {
        return Err(op.op_error(context, "region should have no arguments"));
    }
    for (key, _) in op.attributes(context).entries(context) {
        let key = key.text(context);
        if !key.contains('.') && key != "sym_name" && key != "sym_visibility" {
            let message =
                format!("can only contain attributes with dialect-prefixed names, found: '{key}'");
            return Err(op.op_error(context, message));
        }
    }
    Ok(())
}

fn verify_cast(context: &Context, op: Operation) -> VerifyResult {
    if op.result_count(context) == 0 {
        let message = "expected at least one result for cast operation";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

/// Folds a cast to identical types, and a cast that inverts the preceding one.
fn fold_cast(
    context: &mut Context,
    op: Operation,
    _constants: &[Option<Attribute>],
) -> Option<Vec<Folded>> {
    let results = op.result_types(context);
    if !results.is_empty() && op.operand_types(context) == results {
        return Some(op.operands(context).map(Folded::Value).collect());
    }
    let source = op.operands(context).next()?.defining_op(context)?;
    let undoes = UnrealizedConversionCast::of(context, source).is_some()
        && op.operands(context).eq(source.results(context))
        && source.operand_types(context) == results;
    undoes.then(|| source.operands(context).map(Folded::Value).collect())
}
