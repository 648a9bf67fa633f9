//! The behaviour of single operations, on small memory with known values.

use std::cell::RefCell;
use std::collections::BTreeSet;

use orison_interpret::tile::kernel::{Argument, Launch, elements};
use orison_interpret::tile::{ElementKind, TileData};
use orison_ir::numbers::FloatKind;
use orison_ir::walk::collect;

use crate::examples::{DRIVERS, EXAMPLES, materialized};
use crate::harness::Program;

const F32: ElementKind = ElementKind::Float(FloatKind::F32);

/// Memory with these values.
fn memory(shape: &[usize], values: &[f64]) -> Option<Argument> {
    Some(Argument::Numbers {
        shape: shape.to_vec(),
        values: values.to_vec(),
    })
}

pub(crate) fn counting(shape: &[usize]) -> Option<Argument> {
    let values: Vec<f64> = (0..shape.iter().product::<usize>())
        .map(|n| n as f64)
        .collect();
    memory(shape, &values)
}

/// A function with this signature and body.
pub(crate) fn function(signature: &str, body: &str) -> String {
    format!(
        "nv_tileaa.func @f({signature}) {{\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %token = nv_tileaa.create_mem_token\n{body}  nv_tileaa.return\n}}\n"
    )
}

/// Runs a program in several orders, which must agree; returns the final `f32` memory of an
/// argument.
pub(crate) fn run(
    text: &str,
    arguments: &[Option<Argument>],
    result: usize,
    shape: &[usize],
) -> Result<Vec<f64>, String> {
    let program = Program::parse("test.mlir", text)?;
    let launch = Launch {
        arguments: arguments.to_vec(),
        ..Launch::default()
    };
    let expected = program.run("f", &launch, 0)?;
    program.interleave("f", &launch, &expected, 25)?;
    note(&program);
    let tile = elements(&expected, result, shape, F32).expect("it was written");
    match tile.data.as_ref() {
        TileData::Floats(values) => Ok(values.clone()),
        TileData::Integers(_) => Err("no floats".to_owned()),
    }
}

