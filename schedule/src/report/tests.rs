//! Tests of the drawings: required contents, and well-formedness for any input.

use proptest::prelude::*;

use super::*;

fn operation(name: &str, start: i64, latency: u32, holds: &[(usize, u32)]) -> ReportedOperation {
    ReportedOperation {
        name: name.to_owned(),
        stage: 0,
        order: 0,
        start,
        latency,
        holds: holds
            .iter()
            .map(|&(slot, duration)| Hold { slot, duration })
            .collect(),
    }
}

fn report(interval: u32, operations: Vec<ReportedOperation>) -> LoopReport {
    LoopReport {
        title: "@kernel, loop at kernel.mlir:1:1".to_owned(),
        place: "1:1".to_owned(),
        executed: String::new(),
        interval,
        stages: 2,
        generator: "iterative".to_owned(),
        proven: true,
        bounds: vec![Bound {
            name: "resource".to_owned(),
            cycles: interval,
            meaning: "cycles the busiest slot is held".to_owned(),
        }],
        slots: vec!["tma".to_owned(), "tp_smem_wr".to_owned()],
        operations,
        rings: vec![ReportedRing {
            name: "Pipe_0".to_owned(),
            slots: 2,
            slot_bytes: 1024,
            place: "smem 0".to_owned(),
            busy: (0, 20),
        }],
        memory: Some((2080, 232_448)),
    }
}

/// A run with one agent and one loop; `name` is the name of its unit and of its agent.
fn run(name: &str) -> executed::TimedRun {
    let text = serde_json::json!({
        "machine": "hopper", "cycles": 200,
        "loops": [{"loop": "1:1", "agent": 0, "iterations": 16, "executed": 12.5}],
        "units": [{"unit": name, "busy": 50, "utilisation": 0.25}],
        "agents": [{"agent": name, "from": 100, "to": 200, "waiting": 20}],
        "waits": [{"agent": 0, "at": "3:4", "operation": "nv_tileas.async.wait", "for": "a completion", "cycles": 20}],
    });
    executed::TimedRun::read(&text.to_string()).expect("of this form")
}

/// The slot is held for 4 of 10 cycles in the schedule and for 50 of 200 in the run; 12.5 cycles are
/// 1.25 times 10; the agent waits for 20 of its 100 cycles.
#[test]
fn a_run_is_shown_beside_the_schedule() {
    let mut report = report(10, vec![operation("load", 8, 4, &[(0, 4)])]);
    let timed = run("tma");
    report.executed = timed.clause(&report.place, report.interval);
    assert_eq!(report.executed, "12.50 in tma (1.250)");
    assert!(text::render(&report, 200).contains("; executed: 12.50 in tma (1.250)\n"));
    let expected = "
Timed run: 200 cycles on machine 'hopper'
 unit  scheduled  executed
  tma      40.0%     25.0%

Agents
 agent  from   to  waiting  utilisation
   tma   100  200       20        80.0%

Where they wait
 agent   at  operation           for  cycles
   tma  3:4       wait  a completion      20
";
    assert_eq!(timed.text(std::slice::from_ref(&report)), expected);
    assert_eq!(timed.clause("2:1", 10), "");
    assert!(
        run("lsu")
            .text(&[report])
            .contains("  lsu          -     25.0%")
    );
}

#[test]
fn a_run_that_names_no_agent_is_refused() {
    let read = |text: &str| executed::TimedRun::read(text).map(|run| run.cycles);
    let text =
        r#"{"machine": "m", "cycles": 1, "units": [], "agents": [], "waits": [], "loops": [LOOP]}"#;
    assert_eq!(read(&text.replace("LOOP", "")), Ok(1));
    let looped = r#"{"loop": "1:1", "agent": 0, "iterations": 1, "executed": null}"#;
    let error = read(&text.replace("LOOP", looped));
    assert_eq!(error, Err("there is no agent 0".to_owned()));
    assert!(read("[]").is_err());
}

#[test]
fn holds_wrap_around_the_interval() {
    let report = report(10, vec![operation("load", 17, 8, &[(0, 6), (1, 30)])]);
    let table: Vec<_> = report
        .reservations()
        .iter()
        .map(|piece| (piece.slot, piece.from, piece.to))
        .collect();
    // Cycle 17 is row 7: rows 7, 8, 9 and 0, 1, 2; the longer hold occupies its whole row.
    assert_eq!(table, [(0, 0, 3), (0, 7, 10), (1, 0, 7), (1, 7, 10)]);
}

