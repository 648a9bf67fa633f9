//! The rules of the PTX ISA for the registers of the source that products use (`source_registers.rs`).

use super::Fault;
use super::action::Action;
use super::machine::{Machine, Turn};

impl Machine<'_, '_> {
    /// Fails if an instruction breaks the rules for registers of the source that products use.
    pub(super) fn check_source(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let instruction = turn.instruction;
        let is_product = matches!(instruction.action, Action::GroupProduct(_));
        if !self.launch.source_registers || (!is_product && instruction.action.passes_on()) {
            return Ok(());
        }
        let written = &instruction.registers;
        let group = self.ctas[turn.cta].warps[turn.warp].closed_groups + 1;
        let registers = self.registers(turn)?;
        let fence = registers.fence();
        let slots = instruction.operands.iter().map(|operand| operand.slot);
        let read: Vec<u32> = slots.flat_map(|slot| registers.names(slot)).collect();
        let all = read.iter().chain(written).copied();
        let all = all.filter(|number| *number > 0);
        let uses = registers.source_uses();
        let wrong = match is_product {
            true => {
                let accessed = |number: &u32| uses.of.get(number).map(|uses| uses.accessed);
                let mut all = all.clone();
                all.find(|number| accessed(number) == Some(fence))
            }
            false => written
                .iter()
                .copied()
                .find(|number| uses.is_in_flight(*number)),
        };
        if let Some(number) = wrong {
            let frame = self.ctas[turn.cta].warps[turn.warp].frame(turn.path.frame);
            let function = frame.map_or(0, |frame| frame.function);
            let name = self.kernel.functions[function].source.name(number);
            let what = match is_product {
                true => {
                    format!("multiplies or writes {name}, which was accessed after the last fence")
                }
                false => format!("writes {name}, which a product in flight uses"),
            };
            return self.fault(turn, &what);
        }
        for number in all {
            let uses = uses.of.entry(number).or_default();
            match is_product {
                true => uses.group = group,
                false => uses.accessed = fence,
            }
        }
        Ok(())
    }

    /// Notes in which registers of the source the results of an instruction are.
    pub(super) fn name_results(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let instruction = turn.instruction;
        if !self.launch.source_registers || instruction.registers.is_empty() {
            return Ok(());
        }
        let registers = self.registers(turn)?;
        let slots = instruction.results.iter();
        let places = slots.flat_map(|slot| slot.first..slot.first + slot.words);
        for (at, number) in places.zip(&instruction.registers) {
            registers.set_name(at, *number);
        }
        Ok(())
    }
}
