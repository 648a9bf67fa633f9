//! Faults injected into materialized programs: the verifier or the interpreter detects each of
//! them.

use std::collections::BTreeMap;

use orison_ir::walk::collect;
use orison_ir::{Attribute, Context, Mapping, Operation, Value};

use orison_interpret::tile::kernel::Launch;

use crate::examples::{DRIVERS, EXAMPLES, materialized};
use crate::harness::Program;

/// Orders tried before a fault counts as missed.
const RUNS: u64 = 200;

/// Changes a module; false if there is nothing to change.
type Mutation = fn(&mut Context, &[Operation]) -> bool;

const KINDS: &[(&str, Mutation)] = &[
    ("drop a commit", |context, ops| {
        erase(context, ops, "producer_commit")
    }),
    ("drop a release", |context, ops| {
        erase(context, ops, "consumer_release")
    }),
    ("drop the producer's side of a mutex", drop_mutex_first),
    ("drop the consumer's side of a mutex", drop_mutex_second),
    ("drop both sides of a mutex", |context, ops| {
        drop_mutex_first(context, ops) && drop_mutex_second(context, ops)
    }),
    ("shrink the storage of a ring", shrink_storage),
    ("shrink the slots of a ring", shrink_slots),
    ("commit before writing", |context, ops| {
        swap_with_user(context, ops, "producer_write", "producer_commit")
    }),
    ("release before reading", |context, ops| {
        swap_with_user(context, ops, "consumer_read", "consumer_release")
    }),
    ("start at the wrong stage", start_one_later),
    ("wrong consumer_idx", wrong_consumer),
    ("drop a producer's inc_iter", |context, ops| {
        forward(context, ops, "producer>")
    }),
    ("drop a consumer's inc_iter", |context, ops| {
        forward(context, ops, "consumer>")
    }),
    ("skip a wait", |context, ops| {
        nullify(context, ops, "consumer_wait")
    }),
    ("skip an acquire", |context, ops| {
        nullify(context, ops, "producer_acquire")
    }),
    ("skip a wait for a store by TMA", skip_store_wait),
    ("commit twice", |context, ops| {
        repeat(context, ops, "producer_commit")
    }),
    ("release twice", |context, ops| {
        repeat(context, ops, "consumer_release")
    }),
    ("announce too few bytes", |context, ops| {
        change_bytes(context, ops, -16)
    }),
    ("announce too many bytes", |context, ops| {
        change_bytes(context, ops, 16)
    }),
    ("announce no bytes", |context, ops| {
        find(context, ops, "producer_commit", "transaction_bytes").is_some_and(|op| {
            op.remove_attribute(context, "transaction_bytes");
            true
        })
    }),
    ("load the wrong tile", swap_coordinates),
    ("run one iteration less in the consumer", one_iteration_less),
];

fn named(context: &Context, op: Operation, name: &str) -> bool {
    op.name_text(context).ends_with(name)
}

fn find(context: &Context, ops: &[Operation], name: &str, attribute: &str) -> Option<Operation> {
    let mut found = ops.iter().copied().filter(|op| named(context, *op, name));
    found.find(|op| attribute.is_empty() || op.attribute(context, attribute).is_some())
}

fn erase(context: &mut Context, ops: &[Operation], name: &str) -> bool {
    let Some(op) = find(context, ops, name, "") else {
        return false;
    };
    op.erase(context);
    true
}

fn skip_store_wait(context: &mut Context, ops: &[Operation]) -> bool {
    let found = ops.iter().copied().find(|op| {
        let waits = op.is(context, "nv_tileas.async.wait");
        let source = waits.then(|| op.operand(context, 0).defining_op(context));
        source
            .flatten()
            .is_some_and(|source| named(context, source, "tiled_tma_store"))
    });
    let Some(op) = found else { return false };
    op.erase(context);
    true
}

/// The pipeline that an operation uses is a mutex.
fn is_mutex(context: &Context, op: Operation) -> bool {
    let created = op.operand(context, 0).defining_op(context);
    created.is_some_and(|op| op.attribute(context, "kind").is_some())
}

