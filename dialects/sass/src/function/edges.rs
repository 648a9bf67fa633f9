//! Edges and entries of functions, from labels.

use rustc_hash::FxHashMap;

use super::{Block, BlockIndex, Edge, EdgeKind, Entry, Function};
use crate::instruction::{Flow, Instruction, Operand, flow, is_conditional};
use crate::listing::{ListingError, Note, Place};

impl Function<'_> {
    /// Recomputes edges and entries: required after instructions that end blocks, labels or the
    /// order of blocks changed.
    ///
    /// # Errors
    /// If a jump branches to a label that no block has.
    pub fn connect(&mut self) -> Result<(), ListingError> {
        connect(&mut self.blocks)?;
        self.entries = entries(&self.name, &self.blocks);
        Ok(())
    }
}

fn connect(blocks: &mut [Block<'_>]) -> Result<(), ListingError> {
    let mut labels: FxHashMap<&str, BlockIndex> = FxHashMap::default();
    for (index, block) in blocks.iter().enumerate() {
        labels.extend(block.labels().map(|label| (label, index)));
    }
    let count = blocks.len();
    let ends = blocks.iter().map(|block| block.instructions.last());
    let ways = ends.map(|last| match last {
        Some(last) => Ways::behind(last, last.place(), &labels),
        None => Ok(Ways {
            goes_on: true,
            ..Ways::default()
        }),
    });
    let ways: Vec<Ways> = ways.collect::<Result<_, _>>()?;
    for (index, (block, ways)) in blocks.iter_mut().zip(ways).enumerate() {
        let mut successors: Vec<Edge> = Vec::new();
        for to in ways.jumps {
            let edge = Edge {
                to,
                kind: EdgeKind::Taken,
            };
            if !successors.contains(&edge) {
                successors.push(edge);
            }
        }
        if ways.goes_on {
            successors.extend(next(index, count));
        }
        block.successors = successors;
        block.callee = ways.callee;
        block.leaves_to_unknown = ways.unknown;
    }
    Ok(())
}

/// The edge to the next block, if there is one.
fn next(index: BlockIndex, count: usize) -> Vec<Edge> {
    let edge = Edge {
        to: index + 1,
        kind: EdgeKind::FallThrough,
    };
    if edge.to < count {
        vec![edge]
    } else {
        Vec::new()
    }
}

/// The successors of an instruction.
#[derive(Default)]
struct Ways {
    jumps: Vec<BlockIndex>,
    goes_on: bool,
    callee: Option<BlockIndex>,
    unknown: bool,
}

impl Ways {
    fn behind(
        instruction: &Instruction,
        place: Place,
        labels: &FxHashMap<&str, BlockIndex>,
    ) -> Result<Ways, ListingError> {
        let mut ways = Ways {
            goes_on: is_conditional(instruction),
            ..Ways::default()
        };
        match flow(instruction) {
            Flow::Next | Flow::Rejoin => ways.goes_on = true,
            Flow::Return | Flow::Exit => {}
            Flow::Jump => {
                for label in instruction.labels() {
                    let Some(block) = labels.get(label) else {
                        let message = format!("undefined label '{label}'");
                        return Err(ListingError::new(place, message));
                    };
                    ways.jumps.push(*block);
                }
                ways.unknown = ways.jumps.is_empty();
            }
            Flow::Call => {
                ways.goes_on = true;
                let direct = instruction
                    .operands
                    .iter()
                    .find_map(|operand| match operand {
                        Operand::Label(label) => labels.get(&**label).map(|block| (label, *block)),
                        _ => None,
                    });
                match direct {
                    // A call of a location inside the function is a jump that keeps the threads
                    // together: control never returns from there.
                    Some((label, block)) if label.starts_with(".L") => ways.jumps.push(block),
                    Some((_, block)) => ways.callee = Some(block),
                    None => {}
                }
            }
        }
        Ok(ways)
    }
}

/// The symbols that label blocks: the function, and those declared by `.type`.
fn entries(name: &str, blocks: &[Block<'_>]) -> Vec<Entry> {
    let mut entries = vec![Entry {
        name: name.into(),
        block: 0,
    }];
    for (index, block) in blocks.iter().enumerate() {
        for note in &block.notes {
            let Note::Directive(directive) = note else {
                continue;
            };
            let symbol = directive.arguments.strip_suffix(",@function");
            let symbol = symbol.filter(|symbol| &*directive.name == ".type" && *symbol != name);
            if let Some(symbol) =
                symbol.filter(|symbol| block.labels().any(|label| label == *symbol))
            {
                entries.push(Entry {
                    name: symbol.into(),
                    block: index,
                });
            }
        }
    }
    entries
}
