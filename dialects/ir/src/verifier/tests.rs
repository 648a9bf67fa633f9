//! Rules of the verifier that the host dialects cannot break in textual form, and rules of traits
//! that only other dialects have.

use super::verify;
use crate::declare::constraints::{ANY_TYPE, I32, INDEX};
use crate::declare::{
    DialectDefinition, OperationDefinition, RegionConstraint, RegionDefinition,
    SuccessorDefinition, Trait, ValueDefinition, Variadicity,
};
use crate::{Block, Context, Operation, Source, parse_source};

const fn region(constraint: RegionConstraint) -> [RegionDefinition; 1] {
    [RegionDefinition {
        name: "the_body",
        constraint,
        variadic: false,
        documentation: "",
    }]
}

const fn group(
    name: &'static str,
    variadicity: Variadicity,
    constraint: &'static crate::declare::TypeConstraint,
) -> ValueDefinition {
    ValueDefinition {
        name,
        variadicity,
        constraint,
        documentation: "",
    }
}

static ANY: [RegionDefinition; 1] = region(RegionConstraint::Any);
static AT_LEAST_ONE: [RegionDefinition; 1] = region(RegionConstraint::MinOneBlock);
static AT_MOST_ONE: [RegionDefinition; 1] = region(RegionConstraint::MaxOneBlock);
static ALL: [ValueDefinition; 1] = [group("all", Variadicity::Variadic, &ANY_TYPE)];
static GROUPS: [ValueDefinition; 2] = [
    group("first", Variadicity::Optional, &INDEX),
    group("rest", Variadicity::Variadic, &I32),
];
static TARGETS: [SuccessorDefinition; 1] = [SuccessorDefinition {
    name: "targets",
    variadic: true,
    documentation: "",
}];

const fn operation(name: &'static str, traits: &'static [Trait]) -> OperationDefinition {
    OperationDefinition {
        name,
        traits,
        ..OperationDefinition::DEFAULT
    }
}

static TABLE: OperationDefinition = OperationDefinition {
    regions: &ANY,
    ..operation(
        "t.table",
        &[
            Trait::SymbolTable,
            Trait::IsolatedFromAbove,
            Trait::NoTerminator,
        ],
    )
};
static SYMBOL: OperationDefinition = operation("t.symbol", &[Trait::Symbol]);
static FUNC: OperationDefinition = OperationDefinition {
    regions: &ANY,
    ..operation("t.func", &[Trait::IsolatedFromAbove])
};
static SCOPE: OperationDefinition = OperationDefinition {
    regions: &ANY,
    ..operation("t.scope", &[])
};
static GRAPH: OperationDefinition = OperationDefinition {
    regions: &ANY,
    ..operation("t.graph", &[Trait::GraphRegion, Trait::NoTerminator])
};
static BRANCH: OperationDefinition = OperationDefinition {
    operands: &ALL,
    successors: &TARGETS,
    ..operation("t.br", &[Trait::Terminator])
};
static USE: OperationDefinition = OperationDefinition {
    operands: &ALL,
    results: &ALL,
    ..operation("t.use", &[])
};
static SIZED: OperationDefinition = OperationDefinition {
    operands: &GROUPS,
    ..operation("t.sized", &[Trait::AttrSizedOperandSegments])
};
static SIZED_RESULTS: OperationDefinition = OperationDefinition {
    results: &GROUPS,
    ..operation("t.sized_results", &[Trait::AttrSizedResultSegments])
};
static NOT_EMPTY: OperationDefinition = OperationDefinition {
    regions: &AT_LEAST_ONE,
    ..operation("t.not_empty", &[])
};
static ONE_BLOCK: OperationDefinition = OperationDefinition {
    regions: &AT_MOST_ONE,
    ..operation("t.one_block", &[])
};
static SAME_ELEMENT: OperationDefinition = OperationDefinition {
    operands: &ALL,
    results: &ALL,
    ..operation("t.same_element", &[Trait::SameOperandsAndResultElementType])
};
static INSIDE: OperationDefinition =
    operation("t.inside", &[Trait::HasParent(&["t.func", "t.scope"])]);
