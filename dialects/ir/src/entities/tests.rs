//! Blocks, operations and use lists after changes.

use crate::dominance::Dominance;
use crate::symbol_table::{SymbolTable, SymbolTables};
use crate::{
    Attribute, Block, Builder, Context, Location, Operation, Rewriter, Source, Type, Value,
    parse_source,
};

fn parse(text: &str) -> (Context, Operation) {
    parse_in(Context::new(), text)
}

fn parse_in(mut context: Context, text: &str) -> (Context, Operation) {
    context.allow_unregistered_dialects(true);
    let source = Source {
        name: "t.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    (context, module)
}

fn body(context: &Context, op: Operation) -> Vec<Operation> {
    let block = op.body_block(context, 0).expect("a body");
    block.operations(context).collect()
}

/// The users of a value with the operand indices, sorted.
fn uses(context: &Context, value: Value) -> Vec<(Operation, usize)> {
    let uses = value.uses(context);
    let mut uses: Vec<_> = uses.map(|usage| (usage.owner, usage.operand)).collect();
    uses.sort_unstable();
    uses
}

const USERS: &str = r#"
    %0 = "t.def"() : () -> i32
    %1 = "t.def"() : () -> i32
    "t.a"(%0, %1, %0) : (i32, i32, i32) -> ()
    "t.b"(%0) : (i32) -> ()
    "t.c"(%0, %0) : (i32, i32) -> ()"#;

#[test]
fn a_use_list_has_exactly_the_operands_that_refer_to_the_value() {
    let (mut context, module) = parse(USERS);
    let operations = body(&context, module);
    let [first, second] = [0, 1].map(|number| operations[number].result(&context, 0));
    let [a, b, c] = [2, 3, 4].map(|number| operations[number]);
    assert_eq!(
        uses(&context, first),
        [(a, 0), (a, 2), (b, 0), (c, 0), (c, 1)]
    );
    // From the middle, the front and the end of the list, in every order.
    b.set_operand(&mut context, 0, second);
    assert_eq!(uses(&context, first), [(a, 0), (a, 2), (c, 0), (c, 1)]);
    c.set_operand(&mut context, 1, second);
    a.set_operand(&mut context, 0, second);
    assert_eq!(uses(&context, first), [(a, 2), (c, 0)]);
    assert_eq!(uses(&context, second), [(a, 0), (a, 1), (b, 0), (c, 1)]);
    b.erase(&mut context);
    assert_eq!(uses(&context, second), [(a, 0), (a, 1), (c, 1)]);
    second.replace_all_uses_with(&mut context, first);
    assert!(second.is_unused(&context));
    assert_eq!(
        uses(&context, first),
        [(a, 0), (a, 1), (a, 2), (c, 0), (c, 1)]
    );
    assert!(!first.has_one_use(&context));
    a.erase(&mut context);
    c.set_operands(&mut context, &[second, first]);
    assert_eq!(uses(&context, first), [(c, 1)]);
    assert!(first.has_one_use(&context));
}

#[test]
fn only_chosen_uses_are_replaced() {
    let (mut context, module) = parse(USERS);
    let operations = body(&context, module);
    let [first, second] = [0, 1].map(|number| operations[number].result(&context, 0));
    let [a, b, c] = [2, 3, 4].map(|number| operations[number]);
    first.replace_uses_if(&mut context, second, |_, usage| usage.operand == 0);
    assert_eq!(uses(&context, first), [(a, 2), (c, 1)]);
    assert_eq!(uses(&context, second), [(a, 0), (a, 1), (b, 0), (c, 0)]);
}

#[test]
fn arguments_have_the_position_at_which_they_are() {
    let mut context = Context::new();
    let block = Block::new(&mut context, &[]);
    let positions = |context: &Context, values: &[Value]| -> Vec<usize> {
        let positions = values.iter().map(|value| value.position(context));
        positions.collect()
    };
    let unknown = Location::UNKNOWN;
    let a = block.add_argument(&mut context, Type::I1, unknown);
    let b = block.add_argument(&mut context, Type::I32, unknown);
    let c = block.insert_argument(&mut context, 0, Type::I64, unknown);
    let d = block.insert_argument(&mut context, 2, Type::INDEX, unknown);
    assert_eq!(block.arguments(&context).collect::<Vec<_>>(), [c, a, d, b]);
    assert_eq!(positions(&context, &[c, a, d, b]), [0, 1, 2, 3]);
    block.erase_argument(&mut context, 1);
    assert_eq!(positions(&context, &[c, d, b]), [0, 1, 2]);
    assert_eq!(
        block.argument_types(&context),
        [Type::I64, Type::INDEX, Type::I32]
    );
}

#[test]
fn order_in_a_block_is_that_of_its_operations_after_every_change() {
    let (mut context, module) = parse(
        r#""t.a"() : () -> ()
           "t.b"() : () -> ()
           "t.c"() : () -> ()
           "t.d"() : () -> ()"#,
    );
    let check = |context: &Context| {
        let operations = body(context, module);
        for (i, first) in operations.iter().enumerate() {
            for (j, second) in operations.iter().enumerate() {
                let before = first.is_before_in_block(context, *second);
                assert_eq!(before, i < j, "{i} before {j}");
            }
        }
        let block = module.body_block(context, 0).expect("a body");
        let mut reversed: Vec<_> = block.operations_reversed(context).collect();
        reversed.reverse();
        assert_eq!(reversed, operations);
        operations
            .iter()
            .map(|op| op.name_text(context).to_owned())
            .collect::<Vec<_>>()
    };
    let block = module.body_block(&context, 0).expect("a body");
    let [a, b, c, d] = body(&context, module)[..] else {
        panic!("four operations")
    };
    check(&context);
    d.move_before(&mut context, a);
    assert_eq!(check(&context), ["t.d", "t.a", "t.b", "t.c"]);
    block.renumber(&mut context);
    assert_eq!(check(&context), ["t.d", "t.a", "t.b", "t.c"]);
    a.move_after(&mut context, c);
    assert_eq!(check(&context), ["t.d", "t.b", "t.c", "t.a"]);
    block.renumber(&mut context);
    b.erase(&mut context);
    assert_eq!(check(&context), ["t.d", "t.c", "t.a"]);
    c.move_before(&mut context, d);
    d.detach(&mut context);
    block.append(&mut context, d);
    assert_eq!(check(&context), ["t.c", "t.a", "t.d"]);
}

#[test]
fn a_split_block_keeps_the_order_and_goes_to_the_place_behind() {
    let (mut context, module) = parse(
        r#""t.f"() ({
          ^a:
            "t.x"() : () -> ()
            "t.y"() : () -> ()
            "t.br"()[^b] : () -> ()
          ^b:
            "t.end"() : () -> ()
          }) : () -> ()"#,
    );
    let region = body(&context, module)[0].region(&context, 0);
    let blocks: Vec<_> = region.blocks(&context).collect();
    let second = blocks[0].operations(&context).nth(1).expect("two");
    let rest = blocks[0].split_before(&mut context, second);
    let names = |context: &Context, block: Block| -> Vec<String> {
        let operations = block.operations(context);
        operations
            .map(|op| op.name_text(context).to_owned())
            .collect()
    };
    assert_eq!(
        region.blocks(&context).collect::<Vec<_>>(),
        [blocks[0], rest, blocks[1]]
    );
    assert_eq!(names(&context, blocks[0]), ["t.x"]);
    assert_eq!(names(&context, rest), ["t.y", "t.br"]);
    assert_eq!(blocks[1].predecessors(&context).collect::<Vec<_>>(), [rest]);
    assert_eq!(rest.previous(&context), Some(blocks[0]));
    assert_eq!(region.last_block(&context), Some(blocks[1]));
}