fn drop_pair(context: &mut Context, ops: &[Operation], first: &str, last: &str) -> bool {
    let mutexes = |name: &str| {
        let mut found = ops.iter().copied().filter(|op| {
            op.is_live(context) && named(context, *op, name) && is_mutex(context, *op)
        });
        found.next()
    };
    let (Some(first), Some(last)) = (mutexes(first), mutexes(last)) else {
        return false;
    };
    last.erase(context);
    first.erase(context);
    true
}

fn drop_mutex_first(context: &mut Context, ops: &[Operation]) -> bool {
    drop_pair(context, ops, "producer_acquire", "producer_commit")
}

fn drop_mutex_second(context: &mut Context, ops: &[Operation]) -> bool {
    drop_pair(context, ops, "consumer_wait", "consumer_release")
}

/// The ring of the first pipeline with storage.
fn ring(context: &Context, ops: &[Operation]) -> Option<Value> {
    let created = ops
        .iter()
        .find(|op| named(context, **op, "create_pipeline") && op.operand_count(context) > 0)?;
    Some(created.operand(context, 0))
}

pub fn resize(context: &mut Context, ring: Value, change: impl Fn(&mut Vec<i64>)) {
    use orison_tileas::views::ShapedView;
    let Some(mut view) = ShapedView::of(context, ring.ty(context)).cloned() else {
        return;
    };
    change(&mut view.shape);
    let ty = view.ty(context);
    ring.set_type(context, ty);
}

fn shrink_storage(context: &mut Context, ops: &[Operation]) -> bool {
    let Some(ring) = ring(context, ops) else {
        return false;
    };
    resize(context, ring, |shape| shape[0] -= 1);
    true
}

fn shrink_slots(context: &mut Context, ops: &[Operation]) -> bool {
    let Some(ring) = ring(context, ops) else {
        return false;
    };
    resize(context, ring, |shape| {
        if let Some(last) = shape.last_mut() {
            *last /= 2;
        }
    });
    true
}

/// Moves the operation that uses the token of another one before it.
fn swap_with_user(context: &mut Context, ops: &[Operation], first: &str, second: &str) -> bool {
    let Some(first) = find(context, ops, first, "") else {
        return false;
    };
    let token = first.result(context, 0);
    let Some(second) = token
        .users(context)
        .find(|user| named(context, *user, second))
    else {
        return false;
    };
    let before = first.operand(context, 1);
    second.set_operand(context, 1, before);
    second.move_before(context, first);
    true
}

fn start_one_later(context: &mut Context, ops: &[Operation]) -> bool {
    let Some(advance) = find(context, ops, "inc_iter", "") else {
        return false;
    };
    let iterator = ops.iter().copied().find(|op| {
        named(context, *op, "create_iterator")
            && op
                .attribute(context, "role")
                .and_then(|role| role.as_str(context))
                == Some("consumer")
    });
    let Some(iterator) = iterator else {
        return false;
    };
    let start = iterator.result(context, 0);
    let users: Vec<_> = start.uses(context).collect();
    let mut mapping = Mapping::default();
    mapping.map(advance.operand(context, 0), start);
    let copy = advance.clone_into(context, &mut mapping);
    let result = copy.result(context, 0);
    result.set_type(context, start.ty(context));
    let Some(block) = iterator.block(context) else {
        return false;
    };
    block.insert_before(context, iterator.next(context), copy);
    for usage in users {
        usage.owner.set_operand(context, usage.operand, result);
    }
    true
}

fn wrong_consumer(context: &mut Context, ops: &[Operation]) -> bool {
    let Some(op) = find(context, ops, "consumer_wait", "consumer_idx") else {
        return false;
    };
    let index = Attribute::i32(context, 1);
    op.set_attribute(context, "consumer_idx", index);
    true
}

/// Replaces uses of the result by the operand.
fn forward(context: &mut Context, ops: &[Operation], role: &str) -> bool {
    let found = ops.iter().copied().find(|op| {
        named(context, *op, "inc_iter") && {
            let ty = op.result(context, 0).ty(context);
            orison_ir::printer::type_to_string(context, ty).ends_with(role)
        }
    });
    let Some(op) = found else { return false };
    replace(context, op, op.operand(context, 0));
    true
}