static TEST: DialectDefinition = DialectDefinition {
    name: "t",
    operations: &[
        &TABLE,
        &SYMBOL,
        &FUNC,
        &SCOPE,
        &GRAPH,
        &BRANCH,
        &USE,
        &SIZED,
        &SIZED_RESULTS,
        &NOT_EMPTY,
        &ONE_BLOCK,
        &SAME_ELEMENT,
        &INSIDE,
    ],
    ..DialectDefinition::DEFAULT
};

fn parse(text: &str) -> (Context, Operation) {
    let mut context = Context::new();
    context.register_dialect(&TEST);
    let source = Source {
        name: "t.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    let op = module.body_block(&context, 0).expect("a body");
    let op = op.first_op(&context).expect("an operation");
    (context, op)
}

/// The messages of the verifier for the first operation of a text.
fn messages(text: &str) -> Vec<String> {
    let (context, op) = parse(text);
    all_of(&context, op)
}

fn all_of(context: &Context, op: Operation) -> Vec<String> {
    let errors = verify(context, op).err().unwrap_or_default();
    errors.into_iter().map(|error| error.message).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(messages(text), expected, "{text}");
}

#[test]
fn a_branch_to_a_block_of_another_region_is_an_error() {
    // The textual format resolves blocks within one region: only code can build this.
    let (mut context, func) = parse(
        r#""t.func"() ({
            "t.scope"() ({
              "t.br"()[^a] : () -> ()
            ^a:
              "t.br"() : () -> ()
            }) : () -> ()
            "t.br"()[^b] : () -> ()
          ^b:
            "t.br"() : () -> ()
          }) : () -> ()"#,
    );
    assert_eq!(all_of(&context, func), [""; 0]);
    let outer: Vec<Block> = func.region(&context, 0).blocks(&context).collect();
    let scope = outer[0].first_op(&context).expect("the scope");
    let inner: Vec<Block> = scope.region(&context, 0).blocks(&context).collect();
    let message = "'t.br' op branching to block of a different region";
    // Out of a region into the one around it.
    let leaving = inner[0].last_op(&context).expect("a branch");
    leaving.set_successor(&mut context, 0, outer[1]);
    assert_eq!(all_of(&context, func), [message]);
    leaving.set_successor(&mut context, 0, inner[1]);
    assert_eq!(all_of(&context, func), [""; 0]);
    // Into a region from around it.
    let entering = outer[0].last_op(&context).expect("a branch");
    entering.set_successor(&mut context, 0, inner[1]);
    assert_eq!(all_of(&context, func), [message]);
}

#[test]
fn an_entry_block_has_no_predecessors_in_any_region() {
    check(
        r#""t.func"() ({
          ^a:
            "t.br"()[^b] : () -> ()
          ^b:
            "t.br"()[^a] : () -> ()
          }) : () -> ()"#,
        &["entry block of region may not have predecessors"],
    );
    check(
        r#""t.func"() ({
          ^a:
            "t.br"()[^b] : () -> ()
          ^b:
            "t.br"()[^b] : () -> ()
          }) : () -> ()"#,
        &[],
    );
}

#[test]
fn a_symbol_table_has_one_region_with_one_block() {
    check(
        r#""t.table"() ({
          ^a:
            "t.use"() : () -> ()
            "t.br"() : () -> ()
          ^b:
            "t.br"() : () -> ()
          }) : () -> ()"#,
        &["'t.table' op Operations with a 'SymbolTable' must have exactly one block"],
    );
    check(
        r#""t.table"() ({
          }) : () -> ()"#,
        &["'t.table' op Operations with a 'SymbolTable' must have exactly one block"],
    );
}