#[test]
fn what_is_used_outside_is_not_erased_however_deep_it_is() {
    let (mut context, module) = parse(
        r#""t.f"() ({
          ^a(%x: i32):
            "t.inner"() ({
              %y = "t.def"() : () -> i32
            }) : () -> ()
          }) : () -> ()
          %z = "t.def"() : () -> i32
          "t.use"(%z) : (i32) -> ()"#,
    );
    let [outer, _, user] = body(&context, module)[..] else {
        panic!("three operations")
    };
    let entry = outer.body_block(&context, 0).expect("a body");
    let argument = entry.argument(&context, 0);
    let inner = entry.first_op(&context).expect("an operation");
    let deep = body(&context, inner)[0].result(&context, 0);
    for value in [argument, deep] {
        user.set_operand(&mut context, 0, value);
        assert!(outer.check_erasable(&context).is_err());
        assert!(outer.try_erase(&mut context).is_err());
        assert!(outer.is_live(&context));
    }
    user.erase(&mut context);
    assert!(outer.try_erase(&mut context).is_ok());
    assert!(!outer.is_live(&context) && !inner.is_live(&context) && !argument.is_live(&context));
}

#[test]
fn a_block_with_a_branch_to_it_is_not_inlined() {
    let (mut context, module) = parse(
        r#""t.f"() ({
          ^a:
            "t.br"()[^b] : () -> ()
          ^b:
            "t.end"() : () -> ()
          }) : () -> ()"#,
    );
    let func = body(&context, module)[0];
    let second = func.region(&context, 0).last_block(&context);
    let second = second.expect("two blocks");
    let mut rewriter = Rewriter::new(Builder::new(&mut context));
    rewriter.inline_block(second, &[]);
    assert!(second.is_live(&context));
    let diagnostics = context.diagnostics.take();
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].message.contains("a branch leads to it"));
}

