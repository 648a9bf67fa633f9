//! Accesses to memory: words, parts of words, accesses that overlap, generic addresses.

use super::{Generator, INPUTS, OUTPUTS};

/// Memory that only one thread accesses.
#[derive(Clone, Copy)]
struct Region {
    /// What follows `ori.ld` and `ori.st`.
    space: &'static str,
    base: &'static str,
    /// The bytes from the base that are accessed.
    bytes: usize,
    /// Whether addresses have 64 bits.
    wide: bool,
}

const fn region(space: &'static str, base: &'static str, bytes: usize) -> Region {
    let wide = matches!(space.as_bytes(), b"" | b"g");
    Region {
        space,
        base,
        bytes,
        wide,
    }
}

/// The regions; each is accessed in its own space and with generic addresses.
const REGIONS: &[Region] = &[
    region("s", "%slot", 16),
    region("", "%generic_slot", 16),
    region("l", "%own", 16),
    region("l", "%own", 64),
    region("", "%generic_own", 16),
    region("g", "%place", 16),
    region("", "%place", 16),
];

/// The widths of stores, with their bytes.
const STORED: &[(&str, usize)] = &[
    ("u8", 1),
    ("s8", 1),
    ("u16", 2),
    ("b32", 4),
    ("b32", 4),
    ("b64", 8),
    ("b128", 16),
];

/// The widths of loads, with their bytes.
const LOADED: &[(&str, usize)] = &[
    ("u8", 1),
    ("s8", 1),
    ("u16", 2),
    ("s16", 2),
    ("b32", 4),
    ("b32", 4),
    ("b64", 8),
    ("b128", 16),
];

impl Generator<'_> {
    pub(super) fn load(&mut self) {
        let index = self.index(INPUTS);
        let address = self.define(
            &format!("ori.imad_wide <u32> {index}, %four, %input"),
            "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
        );
        let width = self.pick_str(&["", "", "", " <u8>", " <s16>"]);
        let (guard, types) = self.guard(20);
        let value = self.define(
            &format!("ori.ldg{width} [{address}]{guard}"),
            &format!("(!ori.r64{types}) -> !ori.r"),
        );
        self.scope.words.push(value);
    }

    /// Local memory, and the thread's slots of shared memory.
    pub(super) fn own_memory(&mut self) {
        let (space, base, words) = *self.random.pick(&[("l", "%own", 16), ("s", "%slot", 4)]);
        let index = self.index(words);
        let address = self.define(
            &format!("ori.imad {index}, %four, {base}"),
            "(!ori.r, !ori.r, !ori.r) -> !ori.r",
        );
        if self.random.chance(50) {
            let value = self.word();
            let guard = if self.random.chance(30) {
                format!(" if {}", self.predicate())
            } else {
                String::new()
            };
            let types = if guard.is_empty() { "" } else { ", !ori.p" };
            self.line(&format!(
                "ori.st{space} [{address}], {value}{guard} : (!ori.r, !ori.r{types}) -> ()"
            ));
        } else {
            let value = self.define(&format!("ori.ld{space} [{address}]"), "(!ori.r) -> !ori.r");
            self.scope.words.push(value);
        }
    }

    pub(super) fn store(&mut self) {
        let (value, at) = (self.word(), 4 * self.random.below(OUTPUTS));
        let (guard, types) = if self.random.chance(40) {
            (format!(" if not {}", self.predicate()), ", !ori.p")
        } else {
            (String::new(), "")
        };
        self.line(&format!(
            "ori.stg [%place + {at}], {value}{guard} : (!ori.r64, !ori.r{types}) -> ()"
        ));
    }

    /// An access to memory of the thread, of any width and in any form of address, so that accesses
    /// overlap in part, in one space and through generic addresses.
    pub(super) fn overlapping(&mut self) {
        let region = *self.random.pick(REGIONS);
        let place = if region.wide { "!ori.r64" } else { "!ori.r" };
        if self.random.chance(50) {
            let (width, bytes) = *self.random.pick(STORED);
            let address = self.address(region, bytes);
            let (value, ty) = self.stored(bytes);
            let guarded = self.random.chance(25);
            let (guard, types) = if guarded {
                (format!(" if {}", self.predicate()), ", !ori.p")
            } else {
                (String::new(), "")
            };
            self.line(&format!(
                "ori.st{} <{width}> [{address}], {value}{guard} : ({place}, {ty}{types}) -> ()",
                region.space
            ));
            return;
        }
        let (width, bytes) = *self.random.pick(LOADED);
        let address = self.address(region, bytes);
        let head = format!("ori.ld{} <{width}> [{address}]", region.space);
        match bytes {
            16 => {
                let value = self.define(&head, &format!("({place}) -> !ori.r128"));
                let word = self.random.below(4);
                let word = self.define(
                    &format!("ori.extract {value}[{word}]"),
                    "(!ori.r128) -> !ori.r",
                );
                self.scope.words.push(word);
            }
            8 => {
                let value = self.define(&head, &format!("({place}) -> !ori.r64"));
                self.scope.pairs.push(value);
            }
            _ => {
                let (guard, types) = self.guard(15);
                let value = self.define(
                    &format!("{head}{guard}"),
                    &format!("({place}{types}) -> !ori.r"),
                );
                self.scope.words.push(value);
            }
        }
    }

    /// A value of a number of bytes, and its type.
    fn stored(&mut self, bytes: usize) -> (String, &'static str) {
        match bytes {
            16 => {
                let words: Vec<_> = (0..4).map(|_| self.word()).collect();
                let value = self.define(
                    &format!("ori.concat {}", words.join(", ")),
                    "(!ori.r, !ori.r, !ori.r, !ori.r) -> !ori.r128",
                );
                (value, "!ori.r128")
            }
            8 => (self.pair(), "!ori.r64"),
            _ => (self.word(), "!ori.r"),
        }
    }

    /// An aligned address in a region: a constant offset, an index of the thread, or a base away
    /// from the region whose offset leads back to it, also past the end of 32 bits.
    fn address(&mut self, region: Region, bytes: usize) -> String {
        let base = region.base;
        let at = bytes * self.random.below(region.bytes / bytes);
        match self.random.below(4) {
            0 => {
                let index = self.index(region.bytes / bytes);
                let size = self.immediate(bytes as i64);
                if region.wide {
                    self.define(
                        &format!("ori.imad_wide <u32> {index}, {size}, {base}"),
                        "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
                    )
                } else {
                    self.define(
                        &format!("ori.imad {index}, {size}, {base}"),
                        "(!ori.r, !ori.r, !ori.r) -> !ori.r",
                    )
                }
            }
            1 => {
                let away = *self.random.pick(&[-16, 16, 4, -1, 0x7F_FF00, -0x7F_FF00]);
                let distance = self.immediate(away);
                let moved = if region.wide {
                    let one = self.immediate(1);
                    self.define(
                        &format!("ori.imad_wide <s32> {distance}, {one}, {base}"),
                        "(!ori.r, !ori.r, !ori.r64) -> !ori.r64",
                    )
                } else {
                    self.define(
                        &format!("ori.iadd3 {base}, {distance}, %zero"),
                        "(!ori.r, !ori.r, !ori.r) -> !ori.r",
                    )
                };
                match at as i64 - away {
                    0 => moved,
                    offset if offset < 0 => format!("{moved} - {}", -offset),
                    offset => format!("{moved} + {offset}"),
                }
            }
            _ if at == 0 => base.to_owned(),
            _ => format!("{base} + {at}"),
        }
    }
}