#[test]
fn symbols_have_names_and_names_are_unique_in_their_table_only() {
    check(
        r#""t.table"() ({ "t.symbol"() : () -> () }) : () -> ()"#,
        &["'t.symbol' op requires string attribute 'sym_name'"],
    );
    check(
        r#""t.table"() ({ "t.symbol"() {sym_name = 1 : i32} : () -> () }) : () -> ()"#,
        &["'t.symbol' op requires string attribute 'sym_name'"],
    );
    check(
        r#""t.table"() ({
            "t.symbol"() {sym_name = "a", sym_visibility = 1 : i32} : () -> ()
          }) : () -> ()"#,
        &[
            "'t.symbol' op requires visibility attribute 'sym_visibility' to be a string \
             attribute, but got 1 : i32",
        ],
    );
    check(
        r#""t.table"() ({
            "t.symbol"() {sym_name = "a"} : () -> ()
            "t.symbol"() {sym_name = "b"} : () -> ()
            "t.symbol"() {sym_name = "a"} : () -> ()
          }) : () -> ()"#,
        &["redefinition of symbol named 'a'"],
    );
    check(
        r#""t.table"() ({
            "t.symbol"() {sym_name = "a"} : () -> ()
            "t.table"() ({
              "t.symbol"() {sym_name = "a"} : () -> ()
            }) : () -> ()
          }) : () -> ()"#,
        &[],
    );
    check(
        r#""t.scope"() ({
            "t.symbol"() {sym_name = "a"} : () -> ()
            "t.br"() : () -> ()
          }) : () -> ()"#,
        &["'t.symbol' op symbol's parent must have the SymbolTable trait"],
    );
}

#[test]
fn groups_have_the_recorded_sizes_and_the_types_of_their_group() {
    let sized = |sizes: &str, types: &str, values: &str| {
        format!(
            r#""t.scope"() ({{
                %i, %x = "t.use"() : () -> (index, i32)
                "t.sized"({values}) <{{operandSegmentSizes = array<i32: {sizes}>}}> : ({types}) -> ()
                "t.br"() : () -> ()
              }}) : () -> ()"#
        )
    };
    check(&sized("1, 2", "index, i32, i32", "%i, %x, %x"), &[]);
    check(&sized("0, 2", "i32, i32", "%x, %x"), &[]);
    check(
        &sized("2, 1", "index, index, i32", "%i, %i, %x"),
        &["'t.sized' op operand group starting at #0 requires 0 or 1 element, but found 2"],
    );
    // The group decides the constraint of an operand.
    check(
        &sized("0, 2", "index, i32", "%i, %x"),
        &["'t.sized' op operand #0 must be variadic of 32-bit signless integer, but got 'index'"],
    );
    check(
        &sized("1, 1", "i32, i32", "%x, %x"),
        &["'t.sized' op operand #0 must be index, but got 'i32'"],
    );
    check(
        &sized("1, 2", "index, i32", "%i, %x"),
        &[
            "'t.sized' op operand count (2) does not match with the total size (3) specified in \
             attribute 'operandSegmentSizes'",
        ],
    );
    check(
        &sized("1, -1", "", ""),
        &["'t.sized' op 'operandSegmentSizes' attribute cannot have negative elements"],
    );
    check(
        &sized("1", "index", "%i"),
        &[
            "'t.sized' op 'operandSegmentSizes' attribute for specifying operand segments must \
             have 2 elements, but got 1",
        ],
    );
    let results = |sizes: &str, types: &str| {
        format!(
            r#""t.sized_results"() <{{resultSegmentSizes = array<i32: {sizes}>}}> : () -> ({types})"#
        )
    };
    check(&results("1, 1", "index, i32"), &[]);
    check(
        &results("1, 2", "index, i32"),
        &[
            "'t.sized_results' op result count (2) does not match with the total size (3) \
             specified in attribute 'resultSegmentSizes'",
        ],
    );
    check(
        &results("0, 2", "index, i32"),
        &[
            "'t.sized_results' op result #0 must be variadic of 32-bit signless integer, but got 'index'",
        ],
    );
}

#[test]
fn operations_of_the_same_types_and_other_groups_are_checked_again() {
    // Checks that passed are remembered by name, types and properties: recorded sizes are not types.
    check(
        r#""t.scope"() ({
            %i = "t.use"() : () -> index
            "t.sized"(%i) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> ()
            "t.sized"(%i) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> ()
            "t.sized"(%i) <{operandSegmentSizes = array<i32: 0, 1>}> : (index) -> ()
            "t.br"() : () -> ()
          }) : () -> ()"#,
        &["'t.sized' op operand #0 must be variadic of 32-bit signless integer, but got 'index'"],
    );
    // The same types in other places are other types.
    check(
        r#""t.scope"() ({
            %i, %v = "t.use"() : () -> (i32, vector<2xi32>)
            %0 = "t.same_element"(%i, %v) : (i32, vector<2xi32>) -> i32
            %1 = "t.same_element"(%i) : (i32) -> vector<2xi64>
            "t.br"() : () -> ()
          }) : () -> ()"#,
        &["'t.same_element' op requires the same element type for all operands and results"],
    );
    // The types of the results count as those of the operands do.
    check(
        r#""t.scope"() ({
            %i = "t.use"() : () -> i32
            %0 = "t.same_element"(%i) : (i32) -> i32
            %1 = "t.same_element"(%i) : (i32) -> i64
            "t.br"() : () -> ()
          }) : () -> ()"#,
        &["'t.same_element' op requires the same element type for all operands and results"],
    );
}