#[test]
fn letters_run_out_into_numbers() {
    let letters = [0, 25, 26, 51, 52].map(LoopReport::letter);
    assert_eq!(letters, ["A", "Z", "a", "z", "52"]);
}

#[test]
fn axes_have_few_labels_at_good_places() {
    assert_eq!(ticks(16, 16, 12), [0, 2, 4, 6, 8, 10, 12, 14, 16]);
    assert_eq!(
        ticks(80, 16, 12),
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80]
    );
    assert_eq!(
        ticks(113, 113, 12),
        [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 113]
    );
    assert_eq!(ticks(545, 113, 12), [0, 113, 226, 339, 452, 545]);
    assert_eq!(ticks(1, 1, 12), [0, 1]);
    // A label is removed if it is less than two thirds of a step before the end.
    assert_eq!(ticks(10, 3, 12), [0, 3, 6, 10]);
    assert_eq!(ticks(11, 3, 12), [0, 3, 6, 9, 11]);
    assert_eq!(ticks(i64::MAX, 1, 3).last(), Some(&i64::MAX));
}

#[test]
fn operations_of_an_iteration_do_not_lie_on_each_other() {
    let operations = [
        operation("a", 0, 8, &[]),
        operation("b", 4, 8, &[]),
        operation("c", 8, 1, &[(0, 9)]),
        operation("d", 30, 0, &[]),
    ];
    assert_eq!(svg::lanes(&operations), [0, 1, 0, 0]);
}

/// Bars are drawn to the scale of the largest bound, and the picture ends with the last slot.
#[test]
fn the_largest_of_several_counts() {
    let mut loads = report(8, vec![operation("load", 0, 8, &[(0, 8)])]);
    loads.bounds.insert(
        0,
        Bound {
            name: "recurrence".to_owned(),
            cycles: 16,
            meaning: "cycles of a cycle of dependences".to_owned(),
        },
    );
    let text = text::render(&loads, 60);
    let bar = |name: &str| {
        let line = text.lines().find(|line| line.contains(name));
        line.expect("a bound").matches('█').count()
    };
    assert_eq!(bar("recurrence"), 40, "{text}");
    assert_eq!(bar("resource"), 20, "{text}");
    loads.rings.push(ReportedRing {
        busy: (0, 9),
        ..loads.rings[0].clone()
    });
    assert_eq!(loads.cycles_drawn(1), 20);
    assert_eq!(loads.cycles_drawn(3), 36);
}

/// The text of a two-stage loop, compared exactly.
#[test]
fn a_page_has_a_table_of_rings_if_there_are_any() {
    let mut loads = report(8, vec![operation("load", 0, 8, &[(0, 8)])]);
    let page = |report: &LoopReport| html::render(std::slice::from_ref(report), None);
    assert!(page(&loads).contains("<caption>Rings</caption>"));
    loads.rings.clear();
    let page = page(&loads);
    assert!(page.contains("<caption>Operations</caption>") && !page.contains("Rings"));
}

#[test]
fn the_terminal_picture_of_a_small_loop() {
    let mut loads = report(
        8,
        vec![
            operation("load", 0, 8, &[(0, 8)]),
            operation("add", 8, 4, &[(1, 2)]),
        ],
    );
    loads.rings.clear();
    let picture = "\
@kernel, loop at kernel.mlir:1:1
initiation interval 8 (proven minimal), 2 stages,
2 operations, by the iterative generator

A load  B add

What bounds the interval
 resource 8 ███████████████████████████████████ ◀

Reservation table modulo 8
               0       2       4       6        8
              ┌─────────────────────────────────┐
          tma │AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA│
   tp_smem_wr │BBBBBBBB·························│
              └─────────────────────────────────┘

Iterations overlap
               0      8      16      24
              ┌─────────────────────────────────┐
  iteration 0 │AAAAAAABBBB                      │
  iteration 1 │       AAAAAAABBBB               │
  iteration 2 │              AAAAAAAABBB        │
  iteration 3 │                      AAAAAAABBBB│
              └─────────────────────────────────┘
               ├prol…┤├────steady state────┤├──┤
";
    assert_eq!(text::render(&loads, 49), picture);
}

