//! Models of code that runs on two machines and has to be right on both.

use super::LatencyModel;
use super::classes::{Assigned, ClassId, Classes, Rule};
use super::tables::{GroupRule, Tables};

impl LatencyModel {
    /// The model of code that runs on another machine, too: instructions whose results take a scoreboard on
    /// one of the two take it, and no cell is below that of either. All else is as on this one. `None` if
    /// the machines have different tables, or a class that is needed is not of this one.
    pub(super) fn that_runs_on(&self, other: &LatencyModel) -> Option<LatencyModel> {
        let mut model = self.clone();
        let taken = model.classes.take_scoreboards_of(&other.classes)?;
        model.tables.raise_to(&other.tables)?;
        // The estimates are those of this machine, where the results have a fixed latency.
        for (own, taken) in taken {
            let cycles = self.result_cycles(own);
            let class = &mut model.classes.classes[usize::from(taken.0)];
            class.typical = cycles;
            class.operands_after = class.operands_after.min(cycles);
        }
        model.is_portable = true;
        Some(model)
    }
}

impl Classes {
    /// Gives the instructions that take scoreboards in another model the class that they have there. They are
    /// in no order with others: none is known for this machine, and ptxas relies on none. Returns the old and
    /// the new classes.
    fn take_scoreboards_of(&mut self, other: &Classes) -> Option<Vec<(ClassId, ClassId)>> {
        let mut taken: Vec<(ClassId, ClassId)> = Vec::new();
        for index in 0..self.by_opcode.len() {
            let (own, theirs) = (&self.by_opcode[index], &other.by_opcode[index]);
            let rules = own.special.iter().chain(&theirs.special);
            let mut sorts: Vec<&Vec<String>> = rules.map(|rule| &rule.modifiers).collect();
            sorts.sort_by_key(|modifiers| (std::cmp::Reverse(modifiers.len()), *modifiers));
            sorts.dedup();
            let class = |modifiers: &[String]| {
                let modifiers = modifiers.join(".");
                self.with_scoreboard(own.class(&modifiers), (other, theirs.class(&modifiers)))
            };
            let rule = |modifiers: &Vec<String>| {
                Some(Rule {
                    modifiers: modifiers.clone(),
                    class: class(modifiers)?,
                    narrow: true,
                })
            };
            let made = Assigned {
                special: sorts.into_iter().map(rule).collect::<Option<_>>()?,
                plain: class(&[])?,
            };
            let special = made.special.iter();
            let classes = special.map(|rule| (rule.modifiers.join("."), rule.class));
            for (modifiers, class) in classes.chain([(String::new(), made.plain)]) {
                let own = own.class(&modifiers);
                if own != class {
                    taken.push((own, class));
                }
            }
            self.by_opcode[index] = made;
        }
        for (_, class) in &taken {
            let class = &mut self.classes[usize::from(class.0)];
            (class.operand_queue, class.result_queue) = (None, None);
        }
        Some(taken)
    }

    /// Of the classes of an instruction here and in another model the one with a scoreboard; the own one if
    /// both have it, or none.
    fn with_scoreboard(
        &self,
        own: ClassId,
        (other, theirs): (&Classes, ClassId),
    ) -> Option<ClassId> {
        let class = other.get(theirs);
        if self.get(own).is_variable() || !class.is_variable() {
            return Some(own);
        }
        self.ids().find(|id| self.get(*id).name == class.name)
    }
}

impl Tables {
    /// Raises each cell that is below that of another machine with the same tables.
    fn raise_to(&mut self, other: &Tables) -> Option<()> {
        if self.name != other.name {
            return None;
        }
        for (own, theirs) in self.tables.iter_mut().zip(&other.tables) {
            for (own, theirs) in own.cycles.iter_mut().zip(&theirs.cycles) {
                *own = (*own).max(*theirs);
            }
        }
        raise_rules(&mut self.overwrites, &other.overwrites);
        raise_rules(&mut self.antidependences, &other.antidependences);
        self.finish();
        Some(())
    }
}

fn raise_rules(own: &mut Vec<GroupRule>, theirs: &[GroupRule]) {
    for rule in theirs {
        let same =
            |found: &&mut GroupRule| (found.first, found.second) == (rule.first, rule.second);
        let Some(found) = own.iter_mut().find(same) else {
            own.push(rule.clone());
            continue;
        };
        let guarded = (found.cycles + found.guarded).max(rule.cycles + rule.guarded);
        if rule.cycles > found.cycles {
            *found = rule.clone();
        }
        found.guarded = guarded - found.cycles;
    }
}
