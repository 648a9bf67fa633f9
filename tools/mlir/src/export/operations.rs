//! Operations, blocks, regions.

use mlir_sys::*;
use orison_host::builtin;
use orison_ir::{Attribute, Block, Location, Operation, OperationName, Region, Value};

use super::{Exporter, Known};
use crate::error::Error;
use crate::raw;

/// Lists that are filled again for each operation.
#[derive(Default)]
pub(super) struct Buffers {
    operands: Vec<MlirValue>,
    results: Vec<MlirType>,
    attributes: Vec<MlirNamedAttribute>,
    successors: Vec<MlirBlock>,
}

impl Exporter<'_> {
    /// An operation with everything in it, detached.
    ///
    /// # Errors
    /// When MLIR refuses something. What was made of it is given back then.
    pub(super) unsafe fn operation(
        &mut self,
        operation: Operation,
    ) -> Result<MlirOperation, Error> {
        let context = self.context;
        // Regions are owned by `exported` until an operation owns them.
        let mut exported: Vec<MlirRegion> = Vec::with_capacity(operation.region_count(context));
        // SAFETY: what was made of the regions goes over to the operation.
        let new = unsafe { self.with_regions(operation, &mut exported) };
        let new = new.inspect_err(|_| {
            for region in exported {
                // SAFETY: no operation owns it.
                unsafe { mlirRegionDestroy(region) };
            }
        })?;
        for (number, result) in operation.results(context).enumerate() {
            // SAFETY: the operation has as many results as ours.
            let value = unsafe { mlirOperationGetResult(new, number as isize) };
            self.define(result, value);
        }
        Ok(new)
    }

    /// Exports the regions of an operation into `exported`, then creates it, and they go over to it.
    unsafe fn with_regions(
        &mut self,
        operation: Operation,
        exported: &mut Vec<MlirRegion>,
    ) -> Result<MlirOperation, Error> {
        for region in operation.regions(self.context) {
            // SAFETY: whoever called owns what comes into the list.
            exported.push(unsafe { self.region(region) }?);
        }
        let mut buffers = std::mem::take(&mut self.buffers);
        let known = self.known(operation.name(self.context));
        // SAFETY: the buffers and the regions are alive.
        let new = unsafe { self.create(operation, known, exported, &mut buffers) };
        self.buffers = buffers;
        new
    }

    /// Creates the operation; the regions go over to it.
    unsafe fn create(
        &mut self,
        operation: Operation,
        known: Known,
        regions: &mut Vec<MlirRegion>,
        buffers: &mut Buffers,
    ) -> Result<MlirOperation, Error> {
        let context = self.context;
        buffers.operands.clear();
        for operand in operation.operands(context) {
            let value = self.value(operand)?;
            buffers.operands.push(value);
        }
        buffers.results.clear();
        for result in operation.results(context) {
            let ty = self.ty(result.ty(context))?;
            buffers.results.push(ty);
        }
        buffers.successors.clear();
        for block in operation.successors(context) {
            let successor = self.blocks.get(&block).copied();
            buffers.successors.push(
                successor
                    .ok_or_else(|| Error::Export("a branch leads out of its region".to_owned()))?,
            );
        }
        let properties = operation.properties(context);
        let sorted = known.sorts || self.forms.mixed.contains(&operation.name(context));
        let checked = known.sorts && operation.definition(context).is_none();
        buffers.attributes.clear();
        let own = [(sorted, properties), (true, operation.attributes(context))];
        for (_, dictionary) in own.into_iter().filter(|(taken, _)| *taken) {
            if dictionary != Attribute::EMPTY_DICTIONARY {
                let named = self.named(dictionary.entries(context))?;
                buffers.attributes.extend(named);
            }
        }
        let own_location = operation.location(context);
        let location = match self.forms.remembered_location(operation, own_location) {
            Some(location) => location,
            None => self.location(own_location)?,
        };
        let inherent = match sorted && !checked {
            true => Vec::new(),
            false => self.named(properties.entries(context))?,
        };
        // SAFETY: all lists are as long as said, and MLIR copies them.
        unsafe {
            let mut state = mlirOperationStateGet(known.name, location);
            let Buffers {
                operands,
                results,
                attributes,
                successors,
            } = buffers;
            add(&mut state, results, mlirOperationStateAddResults);
            add(&mut state, operands, mlirOperationStateAddOperands);
            add(&mut state, regions, mlirOperationStateAddOwnedRegions);
            add(&mut state, successors, mlirOperationStateAddSuccessors);
            add(&mut state, attributes, mlirOperationStateAddAttributes);
            let new = mlirOperationCreate(&raw mut state);
            // From here on the regions are the operation's, also when it goes away again.
            regions.clear();
            if new.ptr.is_null() {
                let name = operation.name_text(context);
                return Err(Error::Export(format!("MLIR failed to create '{name}'")));
            }
            if checked {
                return self.with_hidden_properties(operation, new, &inherent);
            }
            for entry in inherent {
                let name = mlirIdentifierStr(entry.name);
                mlirOperationSetInherentAttributeByName(new, name, entry.attribute);
            }
            Ok(new)
        }
    }

    /// Some operations have properties that the C interface neither shows nor sets, such as the
    /// overflow flags of LLVM's: when one of `wanted` is not there, the operation is made from text.
    unsafe fn with_hidden_properties(
        &mut self,
        operation: Operation,
        new: MlirOperation,
        wanted: &[MlirNamedAttribute],
    ) -> Result<MlirOperation, Error> {
        // SAFETY: the operation is ours, and names live as long as the context.
        let all = wanted.iter().all(|entry| unsafe {
            let name = mlirIdentifierStr(entry.name);
            let found = mlirOperationGetInherentAttributeByName(new, name);
            mlirAttributeEqual(found, entry.attribute)
        });
        if all {
            return Ok(new);
        }
        // SAFETY: the operation is ours.
        unsafe {
            if operation.region_count(self.context) > 0
                || operation.successor_count(self.context) > 0
            {
                mlirOperationDestroy(new);
                let name = operation.name_text(self.context);
                let message = format!("the properties of '{name}' are not accessible");
                return Err(Error::Export(message));
            }
            let made = from_text(self.mlir, new, wanted);
            let location = mlirOperationGetLocation(new);
            mlirOperationDestroy(new);
            let made = made.ok_or_else(|| {
                let name = operation.name_text(self.context);
                Error::Export(format!("MLIR failed to parse '{name}'"))
            })?;
            mlirOperationSetLocation(made, location);
            for entry in self.named(operation.attributes(self.context).entries(self.context))? {
                let name = mlirIdentifierStr(entry.name);
                mlirOperationSetDiscardableAttributeByName(made, name, entry.attribute);
            }
            Ok(made)
        }
    }

    /// What MLIR knows about a name.
    fn known(&mut self, name: OperationName) -> Known {
        let (mlir, context) = (self.mlir, self.context);
        *self.names.entry(name).or_insert_with(|| {
            let text = raw::text(name.text(context));
            Known {
                name: text,
                // SAFETY: the context is valid; names live as long as ours.
                sorts: unsafe { mlirContextIsRegisteredOperation(mlir, text) },
            }
        })
    }

    unsafe fn region(&mut self, region: Region) -> Result<MlirRegion, Error> {
        let context = self.context;
        let blocks: Vec<_> = region.blocks(context).collect();
        // SAFETY: the region is new; blocks go over to it, operations to the blocks.
        unsafe {
            let new = mlirRegionCreate();
            let filled = self.fill(new, &blocks);
            if let Err(error) = filled {
                mlirRegionDestroy(new);
                return Err(error);
            }
            Ok(new)
        }
    }

    /// Adds blocks and what is in them to a region.
    unsafe fn fill(&mut self, region: MlirRegion, blocks: &[Block]) -> Result<(), Error> {
        let context = self.context;
        // SAFETY: the region is valid, and what is made goes over to it.
        unsafe {
            for block in blocks {
                let new = self.block(*block)?;
                mlirRegionAppendOwnedBlock(region, new);
            }
            for block in blocks {
                let Some(&new) = self.blocks.get(block) else {
                    continue;
                };
                for operation in block.operations(context) {
                    let operation = self.operation(operation)?;
                    mlirBlockAppendOwnedOperation(new, operation);
                }
            }
        }
        Ok(())
    }

    /// A block with its arguments and nothing in it.
    unsafe fn block(&mut self, block: Block) -> Result<MlirBlock, Error> {
        let context = self.context;
        let types = self.types(&block.argument_types(context))?;
        let locations = (0..types.len())
            .map(|number| self.location(block.argument_location(context, number)))
            .collect::<Result<Vec<_>, _>>()?;
        // SAFETY: both lists are as long as said, and MLIR copies them.
        unsafe {
            let new = mlirBlockCreate(types.len() as isize, types.as_ptr(), locations.as_ptr());
            self.blocks.insert(block, new);
            for (number, argument) in block.arguments(context).enumerate() {
                let value = mlirBlockGetArgument(new, number as isize);
                self.define(argument, value);
            }
            Ok(new)
        }
    }

    /// A value that is used: a stand-in when it is not there yet.
    fn value(&mut self, value: Value) -> Result<MlirValue, Error> {
        match self.values.get(value.index()) {
            Some(known) if !known.ptr.is_null() => return Ok(*known),
            _ => {}
        }
        // SAFETY: a stand-in is an operation with one result, which is alive until its value is
        // there.
        unsafe {
            if let Some(stand_in) = self.awaited.get(&value) {
                return Ok(mlirOperationGetResult(*stand_in, 0));
            }
            let ty = self.ty(value.ty(self.context))?;
            let location = self.location(Location::UNKNOWN)?;
            let name = raw::text(builtin::UnrealizedConversionCast::NAME);
            let mut state = mlirOperationStateGet(name, location);
            add(&mut state, &[ty], mlirOperationStateAddResults);
            let stand_in = mlirOperationCreate(&raw mut state);
            self.awaited.insert(value, stand_in);
            Ok(mlirOperationGetResult(stand_in, 0))
        }
    }

    /// From now on a value is there.
    fn define(&mut self, own: Value, value: MlirValue) {
        if let Some(place) = self.values.get_mut(own.index()) {
            *place = value;
        }
        if self.awaited.is_empty() {
            return;
        }
        if let Some(stand_in) = self.awaited.remove(&own) {
            // SAFETY: the stand-in is ours, and has no uses left when it goes.
            unsafe {
                mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(stand_in, 0), value);
                mlirOperationDestroy(stand_in);
            }
        }
    }
}