#[test]
fn element_types_agree_whatever_the_shapes() {
    let with = |ty: &str| {
        format!(
            r#""t.scope"() ({{
                %a, %b = "t.use"() : () -> (i32, {ty})
                %0 = "t.same_element"(%a, %b) : (i32, {ty}) -> i32
                "t.br"() : () -> ()
              }}) : () -> ()"#
        )
    };
    check(&with("tensor<4xi32>"), &[]);
    check(
        &with("tensor<4xi64>"),
        &["'t.same_element' op requires the same element type for all operands and results"],
    );
}

#[test]
fn regions_have_the_declared_number_of_blocks() {
    check(
        r#""t.not_empty"() ({}) : () -> ()"#,
        &[
            "'t.not_empty' op region #0 ('theBody') failed to verify constraint: region with at \
             least 1 blocks",
        ],
    );
    check(
        r#""t.one_block"() ({
          ^a:
            "t.br"()[^b] : () -> ()
          ^b:
            "t.br"() : () -> ()
          }) : () -> ()"#,
        &[
            "'t.one_block' op region #0 ('theBody') failed to verify constraint: region with at \
             most 1 blocks",
        ],
    );
    check(r#""t.one_block"() ({}) : () -> ()"#, &[]);
}

#[test]
fn an_operation_is_in_one_of_its_parents() {
    check(
        r#""t.scope"() ({ "t.inside"() : () -> () "t.br"() : () -> () }) : () -> ()"#,
        &[],
    );
    check(
        r#""t.graph"() ({ "t.inside"() : () -> () }) : () -> ()"#,
        &["'t.inside' op expects parent op to be one of 't.func, t.scope'"],
    );
}

/// What was found in one block says nothing about another.
#[test]
fn an_operation_is_in_one_of_its_parents_in_each_block() {
    check(
        r#"
        "t.scope"() ({
          "t.inside"() : () -> ()
          "t.inside"() : () -> ()
          "t.graph"() ({ "t.inside"() : () -> () }) : () -> ()
          "t.br"() : () -> ()
        }) : () -> ()
        "#,
        &["'t.inside' op expects parent op to be one of 't.func, t.scope'"],
    );
}

#[test]
fn order_counts_except_in_graph_regions() {
    let body = r#"({
        "t.use"(%x) : (i32) -> ()
        %x = "t.use"() : () -> i32
        "t.br"() : () -> ()
      }) : () -> ()"#;
    check(&format!(r#""t.graph"() {body}"#), &[]);
    check(
        &format!(r#""t.func"() {body}"#),
        &["operand #0 does not dominate this use"],
    );
}

#[test]
fn values_of_a_region_are_gone_behind_it() {
    // Built by code: the parser has no name for the inner value behind the region.
    let (mut context, func) = parse(
        r#""t.func"() ({
            %y = "t.use"() : () -> i32
            "t.scope"() ({
              %x = "t.use"() : () -> i32
              "t.br"() : () -> ()
            }) : () -> ()
            "t.use"(%y) : (i32) -> ()
            "t.br"() : () -> ()
          }) : () -> ()"#,
    );
    let body = func.body_block(&context, 0).expect("a body");
    let operations: Vec<_> = body.operations(&context).collect();
    let scope = operations[1].body_block(&context, 0).expect("a body");
    let inner = scope.first_op(&context).expect("a definition");
    let inner = inner.result(&context, 0);
    operations[2].set_operand(&mut context, 0, inner);
    assert_eq!(
        all_of(&context, func),
        ["operand #0 does not dominate this use"]
    );
    // The same for the graph region, whose values are all available inside it.
    let (mut context, graph) = parse(
        r#""t.func"() ({
            "t.graph"() ({
              %x = "t.use"() : () -> i32
            }) : () -> ()
            %y = "t.use"() : () -> i32
            "t.use"(%y) : (i32) -> ()
            "t.br"() : () -> ()
          }) : () -> ()"#,
    );
    let body = graph.body_block(&context, 0).expect("a body");
    let operations: Vec<_> = body.operations(&context).collect();
    let inner = operations[0].body_block(&context, 0).expect("a body");
    let inner = inner.first_op(&context).expect("a definition");
    let inner = inner.result(&context, 0);
    operations[2].set_operand(&mut context, 0, inner);
    assert_eq!(
        all_of(&context, graph),
        ["operand #0 does not dominate this use"]
    );
}

