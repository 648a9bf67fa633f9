//! Operations, blocks, regions.

use std::rc::Rc;

use mlir_sys::*;
use orison_host::builtin;
use orison_ir::declare::{OPERAND_SEGMENTS, RESULT_SEGMENTS, Trait};
use orison_ir::{
    Attribute, AttributeKind, Block, Identifier, Operation, OperationName, OperationState, Region,
    Value,
};

use super::{Importer, MAX_DEPTH};
use crate::error::Error;
use crate::forms::{Address, Inherent, NameForm};
use crate::raw;

/// The operation that stands in for one which is not there yet.
const STAND_IN: &str = builtin::UnrealizedConversionCast::NAME;

impl Importer<'_> {
    /// An operation with everything in it, detached.
    ///
    /// # Safety
    /// It is valid, and nobody changes it meanwhile.
    pub(super) unsafe fn operation(
        &mut self,
        operation: MlirOperation,
    ) -> Result<Operation, Error> {
        // SAFETY: the operation is valid, and so is what hangs on it; the numbers are below the
        // counts.
        unsafe {
            let form = self.name(operation)?;
            let mlir_location = mlirOperationGetLocation(operation);
            let location = self.location(mlir_location)?;
            let mut state = OperationState::new(form.name, location);
            for number in 0..mlirOperationGetNumOperands(operation) {
                let value = self.value(mlirOperationGetOperand(operation, number))?;
                state.operands.push(value);
            }
            let results = mlirOperationGetNumResults(operation);
            for number in 0..results {
                let result = mlirOperationGetResult(operation, number);
                state.result_types.push(self.ty(mlirValueGetType(result))?);
            }
            self.attributes_of(operation, &form, &mut state)?;
            for number in 0..mlirOperationGetNumSuccessors(operation) {
                let successor = mlirOperationGetSuccessor(operation, number);
                let known = self.blocks.get(&(successor.ptr as Address));
                state.successors.push(
                    *known.ok_or_else(|| {
                        Error::Import("a branch leads out of its region".to_owned())
                    })?,
                );
            }
            let regions = mlirOperationGetNumRegions(operation);
            if regions > 0 {
                // Between isolated operations the table of values is small, and stays near.
                let around = form.isolated.then(|| std::mem::take(&mut self.values));
                for number in 0..regions {
                    let region = self.region(mlirOperationGetRegion(operation, number))?;
                    state.regions.push(region);
                }
                if let Some(around) = around {
                    self.values = around;
                }
            }
            let imported = Operation::create(self.context, &state);
            self.forms
                .remember_location(imported, location, mlir_location);
            for number in 0..results {
                let result = mlirOperationGetResult(operation, number);
                let value = imported.result(self.context, number as usize);
                self.define(result, value);
            }
            Ok(imported)
        }
    }

    /// Everything about the name of an operation.
    ///
    /// # Safety
    /// The operation is valid.
    unsafe fn name(&mut self, operation: MlirOperation) -> Result<Rc<NameForm>, Error> {
        // SAFETY: the operation is valid.
        let name = unsafe { mlirOperationGetName(operation) };
        if let Some(known) = self.forms.names.get(&(name.ptr as Address)) {
            return Ok(Rc::clone(known));
        }
        // SAFETY: identifiers live as long as the context.
        let text = unsafe { self.text(mlirIdentifierStr(name)) }?;
        let own = OperationName::new(self.context, &text);
        let isolated = own.has_trait(self.context, Trait::IsolatedFromAbove);
        let inherent = match own.definition(self.context) {
            Some(definition) => {
                let declared = definition.attributes.iter().map(|attribute| attribute.name);
                let operands = definition.has_trait(Trait::AttrSizedOperandSegments);
                let results = definition.has_trait(Trait::AttrSizedResultSegments);
                let sizes = [(operands, OPERAND_SEGMENTS), (results, RESULT_SEGMENTS)];
                let sizes = sizes.iter().filter(|(has, _)| *has).map(|(_, name)| *name);
                let names: Vec<&str> = declared.chain(sizes).collect();
                let named = |name: &str| (Identifier::new(self.context, name), name.to_owned());
                Inherent::Declared(names.into_iter().map(named).collect())
            }
            None => Inherent::Unknown,
        };
        let form = Rc::new(NameForm {
            name: own,
            inherent,
            isolated,
        });
        let address = name.ptr as Address;
        self.forms.names.insert(address, Rc::clone(&form));
        Ok(form)
    }

    /// Inherent and discardable attributes.
    unsafe fn attributes_of(
        &mut self,
        operation: MlirOperation,
        form: &NameForm,
        state: &mut OperationState,
    ) -> Result<(), Error> {
        let mut inherent = Vec::new();
        let mut others = Vec::new();
        // SAFETY: the operation is valid, and the numbers are below the counts.
        unsafe {
            for number in 0..mlirOperationGetNumDiscardableAttributes(operation) {
                let named = mlirOperationGetDiscardableAttribute(operation, number);
                others.push(self.entry(named)?);
            }
            match &form.inherent {
                Inherent::Declared(names) => {
                    for (name, text) in names {
                        let found =
                            mlirOperationGetInherentAttributeByName(operation, raw::text(text));
                        if !found.ptr.is_null() {
                            inherent.push((*name, self.attribute(found)?));
                        } else if let Some(at) = others.iter().position(|(key, _)| key == name) {
                            inherent.push(others.remove(at));
                            self.forms.mixed.insert(form.name);
                        }
                    }
                }
                Inherent::Unknown => {
                    if let Some(properties) = self.printed_properties(operation, &others)? {
                        state.properties = properties;
                    }
                }
            }
        }
        if !inherent.is_empty() {
            state.properties = Attribute::dictionary(self.context, &inherent);
        }
        state.attributes = Attribute::dictionary(self.context, &others);
        Ok(())
    }

    /// The properties of an operation that orison does not know: the C interface gives them by name
    /// only, and not all of them, so that they are read from the text of the operation. None when it
    /// has none.
    unsafe fn printed_properties(
        &mut self,
        operation: MlirOperation,
        others: &[(Identifier, Attribute)],
    ) -> Result<Option<Attribute>, Error> {
        // To print an operation where it stands, MLIR numbers all values of the function around. The
        // copy has its regions, so that what nests in unknown operations is copied once a level.
        // SAFETY: the operation is valid; the copy is destroyed here.
        let text = unsafe {
            let alone = mlirOperationClone(operation);
            let text = generic_text(alone);
            mlirOperationDestroy(alone);
            text
        };
        let properties = self.properties(&text)?;
        // The copy takes an attribute of the same name for the property.
        let named = properties.map_or(&[][..], |found| found.entries(self.context));
        if (named.iter()).any(|(name, _)| others.iter().any(|(other, _)| name == other)) {
            // SAFETY: the operation is valid.
            return self.properties(&unsafe { generic_text(operation) });
        }
        Ok(properties)
    }

    /// The properties in the generic text of an operation. Each text of some is read once.
    fn properties(&mut self, text: &[u8]) -> Result<Option<Attribute>, Error> {
        let Some(properties) = properties_in(text) else {
            return Ok(None);
        };
        if let Some(known) = self.forms.properties.get(properties) {
            return Ok(Some(*known));
        }
        // SAFETY: the context is valid, and the text is alive during the call.
        let parsed = unsafe { mlirAttributeParseGet(self.mlir, raw::bytes(properties)) };
        if parsed.ptr.is_null() {
            return Err(Error::Import(format!(
                "the properties {}",
                String::from_utf8_lossy(properties)
            )));
        }
        // SAFETY: it is not null.
        let dictionary = unsafe { self.attribute(parsed) }?;
        if !matches!(dictionary.kind(self.context), AttributeKind::Dictionary(_)) {
            return Err(Error::Import(format!(
                "the properties {} are not a dictionary",
                String::from_utf8_lossy(properties)
            )));
        }
        // Equal texts of these are not equal attributes.
        if !properties.windows(9).any(|part| part == b"distinct[") {
            self.forms.properties.insert(properties.into(), dictionary);
        }
        Ok(Some(dictionary))
    }

    unsafe fn region(&mut self, region: MlirRegion) -> Result<Region, Error> {
        if self.depth >= MAX_DEPTH {
            let message = format!("regions nest deeper than {MAX_DEPTH} levels");
            return Err(Error::Import(message));
        }
        self.depth += 1;
        let imported = Region::new(self.context);
        // SAFETY: the region is valid; blocks and operations are followed to the null at the end.
        unsafe {
            let mut block = mlirRegionGetFirstBlock(region);
            while !block.ptr.is_null() {
                let new = self.block(block)?;
                imported.append_block(self.context, new);
                block = mlirBlockGetNextInRegion(block);
            }
            let mut block = mlirRegionGetFirstBlock(region);
            while !block.ptr.is_null() {
                self.body(block)?;
                block = mlirBlockGetNextInRegion(block);
            }
        }
        self.depth -= 1;
        Ok(imported)
    }

    /// A block with its arguments and nothing in it.
    unsafe fn block(&mut self, block: MlirBlock) -> Result<Block, Error> {
        // SAFETY: the block is valid, and the numbers are below that of its arguments.
        unsafe {
            let count = mlirBlockGetNumArguments(block);
            let mut arguments = Vec::new();
            for number in 0..count {
                let argument = mlirBlockGetArgument(block, number);
                let ty = self.ty(mlirValueGetType(argument))?;
                arguments.push((ty, self.location(mlirValueGetLocation(argument))?));
            }
            let new = Block::new(self.context, &arguments);
            self.blocks.insert(block.ptr as Address, new);
            for number in 0..count {
                let value = new.argument(self.context, number as usize);
                self.define(mlirBlockGetArgument(block, number), value);
            }
            Ok(new)
        }
    }

    /// The operations of a block.
    unsafe fn body(&mut self, block: MlirBlock) -> Result<(), Error> {
        let Some(&new) = self.blocks.get(&(block.ptr as Address)) else {
            return Ok(());
        };
        // SAFETY: the block is valid; operations are followed to the null at the end.
        unsafe {
            let mut operation = mlirBlockGetFirstOperation(block);
            while !operation.ptr.is_null() {
                let imported = self.operation(operation)?;
                new.append(self.context, imported);
                operation = mlirOperationGetNextInBlock(operation);
            }
        }
        Ok(())
    }

    /// A value that is used: a stand-in when it is not there yet.
    unsafe fn value(&mut self, value: MlirValue) -> Result<Value, Error> {
        let address = value.ptr as Address;
        if let Some(known) = self.values.get(&address) {
            return Ok(*known);
        }
        if let Some(stand_in) = self.awaited.get(&address) {
            return Ok(stand_in.result(self.context, 0));
        }
        // SAFETY: the value is valid.
        let ty = unsafe { self.ty(mlirValueGetType(value)) }?;
        let name = OperationName::new(self.context, STAND_IN);
        let mut state = OperationState::new(name, orison_ir::Location::UNKNOWN);
        state.result_types.push(ty);
        let stand_in = Operation::create(self.context, &state);
        self.awaited.insert(address, stand_in);
        Ok(stand_in.result(self.context, 0))
    }

    /// From now on a value is there.
    fn define(&mut self, value: MlirValue, own: Value) {
        let address = value.ptr as Address;
        self.values.insert(address, own);
        if self.awaited.is_empty() {
            return;
        }
        if let Some(stand_in) = self.awaited.remove(&address) {
            let result = stand_in.result(self.context, 0);
            result.replace_all_uses_with(self.context, own);
            stand_in.erase(self.context);
        }
    }
}

