//! Copying operations with their regions.

use rustc_hash::FxHashMap;

use crate::Context;
use crate::entities::{Block, Operation, OperationState, Region, Value};
use crate::walk::collect;

/// Maps values and blocks of the original to those of the copy. Anything not in the map maps to
/// itself.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    values: FxHashMap<Value, Value>,
    blocks: FxHashMap<Block, Block>,
}

impl Mapping {
    /// Maps `from` to `to`.
    pub fn map(&mut self, from: Value, to: Value) {
        self.values.insert(from, to);
    }

    /// Maps `from` to `to`.
    pub fn map_block(&mut self, from: Block, to: Block) {
        self.blocks.insert(from, to);
    }

    /// The value that `value` maps to; `value` itself if it is not mapped.
    pub fn lookup(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// The value that `value` is mapped to, if any.
    pub fn get(&self, value: Value) -> Option<Value> {
        self.values.get(&value).copied()
    }

    /// The block that `block` maps to; `block` itself if it is not mapped.
    pub fn lookup_block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }
}

impl Operation {
    /// Creates a detached copy of the operation and its regions. Operands are looked up in
    /// `mapping`; results, blocks and arguments of the copy are added to it.
    pub fn clone_into(self, context: &mut Context, mapping: &mut Mapping) -> Operation {
        let copy = self.copy(context, mapping);
        redirect_operands(context, copy, mapping);
        copy
    }

    /// Copies the operation; uses of values defined later still refer to the original values.
    fn copy(self, context: &mut Context, mapping: &mut Mapping) -> Operation {
        let copy = self.clone_without_regions(context, mapping);
        let pairs: Vec<(Region, Region)> =
            self.regions(context).zip(copy.regions(context)).collect();
        for (from, to) in pairs {
            from.copy(context, to, mapping);
        }
        copy
    }

    /// Creates a detached copy with empty regions.
    pub fn clone_without_regions(self, context: &mut Context, mapping: &mut Mapping) -> Operation {
        let mut state = OperationState::new(self.name(context), self.location(context));
        state.operands = self
            .operands(context)
            .map(|value| mapping.lookup(value))
            .collect();
        state.result_types = self.result_types(context).into();
        state.properties = self.properties(context);
        state.attributes = self.attributes(context);
        state.successors = self
            .successors(context)
            .map(|block| mapping.lookup_block(block))
            .collect();
        for _ in 0..self.region_count(context) {
            state.regions.push(Region::new(context));
        }
        let copy = Operation::create(context, &state);
        for (from, to) in self.results(context).zip(copy.results(context)) {
            mapping.map(from, to);
        }
        copy
    }
}

impl Region {
    /// Appends copies of all blocks to `target`. Uses of values that are defined later in the
    /// region are redirected after all of it is copied.
    pub fn clone_into(self, context: &mut Context, target: Region, mapping: &mut Mapping) {
        for copy in self.copy(context, target, mapping) {
            redirect_operands(context, copy, mapping);
        }
    }

    /// Copies the blocks; returns the copied operations that are directly in them.
    fn copy(self, context: &mut Context, target: Region, mapping: &mut Mapping) -> Vec<Operation> {
        let blocks: Vec<_> = self.blocks(context).collect();
        for &block in &blocks {
            let arguments: Vec<_> = (0..block.argument_count(context))
                .map(|position| {
                    let ty = block.argument(context, position).ty(context);
                    (ty, block.argument_location(context, position))
                })
                .collect();
            let copy = Block::new(context, &arguments);
            target.append_block(context, copy);
            mapping.map_block(block, copy);
            for (from, to) in block.arguments(context).zip(copy.arguments(context)) {
                mapping.map(from, to);
            }
        }
        let mut copies = Vec::new();
        for &block in &blocks {
            let copy_block = mapping.lookup_block(block);
            for op in block.operations(context).collect::<Vec<_>>() {
                let copy = op.copy(context, mapping);
                copy_block.append(context, copy);
                copies.push(copy);
            }
        }
        copies
    }
}

/// Redirects operands, at any depth, that were copied before their definition.
fn redirect_operands(context: &mut Context, op: Operation, mapping: &Mapping) {
    for op in collect(context, op) {
        for number in 0..op.operand_count(context) {
            let operand = op.operand(context, number);
            if let Some(copy) = mapping.get(operand) {
                op.set_operand(context, number, copy);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PrintFlags, Source, parse_source, print_to_string};

    #[test]
    fn a_copy_prints_like_the_original_and_shares_nothing_with_it() {
        let mut context = Context::new();
        context.allow_unregistered_dialects(true);
        let text = r#""builtin.module"() ({
  "t.f"() ({
  ^bb0(%arg0: i32):
    "t.nested"() ({
      "t.early"(%1) : (i32) -> ()
    }) : () -> ()
    %0:2 = "t.a"(%arg0, %1) {x} : (i32, i32) -> (i32, i32)
    "t.br"(%0#1)[^bb1] : (i32) -> ()
  ^bb1:  // pred: ^bb0
    %1 = "t.b"(%0#0) ({
      "t.c"(%0#1) : (i32) -> ()
    }) : (i32) -> i32
  }) : () -> ()
}) : () -> ()
"#;
        let source = Source {
            name: "test",
            text,
            first_line: 1,
        };
        let module = parse_source(&mut context, source).expect("parses");
        let copy = module.clone_into(&mut context, &mut Mapping::default());
        let flags = PrintFlags::generic();
        let before = print_to_string(&context, module, &flags);
        assert_eq!(before, text);
        assert_eq!(print_to_string(&context, copy, &flags), text);
        module.erase(&mut context);
        assert_eq!(print_to_string(&context, copy, &flags), text);
    }
}