fn replace(context: &mut Context, op: Operation, by: Value) {
    let users: Vec<_> = op.result(context, 0).uses(context).collect();
    for usage in users {
        usage.owner.set_operand(context, usage.operand, by);
    }
    op.erase(context);
}

/// Replaces a token that was waited for by a null token.
fn nullify(context: &mut Context, ops: &[Operation], name: &str) -> bool {
    use orison_ir::{OperationName, OperationState};
    let Some(op) = find(context, ops, name, "") else {
        return false;
    };
    let null = OperationName::new(context, "nv_tileas.async.pipeline.create_null_token");
    let mut state = OperationState::new(null, op.location(context));
    state.result_types = [op.result(context, 0).ty(context)].as_slice().into();
    let null = Operation::create(context, &state);
    let Some(block) = op.block(context) else {
        return false;
    };
    block.insert_before(context, Some(op), null);
    let token = null.result(context, 0);
    replace(context, op, token);
    true
}

fn repeat(context: &mut Context, ops: &[Operation], name: &str) -> bool {
    let Some(op) = find(context, ops, name, "") else {
        return false;
    };
    let copy = op.clone_into(context, &mut Mapping::default());
    let Some(block) = op.block(context) else {
        return false;
    };
    block.insert_before(context, Some(op), copy);
    true
}

fn change_bytes(context: &mut Context, ops: &[Operation], change: i32) -> bool {
    let Some(op) = find(context, ops, "producer_commit", "transaction_bytes") else {
        return false;
    };
    let bytes = op
        .attribute(context, "transaction_bytes")
        .and_then(|n| n.as_i32(context));
    let bytes = Attribute::i32(context, bytes.expect("a number") + change);
    op.set_attribute(context, "transaction_bytes", bytes);
    true
}

fn swap_coordinates(context: &mut Context, ops: &[Operation]) -> bool {
    // The last one: those before a loop may start at zero along both axes.
    let mut loads = ops.iter().copied().rev();
    let Some(op) = loads.find(|op| named(context, *op, "tiled_tma_load")) else {
        return false;
    };
    let coordinates = op.operands_named(context, "coordinates");
    let [.., a, b] = coordinates.as_slice() else {
        return false;
    };
    let number = |value: Value| op.operands(context).position(|operand| operand == value);
    let (Some(first), Some(second)) = (number(*a), number(*b)) else {
        return false;
    };
    let (a, b) = (*a, *b);
    op.set_operand(context, first, b);
    op.set_operand(context, second, a);
    a != b
}

/// The loop of the consumer starts one step later.
fn one_iteration_less(context: &mut Context, ops: &[Operation]) -> bool {
    let waits = find(context, ops, "consumer_wait", "");
    let looped = waits.and_then(|op| op.ancestors(context).find(|op| op.is(context, "scf.for")));
    let Some(looped) = looped else { return false };
    use orison_ir::{OperationName, OperationState};
    let name = OperationName::new(context, "arith.addi");
    let mut state = OperationState::new(name, looped.location(context));
    let (lower, step) = (looped.operand(context, 0), looped.operand(context, 2));
    state.operands = [lower, step].as_slice().into();
    state.result_types = [lower.ty(context)].as_slice().into();
    let sum = Operation::create(context, &state);
    let Some(block) = looped.block(context) else {
        return false;
    };
    block.insert_before(context, Some(looped), sum);
    let sum = sum.result(context, 0);
    looped.set_operand(context, 0, sum);
    true
}

