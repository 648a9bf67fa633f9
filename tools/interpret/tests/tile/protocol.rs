//! Programs that use pipelines, tokens and agents wrongly in one place, and what is next to them.

use crate::operations::{STORE, VIEWS, XY, counting, function, numbers, run, wrong};

/// A pipeline of some stages of 4 x 4 tiles, a load of X and the descriptors of both memories.
fn pipelines(stages: u32, body: &str) -> String {
    let text = format!("{VIEWS}  %x = nv_tileas.tiled_load %vx[%c0, %c0] {{in_bounds = array<i1: true, true>}} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>
  %dx = nv_tileas.make_tiled_tma_desc %vx {{atom = #nv_tileas.atom<\"tma_load_2d\", box = [4, 4]>}} : !nv_tileaa.tiled_view<4x4xf32, gmem>
  %dy = nv_tileas.make_tiled_tma_desc %vy {{atom = #nv_tileas.atom<\"tma_store_2d\", box = [4, 4]>}} : !nv_tileaa.tiled_view<4x4xf32, gmem>
  %p = nv_tileas.async.pipeline.create_pipeline {{numStages = {stages} : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4x4xf32>]}}
  %q = nv_tileas.async.pipeline.create_pipeline {{numStages = {stages} : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8, payload = [tensor<4x4xf32>]}}
  %ip = nv_tileas.async.pipeline.create_iterator %p as \"producer\" : !nv_tileas.iter<producer>
  %ic = nv_tileas.async.pipeline.create_iterator %p as \"consumer\" : !nv_tileas.iter<consumer>
{body}");
    function(XY, &text)
}

fn acquire(name: &str, iterator: &str) -> String {
    format!(
        "  %{name} = nv_tileas.async.pipeline.producer_acquire %p, %{iterator} : !nv_tileas.iter<producer>\n"
    )
}

/// Copies the tile of X to the stage of a token, and commits it.
fn fill(token: &str) -> String {
    format!("  %{token}w = nv_tileas.async.pipeline.producer_write %p, %{token} payload [tensor<4x4xf32>] {{
  ^bb0(%s: tensor<4x4xf32>):
    nv_tileas.copy %x to %s {{atom = #nv_tileas.atom<\"sts\">}} : tensor<4x4xf32> to tensor<4x4xf32>
    nv_tileas.async.pipeline.yield
  }}
  nv_tileas.async.pipeline.producer_commit %p, %{token}w
")
}

fn wait(name: &str, iterator: &str) -> String {
    format!(
        "  %{name} = nv_tileas.async.pipeline.consumer_wait %p, %{iterator} : !nv_tileas.iter<consumer>\n"
    )
}

/// Stores the stage of a token to Y, and releases it.
fn drain(token: &str) -> String {
    let store = STORE.replace("%y", "%s").replace("  nv", "    nv");
    format!("  %{token}r = nv_tileas.async.pipeline.consumer_read %p, %{token} payload [tensor<4x4xf32>] {{
  ^bb0(%s: tensor<4x4xf32>):
{store}    nv_tileas.async.pipeline.yield
  }}
  nv_tileas.async.pipeline.consumer_release %p, %{token}r
")
}

/// Advances both iterators.
fn next(producer: &str, consumer: &str) -> String {
    let advance = |from: &str, side: &str| {
        format!(
            "  %{from}n = nv_tileas.async.pipeline.inc_iter %{from} : !nv_tileas.iter<{side}>\n"
        )
    };
    advance(producer, "producer") + &advance(consumer, "consumer")
}

fn message(stages: u32, body: &str) -> String {
    let memory = [counting(&[4, 4]), counting(&[4, 4])];
    wrong(&pipelines(stages, body), &memory)
}

fn expect(message: &str, words: &str) {
    assert!(message.contains(words), "{message}");
}

#[test]
fn a_stage_of_the_next_round_is_unwritten() {
    let first = acquire("a", "ip") + &fill("a") + &wait("b", "ic") + &drain("b");
    let second = next("ip", "ic") + &acquire("c", "ipn");
    let rest = wait("d", "icn") + &drain("d");
    let memory = [counting(&[4, 4]), counting(&[4, 4])];
    let text = pipelines(1, &format!("{first}{second}{}{rest}", fill("c")));
    assert_eq!(run(&text, &memory, 1, &[4, 4]), Ok(numbers(0..16)));
    // Without a write, what the round before left is not read.
    let commit = "  nv_tileas.async.pipeline.producer_commit %p, %c\n";
    let found = message(1, &format!("{first}{second}{commit}{rest}"));
    expect(&found, "is not initialized");
}

#[test]
fn iterators_and_tokens_belong_to_their_pipeline() {
    let other = "  %iq = nv_tileas.async.pipeline.create_iterator %q as \"producer\" : !nv_tileas.iter<producer>\n";
    let found = message(2, &format!("{other}{}{}", acquire("a", "iq"), fill("a")));
    expect(&found, "uses the iterator of another pipeline");
    // Behind a branch, the verifier does not see where a token comes from.
    let through = format!(
        "{}  %yes = arith.constant true
  %t = scf.if %yes -> (!nv_tileas.producer_token) {{
    scf.yield %a : !nv_tileas.producer_token
  }} else {{
    scf.yield %a : !nv_tileas.producer_token
  }}
",
        acquire("a", "ip")
    );
    let commit = |pipeline: &str| {
        let text = "nv_tileas.async.pipeline.producer_commit";
        message(2, &format!("{through}  {text} %{pipeline}, %t\n"))
    };
    expect(&commit("q"), "uses the token of another pipeline");
    expect(
        &commit("p"),
        "fills stage 0 in round 0, which a consumer never releases",
    );
}

#[test]
fn a_null_token_stands_for_no_stage() {
    let null = "  %t = nv_tileas.async.pipeline.create_null_token : !nv_tileas.producer_token\n";
    expect(
        &message(2, &format!("{null}{}", fill("t"))),
        "uses a stage that is not acquired",
    );
}

/// An iterator that steps over two stages is at stage 2, and nobody fills stage 1.
#[test]
fn an_iterator_steps_over_as_many_stages_as_its_type_says() {
    let strided = "  %is = nv_tileas.async.pipeline.create_iterator %p as \"producer\" : !nv_tileas.iter<producer, stride = 2>
  %a = nv_tileas.async.pipeline.producer_acquire %p, %is : !nv_tileas.iter<producer, stride = 2>\n";
    let again =
        "  %it = nv_tileas.async.pipeline.inc_iter %is : !nv_tileas.iter<producer, stride = 2>
  %c = nv_tileas.async.pipeline.producer_acquire %p, %it : !nv_tileas.iter<producer, stride = 2>
  %icn = nv_tileas.async.pipeline.inc_iter %ic : !nv_tileas.iter<consumer>\n";
    let body = format!(
        "{strided}{}{}{}{again}{}{}{}",
        fill("a"),
        wait("b", "ic"),
        drain("b"),
        fill("c"),
        wait("d", "icn"),
        drain("d")
    );
    expect(&message(2, &body), "deadlock: no task can make progress");
    let skipped = "%icn = nv_tileas.async.pipeline.inc_iter %icm : !nv_tileas.iter<consumer>";
    let skipped = format!(
        "%icm = nv_tileas.async.pipeline.inc_iter %ic : !nv_tileas.iter<consumer>\n  {skipped}"
    );
    let next = "%icn = nv_tileas.async.pipeline.inc_iter %ic : !nv_tileas.iter<consumer>";
    let text = pipelines(2, &body.replace(next, &skipped));
    let memory = [counting(&[4, 4]), counting(&[4, 4])];
    assert_eq!(run(&text, &memory, 1, &[4, 4]), Ok(numbers(0..16)));
}

#[test]
fn a_wait_for_what_nobody_fills_is_a_deadlock() {
    let found = message(1, &format!("{}{}", wait("b", "ic"), drain("b")));
    expect(&found, "deadlock: no task can make progress");
}

#[test]
fn a_stage_is_released_when_the_work_that_reads_it_is_done() {
    let filled = acquire("a", "ip") + &fill("a") + &wait("b", "ic");
    let read = |waits: &str| {
        format!("{filled}  %br = nv_tileas.async.pipeline.consumer_read %p, %b payload [tensor<4x4xf32>] {{
  ^bb0(%s: tensor<4x4xf32>):
    %out = nv_tileas.async.tiled_tma_store %s to %dy[%c0, %c0] {{atom = #nv_tileas.atom<\"tma_store_2d\", box = [4, 4]>}} : tensor<4x4xf32>
{waits}    nv_tileas.async.pipeline.yield
  }}
  nv_tileas.async.pipeline.consumer_release %p, %br
")
    };
    let found = message(2, &read(""));
    expect(
        &found,
        "releases stage 0 in round 0 while an asynchronous operation uses it",
    );
    let text = pipelines(2, &read("    nv_tileas.async.wait %out\n"));
    let memory = [counting(&[4, 4]), counting(&[4, 4])];
    assert_eq!(run(&text, &memory, 1, &[4, 4]), Ok(numbers(0..16)));
}

#[test]
fn a_load_reports_its_bytes_to_its_own_stage() {
    let both = acquire("a", "ip") + &next("ip", "ic") + &acquire("b", "ipn");
    let load = |barrier: &str| {
        format!("{both}  %aw = nv_tileas.async.pipeline.producer_write %p, %a payload [tensor<4x4xf32>] {{
  ^bb0(%s: tensor<4x4xf32>):
    %in = nv_tileas.async.tiled_tma_load %dx[%c0, %c0] to %s barrier %{barrier} {{atom = #nv_tileas.atom<\"tma_load_2d\", box = [4, 4]>}} : tensor<4x4xf32>, !nv_tileas.producer_token
    nv_tileas.async.pipeline.yield
  }}
  nv_tileas.async.pipeline.producer_commit %p, %aw bytes 64
")
    };
    let words = "copies bytes to one stage but signals the barrier of another";
    expect(&message(2, &load("b")), words);
    expect(&message(2, &load("a")), "never");
}

#[test]
fn a_load_by_tma_fills_with_zeros() {
    let load = "  %x = nv_tileas.tiled_load %vx[%c1, %c0] {atom = #nv_tileas.atom<\"tma_load_2d\", box = [4, 4]>} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>\n";
    let text = function(XY, &format!("{VIEWS}{load}{}", STORE.replace("%y,", "%x,")));
    let found = run(&text, &[counting(&[5, 4]), counting(&[4, 4])], 1, &[4, 4]);
    let mut expected = numbers(16..20);
    expected.extend([0.0; 12]);
    assert_eq!(found, Ok(expected));
}

/// What follows a switch sees what each of its agents did.
#[test]
fn a_switch_ends_with_its_last_agent() {
    let store = |row: &str| {
        format!(
            "    nv_tileas.tiled_store %x, %vy[%{row}, %c0] {{in_bounds = array<i1: true, true>}} : tensor<4x4xf32>, !nv_tileaa.tiled_view<4x4xf32, gmem>\n"
        )
    };
    let agent = |row: &str| format!("{{\n{}    nv_tileas.async.pipeline.yield\n  }}", store(row));
    let body = format!("{VIEWS}  %x = nv_tileas.tiled_load %vx[%c0, %c0] {{in_bounds = array<i1: true, true>}} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>
  nv_tileas.async.pipeline.agent_switch attributes {{num_agents_per_group = 1 : i32}} {}, {}
  %l = nv_tileas.tiled_load %vy[%c1, %c0] {{in_bounds = array<i1: true, true>}} : !nv_tileaa.tiled_view<4x4xf32, gmem> -> tensor<4x4xf32>
  %y = arith.addf %l, %l : tensor<4x4xf32>
  nv_tileas.tiled_store %y, %vy[%c1, %c0] {{in_bounds = array<i1: true, true>}} : tensor<4x4xf32>, !nv_tileaa.tiled_view<4x4xf32, gmem>
", agent("c0"), agent("c1"));
    let text = function(XY, &body);
    let found = run(&text, &[counting(&[4, 4]), counting(&[8, 4])], 1, &[8, 4]);
    let mut expected = numbers(0..16);
    expected.extend((0..16).map(|number| 2.0 * f64::from(number)));
    assert_eq!(found, Ok(expected));
}