thread_local! {
    /// Names of the operations in programs that ran without a fault.
    static SEEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

fn note(program: &Program) {
    let context = &program.context;
    let names = collect(context, program.operation).into_iter();
    let names = names.map(|op| op.name_text(context).to_owned());
    SEEN.with_borrow_mut(|seen| seen.extend(names));
}

/// The first line of the error in a program, without its location.
pub(crate) fn wrong(text: &str, arguments: &[Option<Argument>]) -> String {
    let errors = run(text, arguments, 0, &[1]).expect_err("it is wrong");
    let first = errors.lines().next().unwrap_or_default();
    first.split("error: ").nth(1).unwrap_or(first).to_owned()
}

pub(crate) const VIEWS: &str = "  %vx = nv_tileaa.block_tile %X : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
  %vy = nv_tileaa.block_tile %Y : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
";
pub(crate) const XY: &str = "%X: !nv_tileaa.memref<?x?xf32>, %Y: !nv_tileaa.memref<?x?xf32>";
const LOAD: &str = "  %x = nv_tileas.tiled_load %vx[%c0, %c0] {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>
";
pub(crate) const STORE: &str = "  nv_tileas.tiled_store %y, %vy[%c0, %c0] {in_bounds = array<i1: true, true>} : tensor<4x4xf32>, !nv_tileaa.tiled_view<4x4xf32, gmem>
";

/// The results of a body between a load of 4 x 4 consecutive numbers and a store.
fn through(body: &str) -> Result<Vec<f64>, String> {
    let text = function(XY, &format!("{VIEWS}{LOAD}{body}{STORE}"));
    run(&text, &[counting(&[4, 4]), counting(&[4, 4])], 1, &[4, 4])
}

pub(crate) fn numbers(values: impl IntoIterator<Item = usize>) -> Vec<f64> {
    values.into_iter().map(|value| value as f64).collect()
}

#[test]
fn tiles_at_the_edge_are_padded() {
    let body = format!(
        "{VIEWS}  %x = nv_tileas.tiled_load %vx[%c1, %c0] {{in_bounds = array<i1: false, true>, padding_value = 9.0 : f32}} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>\n  %y = arith.addf %x, %x : tensor<4x4xf32>\n{STORE}"
    );
    let text = function(XY, &body);
    let found = run(&text, &[counting(&[5, 4]), counting(&[4, 4])], 1, &[4, 4]).expect("it runs");
    let mut expected = numbers([32, 34, 36, 38]);
    expected.extend([18.0; 12]);
    assert_eq!(found, expected);
    // Without padding, `in_bounds` is violated.
    let unpadded = text.replace(", padding_value = 9.0 : f32", "");
    let message = wrong(&unpadded, &[counting(&[5, 4]), counting(&[4, 4])]);
    assert!(
        message.contains("uses element [1, 0] of a tile, which is undefined"),
        "{message}"
    );
    let promised = unpadded.replace("array<i1: false, true>", "array<i1: true, true>");
    let message = wrong(&promised, &[counting(&[5, 4]), counting(&[4, 4])]);
    assert!(
        message.contains("is out of bounds along axis 0"),
        "{message}"
    );
}

#[test]
fn stores_outside_are_left_out() {
    let store = STORE.replace(
        "%vy[%c0, %c0] {in_bounds = array<i1: true, true>}",
        "%vy[%c0, %c1] {padding_value = 0.0 : f32}",
    );
    let body = format!("{VIEWS}{LOAD}  %y = arith.negf %x : tensor<4x4xf32>\n{store}");
    let found = run(
        &function(XY, &body),
        &[counting(&[4, 4]), counting(&[4, 6])],
        1,
        &[4, 6],
    );
    let found = found.expect("it runs");
    assert_eq!(&found[..6], [0.0, 1.0, 2.0, 3.0, -0.0, -1.0]);
    assert_eq!(&found[6..12], [6.0, 7.0, 8.0, 9.0, -4.0, -5.0]);
}

#[test]
fn shapes_and_slices() {
    let transposed_twice = "  %a = nv_tileas.view %x : tensor<4x4xf32> -> tensor<2x8xf32>
  %b = nv_tileas.extract_slice %a[0, 4] [2, 4] [1, 1] : tensor<2x8xf32> to tensor<2x4xf32>
  %y = nv_tileas.insert_slice %b into %x[%c1, 0] [2, 4] [2, 1] : tensor<2x4xf32> into tensor<4x4xf32>
";
    let found = through(transposed_twice).expect("it runs");
    assert_eq!(
        found,
        numbers([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    );
    let shuffled =
        "  %y = nv_tileas.shuffle %x {pattern = array<i64: 3, 2, 1, 0>} : tensor<4x4xf32>\n";
    let found = through(shuffled).expect("it runs");
    assert_eq!(&found[..8], numbers([3, 2, 1, 0, 7, 6, 5, 4]));
    // The bits of 1.0 are 0x3F800000; their upper half is 16256.
    let bits = "  %a = nv_tileas.reinterpret %x : tensor<4x4xf32> -> tensor<4x8xi16>
  %b = nv_tileas.extract_slice %a[0, 1] [4, 4] [1, 2] : tensor<4x8xi16> to tensor<4x4xi16>
  %y = arith.sitofp %b : tensor<4x4xi16> to tensor<4x4xf32>
";
    let found = through(bits).expect("it runs");
    assert_eq!(&found[..3], numbers([0, 16256, 16384]));
}

/// A slice of a buffer is memory: what is copied to it is in the buffer.
#[test]
fn a_slice_of_a_buffer_is_part_of_it() {
    let body = "  %s = nv_tileas.alloc_tensor in \"smem\" : !nv_tileas.tiled_view<4x4xf32, smem>
  nv_tileas.copy %x to %s {atom = #nv_tileas.atom<\"sts\">} : tensor<4x4xf32> to !nv_tileas.tiled_view<4x4xf32, smem>
  %row = nv_tileas.extract_slice %s[2, 0] [1, 4] [1, 1] : !nv_tileas.tiled_view<4x4xf32, smem> to !nv_tileas.tiled_view<1x4xf32, smem>
  %zero = arith.constant dense<0.0> : tensor<1x4xf32>
  nv_tileas.copy %zero to %row {atom = #nv_tileas.atom<\"sts\">} : tensor<1x4xf32> to !nv_tileas.tiled_view<1x4xf32, smem>
  %y = nv_tileas.copy %s {atom = #nv_tileas.atom<\"lds\">} : !nv_tileas.tiled_view<4x4xf32, smem> -> tensor<4x4xf32>
";
    let found = through(body).expect("it runs");
    assert_eq!(
        found,
        numbers([0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 12, 13, 14, 15])
    );
}

#[test]
fn reductions_scans_and_generated_tiles() {
    let body = "  %r = nv_tileas.reduce %x axis 0 : tensor<4x4xf32> -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    nv_tileas.yield %m : f32
  }
  %e = nv_tileas.expand_dims %r axis 0 : tensor<4xf32> -> tensor<1x4xf32>
  %f = \"cuda_tile.broadcast\"(%e) : (tensor<1x4xf32>) -> tensor<4x4xf32>
  %s = nv_tileas.scan %f axis 1 attributes {reverse = true} : tensor<4x4xf32> -> tensor<4x4xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    nv_tileas.yield %m : f32
  }
  %g = nv_tileas.generate : tensor<4x4xf32> {
  ^bb0(%i: index, %j: index):
    %ten = arith.constant 10 : index
    %t = arith.muli %i, %ten : index
    %u = arith.addi %t, %j : index
    %v = arith.index_cast %u : index to i32
    %w = arith.sitofp %v : i32 to f32
    nv_tileas.yield %w : f32
  }
  %y = nv_tileas.pragma -> tensor<4x4xf32> {
    %z = arith.addf %s, %g : tensor<4x4xf32>
    nv_tileas.yield %z : tensor<4x4xf32>
  }
";
    let found = through(body).expect("it runs");
    // Column maxima 12..15, summed from the right: 54, 42, 29, 15.
    assert_eq!(&found[..4], [54.0, 43.0, 31.0, 18.0]);
    assert_eq!(&found[4..8], [64.0, 53.0, 41.0, 28.0]);
}

#[test]
fn products_read_b_as_their_shapes_or_atoms_say() {
    let product = |detail: &str| {
        format!(
            "  %zero = arith.constant dense<0.0> : tensor<4x4xf32>\n  %y = nv_tileas.dot %x, %x, %zero {{atom = #nv_tileas.atom<\"mma_tf32\"{detail}>}} : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>\n"
        )
    };
    let turned = through(&product("")).expect("it runs");
    assert_eq!(&turned[..2], [14.0, 38.0]);
    let straight = through(&product(", b = \"kn\"")).expect("it runs");
    assert_eq!(&straight[..2], [56.0, 62.0]);
}

#[test]
fn blocks_of_k_are_scaled() {
    let body = "  %a = arith.constant dense<1.5> : tensor<4x32xf8E4M3FN>
  %b = arith.constant dense<2.0> : tensor<4x32xf8E4M3FN>
  %sa = arith.constant dense<4.0> : tensor<4x1xf8E8M0FNU>
  %sb = arith.constant dense<0.5> : tensor<4x1xf8E8M0FNU>
  %y = nv_tileas.block_scaled_mma %a, %b, %x scale %sa : tensor<4x1xf8E8M0FNU> by %sb : tensor<4x1xf8E8M0FNU> {atom = #nv_tileas.atom<\"tcgen05_mma_mxf8\">} : tensor<4x32xf8E4M3FN>, tensor<4x32xf8E4M3FN>, tensor<4x4xf32> -> tensor<4x4xf32>
";
    let found = through(body).expect("it runs");
    // 32 terms of 1.5 * 4 * 2 * 0.5 = 6.
    assert_eq!(&found[..3], [192.0, 193.0, 194.0]);
}

const SHARED: &str = "  %s = nv_tileas.alloc_tensor in \"smem\" : !nv_tileas.tiled_view<4x4xf32, smem>
  %dx = nv_tileas.make_tiled_tma_desc %vx {atom = #nv_tileas.atom<\"tma_load_2d\", box = [4, 4]>} : !nv_tileaa.tiled_view<4x4xf32, gmem>
  %none = nv_tileas.create_none : !nv_tileas.async_token
  %in = nv_tileas.async.tiled_tma_load %dx[%c0, %c0] to %s barrier %none {atom = #nv_tileas.atom<\"tma_load_2d\", box = [4, 4]>} : !nv_tileas.tiled_view<4x4xf32, smem>, !nv_tileas.async_token
  nv_tileas.async.wait %in
  %y = nv_tileas.copy %s {atom = #nv_tileas.atom<\"lds_128\">} : !nv_tileas.tiled_view<4x4xf32, smem> -> tensor<4x4xf32>
";

#[test]
fn a_load_by_tma_must_be_waited_for() {
    let body = format!("{VIEWS}{SHARED}{STORE}");
    let text = function(XY, &body);
    let arguments = [counting(&[4, 4]), counting(&[4, 4])];
    assert_eq!(run(&text, &arguments, 1, &[4, 4]), Ok(numbers(0..16)));
    let message = wrong(
        &text.replace("  nv_tileas.async.wait %in\n", ""),
        &arguments,
    );
    assert!(
        message.contains("without waiting for an asynchronous operation that writes it"),
        "{message}"
    );
    // Nothing is loaded.
    let start = text.find("  %in =").expect("the load");
    let end = text.find("  %y =").expect("the copy");
    let message = wrong(&format!("{}{}", &text[..start], &text[end..]), &arguments);
    assert!(
        message.contains("of the smem buffer at line") && message.contains("is not initialized"),
        "{message}"
    );
}

#[test]
fn asynchronous_values_come_late() {
    let body = format!("{VIEWS}  %x, %done = nv_tileas.async.tiled_load %vx[%c0, %c0] {{in_bounds = array<i1: true, true>}} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  nv_tileas.async.wait %done
  %p, %product = nv_tileas.async.dot %x, %x, %zero {{atom = #nv_tileas.atom<\"wgmma\">}} : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %q, %twice = nv_tileas.async.dot %x, %x, %p {{atom = #nv_tileas.atom<\"wgmma\">}} : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  nv_tileas.async.wait %twice
  %y = arith.negf %q : tensor<4x4xf32>
{STORE}");
    let text = function(XY, &body);
    let arguments = [counting(&[4, 4]), counting(&[4, 4])];
    let found = run(&text, &arguments, 1, &[4, 4]).expect("it runs");
    assert_eq!(&found[..2], [-28.0, -76.0]);
    let early = text.replace("  nv_tileas.async.wait %twice\n", "");
    let message = wrong(&early, &arguments);
    assert!(
        message.contains("result of an asynchronous operation"),
        "{message}"
    );
}

/// The program waits for one of two loads, and stores through one of two views.
#[test]
fn values_without_elements_are_selected() {
    let load = "nv_tileas.async.tiled_load %vx[%c0, %c0] {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>";
    let body = format!(
        "{VIEWS}  %a, %loaded_a = {load}
  %b, %loaded_b = {load}
  %yes = arith.constant true
  %loaded = arith.select %yes, %loaded_a, %loaded_b : !nv_tileas.async_token
  nv_tileas.async.wait %loaded
  %y = arith.negf %a : tensor<4x4xf32>
  %to = arith.select %yes, %vy, %vx : !nv_tileaa.tiled_view<4x4xf32, gmem>
{}",
        STORE.replace("%vy", "%to")
    );
    let text = function(XY, &body);
    let arguments = [counting(&[4, 4]), memory(&[4, 4], &[0.0])];
    let found = run(&text, &arguments, 1, &[4, 4]).expect("it runs");
    assert_eq!(found[..3], [-0.0, -1.0, -2.0]);
    let other = text.replace("constant true", "constant false");
    assert_eq!(
        wrong(&other, &arguments),
        "undefined behaviour: uses the result of an asynchronous operation without waiting for it"
    );
}

#[test]
fn pointers_gather_scatter_and_atomics() {
    let signature =
        "%X: !nv_tileaa.ptr<f32>, %Y: !nv_tileaa.memref<?x?xf32>, %I: !nv_tileaa.memref<?xf32>";
    let body = "  %vi = nv_tileaa.block_tile %I : !nv_tileaa.memref<?xf32> -> !nv_tileaa.tiled_view<4xf32, gmem>
  %f = nv_tileas.tiled_load %vi[%c0] {in_bounds = array<i1: true>} : !nv_tileaa.tiled_view<4xf32, gmem> -> tensor<4xf32>
  %i = arith.fptosi %f : tensor<4xf32> to tensor<4xi32>
  %base = nv_tileaa.make_memref %X sizes [%c4] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32>
  %g = nv_tileas.gather_load %base at (%i : tensor<4xi32>) {padding_value = 100.0 : f32} : !nv_tileaa.memref<?xf32> -> tensor<4xf32>
  %rows = nv_tileas.generate : tensor<4xi32> {
  ^bb0(%n: index):
    %m = arith.index_cast %n : index to i32
    nv_tileas.yield %m : i32
  }
  %columns = arith.constant dense<1> : tensor<4xi32>
  nv_tileas.scatter_store %g, %Y at (%rows, %columns : tensor<4xi32>, tensor<4xi32>) : tensor<4xf32>, !nv_tileaa.memref<?x?xf32>
  %vy = nv_tileaa.block_tile %Y : !nv_tileaa.memref<?x?xf32> -> !nv_tileaa.tiled_view<4x4xf32, gmem>
  %one = arith.constant dense<1.0> : tensor<4x4xf32>
  %old = nv_tileas.tiled_atomic_rmw \"add\" %vy[%c0, %c0] by %one {in_bounds = array<i1: true, true>} : !nv_tileaa.tiled_view<4x4xf32, gmem> by tensor<4x4xf32> -> tensor<4x4xf32>
  %two = nv_tileaa.addptr %X, %c4 : !nv_tileaa.ptr<f32>, index -> !nv_tileaa.ptr<f32>
  %value = nv_tileas.load %two : !nv_tileaa.ptr<f32> -> f32
  nv_tileas.store %X, %value : !nv_tileaa.ptr<f32>, f32
";
    let text = function(
        signature,
        &format!("  %c4 = arith.constant 4 : index\n{body}"),
    );
    let arguments = [
        counting(&[8]),
        memory(&[4, 4], &[0.0]),
        memory(&[4], &[2.0, 0.0, 7.0, 3.0]),
    ];
    let found = run(&text, &arguments, 1, &[4, 4]).expect("it runs");
    // The third index is beyond the four elements of the memref.
    let column: Vec<f64> = found.iter().skip(1).step_by(4).copied().collect();
    assert_eq!(column, [3.0, 1.0, 101.0, 4.0]);
    assert_eq!(found[0], 1.0);
    let first = run(&text, &arguments, 0, &[8]).expect("it runs");
    assert_eq!(first[0], 4.0);
}

#[test]
fn rows_are_gathered_by_tma() {
    let body = format!("{VIEWS}  %lanes = arith.constant dense<[3, 0, 3, 2]> : tensor<4xi32>
  %s = nv_tileas.alloc_tensor in \"smem\" : !nv_tileas.tiled_view<4x4xf32, smem>
  %dx = nv_tileas.make_tiled_tma_desc %vx {{atom = #nv_tileas.atom<\"tma_load_2d\", box = [4, 4]>}} : !nv_tileaa.tiled_view<4x4xf32, gmem>
  %none = nv_tileas.create_none : !nv_tileas.async_token
  %in = nv_tileas.async.gather_tma_load %dx[%c0] lanes %lanes to %s barrier %none {{atom = #nv_tileas.atom<\"tma_gather4\", box = [4, 4]>}} : tensor<4xi32>, !nv_tileas.tiled_view<4x4xf32, smem>, !nv_tileas.async_token
  nv_tileas.async.wait %in
  %y = nv_tileas.copy %s {{atom = #nv_tileas.atom<\"lds_128\">}} : !nv_tileas.tiled_view<4x4xf32, smem> -> tensor<4x4xf32>
{STORE}");
    let found = run(
        &function(XY, &body),
        &[counting(&[4, 4]), counting(&[4, 4])],
        1,
        &[4, 4],
    );
    let found = found.expect("it runs");
    assert_eq!(&found[..8], numbers([12, 13, 14, 15, 0, 1, 2, 3]));
}

/// A producer that fills stages with tiles of X, and a consumer that stores them to Y.
fn shorthand(produce: &str, consume: &str) -> String {
    let body = format!("{VIEWS}  %c3 = arith.constant 3 : index
  %dx = nv_tileas.make_tiled_tma_desc %vx {{atom = #nv_tileas.atom<\"tma_load_2d\", box = [4, 4]>}} : !nv_tileaa.tiled_view<4x4xf32, gmem>
  %p = nv_tileas.async.pipeline.create_pipeline {{numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4x4xf32>]}}
  %ip = nv_tileas.async.pipeline.create_iterator %p as \"producer\" : !nv_tileas.iter<producer>
  %ic = nv_tileas.async.pipeline.create_iterator %p as \"consumer\" : !nv_tileas.iter<consumer>
  nv_tileas.async.pipeline.agent_switch(%p, %ip, %ic : !nv_tileas.pipeline, !nv_tileas.iter<producer>, !nv_tileas.iter<consumer>) attributes {{isolated = false, num_agents_per_group = 1 : i32}} {{
    %e = scf.for %k = %c0 to %c3 step %c1 iter_args(%it = %ip) -> (!nv_tileas.iter<producer>) {{
{produce}
      %n = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<producer>
      scf.yield %n : !nv_tileas.iter<producer>
    }}
    nv_tileas.async.pipeline.yield
  }}, {{
    %e = scf.for %k = %c0 to %c3 step %c1 iter_args(%it = %ic) -> (!nv_tileas.iter<consumer>) {{
{consume}
      %n = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<consumer>
      scf.yield %n : !nv_tileas.iter<consumer>
    }}
    nv_tileas.async.pipeline.yield
  }}
");
    function(XY, &body)
}

const FILL: &str = " {
      ^bb0(%s: tensor<4x4xf32>):
        %none = nv_tileas.create_none : !nv_tileas.async_token
        %in = nv_tileas.async.tiled_tma_load %dx[%k, %c0] to %s barrier %none {atom = #nv_tileas.atom<\"tma_load_2d\", box = [4, 4]>} : tensor<4x4xf32>, !nv_tileas.async_token
        nv_tileas.async.pipeline.yield
      }";
const DRAIN: &str = " {
      ^bb0(%s: tensor<4x4xf32>):
        %y = arith.negf %s : tensor<4x4xf32>
        nv_tileas.tiled_store %y, %vy[%k, %c0] {in_bounds = array<i1: true, true>} : tensor<4x4xf32>, !nv_tileaa.tiled_view<4x4xf32, gmem>
        nv_tileas.async.pipeline.yield
      }";

#[test]
fn whole_stages_are_produced_and_consumed() {
    for (suffix, rest) in [("", ""), ("_async", "")] {
        let results = if suffix.is_empty() { "%w" } else { "%w, %wd" };
        let produce = format!(
            "      {results} = nv_tileas.async.pipeline.produce_one{suffix} %p, %it payload [tensor<4x4xf32>] : !nv_tileas.iter<producer>{rest}{FILL}"
        );
        let results = if suffix.is_empty() { "%r" } else { "%r, %rd" };
        let consume = format!(
            "      {results} = nv_tileas.async.pipeline.consume_one{suffix} %p, %it payload [tensor<4x4xf32>] : !nv_tileas.iter<consumer>{rest}{DRAIN}"
        );
        let text = shorthand(&produce, &consume);
        let arguments = [counting(&[12, 4]), counting(&[12, 4])];
        let found = run(&text, &arguments, 1, &[12, 4]).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let expected: Vec<f64> = (0..48).map(|number| -f64::from(number)).collect();
        assert_eq!(found, expected, "{suffix}");
    }
}

/// A producer, and two consumers of each stage that store to the two halves of Y.
fn two_consumers(release: &str) -> String {
    let produce = format!(
        "      %w = nv_tileas.async.pipeline.produce_one %p, %it payload [tensor<4x4xf32>] : !nv_tileas.iter<producer>{FILL}"
    );
    let consume = format!(
        "      %r = nv_tileas.async.pipeline.consume_one %p, %it consumer 0 payload [tensor<4x4xf32>] : !nv_tileas.iter<consumer>{DRAIN}"
    );
    let text =
        shorthand(&produce, &consume).replace("numStages", "numConsumers = 2 : i32, numStages");
    let last = "    nv_tileas.async.pipeline.yield\n  }\n  nv_tileaa.return";
    let second = format!("    nv_tileas.async.pipeline.yield
  }}, {{
    %e = scf.for %k = %c0 to %c3 step %c1 iter_args(%it = %ic) -> (!nv_tileas.iter<consumer>) {{
      %t = nv_tileas.async.pipeline.consumer_wait %p, %it consumer 1 : !nv_tileas.iter<consumer>
      %u = nv_tileas.async.pipeline.consumer_read %p, %t consumer 1 payload [tensor<4x4xf32>] {{
      ^bb0(%s: tensor<4x4xf32>):
        %y = arith.addf %s, %s : tensor<4x4xf32>
        %row = arith.addi %k, %c3 : index
        nv_tileas.tiled_store %y, %vy[%row, %c0] {{in_bounds = array<i1: true, true>}} : tensor<4x4xf32>, !nv_tileaa.tiled_view<4x4xf32, gmem>
        nv_tileas.async.pipeline.yield
      }}
{release}
      %n = nv_tileas.async.pipeline.inc_iter %it : !nv_tileas.iter<consumer>
      scf.yield %n : !nv_tileas.iter<consumer>
    }}
{last}");
    text.replace(last, &second)
}

#[test]
fn a_stage_is_free_when_every_consumer_has_released_it() {
    let release = "      nv_tileas.async.pipeline.consumer_release %p, %u";
    let arguments = [counting(&[12, 4]), counting(&[24, 4])];
    let text = two_consumers(release);
    let found = run(&text, &arguments, 1, &[24, 4]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let negated = (0..48).map(|number| -f64::from(number));
    let doubled = (0..48).map(|number| 2.0 * f64::from(number));
    assert_eq!(found, negated.chain(doubled).collect::<Vec<f64>>());
    let errors = run(&two_consumers(""), &arguments, 1, &[24, 4]).expect_err("it hangs");
    assert!(
        errors.contains("deadlock: no task can make progress"),
        "{errors}"
    );
    assert!(errors.contains("until consumer 1 releases it"), "{errors}");
}

#[test]
fn programs_of_the_grid_are_taken_over() {
    let body = format!("{VIEWS}  %id = nv_tileaa.get_program_id axis 0
  %true = arith.constant true
  %one = arith.constant dense<1.0> : tensor<4x4xf32>
  %r:2 = scf.while (%go = %true, %now = %id) : (i1, index) -> (i1, index) {{
    scf.condition(%go) %go, %now : i1, index
  }} do {{
  ^bb0(%go: i1, %now: index):
    %old = nv_tileas.tiled_atomic_rmw \"add\" %vy[%now, %c0] by %one {{in_bounds = array<i1: true, true>}} : !nv_tileaa.tiled_view<4x4xf32, gmem> by tensor<4x4xf32> -> tensor<4x4xf32>
    %valid, %next = nv_tileas.cancel_next_program_id : i1, index
    scf.yield %valid, %next : i1, index
  }}
");
    let text = function(XY, &body);
    let program = Program::parse("test.mlir", &text).unwrap_or_else(|errors| panic!("{errors}"));
    let arguments = vec![counting(&[4, 4]), memory(&[12, 4], &[0.0])];
    let launch = Launch {
        arguments,
        grid: [3, 1, 1],
        ..Launch::default()
    };
    let memory = program.run("f", &launch, 7).expect("it runs");
    note(&program);
    let tile = elements(&memory, 1, &[12, 4], F32).expect("it was written");
    assert_eq!(*tile.data, TileData::Floats(vec![1.0; 48]));
}

#[test]
fn answers_about_programs_come_late() {
    let body = format!(
        "{VIEWS}  %asked = nv_tileas.async.cancel_next_program_id
  %next = nv_tileas.async.future_wait %asked : index
  %valid = nv_tileaa.is_valid_program_id(%next)
  %one = arith.constant dense<1.0> : tensor<4x4xf32>
  scf.if %valid {{
    nv_tileas.tiled_store %one, %vy[%next, %c0] {{in_bounds = array<i1: true, true>}} : tensor<4x4xf32>, !nv_tileaa.tiled_view<4x4xf32, gmem>
  }}
"
    );
    let program = Program::parse("test.mlir", &function(XY, &body));
    let program = program.unwrap_or_else(|errors| panic!("{errors}"));
    let arguments = vec![counting(&[4, 4]), memory(&[12, 4], &[0.0])];
    let launch = Launch {
        arguments,
        grid: [3, 1, 1],
        ..Launch::default()
    };
    // The first program claims the second; the third finds none.
    let memory = program.run("f", &launch, 3).expect("it runs");
    note(&program);
    let tile = elements(&memory, 1, &[12, 4], F32).expect("it was written");
    let mut expected = vec![0.0; 48];
    expected[16..32].fill(1.0);
    assert_eq!(*tile.data, TileData::Floats(expected));
}

#[test]
fn work_under_way_moves_tiles_everywhere() {
    let signature =
        "%X: !nv_tileaa.memref<?x?xf32>, %Y: !nv_tileaa.memref<?x?xf32>, %P: !nv_tileaa.ptr<f32>";
    let body = format!(
        "{VIEWS}  %x, %loaded = nv_tileas.async.tiled_load %vx[%c0, %c0] {{in_bounds = array<i1: true, true>}} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>
  %half, %cut = nv_tileas.async.extract_slice %x[2, 0] [2, 4] [1, 1] token %loaded : tensor<4x4xf32> to tensor<2x4xf32>
  %s = nv_tileas.alloc_tensor in \"smem\" : !nv_tileas.tiled_view<4x4xf32, smem>
  %upper, %first = nv_tileas.async.insert_slice %half into %s[0, 0] [2, 4] [1, 1] token %cut : tensor<2x4xf32> into !nv_tileas.tiled_view<4x4xf32, smem>
  %whole, %second = nv_tileas.async.insert_slice %half into %s[2, 0] [2, 4] [1, 1] token %cut : tensor<2x4xf32> into !nv_tileas.tiled_view<4x4xf32, smem>
  nv_tileas.async.wait %first
  nv_tileas.async.wait %second
  %back, %read = nv_tileas.async.copy %s {{atom = #nv_tileas.atom<\"lds_128\">}} : !nv_tileas.tiled_view<4x4xf32, smem> -> tensor<4x4xf32>
  %value = nv_tileas.async.future_wait %read : tensor<4x4xf32>
  %other = nv_tileas.convert_layout %value : tensor<4x4xf32> -> tensor<4x4xf32>
  %complete = nv_tileas.async.to_async %other : tensor<4x4xf32>
  nv_tileas.async.wait %complete
  %one, %got = nv_tileas.async.load %P : !nv_tileaa.ptr<f32> -> f32
  %number = nv_tileas.async.future_wait %got : f32
  %four = arith.constant 4 : i32
  %place = nv_tileaa.addptr %P, %four : !nv_tileaa.ptr<f32>, i32 -> !nv_tileaa.ptr<f32>
  %put = nv_tileas.async.store %place, %number : !nv_tileaa.ptr<f32>, f32
  nv_tileas.async.wait %put
  %ordered = nv_tileas.async.token_to_async %token
  nv_tileas.async.wait %ordered
  %dy = nv_tileas.make_tiled_tma_desc %vy {{atom = #nv_tileas.atom<\"tma_store_2d\", box = [4, 4]>}} : !nv_tileaa.tiled_view<4x4xf32, gmem>
  %lanes = arith.constant dense<[3, 1, 0, 2]> : tensor<4xi32>
  %out = nv_tileas.async.scatter_tma_store %s to %dy[%c0] lanes %lanes {{atom = #nv_tileas.atom<\"tma_scatter4\", box = [4, 4]>}} : !nv_tileas.tiled_view<4x4xf32, smem>, tensor<4xi32>
  nv_tileas.async.wait %out
  %old, %added = nv_tileas.async.tiled_atomic_rmw \"max\" %vy[%c0, %c0] by %x {{in_bounds = array<i1: true, true>}} : !nv_tileaa.tiled_view<4x4xf32, gmem> by tensor<4x4xf32> -> tensor<4x4xf32>
  nv_tileas.async.wait %added
"
    );
    let text = function(signature, &body);
    let arguments = [counting(&[4, 4]), memory(&[4, 4], &[0.0]), counting(&[8])];
    let found = run(&text, &arguments, 1, &[4, 4]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    // Rows 2, 3, 2, 3 of X, stored to rows 3, 1, 0, 2, then the maximum with the rows of X.
    assert_eq!(found[..8], numbers([8, 9, 10, 11, 12, 13, 14, 15]));
    assert_eq!(found[8..], numbers([12, 13, 14, 15, 12, 13, 14, 15]));
    let stored = run(&text, &arguments, 2, &[8]).expect("it runs");
    assert_eq!(stored[4], 0.0);
    // The buffer must not be written while it is stored.
    let early = text.replace("  nv_tileas.async.wait %second\n", "");
    let message = wrong(&early, &arguments);
    assert!(
        message.contains("without waiting for an asynchronous operation that writes it"),
        "{message}"
    );
}

#[test]
fn every_operation_is_in_a_program_that_runs() {
    tiles_at_the_edge_are_padded();
    shapes_and_slices();
    reductions_scans_and_generated_tiles();
    blocks_of_k_are_scaled();
    a_load_by_tma_must_be_waited_for();
    asynchronous_values_come_late();
    pointers_gather_scatter_and_atomics();
    rows_are_gathered_by_tma();
    whole_stages_are_produced_and_consumed();
    programs_of_the_grid_are_taken_over();
    answers_about_programs_come_late();
    work_under_way_moves_tiles_everywhere();
    let mut context = None;
    for (_, pass) in DRIVERS {
        for example in EXAMPLES {
            let program = materialized(example, pass).unwrap_or_else(|errors| panic!("{errors}"));
            let run = program.run(example.function, &example.launch(), 0);
            run.unwrap_or_else(|errors| panic!("{errors}"));
            note(&program);
            context = Some(program.context);
        }
    }
    let context = context.expect("there are examples");
    let missing: Vec<&str> = ["nv_tileas", "nv_tileaa"]
        .iter()
        .filter_map(|name| context.dialect(name))
        .flat_map(|dialect| dialect.operations.iter())
        .map(|definition| definition.name)
        .filter(|name| !SEEN.with_borrow(|seen| seen.contains(*name)))
        .collect();
    assert!(missing.is_empty(), "nothing runs {missing:?}");
}
