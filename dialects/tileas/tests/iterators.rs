//! Iterators merged by control flow must have one type.
//!
//! The verifier of `scf` also compares types. So these tests leave `scf` unregistered to
//! check only the rule of the tile dialect.

use orison_ir::{Context, Source, parse_source};
use orison_tileas::nv_tileas::verify_iterator_agreement;

const MESSAGE: &str = "branch arms must yield matching pipeline iterator types";

fn errors(text: &str) -> Vec<String> {
    let mut context = Context::new();
    context.allow_unregistered_dialects(true);
    orison_tileas::register(&mut context);
    let source = Source {
        name: "test.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text parses");
    let mut messages: Vec<_> = match orison_ir::verify(&context, module) {
        Ok(()) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| error.message).collect(),
    };
    // Checking the branch or loop directly gives the same result.
    let all = orison_ir::walk::collect(&context, module);
    let direct = all
        .iter()
        .find_map(|op| verify_iterator_agreement(&context, *op).err());
    messages.extend(direct.map(|error| error.message));
    messages
}

fn branch(first: &str, second: &str, result: &str) -> String {
    format!(
        "%c = \"t.c\"() : () -> i1
         %a = \"t.a\"() : () -> !nv_tileas.iter<{first}>
         %b = \"t.b\"() : () -> !nv_tileas.iter<{second}>
         %m = \"scf.if\"(%c) ({{
           \"scf.yield\"(%a) : (!nv_tileas.iter<{first}>) -> ()
         }}, {{
           \"scf.yield\"(%b) : (!nv_tileas.iter<{second}>) -> ()
         }}) : (i1) -> !nv_tileas.iter<{result}>
         %n = nv_tileas.async.pipeline.inc_iter %m : !nv_tileas.iter<{result}>"
    )
}

#[test]
fn arms_that_agree_are_fine() {
    let ty = "producer, f16, 3, smem";
    assert_eq!(errors(&branch(ty, ty, ty)), Vec::<String>::new());
}

#[test]
fn arms_must_agree_on_every_part() {
    let whole = "producer, f16, 3, smem";
    for other in [
        "consumer, f16, 3, smem",
        "producer, f32, 3, smem",
        "producer, f16, 2, smem",
        "producer, f16, 3, stride = 2, smem",
        "producer, f16, 3, tmem",
    ] {
        for (first, second, result) in [
            (whole, other, whole),
            (other, whole, whole),
            (whole, whole, other),
        ] {
            let found = errors(&branch(first, second, result));
            let expected = format!("'scf.if' op {MESSAGE}");
            assert_eq!(found, [expected.clone(), expected], "{other}");
        }
    }
}

fn carried(initial: &str, argument: &str, yielded: &str) -> String {
    format!(
        "%i = \"t.i\"() : () -> index
         %a = \"t.a\"() : () -> !nv_tileas.iter<{initial}>
         %r = \"scf.for\"(%i, %i, %i, %a) ({{
         ^bb0(%k: index, %it: !nv_tileas.iter<{argument}>):
           %next = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<{argument}>
           %other = \"t.b\"() : () -> !nv_tileas.iter<{yielded}>
           \"scf.yield\"(%other) : (!nv_tileas.iter<{yielded}>) -> ()
         }}) : (index, index, index, !nv_tileas.iter<{initial}>) -> !nv_tileas.iter<{initial}>"
    )
}

#[test]
fn loops_carry_one_type() {
    let (ty, other) = ("consumer, f16, 3", "consumer, f16, 2");
    assert_eq!(errors(&carried(ty, ty, ty)), Vec::<String>::new());
    for text in [carried(ty, other, ty), carried(ty, ty, other)] {
        let expected = format!("'scf.for' op {MESSAGE}");
        assert_eq!(errors(&text), [expected.clone(), expected]);
    }
}

#[test]
fn reductions_over_stages_divide_the_count() {
    use orison_tileas::nv_tileas::{IteratorType, Role};
    let iterator = IteratorType {
        count: Some(6),
        ..IteratorType::new(Role::Consumer)
    };
    assert_eq!(iterator.divided(3).and_then(|it| it.count), Some(2));
    assert_eq!(iterator.divided(4), None);
    assert_eq!(iterator.divided(0), None);
    assert_eq!(
        IteratorType::new(Role::Producer)
            .divided(4)
            .map(|it| it.count),
        Some(None)
    );
}
