use super::*;
use crate::listing::{self, Listing};

const SMALL: &str = include_str!("../listing/small.sass");

fn functions(text: &str) -> Vec<Function<'static>> {
    let functions = listing::parse(text).and_then(Listing::into_functions);
    functions.unwrap_or_else(|error| panic!("{error}"))
}

/// A function of these lines; each gets an address and a control word.
fn function(lines: &[&str]) -> Function<'static> {
    let mut text = ".target sm_90\n//---- .text.k ----\n".to_owned();
    let mut address = 0;
    for line in lines {
        if line.ends_with(':') || line.starts_with('.') {
            text += &format!("{line}\n");
        } else {
            text += &format!("/*{address:04x}*/ {line} ; /* B------:R-:W-:Y:S05 */\n");
            address += 16;
        }
    }
    functions(&text).swap_remove(0)
}

/// The indices of the successors of each block; those of jumps are encoded as -index - 1.
fn edges(function: &Function<'_>) -> Vec<Vec<i64>> {
    let edge = |edge: &Edge| {
        let to = i64::try_from(edge.to).unwrap();
        if edge.kind == EdgeKind::Taken {
            -to - 1
        } else {
            to
        }
    };
    let blocks = function.blocks.iter();
    blocks
        .map(|block| block.successors.iter().map(edge).collect())
        .collect()
}

#[test]
fn a_real_function() {
    let function = &functions(SMALL)[0];
    assert_eq!(&*function.name, "call_wait_in_callee");
    let starts: Vec<u64> = function
        .blocks
        .iter()
        .map(|block| block.instructions[0].address)
        .collect();
    assert_eq!(starts, [0, 0x120, 0x330, 0x360, 0x370]);
    assert_eq!(function.blocks[0].callee, Some(2));
    assert_eq!(edges(function), [vec![1], vec![], vec![], vec![-4], vec![]]);
    let names: Vec<&str> = function.entries.iter().map(|entry| &*entry.name).collect();
    assert_eq!(
        names,
        ["call_wait_in_callee", "$call_wait_in_callee$waiter"]
    );
    assert_eq!(function.predecessors()[1], [0]);
}

#[test]
fn a_function_is_its_section() {
    let listing = listing::parse(SMALL).unwrap().without_places();
    let again = functions(SMALL)[0].to_section();
    let again = Listing {
        header: Vec::new(),
        sections: vec![again],
        ..Listing::default()
    };
    assert_eq!(again.without_places().sections, listing.sections[..1]);
}

#[test]
fn ways_behind_instructions() {
    for (last, expected) in [
        ("BRA `(.L_t)", vec![-3]),
        ("@P0 BRA `(.L_t)", vec![-3, 1]),
        ("@PT BRA `(.L_t)", vec![-3]),
        ("BRA P1, `(.L_t)", vec![-3, 1]),
        ("BRA.U !UP0, `(.L_t)", vec![-3, 1]),
        ("BRA.DIV UR4, `(.L_t)", vec![-3, 1]),
        (
            "BRX R6 -0x170 (*\"BRANCH_TARGETS .L_t,.L_u,.L_t\"*)",
            vec![-3, -4],
        ),
        ("BRX R6 -0x170", vec![]),
        ("@!PT BRA `(.L_t)", vec![-3, 1]),
        ("KILL", vec![]),
        ("@P0 KILL", vec![1]),
        ("RTT", vec![]),
        ("EXIT", vec![]),
        ("@P0 EXIT", vec![1]),
        ("EXIT P1", vec![1]),
        ("RET.REL.NODEC R4 `(k)", vec![]),
        ("BSYNC B0", vec![1]),
        ("CALL.REL.NOINC `(.L_t)", vec![-3, 1]),
        ("CALL.ABS.NOINC `(elsewhere)", vec![1]),
    ] {
        let function = function(&[last, "NOP", ".L_t:", "NOP", ".L_u:", "EXIT"]);
        assert_eq!(edges(&function)[0], expected, "{last}");
        let unknown = last == "BRX R6 -0x170";
        assert_eq!(function.blocks[0].leaves_to_unknown, unknown, "{last}");
    }
}

#[test]
fn a_block_is_a_predecessor_once() {
    let function = function(&["@P0 BRA `(.L_t)", ".L_t:", "EXIT"]);
    assert_eq!(edges(&function), [vec![-2, 1], vec![]]);
    assert_eq!(function.predecessors(), [vec![], vec![0]]);
}

/// Threads that wait at `BSYNC` continue after it, so a block starts there.
#[test]
fn bsync_ends_its_block() {
    let function = function(&["BSYNC B0", "NOP", "EXIT"]);
    assert_eq!(edges(&function), [vec![1], vec![]]);
    assert_eq!(function.blocks[0].instructions.len(), 1);
}

#[test]
fn what_is_no_program_is_refused() {
    for (text, line, part) in [
        (
            ".target sm_90\n//---- .text.k ----\n/*0000*/ BRA `(.L_x) ; /* B------:R-:W-:Y:S05 */\n",
            3,
            "label '.L_x'",
        ),
        (
            ".target sm_90\n//---- .text.k ----\n.L_x:\n",
            3,
            "no instructions",
        ),
        (
            ".target sm_90\n//---- SYMBOLS ----\n/*0000*/ NOP ; /* B------:R-:W-:Y:S05 */\n",
            3,
            "not a code section",
        ),
    ] {
        let error = listing::parse(text).unwrap().into_functions().unwrap_err();
        assert!(error.message.contains(part), "{error}");
        assert_eq!(error.place.line, line);
    }
}

#[test]
fn a_function_may_be_called_like_its_section() {
    for (section, name) in [(".text.textures", "textures"), (".text.text.k", "text.k")] {
        let text = format!(
            ".target sm_90\n//---- {section} ----\n{section}:\n/*0000*/ EXIT ; /* B------:R-:W-:-:S05 */\n"
        );
        let function = &functions(&text)[0];
        assert_eq!(&*function.name, name);
        assert_eq!(function.section(), section);
    }
}
