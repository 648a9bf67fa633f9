//! Instructions without results, and asynchronous ones: copies, mbarriers, tensor memory.

use super::super::action::Action;
use super::decode::{Decoded, Decoder, Line};

/// Instructions that only order memory, or only affect time: memory is sequentially consistent here, and
/// scoreboards are ignored.
const NOTHING: &[&str] = &[
    "NOP", "MEMBAR", "ERRBAR", "CGAERRBAR", "FENCE", "CCTL", "CCTLL", "ACQBULK", "PREEXIT", "PMTRIG",
    "UCCTL", "UTMAPF", "UTMACCTL", "UBLKPF", "UVIRTCOUNT", "SETMAXREG",
];

impl Decoder<'_> {
    /// An instruction that computes nothing.
    pub(super) fn other(&mut self, line: &Line<'_>) -> Decoded {
        let base = line.text.mnemonic.base();
        if NOTHING.contains(&base) {
            return self.simple(line, Action::Nothing);
        }
        let families = [
            Self::access,
            Self::control,
            Self::exchange,
            Self::matrices,
            Self::copies,
        ];
        for family in families {
            if let Some(decoded) = family(self, line) {
                return decoded;
            }
        }
        Err("there is no row for it".to_owned())
    }

    /// A copy, or a wait for copies, if it is one.
    fn copies(&mut self, line: &Line<'_>) -> Option<Decoded> {
        Some(match line.text.mnemonic.base() {
            "LDGDEPBAR" => self.simple(line, Action::CloseGroup),
            "DEPBAR" => self.wait_for_copies(line),
            _ => return None,
        })
    }

    /// `DEPBAR.LE SB0, 0x1`: the groups of copies of a thread are counted by a scoreboard. Others are
    /// ignored, as all scoreboards are.
    fn wait_for_copies(&mut self, line: &Line<'_>) -> Decoded {
        if !line.has("LE") || line.text.operands.len() != 2 {
            return self.simple(line, Action::Nothing);
        }
        let count = line.number(1)?;
        let count = usize::try_from(count).map_err(|_| "its count is negative".to_owned())?;
        self.simple(line, Action::WaitForGroups(count))
    }
}