#[test]
fn each_isolated_operation_is_a_unit_with_an_error_of_its_own() {
    // An error in one unit does not hide that of its sibling, nor make values available to it.
    let unit = r#""t.func"() ({
        %x = "t.use"() : () -> i32
        "t.use"(%y) : (i32) -> ()
        %y = "t.use"(%x) : (i32) -> i32
        "t.br"() : () -> ()
      }) : () -> ()"#;
    check(
        &format!(r#""t.table"() ({{ {unit} {unit} }}) : () -> ()"#),
        &["operand #0 does not dominate this use"; 2],
    );
}

#[test]
fn a_value_of_another_isolated_operation_is_out_of_reach() {
    let (mut context, table) = parse(
        r#""t.table"() ({
            "t.func"() ({
              %x = "t.use"() : () -> i32
              "t.use"(%missing) : (i32) -> ()
              %missing = "t.use"() : () -> i32
              "t.br"() : () -> ()
            }) : () -> ()
            "t.func"() ({
              %y = "t.use"() : () -> i32
              "t.use"(%y) : (i32) -> ()
              "t.br"() : () -> ()
            }) : () -> ()
          }) : () -> ()"#,
    );
    let functions: Vec<_> = table
        .body_block(&context, 0)
        .expect("a body")
        .operations(&context)
        .collect();
    let first = |func: Operation| func.body_block(&context, 0).expect("a body");
    let inner = first(functions[0]).first_op(&context).expect("a value");
    let inner = inner.result(&context, 0);
    let user = first(functions[1]).operations(&context).nth(1);
    user.expect("a user").set_operand(&mut context, 0, inner);
    assert_eq!(
        all_of(&context, table),
        [
            "operand #0 does not dominate this use",
            "'t.use' op using value defined outside the region",
        ]
    );
}

#[test]
fn unreachable_blocks_may_use_any_value_and_define_none_for_others() {
    check(
        r#""t.func"() ({
          ^entry:
            %x = "t.use"() : () -> i32
            "t.br"() : () -> ()
          ^dead:
            "t.use"(%later) : (i32) -> ()
            %later = "t.use"(%x) : (i32) -> i32
            "t.br"() : () -> ()
          }) : () -> ()"#,
        &[],
    );
    check(
        r#""t.func"() ({
          ^entry:
            "t.use"(%dead) : (i32) -> ()
            "t.br"() : () -> ()
          ^dead:
            %dead = "t.use"() : () -> i32
            "t.br"() : () -> ()
          }) : () -> ()"#,
        &["operand #0 does not dominate this use"],
    );
}

#[test]
fn operations_of_other_dialects_need_permission() {
    let (mut context, op) = parse(r#""t.scope"() ({ "t.br"() : () -> () }) : () -> ()"#);
    let other = crate::OperationName::new(&mut context, "other.op");
    let state = crate::OperationState::new(other, crate::Location::UNKNOWN);
    let foreign = Operation::create(&mut context, &state);
    let body = op.body_block(&context, 0).expect("a body");
    let first = body.first_op(&context);
    body.insert_before(&mut context, first, foreign);
    assert_eq!(all_of(&context, op).len(), 1);
    assert!(all_of(&context, op)[0].contains("created with unregistered dialect"));
    context.allow_unregistered_dialects(true);
    assert_eq!(all_of(&context, op), [""; 0]);
}
