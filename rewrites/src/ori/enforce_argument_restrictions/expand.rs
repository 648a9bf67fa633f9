//! Operations that the machine lacks, as others.

use orison_ir::declare::VerifyResult;
use orison_ir::{Operation, Value};
use orison_ori::analyses::properties::immediate;
use orison_ori::keywords::{
    Eviction, Extremum, Format, Reduction, RegisterPool, Rounding, Signedness, Width, keyword_of,
};
use orison_ori::modifiers::{self, Modifier, ModifierSet};
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::Legalizer;
use crate::ori::functions::{Edge, append_branch, append_conditional, immediate_before};
use crate::ori::instruction_forms::Source;

/// The machine with `IADD3` only, before `VIADD`, `VIMNMX` and the like.
const PACKED_SINCE: u16 = 90;
/// The machines with extrema of three integers, and of sums.
const EXTREMA_OF_THREE: std::ops::Range<u16> = 90..120;
/// The machines with two floats in a pair, and extrema of three.
const PAIRS: std::ops::Range<u16> = 100..120;
/// The first machine with `I2FP`.
const I2FP_SINCE: u16 = 86;
/// The first machine with `F2FP`.
const F2FP_SINCE: u16 = 80;

impl Legalizer<'_> {
    /// Replaces an operation that the machine lacks.
    pub(super) fn expand(&mut self, op: Operation) -> VerifyResult {
        match op.name_text(self.context) {
            ori::Viadd::NAME => self.viadd(op),
            ori::Imnmx::NAME | ori::Vimnmx::NAME => self.extremum(op),
            ori::Vimnmx3::NAME | ori::Fmnmx3::NAME => self.extremum_of_three(op),
            ori::Viaddmnmx::NAME => self.sum_and_extremum(op),
            ori::Vhmnmx::NAME => self.extremum_of_halves(op),
            ori::Vabsdiff::NAME => self.absolute_difference(op),
            ori::Stas::NAME | ori::Redas::NAME => self.adjacent(op, &["address", "barrier"]),
            ori::QmmaScaled::NAME | ori::OmmaScaled::NAME => self.places(op),
            ori::F2fpStochastic::NAME => self.four_stochastic(op),
            ori::Createpolicy::NAME => self.policy(op),
            ori::Hfma2Mma::NAME => self.half_products(op),
            ori::Fadd2::NAME | ori::Fmul2::NAME | ori::Ffma2::NAME => self.pair_of_floats(op),
            ori::I2f::NAME | ori::I2fp::NAME => self.integer_to_float(op),
            ori::F2fp::NAME => self.pack_floats(op),
            ori::Uldc::NAME | ori::Ldcu::NAME => self.uniform_load_of_machine(op),
            ori::Redux::NAME => self.reduce_warp(op),
            ori::Ldgsts::NAME => self.copied_bytes(op),
            ori::Syncs::NAME => self.mbarrier(op),
            ori::SyncsTryWait::NAME => self.phase(op),
            ori::Setmaxreg::NAME => self.more_registers(op),
            ori::Warpsync::NAME => self.whole_warp(op),
            ori::CondBra::NAME => self.uniform_condition(op),
            ori::TensorAlloc::NAME => self.allocate_columns(op),
            ori::TensorDealloc::NAME => self.free_columns(op),
            ori::Brx::NAME => self.indexed_branch(op),
            ori::TensorMma::NAME => self.tensor_product(op),
            ori::TensorLd::NAME | ori::TensorSt::NAME => self.tensor_address(op),
            ori::WgmmaMma::NAME => self.descriptors(op),
            ori::Utmaldg::NAME
            | ori::Utmastg::NAME
            | ori::Utmaredg::NAME
            | ori::Utmapf::NAME
            | ori::Ublkcp::NAME => self.blocks(op),
            _ => Ok(()),
        }
    }

    fn viadd(&mut self, op: Operation) -> VerifyResult {
        // `VIADD` negates nothing.
        let plain = modifiers::of_operands(self.context, op);
        let plain = plain.iter().all(|set| *set == ModifierSet::NONE);
        if self.machine >= PACKED_SINCE && plain {
            return Ok(());
        }
        let zero = immediate_before(self.context, op, Register::R, 0);
        let sum = self.copy(op)?.renamed(ori::Iadd3::NAME).operand("c", zero);
        self.replace(op, sum);
        Ok(())
    }

    /// The name of the extremum of two integers.
    fn extremum_name(&self) -> &'static str {
        if self.machine >= PACKED_SINCE {
            ori::Vimnmx::NAME
        } else {
            ori::Imnmx::NAME
        }
    }

    fn extremum(&mut self, op: Operation) -> VerifyResult {
        let name = self.extremum_name();
        if !op.is(self.context, name) {
            let copy = self.copy(op)?.renamed(name);
            self.replace(op, copy);
        }
        Ok(())
    }

    /// The choice of an extremum: the minimum where it holds.
    fn choice(&mut self, op: Operation) -> Value {
        let minimum = keyword_of(self.context, op, "extremum") == Some(Extremum::Min);
        immediate_before(self.context, op, Register::P, i64::from(minimum))
    }

    fn extremum_of_three(&mut self, op: Operation) -> VerifyResult {
        let float = ori::Fmnmx3::of(self.context, op).is_some();
        let there = if float { PAIRS } else { EXTREMA_OF_THREE };
        if there.contains(&self.machine) {
            return Ok(());
        }
        let choice = self.choice(op);
        let name = if float {
            ori::Fmnmx::NAME
        } else {
            self.extremum_name()
        };
        let two = self.copy(op)?.renamed(name).without_modifier("extremum");
        let first = two
            .clone()
            .without("c")
            .without("guard")
            .without("otherwise");
        let first = self.value_before(op, first.operand("choice", choice));
        let last = op.operand_range_named(self.context, "c").start;
        let (c, set) = (
            op.operand(self.context, last),
            modifiers::of_operand(self.context, op, last),
        );
        let set: Vec<Modifier> = set.iter().collect();
        let second = two.without("a").without("b").without("c");
        let second = second
            .operand("a", first)
            .modified("b", c, &set)
            .operand("choice", choice);
        self.replace(op, second);
        Ok(())
    }

    fn sum_and_extremum(&mut self, op: Operation) -> VerifyResult {
        if EXTREMA_OF_THREE.contains(&self.machine) {
            return Ok(());
        }
        let choice = self.choice(op);
        let zero = immediate_before(self.context, op, Register::R, 0);
        let sum = self.copy(op)?.renamed(ori::Iadd3::NAME);
        let sum = ["signedness", "extremum", "relu"]
            .into_iter()
            .fold(sum, MachineOperation::without_modifier);
        let sum = sum
            .without("c")
            .without("guard")
            .without("otherwise")
            .operand("c", zero);
        let sum = self.value_before(op, sum);
        let c = op.operands_named(self.context, "c")[0];
        let relu = op.attribute(self.context, "relu").is_some();
        let two = self.copy(op)?.renamed(self.extremum_name());
        let two = two.without_modifier("extremum").without_modifier("relu");
        let two = two.without("a").without("b").without("c");
        let bounded = |left: Value, right: Value, choice: Value, from: MachineOperation| {
            from.operand("a", left)
                .operand("b", right)
                .operand("choice", choice)
        };
        if !relu {
            let new = bounded(sum, c, choice, two);
            self.replace(op, new);
            return Ok(());
        }
        let inner = two.clone().without("guard").without("otherwise");
        let inner = self.value_before(op, bounded(sum, c, choice, inner));
        let maximum = immediate_before(self.context, op, Register::P, 0);
        let new = bounded(inner, zero, maximum, two);
        self.replace(op, new);
        Ok(())
    }

    /// Extrema of halves where the machine has no packed ones.
    fn extremum_of_halves(&mut self, op: Operation) -> VerifyResult {
        if !EXTREMA_OF_THREE.contains(&self.machine) {
            let copy = self.copy(op)?.renamed(ori::Hmnmx2::NAME);
            self.replace(op, copy);
        }
        Ok(())
    }

    /// The difference of the extrema, where the machine has no absolute one.
    fn absolute_difference(&mut self, op: Operation) -> VerifyResult {
        if self.machine < 120 {
            return Ok(());
        }
        let signed = op.attribute(self.context, "signedness").is_some();
        let mut extrema = Vec::new();
        for minimum in [0, 1] {
            let choice = immediate_before(self.context, op, Register::P, minimum);
            let two = self.copy(op)?.renamed(ori::Vimnmx::NAME);
            let two = two.without("c").without("guard").without("otherwise");
            let two = if signed {
                two
            } else {
                two.word(self.context, "signedness", "s32")
            };
            extrema.push(self.value_before(op, two.operand("choice", choice)));
        }
        let sum = self
            .copy(op)?
            .renamed(ori::Iadd3::NAME)
            .without_modifier("signedness");
        let sum = sum.without("a").without("b").operand("a", extrema[0]);
        self.replace(op, sum.modified("b", extrema[1], &[Modifier::Negate]));
        Ok(())
    }

    fn half_products(&mut self, op: Operation) -> VerifyResult {
        if !matches!(self.machine, 80 | 90) {
            let copy = self.copy(op)?.renamed(ori::Hfma2::NAME);
            self.replace(op, copy);
        }
        Ok(())
    }

    /// Two operations on floats, one for each half.
    fn pair_of_floats(&mut self, op: Operation) -> VerifyResult {
        if PAIRS.contains(&self.machine) {
            return Ok(());
        }
        let name = match op.name_text(self.context) {
            ori::Fadd2::NAME => ori::Fadd::NAME,
            ori::Fmul2::NAME => ori::Fmul::NAME,
            _ => ori::Ffma::NAME,
        };
        if op.has_operands_named(self.context, "otherwise") {
            return Err(op.op_error(
                self.context,
                "cannot keep values where a guard does not hold",
            ));
        }
        let mut halves = Vec::new();
        for word in 0..2 {
            let mut half = MachineOperation::new(name).result(Register::R);
            for group in ["a", "b", "c"] {
                for number in op.operand_range_named(self.context, group) {
                    let whole = op.operand(self.context, number);
                    let part = self.part(op, whole, word);
                    let set = modifiers::of_operand(self.context, op, number);
                    let set: Vec<Modifier> = set.iter().collect();
                    half = half.modified(group, part, &set);
                }
            }
            if let Some(rounding) = keyword_of::<Rounding>(self.context, op, "rounding") {
                half = half.keyword(self.context, "rounding", rounding);
            }
            if op.attribute(self.context, "ftz").is_some() {
                half = half.flag("ftz");
            }
            halves.push(self.value_before(op, half));
        }
        let whole = self.concat(op, &halves, Register::R64);
        self.replace_by(op, whole);
        Ok(())
    }

    /// `I2FP` where the machine has it.
    fn integer_to_float(&mut self, op: Operation) -> VerifyResult {
        let from = keyword_of::<Format>(self.context, op, "from");
        let to = keyword_of::<Format>(self.context, op, "to").unwrap_or(Format::F32);
        let word = matches!(from, Some(Format::S32 | Format::U32)) && to == Format::F32;
        let nearest = matches!(
            keyword_of(self.context, op, "rounding"),
            None | Some(Rounding::Nearest | Rounding::Zero)
        );
        let packed = ori::I2fp::of(self.context, op).is_some();
        let wanted = self.machine >= I2FP_SINCE && word && nearest;
        if packed == wanted || !word {
            return Ok(());
        }
        let copy = self.copy(op)?;
        let copy = match wanted {
            true => copy.renamed(ori::I2fp::NAME).without_modifier("to"),
            false => copy
                .renamed(ori::I2f::NAME)
                .keyword(self.context, "to", Format::F32),
        };
        self.replace(op, copy);
        Ok(())
    }

    /// Two halves on sm_75, which packs none: each is converted, and a permutation joins them.
    fn pack_floats(&mut self, op: Operation) -> VerifyResult {
        if self.machine >= F2FP_SINCE {
            return Ok(());
        }
        if keyword_of(self.context, op, "to") != Some(Format::F16) {
            return Ok(());
        }
        let mut halves = Vec::new();
        for group in ["a", "b"] {
            let source = op.operands_named(self.context, group)[0];
            let half = MachineOperation::new(ori::F2f::NAME)
                .operand("a", source)
                .keyword(self.context, "to", Format::F16)
                .keyword(self.context, "from", Format::F32)
                .result(Register::R);
            halves.push(self.value_before(op, half));
        }
        let selector = immediate_before(self.context, op, Register::R, 0x5410);
        let both = MachineOperation::new(ori::Prmt::NAME)
            .operand("a", halves[1])
            .operand("b", selector)
            .operand("c", halves[0])
            .result(Register::R);
        self.replace(op, both);
        Ok(())
    }

    fn uniform_load_of_machine(&mut self, op: Operation) -> VerifyResult {
        let name = self.uniform_load();
        if !op.is(self.context, name) {
            let copy = self.copy(op)?.renamed(name);
            self.replace(op, copy);
        }
        Ok(())
    }

    /// `CREDUX` for extrema on sm_100 and sm_103, which have no others.
    fn reduce_warp(&mut self, op: Operation) -> VerifyResult {
        let reduction = keyword_of::<Reduction>(self.context, op, "reduction");
        let extremum = matches!(reduction, Some(Reduction::Min | Reduction::Max));
        if !extremum || !(100..120).contains(&self.machine) {
            return Ok(());
        }
        let signed = keyword_of(self.context, op, "signedness") == Some(Signedness::Signed);
        let from = if signed { Format::S32 } else { Format::U32 };
        let copy = self
            .copy(op)?
            .renamed(ori::Credux::NAME)
            .without_modifier("signedness");
        let copy = copy.keyword(self.context, "from", from);
        self.replace(op, copy);
        Ok(())
    }

    /// An increase of the number of registers is tried until it succeeds.
    fn more_registers(&mut self, op: Operation) -> VerifyResult {
        let more = keyword_of(self.context, op, "pool") == Some(RegisterPool::Increase);
        if !more || op.result_count(self.context) > 0 {
            return Ok(());
        }
        let Some(block) = op.block(self.context) else {
            return Ok(());
        };
        let location = op.location(self.context);
        let again = block.split_before(self.context, op);
        let Some(next) = op.next(self.context) else {
            return Ok(());
        };
        let rest = again.split_before(self.context, next);
        let edge = |target| Edge {
            target,
            values: Vec::new(),
        };
        append_branch(self.context, block, location, &edge(again), false);
        let attempt = self.copy(op)?.result(Register::Up);
        let attempt = self.before(op, attempt);
        op.erase(self.context);
        let done = attempt.result(self.context, 0);
        let ways = [&edge(rest), &edge(again)];
        append_conditional(self.context, again, location, done, ways, true);
        let last = again.last_op(self.context);
        if let Some(last) = last {
            self.uniform_condition(last)?;
        }
        Ok(())
    }

    /// The selectors of scales are uniform.
    fn places(&mut self, op: Operation) -> VerifyResult {
        let number = op.operand_range_named(self.context, "places").start;
        let places = self.in_uniform_registers(op, op.operand(self.context, number));
        op.set_operand(self.context, number, places);
        Ok(())
    }

    /// Four floats are packed two by two: the first pair, with the random bits, is merged into the
    /// second.
    fn four_stochastic(&mut self, op: Operation) -> VerifyResult {
        let values = op.operands_named(self.context, "values");
        let [first, second, third, fourth] = values.as_slice() else {
            return Ok(());
        };
        let copy = self.copy(op)?.without("values");
        let pair = copy.clone().without("guard").without("otherwise");
        let pair = pair.operand("values", *first).operand("values", *second);
        let pair = self.value_before(op, pair);
        let copy = copy.without("random").operand("random", pair);
        let copy = copy.operand("values", *third).operand("values", *fourth);
        self.replace(op, copy);
        Ok(())
    }

    /// A cache policy with a known fraction is a number: the priorities and the fraction in
    /// sixteenths (measured with ptxas 13.0).
    fn policy(&mut self, op: Operation) -> VerifyResult {
        let fraction = op.operands_named(self.context, "fraction")[0];
        let Some(bits) = immediate(self.context, fraction) else {
            return Err(op.op_error(self.context, "requires a known fraction"));
        };
        let bits = u32::try_from(bits & 0xffff_ffff).unwrap_or(0);
        let sixteenths = (f32::from_bits(bits) * 16.0).round().clamp(1.0, 16.0);
        let parts = (1..=16)
            .find(|count| f32::from(*count) == sixteenths)
            .unwrap_or(1_i16);
        let priority = match keyword_of::<Eviction>(self.context, op, "eviction") {
            Some(Eviction::First) => 2,
            Some(Eviction::Last) => 4,
            Some(Eviction::Normal) => 6,
            _ => 0,
        };
        let other = keyword_of(self.context, op, "other_eviction") == Some(Eviction::First);
        let high = 0x10 | priority | i64::from(other);
        let policy = (high << 24 | i64::from(parts - 1) << 20) << 32;
        let class = self.class(op.result(self.context, 0));
        let policy = immediate_before(self.context, op, class, policy);
        self.replace_by(op, policy);
        Ok(())
    }

    /// A mask of all threads is that of the warp.
    fn whole_warp(&mut self, op: Operation) -> VerifyResult {
        let mask = op.operands_named(self.context, "mask").first().copied();
        let all = |mask| immediate(self.context, mask);
        if mask.and_then(all) == Some(-1) {
            let copy = self.copy(op)?.without("mask");
            self.replace(op, copy);
        }
        Ok(())
    }

    /// A branch by a uniform predicate, before sm_100, is one by a predicate of each thread.
    pub(super) fn uniform_condition(&mut self, op: Operation) -> VerifyResult {
        let condition = op.operand(self.context, 0);
        let source = Source::of(self.context, condition);
        if self.machine >= 100 || source != Source::Register(Register::Up) {
            return Ok(());
        }
        let condition = self.predicate(op, condition);
        op.set_operand(self.context, 0, condition);
        Ok(())
    }

    /// An indexed branch reads the distance of its target from the start of the function in a table,
    /// in constant bank 2.
    fn indexed_branch(&mut self, op: Operation) -> VerifyResult {
        let index = op.operand(self.context, 0);
        if self.class(index).words() == Some(2) {
            return Ok(());
        }
        let [two, zero, sign] =
            [2, 0, 31].map(|number| immediate_before(self.context, op, Register::R, number));
        let shift = |legalizer: &mut Self, [a, b, c]: [Value; 3], direction: &str| {
            MachineOperation::new(ori::Shf::NAME)
                .operand("a", a)
                .operand("b", b)
                .operand("c", c)
                .word(legalizer.context, "direction", direction)
                .result(Register::R)
        };
        let place = shift(self, [index, two, zero], "left").word(self.context, "signedness", "u32");
        let place = self.value_before(op, place);
        let table = i32::try_from(self.tables).unwrap_or(i32::MAX);
        self.tables += 4 * op.successor_count(self.context);
        let load = MachineOperation::new(ori::Ldc::NAME)
            .operand("base", place)
            .keyword(self.context, "width", Width::B32)
            .number(self.context, "bank", 2)
            .number(self.context, "offset", table)
            .result(Register::R);
        let low = self.value_before(op, load);
        let high = shift(self, [zero, sign, low], "right").word(self.context, "signedness", "s32");
        let high = self.value_before(op, high.flag("high"));
        let distance = self.concat(op, &[low, high], Register::R64);
        op.set_operand(self.context, 0, distance);
        Ok(())
    }
}
