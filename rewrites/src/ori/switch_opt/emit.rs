//! Emitting switches: chains of comparisons, trees of them, indexed branches.

use orison_ir::{Block, Context, Location, Region, Value};
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::recognize::{Form, Switch};
use crate::ori::functions::{
    Edge, append_branch, append_conditional, append_indexed, append_operation, constant_at_end,
};

/// Emits a switch at the end of a block without a terminator.
pub(super) fn emit(
    context: &mut Context,
    home: Block,
    region: Region,
    location: Location,
    switch: &Switch,
    form: Form,
) {
    let behind = home.next(context);
    let mut writer = Writer {
        context,
        region,
        location,
        value: switch.value,
        uniform: switch.uniform,
        behind,
    };
    let mut cases: Vec<(i64, &Edge)> = switch.cases.iter().map(|(c, e)| (*c, e)).collect();
    match form {
        Form::Chain => writer.chain(home, &cases, &switch.default),
        Form::Tree => {
            cases.sort_by_key(|(constant, _)| *constant);
            writer.tree(home, &cases, &switch.default);
        }
        Form::Table => writer.table(home, &cases, &switch.default),
    }
}

struct Writer<'c> {
    context: &'c mut Context,
    region: Region,
    location: Location,
    value: Value,
    uniform: bool,
    /// The block before which new blocks are inserted.
    behind: Option<Block>,
}

impl Writer<'_> {
    fn block(&mut self) -> Block {
        let block = Block::new(self.context, &[]);
        let (region, behind) = (self.region, self.behind);
        region.insert_block_before(self.context, behind, block);
        block
    }

    fn constant(&mut self, block: Block, number: i64) -> Value {
        constant_at_end(self.context, block, self.location, Register::R, number)
    }

    /// Compares the value with a constant.
    fn compare(&mut self, block: Block, value: Value, word: [&str; 2], constant: i64) -> Value {
        let constant = self.constant(block, constant);
        let [compare, signedness] = word;
        let op = MachineOperation::new(ori::Isetp::NAME)
            .operand("a", value)
            .operand("b", constant)
            .word(self.context, "compare", compare)
            .word(self.context, "signedness", signedness)
            .word(self.context, "combine", "and")
            .result(Register::P);
        let op = append_operation(self.context, block, self.location, op);
        op.result(self.context, 0)
    }

    fn branch(&mut self, block: Block, condition: Value, ways: [&Edge; 2]) {
        let (location, uniform) = (self.location, self.uniform);
        append_conditional(self.context, block, location, condition, ways, uniform);
    }

    /// Tests the constants one after the other.
    fn chain(&mut self, home: Block, cases: &[(i64, &Edge)], default: &Edge) {
        let Some(((last, last_edge), before)) = cases.split_last() else {
            append_branch(self.context, home, self.location, default, self.uniform);
            return;
        };
        let mut block = home;
        for (constant, edge) in before {
            let is = self.compare(block, self.value, ["eq", "s32"], *constant);
            let next = self.block();
            self.branch(block, is, [edge, &plain(next)]);
            block = next;
        }
        let is = self.compare(block, self.value, ["eq", "s32"], *last);
        self.branch(block, is, [last_edge, default]);
    }

    /// Tests the constant in the middle: less, then equal.
    fn tree(&mut self, home: Block, cases: &[(i64, &Edge)], default: &Edge) {
        if cases.len() <= 2 {
            self.chain(home, cases, default);
            return;
        }
        let (below, rest) = cases.split_at(cases.len() / 2);
        let Some(((middle, edge), above)) = rest.split_first() else {
            return;
        };
        let less = self.compare(home, self.value, ["lt", "s32"], *middle);
        let (left, other) = (self.block(), self.block());
        self.branch(home, less, [&plain(left), &plain(other)]);
        let is = self.compare(other, self.value, ["eq", "s32"], *middle);
        let right = self.block();
        self.branch(other, is, [edge, &plain(right)]);
        self.tree(left, below, default);
        self.tree(right, above, default);
    }

    /// Subtracts the smallest constant, and uses an indexed branch if the difference is in range.
    fn table(&mut self, home: Block, cases: &[(i64, &Edge)], default: &Edge) {
        let constants = || cases.iter().map(|(constant, _)| *constant);
        let (Some(least), Some(most)) = (constants().min(), constants().max()) else {
            append_branch(self.context, home, self.location, default, self.uniform);
            return;
        };
        let size = most - least + 1;
        let mut index = self.value;
        if least != 0 {
            // The low 32 bits, sign-extended: the constant may be the smallest integer.
            let taken = self.constant(home, i64::from(least.wrapping_neg() as i32));
            let zero = self.constant(home, 0);
            let op = MachineOperation::new(ori::Iadd3::NAME)
                .operand("a", self.value)
                .operand("b", taken)
                .operand("c", zero)
                .result(Register::R);
            let op = append_operation(self.context, home, self.location, op);
            index = op.result(self.context, 0);
        }
        let outside = self.compare(home, index, ["ge", "u32"], size);
        let inside = self.block();
        self.branch(home, outside, [default, &plain(inside)]);
        let mut ways = vec![default; usize::try_from(size).unwrap_or(0)];
        for (constant, edge) in cases {
            if let Some(way) = usize::try_from(constant - least)
                .ok()
                .and_then(|at| ways.get_mut(at))
            {
                *way = edge;
            }
        }
        let (location, uniform) = (self.location, self.uniform);
        append_indexed(self.context, inside, location, index, &ways, uniform);
    }
}

/// An edge to a block without arguments.
fn plain(target: Block) -> Edge {
    Edge {
        target,
        values: Vec::new(),
    }
}