#[test]
fn an_operation_is_not_replaced_by_values_that_go_with_it() {
    let (mut context, module) = parse(
        r#"%0 = "t.f"() ({
          ^a(%x: i32):
            %y = "t.def"() : () -> i32
          }) : () -> i32
          "t.use"(%0) : (i32) -> ()"#,
    );
    let outer = body(&context, module)[0];
    let entry = outer.body_block(&context, 0).expect("a body");
    let inner = entry.first_op(&context).expect("a definition");
    let values = [entry.argument(&context, 0), inner.result(&context, 0)];
    for value in values {
        let mut rewriter = Rewriter::new(Builder::new(&mut context));
        rewriter.replace(outer, &[value]);
        assert!(outer.is_live(&context));
        let diagnostics = context.diagnostics.take();
        assert_eq!(diagnostics.len(), 1);
        assert!(diagnostics[0].message.contains("values that it defines"));
    }
    // By itself: nothing to do.
    let own = outer.result(&context, 0);
    let mut rewriter = Rewriter::new(Builder::new(&mut context));
    rewriter.replace(outer, &[own]);
    assert!(outer.is_live(&context) && !own.is_unused(&context));
    assert!(context.diagnostics.take().is_empty());
}

#[test]
fn nested_references_are_resolved_in_the_symbols_on_their_path() {
    let mut context = Context::new();
    context.register_dialect(&TABLES);
    let (context, module) = parse_in(
        context,
        r#""t.table"() ({
            "t.symbol"() {sym_name = "b", inner} : () -> ()
            "t.symbol"() {sym_name = "only"} : () -> ()
          }) {sym_name = "a"} : () -> ()
          "t.symbol"() {sym_name = "b"} : () -> ()
          "t.user"() {path = @a::@b, missing = @a::@a, flat = @b, hidden = @only} : () -> ()"#,
    );
    let [table, outer, user] = body(&context, module)[..] else {
        panic!("three operations")
    };
    let symbols = SymbolTable::of(&context, module);
    assert_eq!(symbols.get("b"), Some(outer));
    assert_eq!(symbols.get("only"), None);
    let inner = SymbolTable::of(&context, table).get("b").expect("a symbol");
    assert_ne!(inner, outer);
    let mut tables = SymbolTables::default();
    let path = user.attribute(&context, "path").expect("a reference");
    let missing = user.attribute(&context, "missing").expect("a reference");
    let flat = user.attribute(&context, "flat").expect("a reference");
    let hidden = user.attribute(&context, "hidden").expect("a reference");
    let mut resolve = |reference: Attribute| tables.resolve(&context, user, reference);
    assert_eq!(resolve(path), Some(inner));
    assert_eq!(resolve(missing), None);
    assert_eq!(resolve(flat), Some(outer));
    assert_eq!(resolve(hidden), None);
}

