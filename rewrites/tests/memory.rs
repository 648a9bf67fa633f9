//! What passes do with operations that read and write memory, which the host dialects do not have.

use orison_ir::declare::{
    DialectDefinition, Effects, OperationDefinition, Trait, ValueDefinition, Variadicity,
    constraints::ANY_TYPE,
};
use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, PrintFlags, Source, parse_source, print_to_string};
use orison_rewrites::{Canonicalize, Cse, LoopInvariantCodeMotion};

static VALUES: [ValueDefinition; 1] = [ValueDefinition {
    name: "values",
    variadicity: Variadicity::Variadic,
    constraint: &ANY_TYPE,
    documentation: "",
}];

const fn operation(name: &'static str, effects: Effects) -> OperationDefinition {
    OperationDefinition {
        name,
        effects,
        operands: &VALUES,
        results: &VALUES,
        traits: &[Trait::AlwaysSpeculatable],
        ..OperationDefinition::DEFAULT
    }
}

static READ: OperationDefinition = operation("m.read", Effects::Read);
static WRITE: OperationDefinition = operation("m.write", Effects::Write);
static UPDATE: OperationDefinition = operation("m.update", Effects::ReadWrite);
static ALLOCATE: OperationDefinition = operation("m.allocate", Effects::Allocate);
static UNKNOWN: OperationDefinition = operation("m.unknown", Effects::Unknown);
static PURE: OperationDefinition = operation("m.pure", Effects::None);
static MEMORY: DialectDefinition = DialectDefinition {
    name: "m",
    operations: &[&READ, &WRITE, &UPDATE, &ALLOCATE, &UNKNOWN, &PURE],
    ..DialectDefinition::DEFAULT
};

