//! Copies that happen at once, in an order in which they may happen one after another.

/// Where a register gets its value from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source<C> {
    /// A register.
    Register(u8),
    /// Anything that is no register.
    Constant(C),
}

/// One step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<C> {
    /// Copies a register.
    Move {
        /// The register that is read.
        from: u8,
        /// The register that is written.
        to: u8,
    },
    /// Exchanges two registers.
    Swap(u8, u8),
    /// Sets a register.
    Set {
        /// The register that is written.
        to: u8,
        /// Its value.
        value: C,
    },
}

/// Orders copies between different registers of a file, each written once. A cycle goes through the
/// spare register if there is one, else through exchanges. Linear but for the search of sources.
pub fn in_order<C: Copy>(copies: &[(Source<C>, u8)], spare: Option<u8>) -> Vec<Step<C>> {
    let mut source: [Option<u8>; 256] = [None; 256];
    let mut readers = [0_u32; 256];
    for (from, to) in copies {
        if let Source::Register(from) = *from
            && from != *to
        {
            source[usize::from(*to)] = Some(from);
            readers[usize::from(from)] += 1;
        }
    }
    let mut steps = Vec::new();
    // What nobody reads can be written.
    let targets = copies.iter().map(|(_, to)| *to);
    let mut ready: Vec<u8> = targets
        .filter(|to| readers[usize::from(*to)] == 0)
        .collect();
    ready.reverse();
    loop {
        while let Some(to) = ready.pop() {
            let Some(from) = source[usize::from(to)].take() else {
                continue;
            };
            steps.push(Step::Move { from, to });
            readers[usize::from(from)] -= 1;
            if readers[usize::from(from)] == 0 {
                ready.push(from);
            }
        }
        // Only cycles are left.
        let Some(start) = (0..=u8::MAX).find(|to| source[usize::from(*to)].is_some()) else {
            break;
        };
        match spare {
            Some(spare) => {
                steps.push(Step::Move {
                    from: start,
                    to: spare,
                });
                let reader = (0..=u8::MAX).find(|to| source[usize::from(*to)] == Some(start));
                if let Some(reader) = reader {
                    source[usize::from(reader)] = Some(spare);
                    readers[usize::from(spare)] += 1;
                }
                readers[usize::from(start)] -= 1;
                ready.push(start);
            }
            None => exchange(&mut source, &mut readers, start, &mut steps),
        }
    }
    for (from, to) in copies {
        if let Source::Constant(value) = *from {
            steps.push(Step::Set { to: *to, value });
        }
    }
    steps
}

/// Resolves a cycle by exchanges: behind each, one more register has its value.
fn exchange<C>(
    source: &mut [Option<u8>; 256],
    readers: &mut [u32; 256],
    start: u8,
    steps: &mut Vec<Step<C>>,
) {
    let mut at = start;
    while let Some(from) = source[usize::from(at)].take() {
        readers[usize::from(from)] -= 1;
        steps.push(Step::Swap(at, from));
        // What was in `at` is in `from` now, for the register that reads it.
        let reader = (0..=u8::MAX).find(|to| source[usize::from(*to)] == Some(at));
        let Some(reader) = reader else { return };
        readers[usize::from(at)] -= 1;
        if reader == from {
            source[usize::from(from)] = None;
            return;
        }
        source[usize::from(reader)] = Some(from);
        readers[usize::from(from)] += 1;
        at = reader;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs steps on registers that hold their own numbers.
    fn run(steps: &[Step<u32>]) -> [u32; 256] {
        let mut registers: [u32; 256] = std::array::from_fn(|n| u32::try_from(n).unwrap_or(0));
        for step in steps {
            match *step {
                Step::Move { from, to } => {
                    registers[usize::from(to)] = registers[usize::from(from)];
                }
                Step::Swap(one, two) => registers.swap(usize::from(one), usize::from(two)),
                Step::Set { to, value } => registers[usize::from(to)] = value,
            }
        }
        registers
    }

    /// A small generator of random numbers (xorshift).
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    #[test]
    fn random_copies_give_each_register_its_value() {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for round in 0..4000 {
            let count = 1 + random(&mut state) % 12;
            let mut copies = Vec::new();
            for to in 0..count {
                let byte = |number: u64| u8::try_from(number % count).unwrap_or(0);
                match random(&mut state) % 8 {
                    0 => copies.push((Source::Constant(1000 + u32::from(byte(to))), byte(to))),
                    1 => {}
                    _ => copies.push((Source::Register(byte(random(&mut state))), byte(to))),
                }
            }
            let spare = (round % 2 == 0).then_some(200);
            let registers = run(&in_order(&copies, spare));
            for (from, to) in copies {
                let expected = match from {
                    Source::Register(from) => u32::from(from),
                    Source::Constant(value) => value,
                };
                assert_eq!(registers[usize::from(to)], expected, "round {round}");
            }
        }
    }

    #[test]
    fn a_cycle_of_three_takes_two_exchanges_or_four_moves() {
        let cycle = [(1, 0), (2, 1), (0, 2)];
        let cycle = cycle.map(|(from, to)| (Source::<u32>::Register(from), to));
        assert_eq!(in_order(&cycle, None).len(), 2);
        assert_eq!(in_order(&cycle, Some(9)).len(), 4);
    }
}
