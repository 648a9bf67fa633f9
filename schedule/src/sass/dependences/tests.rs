use super::*;
use crate::dependences::{EdgeKinds, Protection};
use crate::sass::test_support::{function, real_functions};

fn graph(lines: &str) -> DependenceGraph {
    let model = LatencyModel::for_machine(90).expect("a model");
    let function = function("sm_90a", lines);
    let facts = FunctionFacts::new(&function, model);
    DependenceGraph::of_function(&function, &facts, model)
}

/// Edges without those to a jump at the end of a block: from, to, kinds, cycles, protection.
fn edges(lines: &str) -> Vec<(u32, u32, String, u32, Protection)> {
    let graph = graph(lines);
    let edges = graph.edges().iter();
    edges
        .filter(|edge| edge.kinds != EdgeKinds::BARRIER)
        .map(|edge| {
            (
                edge.from,
                edge.to,
                edge.kinds.to_string(),
                edge.cycles,
                edge.protection,
            )
        })
        .collect()
}

fn edge(
    from: u32,
    to: u32,
    kinds: &str,
    cycles: u32,
    protection: Protection,
) -> (u32, u32, String, u32, Protection) {
    (from, to, kinds.to_owned(), cycles, protection)
}

const RAW: &str = "read-after-write";
const WAR: &str = "write-after-read";
const WAW: &str = "write-after-write";

#[test]
fn the_masks_are_those_of_the_page() {
    assert_eq!(EdgeKinds::READ_AFTER_WRITE.mask(), 1);
    assert_eq!(EdgeKinds::WRITE_AFTER_READ.mask(), 2);
    assert_eq!(EdgeKinds::WRITE_AFTER_WRITE.mask(), 4);
    assert_eq!(EdgeKinds::MEMORY.mask(), 1 << 10);
    assert_eq!(EdgeKinds::BARRIER.mask(), 1 << 25);
    let both = EdgeKinds::READ_AFTER_WRITE.union(EdgeKinds::WRITE_AFTER_WRITE);
    assert_eq!(
        (both.mask(), both.to_string().as_str()),
        (5, "read-after-write+write-after-write")
    );
}

#[test]
fn registers_of_wide_operands_one_by_one() {
    assert_eq!(
        edges(
            "B------:R-:W-:-:S01 IADD3 R2, R8, R9, RZ
             B------:R-:W-:-:S01 IADD3 R3, R8, R9, RZ
             B------:R-:W-:-:S01 IMAD.WIDE R4, R10, R11, R2
             B------:R-:W-:-:S01 LDG.E R0, desc[UR4][R4.64]
             B------:R-:W-:-:S01 MOV R5, R0"
        ),
        [
            edge(0, 2, RAW, 5, Protection::Time),
            edge(1, 2, RAW, 3, Protection::Time),
            edge(2, 3, RAW, 5, Protection::Time),
            edge(2, 4, WAW, 1, Protection::Time),
            edge(
                3,
                4,
                "read-after-write+write-after-read",
                2,
                Protection::Results
            ),
        ]
    );
}

/// The last writer waits for the reader, though a write of other threads is between them.
#[test]
fn readers_stay_in_question_after_writes_of_other_threads() {
    assert_eq!(
        edges(
            "B------:R-:W-:-:S01 @P0 STG.E desc[UR4][R2.64], R0
             B------:R-:W-:-:S01 @!P0 MOV R0, R1
             B------:R-:W-:-:S01 @P0 MOV R0, R1"
        ),
        [edge(0, 2, WAR, 2, Protection::Operands)]
    );
}