/// A function after a pass.
fn after(pass: &str, body: &str) -> String {
    let mut context = Context::new();
    orison_host::register(&mut context);
    context.register_dialect(&MEMORY);
    let text = format!("func.func @f(%p: i64, %c: i1, %n: index) {{\n{body}\nreturn\n}}");
    let source = Source {
        name: "t.mlir",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    assert!(context.verify(module).is_ok(), "the program is valid");
    let mut registry = PassRegistry::default();
    registry.register::<Cse>();
    registry.register::<Canonicalize>();
    registry.register::<LoopInvariantCodeMotion>();
    let pipeline = registry.parse_pipeline(&format!("builtin.module({pass})"));
    let pipeline = pipeline.expect("a pipeline");
    run_pipeline(&mut context, &pipeline, module).expect("the pass succeeds");
    print_to_string(&context, module, &PrintFlags::default())
}

/// The number of reads of `%p`.
fn reads(text: &str) -> usize {
    text.matches("\"m.read\"(%arg0)").count()
}

/// The number of reads that are left of those in a body.
fn reads_left(body: &str) -> usize {
    reads(&after("cse", body))
}

const READ_A: &str = "%a = \"m.read\"(%p) : (i64) -> i32\n";
const READ_B: &str = "%b = \"m.read\"(%p) : (i64) -> i32\n";
const USE: &str = "\"m.write\"(%a, %b) : (i32, i32) -> ()\n";

#[test]
fn a_read_is_replaced_by_an_equal_one_before_it_in_the_block() {
    assert_eq!(reads_left(&format!("{READ_A}{READ_B}{USE}")), 1);
}

#[test]
fn a_read_after_something_that_may_write_stays() {
    for between in [
        "\"m.write\"(%p) : (i64) -> ()\n",
        "\"m.update\"(%p) : (i64) -> ()\n",
        "\"m.unknown\"() : () -> ()\n",
        "func.call @g() : () -> ()\n",
        // In a region of another operation.
        "scf.if %c { \"m.write\"(%p) : (i64) -> () }\n",
        "scf.for %i = %n to %n step %n { scf.if %c { \"m.update\"(%p) : (i64) -> () } }\n",
    ] {
        let call = if between.contains("@g") {
            after_call(between)
        } else {
            reads_left(&format!("{READ_A}{between}{READ_B}{USE}"))
        };
        assert_eq!(call, 2, "{between}");
    }
}

fn after_call(between: &str) -> usize {
    // The declaration of the callee follows the function.
    let tail = "return\n}\nfunc.func private @g()\nfunc.func @h() {";
    reads_left(&format!("{READ_A}{between}{READ_B}{USE}{tail}"))
}

#[test]
fn a_read_after_something_that_writes_nothing_is_replaced() {
    for between in [
        "%d = \"m.read\"(%n) : (index) -> i32\n\"m.pure\"(%d) : (i32) -> ()\n",
        "%d = \"m.allocate\"() : () -> i64\n",
        "scf.if %c { %d = \"m.read\"(%n) : (index) -> i32 }\n",
    ] {
        let left = reads_left(&format!("{READ_A}{between}{READ_B}{USE}"));
        assert_eq!(left, 1, "{between}");
    }
}

#[test]
fn a_read_is_not_replaced_by_one_in_another_block() {
    // The path through ^other writes: the dominating read may be out of date at ^join.
    let body = |other: &str| {
        format!(
            "{READ_A}cf.cond_br %c, ^other, ^join\n^other:\n{other}cf.br ^join\n^join:\n\
             {READ_B}{USE}"
        )
    };
    assert_eq!(reads_left(&body("\"m.write\"(%p) : (i64) -> ()\n")), 2);
    // The write comes after the read in the walk over blocks, and before it in a loop.
    let looped = format!(
        "{READ_A}cf.br ^loop\n^loop:\n{READ_B}{USE}\"m.write\"(%p) : (i64) -> ()\n\
         cf.cond_br %c, ^loop, ^exit\n^exit:"
    );
    assert_eq!(reads_left(&looped), 2);
}

#[test]
fn a_read_is_not_replaced_by_one_outside_its_region() {
    let body = format!(
        "{READ_A}scf.for %i = %n to %n step %n {{\n{READ_B}{USE}\"m.write\"(%p) : (i64) -> ()\n}}"
    );
    assert_eq!(reads_left(&body), 2);
}

#[test]
fn after_a_write_the_next_read_is_the_one_that_later_ones_equal() {
    let body = format!(
        "{READ_A}\"m.write\"(%p) : (i64) -> ()\n{READ_B}%d = \"m.read\"(%p) : (i64) -> i32\n\
         \"m.write\"(%a, %b, %d) : (i32, i32, i32) -> ()"
    );
    let text = after("cse", &body);
    assert_eq!(reads(&text), 2);
    assert!(text.contains("\"m.write\"(%0, %1, %1)"), "{text}");
}

#[test]
fn an_inner_read_does_not_outlive_its_region() {
    // The read in the region takes the place of the outer one, and gives it back at the end of the
    // region: what it defines is not available afterwards.
    let body = format!(
        "{READ_A}scf.if %c {{\n%i = \"m.read\"(%p) : (i64) -> i32\n\
         \"m.pure\"(%i) : (i32) -> ()\n%j = \"m.unknown\"(%i) : (i32) -> i32\n}}\n{READ_B}{USE}"
    );
    assert_eq!(reads_left(&body), 3);
    let body = format!(
        "{READ_A}%k = scf.if %c -> i32 {{\n%i = \"m.read\"(%p) : (i64) -> i32\n\
         scf.yield %i : i32\n}} else {{\nscf.yield %a : i32\n}}\n{READ_B}\
         \"m.write\"(%a, %b, %k) : (i32, i32, i32) -> ()"
    );
    let text = after("cse", &body);
    assert_eq!(reads(&text), 2, "{text}");
    assert!(text.contains("\"m.write\"(%0, %0, "), "{text}");
}

#[test]
fn operations_with_regions_that_read_are_equal_only_without_a_write_between() {
    let conditional = |name: &str| {
        format!(
            "%{name} = scf.if %c -> i32 {{\n%r = \"m.read\"(%p) : (i64) -> i32\n\
             scf.yield %r : i32\n}} else {{\n%z = arith.constant 0 : i32\nscf.yield %z : i32\n}}\n"
        )
    };
    let (a, b) = (conditional("a"), conditional("b"));
    assert_eq!(reads_left(&format!("{a}{b}{USE}")), 1);
    let write = "\"m.write\"(%p) : (i64) -> ()\n";
    assert_eq!(reads_left(&format!("{a}{write}{b}{USE}")), 2);
}

#[test]
fn operations_in_regions_are_equal_only_with_their_operands_in_order() {
    let conditional = |name: &str, operation: &str| {
        format!(
            "%{name} = scf.if %c -> i64 {{\n%r = arith.{operation} : i64\nscf.yield %r : i64\n\
             }} else {{\nscf.yield %p : i64\n}}\n"
        )
    };
    let left = |first: &str, second: &str| {
        let (a, b) = (conditional("a", first), conditional("b", second));
        let operand = "%q = \"m.read\"() : () -> i64\n";
        let text = after(
            "cse",
            &format!("{operand}{a}{b}\"m.write\"(%a, %b) : (i64, i64) -> ()"),
        );
        text.matches("scf.if").count()
    };
    assert_eq!(left("subi %p, %q", "subi %p, %q"), 1);
    assert_eq!(left("subi %p, %q", "subi %q, %p"), 2);
    // Equal in any order.
    assert_eq!(left("addi %p, %q", "addi %q, %p"), 1);
    assert_eq!(left("addi %p, %q", "addi %p, %p"), 2);
    assert_eq!(left("addi %p, %q", "addi %p, %q overflow<nsw>"), 2);
}

#[test]
fn two_allocations_are_two() {
    let text = after(
        "cse",
        "%a = \"m.allocate\"() : () -> i64\n%b = \"m.allocate\"() : () -> i64\n\
         \"m.write\"(%a, %b) : (i64, i64) -> ()",
    );
    assert_eq!(text.matches("m.allocate").count(), 2);
}

#[test]
fn what_is_not_used_goes_unless_it_writes() {
    for pass in ["cse", "canonicalize"] {
        let text = after(
            pass,
            "%r = \"m.read\"() : () -> i64\n%n1 = \"m.pure\"() : () -> i64\n\
             %w = \"m.write\"() : () -> i64\n%u = \"m.update\"() : () -> i64\n\
             %x = \"m.unknown\"() : () -> i64\n%a = \"m.allocate\"() : () -> i64\n\
             scf.if %c { %q = \"m.read\"() : () -> i64 }\n\
             scf.if %c { %v = \"m.write\"(%p) : (i64) -> i64 }",
        );
        let names = [
            "m.read",
            "m.pure",
            "m.write",
            "m.update",
            "m.unknown",
            "m.allocate",
            "scf.if",
        ];
        let left = names.map(|name| text.matches(name).count());
        assert_eq!(left, [0, 0, 2, 1, 1, 0, 1], "{pass}:\n{text}");
    }
}

#[test]
fn what_is_not_used_stays_for_a_write_in_regions_of_regions() {
    for operation in ["m.write", "m.update"] {
        let nested = format!("scf.if %c {{ scf.if %c {{ \"{operation}\"(%p) : (i64) -> () }} }}");
        let text = after("cse", &nested);
        assert_eq!(text.matches(operation).count(), 1, "{text}");
    }
}

#[test]
fn only_what_has_no_effects_leaves_a_loop() {
    let text = after(
        "loop-invariant-code-motion",
        "scf.for %i = %n to %n step %n {\n%r = \"m.read\"(%p) : (i64) -> i32\n\
         %q = \"m.pure\"(%p) : (i64) -> i32\n%a = \"m.allocate\"(%p) : (i64) -> i32\n\
         \"m.write\"(%r, %q, %a) : (i32, i32, i32) -> ()\n}",
    );
    let (before, inside) = text.split_once("scf.for").expect("the loop");
    assert!(
        before.contains("m.pure") && !before.contains("m.read"),
        "{text}"
    );
    assert!(
        inside.contains("m.read") && inside.contains("m.allocate"),
        "{text}"
    );
}
