//! Batches of operations of variable latency and of products (seed 000, "DynBatch Working State").

use super::candidates::{Candidate, Scan};
use crate::instructions::region::{Event, Region};
use crate::instructions::registers::{Pressure, RegisterClass};
use crate::instructions::strategies::Settings;

/// The batch that is being issued.
#[derive(Debug)]
pub(super) struct Batch {
    /// Its operations; `None` if it is to be made.
    slots: Option<Vec<u32>>,
    /// The last one, by its place in the program.
    end: u32,
    /// The longest chain behind one of them; negative: any.
    depth: i64,
    /// Operations for batches that are not issued yet.
    wanted: usize,
    /// Operations of the batch that are not issued yet; 0 if none was.
    countdown: usize,
    /// The most operations of a batch.
    most: usize,
    /// Whether a group must not be closed yet: it has products that are not issued.
    has_open_group: bool,
}

/// So many ready candidates are few: the batch goes on.
const FEW: usize = 3;

/// How many of `wanted` operations a batch takes if it may take `most`: all if they fit; the half, if two batches
/// are enough; else equal parts.
pub(super) fn adjusted(wanted: usize, most: usize) -> usize {
    if wanted <= most {
        wanted
    } else if wanted >= 2 * most {
        wanted / wanted.div_ceil(most)
    } else {
        wanted / 2
    }
}

fn is_batched(region: &Region<'_>, node: usize) -> bool {
    let product = Event::Product { closes: false };
    region.is_variable(node) || region.nodes[node].event == product
}

impl Batch {
    /// None yet, of a region.
    pub fn new(region: &Region<'_>, settings: &Settings) -> Self {
        Batch {
            slots: None,
            end: 0,
            depth: -1,
            wanted: (0..region.len())
                .filter(|node| is_batched(region, *node))
                .count(),
            countdown: 0,
            most: settings.priority.batch.max(1),
            has_open_group: false,
        }
    }

    /// Makes a batch of the candidates, in the order of the program, as far as registers are left.
    pub fn gather(
        &mut self,
        region: &Region<'_>,
        candidates: &[Candidate],
        live: &Pressure<'_>,
        settings: &Settings,
    ) {
        if self.slots.is_some() || candidates.is_empty() {
            return;
        }
        let target = adjusted(self.wanted, self.most);
        let mut members: Vec<&Candidate> = candidates
            .iter()
            .filter(|candidate| is_batched(region, candidate.node as usize))
            .collect();
        members.sort_by_key(|member| member.node);
        let mut slots = Vec::new();
        let mut general = live.live()[RegisterClass::General as usize];
        self.depth = -1;
        for member in members.into_iter().take(target) {
            general += member.change[RegisterClass::General as usize];
            if general > settings.register_budget && !slots.is_empty() {
                break;
            }
            self.end = member.node;
            self.depth = self.depth.max(member.height);
            slots.push(member.node);
        }
        self.slots = Some(slots);
    }

    /// The longest chain behind a member; that of any candidate if there are none.
    pub fn depth(&self) -> i64 {
        if self.depth < 0 { i64::MAX } else { self.depth }
    }

    /// Whether a candidate is in the batch, or in front of its end while it is issued.
    pub fn is_member(&self, candidate: &Candidate) -> bool {
        let slots = self.slots.as_deref().unwrap_or_default();
        slots.contains(&candidate.node)
            || self.countdown > 0 && candidate.is_target && candidate.node < self.end
    }

    /// Whether a group of products may be closed: none that is wanted belongs to it.
    pub fn may_close(&self, candidate: &Candidate) -> bool {
        candidate.node > self.end || self.wanted > 0 && !self.has_open_group
    }

    /// A candidate is issued.
    pub fn issued(
        &mut self,
        best: &Candidate,
        scan: &Scan,
        ready: usize,
        live: &Pressure<'_>,
        settings: &Settings,
    ) {
        let slots = self.slots.get_or_insert_default();
        let was_member = slots.contains(&best.node);
        match best.event {
            Event::Product { closes } => self.has_open_group = !closes,
            _ => self.has_open_group &= was_member,
        }
        if best.is_target || was_member {
            if self.countdown == 0 {
                self.countdown = slots.len();
            }
            self.wanted = self.wanted.saturating_sub(1);
            self.countdown = self.countdown.saturating_sub(1);
            slots.retain(|slot| *slot != best.node);
            if self.countdown == 0 || slots.is_empty() {
                self.slots = None;
                self.countdown = 0;
            }
        } else if self.countdown > 0 {
            let general = live.live()[RegisterClass::General as usize] + scan.grown;
            if ready <= FEW {
                self.countdown = self.countdown.max(scan.targets.min(self.most));
            } else if general > settings.register_budget {
                self.countdown = slots.len();
            }
        } else if slots.is_empty() {
            // Nothing could be batched here.
            self.slots = None;
        }
    }
}