/// No thread executes both of the guarded ones.
#[test]
fn guards_keep_old_values_in_question() {
    assert_eq!(
        edges(
            "B------:R-:W-:-:S01 MOV R0, RZ
             B------:R-:W-:-:S01 @P0 MOV R0, R1
             B------:R-:W-:-:S01 @!P0 MOV R0, R2
             B------:R-:W-:-:S01 FADD R3, R0, RZ
             B------:R-:W-:-:S01 MOV R0, RZ
             B------:R-:W-:-:S01 FADD R3, R0, RZ"
        ),
        [
            edge(0, 1, WAW, 1, Protection::Time),
            edge(0, 2, WAW, 1, Protection::Time),
            edge(0, 3, RAW, 5, Protection::Time),
            edge(1, 3, RAW, 5, Protection::Time),
            edge(2, 3, RAW, 5, Protection::Time),
            edge(0, 4, WAW, 1, Protection::Time),
            edge(1, 4, WAW, 1, Protection::Time),
            edge(2, 4, WAW, 1, Protection::Time),
            edge(3, 4, WAR, 1, Protection::Time),
            edge(3, 5, WAW, 1, Protection::Time),
            edge(4, 5, RAW, 5, Protection::Time),
        ]
    );
}

#[test]
fn predicates_and_uniform_registers() {
    assert_eq!(
        edges(
            "B------:R-:W-:-:S01 ISETP.NE.AND P0, PT, R0, RZ, PT
             B------:R-:W-:-:S01 UIADD3 UR4, UR5, 0x1, URZ
             B------:R-:W-:-:S01 @P0 IADD3 R1, R2, UR4, RZ
             B------:R-:W-:-:S01 SEL R3, R2, R4, P0
             B------:R-:W-:-:S01 UMOV UR4, URZ"
        ),
        [
            edge(0, 2, RAW, 13, Protection::Time),
            edge(1, 2, RAW, 6, Protection::Time),
            edge(0, 3, RAW, 4, Protection::Time),
            edge(1, 4, WAW, 7, Protection::Time),
            edge(2, 4, WAR, 1, Protection::Time),
        ]
    );
}

/// An operation is waited for only once; a queue keeps its own order.
#[test]
fn scoreboards_tell_once() {
    assert_eq!(
        edges(
            "B------:R-:W-:-:S01 LDS.64 R0, [R8]
             B------:R-:W-:-:S01 FADD R2, R0, RZ
             B------:R-:W-:-:S01 FADD R3, R1, RZ
             B------:R-:W-:-:S01 STS [R9], R4
             B------:R-:W-:-:S01 LDS R4, [R8+0x100]
             B------:R-:W-:-:S01 MOV R8, RZ"
        ),
        [
            edge(0, 1, RAW, 2, Protection::Results),
            edge(0, 3, "memory", 1, Protection::Time),
            edge(3, 4, "write-after-read+memory", 1, Protection::Time),
            edge(4, 5, WAR, 2, Protection::Operands),
        ]
    );
}

