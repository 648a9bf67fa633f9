//! Addresses: of symbols, in registers that accesses can have, with the descriptor of global memory.

use orison_ir::declare::VerifyResult;
use orison_ir::{Operation, Value};
use orison_ori::keywords::{Space, Width};
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::Legalizer;
use crate::ori::functions::immediate_before;
use crate::ori::instruction_forms::{self as forms, AddressForm, Slot, Source};
use crate::ori::memory_layout::{CLUSTERS_SINCE, SHARED_START};

/// The distance in bits of the rank of the CTA in an address of shared memory.
const RANK_SHIFT: i32 = 24;
/// The first machine whose accesses to global memory have a descriptor.
const DESCRIPTORS_SINCE: u16 = 80;
/// The bounds of the offset in an address.
const OFFSETS: std::ops::Range<i64> = -(1 << 23)..1 << 23;

/// Where the descriptor of global memory is in constant bank 0 (measured with ptxas 13.0).
const fn descriptor_offset(machine: u16) -> i32 {
    match machine {
        100.. => 0x358,
        90..100 => 0x208,
        _ => 0x118,
    }
}

impl Legalizer<'_> {
    /// Makes the addresses of an operation, or the address that it computes, legal.
    pub(super) fn addresses(&mut self, op: Operation) -> VerifyResult {
        if let Some(address) = ori::AddressOf::of(self.context, op) {
            self.symbol(op, address);
            return Ok(());
        }
        let mut op = op;
        for names in [["base", "offset"], ["shared_base", "shared_offset"]] {
            op = self.base(op, names)?;
        }
        let form = forms::select(self.context, op, self.machine);
        let templates = form.iter().flat_map(|form| &form.instructions);
        let global = templates
            .flat_map(|template| &template.operands)
            .any(|slot| matches!(slot, Slot::Address(AddressForm::Global)));
        if global {
            self.global(op)?;
        }
        Ok(())
    }

    /// A number as an address becomes the offset; other bases are registers.
    fn base(
        &mut self,
        op: Operation,
        [base, offset]: [&'static str; 2],
    ) -> Result<Operation, Box<orison_ir::Diagnostic>> {
        let Some(number) = op.operand_range_named(self.context, base).next() else {
            return Ok(op);
        };
        let value = op.operand(self.context, number);
        let bank = op.attribute(self.context, "bank").is_some();
        if bank && self.class(value).words() == Some(2) {
            let low = self.part(op, value, 0);
            op.set_operand(self.context, number, low);
        }
        let value = op.operand(self.context, number);
        if let Source::Number(bits) = Source::of(self.context, value) {
            let known = op.attribute(self.context, offset);
            let known = known
                .and_then(|offset| offset.as_i64(self.context))
                .unwrap_or(0);
            let sum = known.wrapping_add(bits);
            let wide = self.class(value).words() == Some(2);
            if OFFSETS.contains(&sum) && !wide {
                let copy = self.copy(op)?.without(base);
                let new = self.replace(op, copy);
                self.set_number(new, offset, i32::try_from(sum).unwrap_or(0));
                return Ok(new);
            }
        }
        Ok(op)
    }

    /// An access to global memory has a base in a register pair, and the descriptor or a cache policy
    /// in a uniform pair.
    fn global(&mut self, op: Operation) -> VerifyResult {
        let mut op = op;
        let has = |legalizer: &Self, op: Operation, group: &str| {
            op.has_operands_named(legalizer.context, group)
        };
        if !has(self, op, "base") && has(self, op, "uniform") {
            let uniform = op.operands_named(self.context, "uniform");
            let base = self.in_registers(op, uniform[0]);
            let copy = self.copy(op)?.without("uniform").operand("base", base);
            op = self.replace(op, copy);
        }
        if self.machine < DESCRIPTORS_SINCE || has(self, op, "descriptor") {
            return Ok(());
        }
        if has(self, op, "policy") {
            return Ok(());
        }
        let descriptor = self.descriptor();
        let copy = self.copy(op)?.operand("descriptor", descriptor);
        self.replace(op, copy);
        Ok(())
    }

    /// The descriptor of global memory, loaded once at the start.
    fn descriptor(&mut self) -> Value {
        if let Some(descriptor) = self.descriptor {
            return descriptor;
        }
        let load = MachineOperation::new(self.uniform_load())
            .keyword(self.context, "width", Width::B64)
            .number(self.context, "bank", 0)
            .number(self.context, "offset", descriptor_offset(self.machine))
            .result(Register::Ur64);
        let load = self.at_start(load);
        let descriptor = load.result(self.context, 0);
        self.descriptor = Some(descriptor);
        descriptor
    }

    /// The address of a variable in shared memory, or of a constant.
    fn symbol(&mut self, op: Operation, address: ori::AddressOf) {
        let name = address.symbol(self.context);
        let name = name
            .and_then(|name| name.as_symbol(self.context))
            .unwrap_or_default();
        let Some((space, offset)) = self.layout.place(name) else {
            return;
        };
        let class = self.class(op.result(self.context, 0));
        match space {
            Space::Shared => {
                let value = self.shared_address(op, offset);
                self.replace_by(op, value);
            }
            Space::Constant => {
                let value = immediate_before(self.context, op, class, offset);
                self.replace_by(op, value);
            }
            Space::Global | Space::Local => {}
        }
    }

    /// The address of an offset in the shared memory of the CTA.
    fn shared_address(&mut self, op: Operation, offset: i64) -> Value {
        if self.machine < CLUSTERS_SINCE {
            return immediate_before(self.context, op, Register::R, offset);
        }
        if let Some(known) = self.shared.get(&offset) {
            return *known;
        }
        let (_, Some(anchor)) = self.start() else {
            return immediate_before(self.context, op, Register::R, offset);
        };
        let rank = MachineOperation::new(ori::S2r::NAME)
            .word(self.context, "register", "SR_CgaCtaId")
            .result(Register::R);
        let rank = self.value_before(anchor, rank);
        let start = immediate_before(self.context, anchor, Register::R, SHARED_START + offset);
        let zero = immediate_before(self.context, anchor, Register::R, 0);
        let sum = MachineOperation::new(ori::Lea::NAME)
            .operand("a", rank)
            .operand("b", start)
            .operand("c", zero)
            .number(self.context, "shift", RANK_SHIFT)
            .result(Register::R);
        let sum = self.value_before(anchor, sum);
        self.shared.insert(offset, sum);
        sum
    }
}
