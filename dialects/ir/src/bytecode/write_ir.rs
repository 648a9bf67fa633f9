//! Writing of the IR section.

use rustc_hash::FxHashMap;

use super::emitter::Emitter;
use super::encode::Encoder;
use super::format::{part, section, since};
use super::numbering::Numbering;
use super::piece::Entity;
use super::properties::{self, Properties};
use super::strings::Strings;
use super::use_order;
use crate::{
    Attribute, Block, Context, Diagnostic, Location, Operation, OperationName, Region, Value,
};

/// Writes operations, and collects their properties.
#[derive(Debug)]
pub(super) struct IrWriter<'w, 'c> {
    encoder: &'w mut Encoder<'c>,
    numbering: &'w Numbering,
    version: u64,
    /// The properties section: each distinct encoding once, with its index.
    properties: Vec<Vec<u8>>,
    property_numbers: FxHashMap<Vec<u8>, usize>,
    /// The index of the properties of operations by name and dictionary; `None` without properties.
    known_properties: FxHashMap<(OperationName, Attribute), Option<usize>>,
}

/// A region that is being written, and its output.
struct Frame {
    out: Emitter,
    /// The remaining regions, the next one last.
    regions: Vec<Region>,
    block: Option<Block>,
    operation: Option<Operation>,
    /// Whether the regions form a section.
    section: bool,
}

impl<'w, 'c> IrWriter<'w, 'c> {
    pub(super) fn new(
        encoder: &'w mut Encoder<'c>,
        numbering: &'w Numbering,
        version: u64,
    ) -> Self {
        IrWriter {
            encoder,
            numbering,
            version,
            properties: Vec::new(),
            property_numbers: FxHashMap::default(),
            known_properties: FxHashMap::default(),
        }
    }

    /// Writes the section. Regions are kept on an explicit stack, which supports any depth.
    pub(super) fn write(
        &mut self,
        root: Operation,
        file: &mut Emitter,
    ) -> Result<(), Box<Diagnostic>> {
        let mut out = Emitter::default();
        // The section is a block of one operation without arguments.
        out.flagged(1, false);
        let mut frames = vec![Frame {
            out,
            regions: Vec::new(),
            block: None,
            operation: None,
            section: true,
        }];
        self.operation(root, &mut frames)?;
        while let Some(frame) = frames.last_mut() {
            if let Some(op) = frame.operation {
                frame.operation = op.next(self.encoder.context);
                self.operation(op, &mut frames)?;
            } else if let Some(block) = frame.block {
                frame.block = block.next(self.encoder.context);
                frame.operation = block.first_op(self.encoder.context);
                let mut out = std::mem::take(&mut frame.out);
                self.block_head(block, &mut out);
                frame.out = out;
            } else if let Some(region) = frame.regions.pop() {
                frame.block = region.first_block(self.encoder.context);
                self.region_head(region, &mut frame.out);
            } else if let Some(done) = frames.pop() {
                let target = frames.last_mut().map_or(&mut *file, |outer| &mut outer.out);
                if done.section {
                    target.section(section::IR, done.out);
                } else {
                    *target = done.out;
                }
            }
        }
        Ok(())
    }

    /// The properties section.
    pub(super) fn finish(self) -> Emitter {
        let mut section = Emitter::default();
        section.count(self.properties.len());
        for encoding in &self.properties {
            section.count(encoding.len());
            section.bytes(encoding);
        }
        section
    }

    fn region_head(&self, region: Region, out: &mut Emitter) {
        let blocks = region.blocks(self.encoder.context).count();
        out.count(blocks);
        if let Some(first) = region.first_block(self.encoder.context) {
            out.varint(self.numbering.region_values(first));
        }
    }

    fn block_head(&mut self, block: Block, out: &mut Emitter) {
        let context = &*self.encoder.context;
        let arguments: Vec<_> = block.arguments(context).collect();
        let operations = block.operations(context).count();
        out.flagged(operations as u64, !arguments.is_empty());
        if arguments.is_empty() {
            return;
        }
        out.count(arguments.len());
        for argument in &arguments {
            let ty = self.numbering.types.number(argument.ty(context));
            let location = argument.location(context);
            let elided = self.version >= since::ELIDED_LOCATIONS && location == Location::UNKNOWN;
            if self.version >= since::ELIDED_LOCATIONS {
                out.flagged(ty, !elided);
            } else {
                out.varint(ty);
            }
            if !elided {
                out.varint(self.numbering.entities.number(Entity::Location(location)));
            }
        }
        if self.version >= since::USE_ORDERS {
            let place = out.reserve();
            if use_order::write(context, self.numbering, &arguments, out) {
                out.set(place, part::USE_ORDERS);
            }
        }
    }

