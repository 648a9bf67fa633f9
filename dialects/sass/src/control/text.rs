//! The readable form `B0-2---:R1:W3:Y:S05`.

use std::fmt;

use super::{Barrier, BarrierSet, ControlError, ControlWord, ReuseSet, Stall};

fn letter(barrier: Option<Barrier>) -> char {
    barrier.map_or('-', |barrier| char::from(b'0' + barrier.index()))
}

impl fmt::Display for ControlWord {
    /// Barriers waited for, read barrier, write barrier, yield, stall; `:U` and the slots if
    /// registers are reused.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("B")?;
        for barrier in Barrier::ALL {
            let waits = self.wait.contains(barrier);
            write!(out, "{}", letter(waits.then_some(barrier)))?;
        }
        let yields = if self.yields { 'Y' } else { '-' };
        write!(
            out,
            ":R{}:W{}:{yields}:S{:02}",
            letter(self.read_barrier),
            letter(self.write_barrier),
            self.stall.cycles(),
        )?;
        if !self.reuse.is_empty() {
            out.write_str(":U")?;
            for slot in self.reuse.iter() {
                write!(out, "{}", ReuseSet::NAMES[usize::from(slot)])?;
            }
        }
        Ok(())
    }
}

fn barrier(which: &str, text: &str) -> Result<Option<Barrier>, ControlError> {
    let bad = || {
        ControlError(format!(
            "expected '{which}' and a barrier number or '-', found '{text}'"
        ))
    };
    let number = text.strip_prefix(which).ok_or_else(bad)?;
    if number == "-" {
        return Ok(None);
    }
    let [digit @ b'0'..=b'5'] = number.as_bytes() else {
        return Err(bad());
    };
    Ok(Barrier::new(digit - b'0'))
}

fn wait(text: &str) -> Result<BarrierSet, ControlError> {
    let bad = || {
        ControlError(format!(
            "expected 'B' and six barriers or dashes, found '{text}'"
        ))
    };
    let letters = text.strip_prefix('B').ok_or_else(bad)?.as_bytes();
    if letters.len() != Barrier::COUNT {
        return Err(bad());
    }
    let mut set = BarrierSet::EMPTY;
    for (barrier, found) in Barrier::ALL.into_iter().zip(letters) {
        if *found == b'0' + barrier.index() {
            set.insert(barrier);
        } else if *found != b'-' {
            return Err(bad());
        }
    }
    Ok(set)
}

fn stall(text: &str) -> Result<Stall, ControlError> {
    let bad = || {
        ControlError(format!(
            "expected 'S' and two digits up to 15, found '{text}'"
        ))
    };
    let digits = text.strip_prefix('S').ok_or_else(bad)?;
    if digits.len() != 2 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(bad());
    }
    digits.parse().ok().and_then(Stall::new).ok_or_else(bad)
}

fn reuse(text: &str) -> Result<ReuseSet, ControlError> {
    let bad = || {
        ControlError(format!(
            "expected 'U' and slots of 'abcd' in order, found '{text}'"
        ))
    };
    let names = text.strip_prefix('U').ok_or_else(bad)?;
    let mut mask = 0u8;
    for name in names.chars() {
        let slot = ReuseSet::NAMES.iter().position(|known| *known == name);
        let bit = 1u8 << slot.ok_or_else(bad)?;
        if mask >= bit {
            return Err(bad());
        }
        mask |= bit;
    }
    let set = ReuseSet::from_mask(mask).ok_or_else(bad)?;
    if set.is_empty() { Err(bad()) } else { Ok(set) }
}

/// Parses the readable form.
///
/// # Errors
/// If a part is missing, unknown or out of range.
pub fn parse(text: &str) -> Result<ControlWord, ControlError> {
    let mut parts = text.split(':');
    let mut part = |what: &str| {
        parts
            .next()
            .ok_or_else(|| ControlError(format!("'{text}' ends before {what}")))
    };
    let wait = wait(part("the wait mask")?)?;
    let read_barrier = barrier("R", part("the read barrier")?)?;
    let write_barrier = barrier("W", part("the write barrier")?)?;
    let yields = match part("the yield flag")? {
        "Y" => true,
        "-" => false,
        other => {
            return Err(ControlError(format!(
                "expected 'Y' or '-', found '{other}'"
            )));
        }
    };
    let stall = stall(part("the stall count")?)?;
    let reuse = parts.next().map_or(Ok(ReuseSet::EMPTY), reuse)?;
    if let Some(rest) = parts.next() {
        return Err(ControlError(format!(
            "unexpected '{rest}' after the control word"
        )));
    }
    Ok(ControlWord {
        stall,
        yields,
        write_barrier,
        read_barrier,
        wait,
        reuse,
    })
}

impl std::str::FromStr for ControlWord {
    type Err = ControlError;

    fn from_str(text: &str) -> Result<Self, ControlError> {
        parse(text)
    }
}
