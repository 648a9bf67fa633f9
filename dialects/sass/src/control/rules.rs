//! Validity rules of control words (reference 10.2 to 10.4), by machine. Each rule holds for all 143,003
//! instructions of the corpus; properties that real code violates are not rules (21 of the
//! instructions arm one barrier for both ends; half of the kept registers are not read by the very
//! next instruction).

use super::ControlWord;

/// A rule about control words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// A stall of 12 to 15 cycles needs the yield flag: the codes of "stay" end at 11.
    LongStallYields,
    /// A stall of zero needs the yield flag: "stay" starts at one cycle. Before sm_70 it pairs the instruction with
    /// the next, which issues in the same cycle (S. Gray, maxas, "Control Codes").
    ZeroStallYields,
    /// Registers are kept only while the warp continues: an instruction that yields keeps none.
    ReuseStays,
    /// No instruction has a fourth slot.
    ThreeSlots,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 4] = [
        Rule::LongStallYields,
        Rule::ZeroStallYields,
        Rule::ReuseStays,
        Rule::ThreeSlots,
    ];

    /// Whether the control word violates the rule on a machine.
    fn broken(self, word: &ControlWord, machine: u16) -> bool {
        match self {
            Rule::LongStallYields => word.stall.cycles() >= 12 && !word.yields,
            Rule::ZeroStallYields => {
                word.stall.cycles() == 0 && !word.yields && machine >= FIRST_WITHOUT_PAIRS
            }
            Rule::ReuseStays => word.yields && !word.reuse.is_empty(),
            Rule::ThreeSlots => word.reuse.contains(3),
        }
    }

    /// The description of the violation.
    fn message(self, word: &ControlWord) -> String {
        let cycles = word.stall.cycles();
        match self {
            Rule::LongStallYields => {
                format!("a stall of {cycles} cycles requires 'yield': without it the maximum is 11")
            }
            Rule::ZeroStallYields => {
                "a stall of 0 cycles requires 'yield': without it the minimum is 1".to_owned()
            }
            Rule::ReuseStays => {
                "'yield' invalidates the operand cache, which 'reuse' relies on".to_owned()
            }
            Rule::ThreeSlots => "slot 'd' of 'reuse' does not exist".to_owned(),
        }
    }
}

/// A rule that a control word violates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The description of the violation.
    pub message: String,
}

/// The first machine that issues one instruction of a warp in a cycle (reference 3.5).
const FIRST_WITHOUT_PAIRS: u16 = 70;

/// The rules that a control word violates on a machine, 90 for `sm_90a`, in the order of [`Rule::ALL`].
pub fn check(word: &ControlWord, machine: u16) -> Vec<Finding> {
    let broken = Rule::ALL
        .into_iter()
        .filter(|rule| rule.broken(word, machine));
    broken
        .map(|rule| Finding {
            rule,
            message: rule.message(word),
        })
        .collect()
}