    /// Writes an operation; pushes a frame for its regions.
    fn operation(&mut self, op: Operation, frames: &mut Vec<Frame>) -> Result<(), Box<Diagnostic>> {
        let Some(frame) = frames.last_mut() else {
            return Ok(());
        };
        let out = &mut frame.out;
        let name = op.name(self.encoder.context);
        out.varint(self.numbering.names.number(name));
        let place = out.reserve();
        let location = op.location(self.encoder.context);
        out.varint(self.numbering.entities.number(Entity::Location(location)));
        let mut parts = self.attributes(op, out)?;
        parts |= self.values(op, out)?;
        let context = &*self.encoder.context;
        let regions: Vec<_> = op.regions(context).collect();
        if self.version >= since::USE_ORDERS && op.result_count(context) > 0 {
            let results: Vec<Value> = op.results(context).collect();
            if use_order::write(context, self.numbering, &results, out) {
                parts |= part::USE_ORDERS;
            }
        }
        if !regions.is_empty() {
            parts |= part::REGIONS;
        }
        out.set(place, parts);
        if regions.is_empty() {
            return Ok(());
        }
        let isolated = self.numbering.is_isolated(op);
        out.flagged(regions.len() as u64, isolated);
        let section = isolated && self.version >= since::ISOLATED_SECTIONS;
        let out = match section {
            true => Emitter::default(),
            false => std::mem::take(out),
        };
        frames.push(Frame {
            out,
            regions: regions.into_iter().rev().collect(),
            block: None,
            operation: None,
            section,
        });
        Ok(())
    }

    /// Writes attributes and properties.
    fn attributes(&mut self, op: Operation, out: &mut Emitter) -> Result<u8, Box<Diagnostic>> {
        let mut parts = 0;
        if self.version < since::PROPERTIES {
            self.check_merged(op)?;
        }
        let attributes = properties::dictionary(self.encoder.context, op, self.version);
        if attributes != Attribute::EMPTY_DICTIONARY {
            parts |= part::ATTRIBUTES;
            out.varint(
                self.numbering
                    .entities
                    .number(Entity::Attribute(attributes)),
            );
        }
        if self.version >= since::PROPERTIES
            && let Some(number) = self.property_number(op)?
        {
            parts |= part::PROPERTIES;
            out.count(number);
        }
        Ok(parts)
    }

    /// Checks that the properties of an operation can be written among its attributes.
    fn check_merged(&self, op: Operation) -> Result<(), Box<Diagnostic>> {
        let context = &*self.encoder.context;
        let plain = op.properties(context) == Attribute::EMPTY_DICTIONARY;
        if plain || op.definition(context).is_some() {
            return Ok(());
        }
        let message = "properties of an unregistered operation require bytecode version 5";
        Err(op.error(context, message))
    }

    fn property_number(&mut self, op: Operation) -> Result<Option<usize>, Box<Diagnostic>> {
        let context = &*self.encoder.context;
        let key = (op.name(context), op.properties(context));
        if let Some(known) = self.known_properties.get(&key) {
            return Ok(*known);
        }
        let number = match &*self.encoder.properties(op, self.version) {
            Properties::None => None,
            Properties::Missing(name) => {
                let message = format!("property '{name}' is missing");
                return Err(op.error(self.encoder.context, message));
            }
            Properties::Pieces(pieces) => {
                let mut encoding = Emitter::default();
                // Properties do not reference strings.
                let strings = &mut Strings::default();
                self.numbering.write_pieces(pieces, strings, &mut encoding);
                let encoding = encoding.into_parts().concat();
                let next = self.properties.len();
                let number = *self
                    .property_numbers
                    .entry(encoding.clone())
                    .or_insert(next);
                if number == next {
                    self.properties.push(encoding);
                }
                Some(number)
            }
        };
        self.known_properties.insert(key, number);
        Ok(number)
    }

    /// Writes result types, operands and successors.
    fn values(&self, op: Operation, out: &mut Emitter) -> Result<u8, Box<Diagnostic>> {
        let context: &Context = self.encoder.context;
        let mut parts = 0;
        if op.result_count(context) > 0 {
            parts |= part::RESULTS;
            out.count(op.result_count(context));
            for result in op.results(context) {
                out.varint(self.numbering.types.number(result.ty(context)));
            }
        }
        if op.operand_count(context) > 0 {
            parts |= part::OPERANDS;
            out.count(op.operand_count(context));
            for operand in op.operands(context) {
                let number = self.numbering.value_number(operand);
                let number = number.ok_or_else(|| {
                    op.error(
                        context,
                        "an operand is defined outside of the written operation",
                    )
                })?;
                out.varint(number);
            }
        }
        if op.successor_count(context) > 0 {
            parts |= part::SUCCESSORS;
            out.count(op.successor_count(context));
            for successor in op.successors(context) {
                out.varint(self.numbering.block_number(successor));
            }
        }
        Ok(parts)
    }
}