/// An operation with the name, the types and the properties said, read from text; its operands are
/// of their types and nothing else. Detached; none when MLIR does not read it.
///
/// # Safety
/// The operation is valid, and so are the attributes.
unsafe fn from_text(
    mlir: MlirContext,
    like: MlirOperation,
    properties: &[MlirNamedAttribute],
) -> Option<MlirOperation> {
    let printed = |ty: MlirType| {
        // SAFETY: types of a valid operation are valid.
        let text = raw::printed(|callback, to| unsafe { mlirTypePrint(ty, callback, to) });
        String::from_utf8_lossy(&text).into_owned()
    };
    // SAFETY: the operation is valid, and the numbers are below the counts; texts are alive during
    // the calls.
    unsafe {
        let operands: Vec<_> = (0..mlirOperationGetNumOperands(like))
            .map(|number| printed(mlirValueGetType(mlirOperationGetOperand(like, number))))
            .collect();
        let results: Vec<_> = (0..mlirOperationGetNumResults(like))
            .map(|number| printed(mlirValueGetType(mlirOperationGetResult(like, number))))
            .collect();
        let name = raw::bytes_of(mlirIdentifierStr(mlirOperationGetName(like)));
        let name = String::from_utf8_lossy(name);
        let dictionary =
            mlirDictionaryAttrGet(mlir, properties.len() as isize, properties.as_ptr());
        let properties = raw::printed(|callback, to| mlirAttributePrint(dictionary, callback, to));
        let properties = String::from_utf8_lossy(&properties);
        let mut text = String::new();
        let mut used = Vec::new();
        for (number, ty) in operands.iter().enumerate() {
            text.push_str(&format!(
                "%{number} = \"builtin.unrealized_conversion_cast\"() : () -> {ty}\n"
            ));
            used.push(format!("%{number}"));
        }
        let (used, operands) = (used.join(", "), operands.join(", "));
        let results = results.join(", ");
        text.push_str(&format!(
            "\"{name}\"({used}) <{properties}> : ({operands}) -> ({results})\n\0"
        ));
        let source = raw::bytes(&text.as_bytes()[..text.len() - 1]);
        let module = mlirModuleCreateParse(mlir, source);
        if module.ptr.is_null() {
            return None;
        }
        let mut made = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
        loop {
            let next = mlirOperationGetNextInBlock(made);
            if next.ptr.is_null() {
                break;
            }
            made = next;
        }
        mlirOperationRemoveFromParent(made);
        // The stand-ins of its operands go with the module.
        for number in 0..mlirOperationGetNumOperands(made) {
            let operand = mlirOperationGetOperand(like, number);
            mlirOperationSetOperand(made, number, operand);
        }
        mlirModuleDestroy(module);
        Some(made)
    }
}

/// Adds a list to the state of an operation.
///
/// # Safety
/// `adder` takes a length and as many elements, and copies them.
unsafe fn add<T>(
    state: &mut MlirOperationState,
    list: &[T],
    adder: unsafe extern "C" fn(*mut MlirOperationState, isize, *const T),
) {
    if !list.is_empty() {
        // SAFETY: as the caller says.
        unsafe { adder(state, list.len() as isize, list.as_ptr()) };
    }
}
