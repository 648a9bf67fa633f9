//! What a control word may say (reference 10.2 to 10.4). Each rule holds for all 143,003
//! instructions that the corpus has; what real code breaks is no rule
//! (21 of them arm one barrier for both ends; half of the kept registers are not read by the very
//! next instruction).

use super::ControlWord;

/// A rule about control words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// A stall of 12 to 15 cycles needs the yield flag: the codes of "stay" end at 11.
    LongStallYields,
    /// A stall of zero needs the yield flag: "stay" starts at one cycle.
    ZeroStallYields,
    /// Registers are kept only while the warp goes on: an instruction that yields keeps none.
    ReuseStays,
    /// No instruction has a fourth slot to keep.
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

    /// Whether the word breaks the rule.
    fn broken(self, word: &ControlWord) -> bool {
        match self {
            Rule::LongStallYields => word.stall.cycles() >= 12 && !word.yields,
            Rule::ZeroStallYields => word.stall.cycles() == 0 && !word.yields,
            Rule::ReuseStays => word.yields && !word.reuse.is_empty(),
            Rule::ThreeSlots => word.reuse.contains(3),
        }
    }

    /// What is wrong with a word that breaks the rule.
    fn message(self, word: &ControlWord) -> String {
        let cycles = word.stall.cycles();
        match self {
            Rule::LongStallYields => {
                format!("a stall of {cycles} cycles needs 'yield': without it the longest is 11")
            }
            Rule::ZeroStallYields => {
                "a stall of 0 cycles needs 'yield': without it the shortest is 1".to_owned()
            }
            Rule::ReuseStays => "'yield' loses the registers that 'reuse' is to keep".to_owned(),
            Rule::ThreeSlots => "slot 'd' of 'reuse' does not exist".to_owned(),
        }
    }
}

/// A rule that a word breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// What is wrong.
    pub message: String,
}

/// The rules that a word breaks, in the order of [`Rule::ALL`].
pub fn check(word: &ControlWord) -> Vec<Finding> {
    let broken = Rule::ALL.into_iter().filter(|rule| rule.broken(word));
    broken
        .map(|rule| Finding {
            rule,
            message: rule.message(word),
        })
        .collect()
}