static MODULE: crate::declare::OperationDefinition = crate::declare::OperationDefinition {
    name: "builtin.module",
    traits: &[crate::declare::Trait::SymbolTable],
    ..crate::declare::OperationDefinition::DEFAULT
};
static TABLES: crate::declare::DialectDefinition = crate::declare::DialectDefinition {
    name: "builtin",
    operations: &[&MODULE],
    ..crate::declare::DialectDefinition::DEFAULT
};

#[test]
fn an_unused_name_is_none_of_the_table() {
    let (context, module) = parse(
        r#""t.symbol"() {sym_name = "f"} : () -> ()
           "t.symbol"() {sym_name = "f_0"} : () -> ()
           "t.symbol"() {sym_name = "f_1"} : () -> ()"#,
    );
    let mut table = SymbolTable::of(&context, module);
    assert_eq!(table.unused_name("g"), "g");
    assert_eq!(table.unused_name("f"), "f_2");
    assert_eq!(table.iter().count(), 3);
    let operations = body(&context, module);
    table.insert(&context, operations[0]);
    assert_eq!(table.get("f"), Some(operations[0]));
}

#[test]
fn the_first_of_two_symbols_of_a_name_is_found() {
    let (context, module) = parse(
        r#""t.symbol"() {sym_name = "f"} : () -> ()
           "t.symbol"() {sym_name = "f"} : () -> ()"#,
    );
    let first = body(&context, module)[0];
    assert_eq!(SymbolTable::of(&context, module).get("f"), Some(first));
    assert_eq!(module.lookup_symbol(&context, "f"), Some(first));
}

#[test]
fn an_operation_dominates_what_is_behind_it_and_below_its_block() {
    let (context, module) = parse(
        r#""t.f"() ({
          ^entry(%arg: i32):
            %0 = "t.first"() : () -> i32
            "t.second"() ({
              "t.inside"() : () -> ()
            }) : () -> ()
            "t.br"()[^left, ^right] : () -> ()
          ^left(%l: i32):
            "t.end"() : () -> ()
          ^right:
            "t.end"() : () -> ()
          }) : () -> ()
          "t.outside"() : () -> ()"#,
    );
    let operations = body(&context, module);
    let func = operations[0];
    let blocks: Vec<_> = func.region(&context, 0).blocks(&context).collect();
    let entry: Vec<_> = blocks[0].operations(&context).collect();
    let inside = body(&context, entry[1])[0];
    let left = blocks[1].first_op(&context).expect("an operation");
    let right = blocks[2].first_op(&context).expect("an operation");
    let mut dominance = Dominance::default();
    let mut check = |a, b, expected| {
        assert_eq!(dominance.properly_dominates(&context, a, b), expected);
    };
    check(entry[0], entry[1], true);
    check(entry[1], entry[0], false);
    check(entry[0], entry[0], false);
    check(entry[0], inside, true);
    // Not what is inside the operation itself.
    check(entry[1], inside, false);
    check(entry[1], entry[2], true);
    check(inside, entry[2], false);
    check(entry[0], left, true);
    check(entry[1], right, true);
    check(left, right, false);
    check(left, entry[2], false);
    check(entry[0], operations[1], false);
    let argument = blocks[0].argument(&context, 0);
    let left_argument = blocks[1].argument(&context, 0);
    let result = entry[0].result(&context, 0);
    let mut available = |value, user, expected| {
        assert_eq!(dominance.dominates_use(&context, value, user), expected);
    };
    available(argument, entry[0], true);
    available(argument, inside, true);
    available(argument, right, true);
    available(argument, operations[1], false);
    available(left_argument, left, true);
    available(left_argument, right, false);
    available(left_argument, entry[2], false);
    available(result, left, true);
    available(result, entry[0], false);
}