/// An operation in generic form, without its regions.
///
/// # Safety
/// It is valid.
unsafe fn generic_text(operation: MlirOperation) -> Vec<u8> {
    // SAFETY: as the caller says; the flags are destroyed where they were made.
    raw::printed(|callback, to| unsafe {
        let flags = mlirOpPrintingFlagsCreate();
        mlirOpPrintingFlagsPrintGenericOpForm(flags);
        mlirOpPrintingFlagsUseLocalScope(flags);
        mlirOpPrintingFlagsSkipRegions(flags);
        mlirOperationPrintWithFlags(operation, flags, callback, to);
        mlirOpPrintingFlagsDestroy(flags);
    })
}

/// The `{…}` of `"name"(…)[…] <{…}>` in the generic text of an operation.
fn properties_in(text: &[u8]) -> Option<&[u8]> {
    let name = text.iter().position(|byte| *byte == b'"')?;
    let name_end = name + 1 + end_of_string(&text[name + 1..])?;
    let mut at = name_end + text[name_end..].iter().position(|byte| *byte == b')')? + 1;
    if text.get(at) == Some(&b'[') {
        at += text[at..].iter().position(|byte| *byte == b']')? + 1;
    }
    let body = text[at..].strip_prefix(b" <")?;
    let mut depth = 0_usize;
    let mut position = 0;
    while let Some(byte) = body.get(position) {
        position += 1;
        match byte {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.checked_sub(1)?,
            b'"' => position += end_of_string(&body[position..])?,
            _ => {}
        }
        if depth == 0 {
            return Some(&body[..position]);
        }
    }
    None
}

/// How far it is behind the closing quote of a string that has just begun.
fn end_of_string(text: &[u8]) -> Option<usize> {
    let mut position = 0;
    loop {
        match text.get(position)? {
            b'"' => return Some(position + 1),
            b'\\' => position += 2,
            _ => position += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::properties_in;

    #[test]
    fn properties_are_what_stands_behind_operands_and_successors() {
        let found = |text: &'static str| {
            properties_in(text.as_bytes()).map(|found| std::str::from_utf8(found).unwrap_or(""))
        };
        assert_eq!(
            found(r#"%0 = "a.b"(%1) <{k = 1 : i32}> {l} : (i32) -> i32"#),
            Some("{k = 1 : i32}")
        );
        assert_eq!(
            found(r#""a.b"()[^bb1] <{k = "}>\""}> : () -> ()"#),
            Some(r#"{k = "}>\""}"#)
        );
        assert_eq!(found(r#""a.b"() ({...}) {k = " <{x}>"} : () -> ()"#), None);
        assert_eq!(found(r#""a\"()b"() <{}> : () -> ()"#), Some("{}"));
    }
}