#[test]
fn memory_by_space_and_offset() {
    let memory = |lines: &str| -> Vec<(u32, u32)> {
        let graph = graph(lines);
        let edges = graph.edges().iter();
        let memory = edges.filter(|edge| edge.kinds.contains(EdgeKinds::MEMORY));
        memory.map(|edge| (edge.from, edge.to)).collect()
    };
    // Disjoint by offset or by space; generic addresses and unknown bases may alias anything.
    let lines = "B------:R-:W-:-:S01 STG.E.64 desc[UR4][R2.64], R10
        B------:R-:W-:-:S01 STG.E desc[UR4][R2.64+0x8], R12
        B------:R-:W-:-:S01 STG.E desc[UR4][R2.64+0x4], R13
        B------:R-:W-:-:S01 LDS R14, [R20]
        B------:R-:W-:-:S01 LDG.E R15, desc[UR4][R4.64]
        B------:R-:W-:-:S01 ST.E desc[UR4][R6.64], R16";
    assert_eq!(
        memory(lines),
        [
            (0, 2),
            (0, 4),
            (1, 4),
            (2, 4),
            (0, 5),
            (1, 5),
            (2, 5),
            (3, 5),
            (4, 5)
        ]
    );
    // The base changes in between.
    let changed = "B------:R-:W-:-:S01 STS [R0], R10
        B------:R-:W-:-:S01 IADD3 R0, R0, 0x4, RZ
        B------:R-:W-:-:S01 STS [R0+0x4], R12
        B------:R-:W-:-:S01 STS [R0+0x8], R12";
    assert_eq!(memory(changed), [(0, 2), (0, 3)]);
    // Four bytes unless the mnemonic says otherwise: the last one is shared with a load of one.
    let sizes = "B------:R-:W-:-:S01 STG.E desc[UR4][R2.64], R10
        B------:R-:W-:-:S01 LDG.E.U8 R12, desc[UR4][R2.64+0x3]
        B------:R-:W-:-:S01 LDG.E.U8 R13, desc[UR4][R2.64+0x4]";
    assert_eq!(memory(sizes), [(0, 1)]);
    // A generic address first, then one of another space; and in the other order.
    for (first, second) in [
        ("ST.E desc[UR4][R6.64], R16", "LDS R1, [R0]"),
        ("STS [R0], R1", "LD.E R16, desc[UR4][R6.64]"),
        ("ST.E desc[UR4][R6.64], R16", "LDL R1, [R0]"),
    ] {
        let lines = format!("B------:R-:W-:-:S01 {first}\nB------:R-:W-:-:S01 {second}");
        assert_eq!(memory(&lines), [(0, 1)], "{lines}");
    }
    // Reads never conflict.
    let reads = "B------:R-:W-:-:S01 LDS R1, [R0]
        B------:R-:W-:-:S01 LDS R2, [R0]";
    assert_eq!(memory(reads), []);
}

#[test]
fn rules_change_edges() {
    let lines = "B------:R-:W-:-:S01 STS [R0], R10
        B------:R-:W-:-:S01 STS [R1], R11
        B------:R-:W-:-:S01 FADD R5, R6, R7
        B------:R-:W-:-:S01 LDS R12, [R2]";
    let model = LatencyModel::for_machine(90).expect("a model");
    let function = function("sm_90a", lines);
    let facts = FunctionFacts::new(&function, model);
    let pairs = |rules: &GraphRules| -> Vec<(u32, u32)> {
        let graph = DependenceGraph::of_block_with(&facts, model, 0, rules);
        let all = DependenceGraph::of_function_with(&function, &facts, model, rules);
        assert_eq!(graph.edges(), all.edges());
        graph
            .edges()
            .iter()
            .map(|edge| (edge.from, edge.to))
            .collect()
    };
    let plain = GraphRules::default();
    assert_eq!(pairs(&plain), [(0, 1), (0, 3), (1, 3)]);
    let no_alias = GraphRules {
        no_alias: true,
        ..plain.clone()
    };
    assert_eq!(pairs(&no_alias), []);
    // The second represents the first, after which it is ordered.
    let narrow = GraphRules {
        memory_window: 1,
        ..plain.clone()
    };
    assert_eq!(pairs(&narrow), [(0, 1), (1, 3)]);
    let fences = GraphRules {
        fences: vec![model.class_of("FADD")],
        ..no_alias
    };
    assert_eq!(pairs(&fences), [(0, 2), (1, 2), (2, 3)]);
}

#[test]
fn synchronisation_keeps_sides() {
    let lines = "B------:R-:W-:-:S01 STS [R0], R10
        B------:R-:W-:-:S01 IADD3 R5, R6, R7, RZ
        B------:R-:W-:-:S01 BAR.SYNC.DEFER_BLOCKING 0x0
        B------:R-:W-:-:S01 LDS R1, [R2]
        B------:R-:W-:-:S01 EXIT";
    let graph = graph(lines);
    let barrier: Vec<(u32, u32)> = graph
        .edges()
        .iter()
        .filter(|edge| edge.kinds.contains(EdgeKinds::BARRIER))
        .map(|edge| (edge.from, edge.to))
        .collect();
    assert_eq!(barrier, [(0, 2), (2, 3), (0, 4), (1, 4), (2, 4), (3, 4)]);
}