/// Checks that tags are closed in order, attributes are quoted, and text has no bare `<` or `&`.
fn check_markup(text: &str) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let before = &rest[..at];
        for piece in before.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;"];
            if !known.iter().any(|entity| piece.starts_with(entity)) {
                return Err(format!("bare ampersand before {piece:.20}"));
            }
        }
        let end = rest[at..].find('>').ok_or("tag without end")? + at;
        let tag = &rest[at + 1..end];
        if !tag.matches('"').count().is_multiple_of(2) {
            return Err(format!("odd quotes in <{tag}>"));
        }
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(|letter| letter.is_alphanumeric())
            .collect();
        if tag.starts_with('/') {
            let last = open.pop();
            if last.as_deref() != Some(name.as_str()) {
                return Err(format!("</{name}> closes {last:?}"));
            }
        } else if !tag.ends_with('/') && !["!", "meta"].iter().any(|void| tag.starts_with(void)) {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err(format!("open: {open:?}"))
    }
}

#[test]
fn names_do_not_break_the_markup() {
    let mut nasty = report(4, vec![operation("<op \"&\u{1}'>", 0, 3, &[(0, 2)])]);
    nasty.title = "</svg><script>alert(\"x\")</script>&amp;".to_owned();
    nasty.slots[0] = "<tma>".to_owned();
    nasty.rings[0].name = "Pipe\"<".to_owned();
    for picture in [
        svg::render(&nasty),
        html::render(&[nasty.clone(), nasty.clone()], Some(&run("<a & b>"))),
    ] {
        check_markup(&picture).expect("well-formed");
        assert!(!picture.contains("<script"));
        assert!(!picture.contains('\u{1}'));
        assert!(!picture.contains("http://www.w3.org/1999") && !picture.contains("https://"));
    }
    check_markup(&html::render(&[], None)).expect("well-formed");
}

fn any_report() -> impl Strategy<Value = LoopReport> {
    let operation = (
        "[a-z<&]{0,12}",
        0i64..200,
        0u32..40,
        prop::collection::vec((0usize..2, 1u32..60), 0..3),
    );
    let operations = prop::collection::vec(operation, 0..60);
    (
        1u32..130,
        operations,
        1u32..9,
        1u32..70,
        0i64..300,
        1i64..400,
    )
        .prop_map(|(interval, operations, stages, slots, start, length)| {
            let operations = operations
                .iter()
                .map(|(name, start, latency, holds)| {
                    super::tests::operation(name, *start, *latency, holds)
                })
                .collect();
            let mut report = report(interval, operations);
            report.stages = stages;
            report.rings[0].slots = slots;
            report.rings[0].busy = (start, start + length);
            report
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// For any loop, lines stay within the width, markup is well-formed, and drawing is
    /// deterministic.
    #[test]
    fn pictures_are_well_formed(report in any_report(), width in 0usize..160) {
        let text = text::render(&report, width);
        for line in text.lines() {
            prop_assert!(line.chars().count() <= width.max(40), "{line}");
        }
        let picture = svg::render(&report);
        prop_assert_eq!(check_markup(&picture), Ok(()));
        prop_assert_eq!(check_markup(&html::render(std::slice::from_ref(&report), None)), Ok(()));
        prop_assert!(!picture.contains("NaN") && !picture.contains("inf\""));
        prop_assert_eq!(picture, svg::render(&report));
    }

    /// The table contains exactly the cycles that operations hold.
    #[test]
    fn the_table_holds_what_operations_hold(report in any_report()) {
        let mut cells = std::collections::BTreeSet::new();
        for (at, op) in report.operations.iter().enumerate() {
            for hold in &op.holds {
                for cycle in 0..i64::from(hold.duration) {
                    let row = (op.start + cycle).rem_euclid(i64::from(report.interval));
                    cells.insert((hold.slot, at, row));
                }
            }
        }
        let mut drawn = std::collections::BTreeSet::new();
        for piece in report.reservations() {
            prop_assert!(piece.from < piece.to && piece.to <= report.interval);
            for row in piece.from..piece.to {
                drawn.insert((piece.slot, piece.operation, i64::from(row)));
            }
        }
        prop_assert_eq!(drawn, cells);
    }
}