/// A loop that loads data it stored in the previous iteration: its agents exclude each other.
pub const IN_PLACE: &str = r#"
nv_tileaa.func @in_place(%X: !nv_tileaa.memref<?x?xf32>, %blocks: index) attributes {nv_tileaa.kernel_spec = {numWarps = 8 : i32}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant dense<5.000000e-01> : tensor<8x8xf32>
  %start = nv_tileaa.create_mem_token
  %last = arith.subi %blocks, %c1 : index
  %tiles = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<8x8xf32, gmem>
  %end = scf.for %i = %c0 to %last step %c1 iter_args(%before = %start) -> (!nv_tileaa.mem_token) {
    %x, %loaded = nv_tileas.tiled_load %tiles[%i, %c0] token %before : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"tma_load_2d", box = [8, 8]>, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : !nv_tileaa.tiled_view<8x8xf32, gmem> -> tensor<8x8xf32>, !nv_tileaa.mem_token
    %y = arith.mulf %x, %half : tensor<8x8xf32>
    %next = arith.addi %i, %c1 : index
    %stored = nv_tileas.tiled_store %y, %tiles[%next, %c0] token %loaded : !nv_tileaa.mem_token {atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak"} : tensor<8x8xf32>, !nv_tileaa.tiled_view<8x8xf32, gmem> -> !nv_tileaa.mem_token
    scf.yield %stored : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}
"#;

/// A program for fault injection.
struct Victim {
    name: String,
    function: &'static str,
    text: String,
    before: Program,
    launches: Vec<Launch>,
}

fn victims() -> Vec<Victim> {
    let mut victims = Vec::new();
    for (driver, pass) in DRIVERS {
        for example in EXAMPLES {
            let after = materialized(example, pass).unwrap_or_else(|errors| panic!("{errors}"));
            victims.push(Victim {
                name: format!("{} ({driver})", example.name),
                function: example.function,
                text: after.text(),
                before: Program::parse(example.name, &example.text()).expect("well-formed"),
                launches: example.launches(),
            });
        }
        let pipeline = format!("builtin.module(tileas-generate-schedule,{pass})");
        let after = Program::parse("in-place", IN_PLACE).and_then(|p| p.transformed(&pipeline));
        victims.push(Victim {
            name: format!("in-place ({driver})"),
            function: "in_place",
            text: after.unwrap_or_else(|errors| panic!("{errors}")).text(),
            before: Program::parse("in-place", IN_PLACE).expect("well-formed"),
            launches: vec![Launch::default()],
        });
    }
    victims
}

/// The check that detects a fault, and its message; inner `None` if undetected, outer `None` if
/// there is nothing to change.
fn caught(victim: &Victim, mutation: Mutation) -> Option<Option<String>> {
    let mut program = Program::parse("mutant", &victim.text).expect("what was printed is read");
    let ops = collect(&program.context, program.operation);
    if !mutation(&mut program.context, &ops) {
        return None;
    }
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    if program.context.verify(program.operation).is_err() {
        let errors = program.context.diagnostics.take();
        let text = errors
            .first()
            .map(|error| error.render(&program.context))
            .unwrap_or_default();
        return Some(Some(format!("verifier: {}", first(&text))));
    }
    let found = victim.launches.iter().find_map(|launch| {
        let expected = victim.before.run(victim.function, launch, 0);
        let expected = expected.expect("it runs");
        let found = program.interleave(victim.function, launch, &expected, RUNS);
        found.err()
    });
    Some(found.map(|text| format!("interpreter, {}", first(&text))))
}

#[test]
fn every_fault_is_found() {
    let victims = victims();
    let (mut missed, mut applied) = (Vec::new(), BTreeMap::new());
    for (kind, mutation) in KINDS {
        for victim in &victims {
            match caught(victim, *mutation) {
                None => continue,
                Some(Some(words)) => println!("{kind:40} {:24} {words}", victim.name),
                Some(None) => missed.push(format!("{kind} in {}", victim.name)),
            }
            *applied.entry(*kind).or_insert(0) += 1;
        }
    }
    assert!(missed.is_empty(), "nobody finds: {}", missed.join(", "));
    let tried = |(kind, _): &&(&str, Mutation)| !applied.contains_key(kind);
    let untried: Vec<_> = KINDS.iter().filter(tried).map(|(kind, _)| *kind).collect();
    assert!(
        untried.is_empty(),
        "no program has what these change: {untried:?}"
    );
}