#[test]
fn edges_between_blocks_and_turns_of_loops() {
    let lines = "B------:R-:W0:-:S02 LDG.E R0, desc[UR4][R2.64]
        B------:R-:W-:-:S04 MOV R1, RZ
        .L_x_1:
        B0-----:R-:W-:-:S04 FADD R1, R1, R0
        B------:R-:W-:-:S05 @P0 BRA `(.L_x_1)
        B------:R-:W-:-:S05 EXIT";
    let across: Vec<_> = edges(lines);
    assert!(
        across.contains(&edge(0, 2, RAW, 2, Protection::Results)),
        "{across:?}"
    );
    assert!(
        across.contains(&edge(
            1,
            2,
            "read-after-write+write-after-write",
            5,
            Protection::Time
        )),
        "{across:?}"
    );
    assert!(
        across.contains(&edge(
            2,
            2,
            "read-after-write+write-after-write",
            4,
            Protection::Time
        )),
        "{across:?}"
    );
}

#[test]
fn both_directions_agree_and_blocks_are_parts() {
    for (name, function) in real_functions() {
        let model = LatencyModel::for_target(&function.target).expect("a model");
        let facts = FunctionFacts::new(&function, model);
        let graph = DependenceGraph::of_function(&function, &facts, model);
        let mut forwards = 0;
        for instruction in 0..facts.len() {
            for edge in graph.predecessors(instruction) {
                assert_eq!(edge.to as usize, instruction);
            }
            forwards += graph.successors(instruction).count();
        }
        assert_eq!(forwards, graph.edges().len());
        for block in 0..facts.block_count() {
            let inside = DependenceGraph::of_block(&facts, model, block);
            for edge in inside.edges() {
                let mut found = graph.predecessors(edge.to as usize).iter();
                let found = found.find(|other| other.from == edge.from);
                let found = found.unwrap_or_else(|| panic!("{name}: {edge:?}"));
                assert!(found.kinds.contains(edge.kinds) && found.cycles >= edge.cycles);
            }
        }
    }
}

/// The number of edges per instruction does not grow with the number of instructions: the windows
/// bound it.
#[test]
fn the_number_of_edges_is_linear() {
    let model = LatencyModel::for_machine(90).expect("a model");
    let count = |times: usize| {
        let mut lines = String::new();
        for number in 0..times {
            let register = 10 + number % 200;
            lines.push_str(&format!(
                "B------:R-:W-:-:S01 @P0 IADD3 R{register}, R{register}, R1, RZ\n\
                 B------:R-:W-:-:S01 STG.E desc[UR4][R2.64+{:#x}], R1\n",
                number * 4
            ));
        }
        let function = function("sm_90a", &lines);
        let facts = FunctionFacts::new(&function, model);
        DependenceGraph::of_function(&function, &facts, model)
            .edges()
            .len()
    };
    let (small, large) = (count(1000), count(4000));
    assert!(large < 5 * small, "{small} {large}");
}

/// A product overwrites another one in order; another instruction waits for the group.
#[test]
fn products_overwrite_each_other_without_a_wait() {
    let product = "B------:R-:W-:-:S02 HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT, gsb0";
    let found = edges(&format!(
        "{product}
         {product}
         B------:R-:W-:-:S05 MOV R24, RZ
         B------:R-:W-:-:S05 EXIT"
    ));
    let of = |from: u32, to: u32| {
        let mut all = found.iter().filter(|edge| (edge.0, edge.1) == (from, to));
        let writes = all.find(|edge| edge.2.contains(WAW));
        writes.map(|edge| (edge.3, edge.4))
    };
    assert_eq!(of(0, 1), Some((1, Protection::Time)));
    assert_eq!(of(1, 2), Some((1, Protection::Group)));
}
