//! The frame of a function: its `.local` variables, and address-taken parameters.

use std::collections::HashSet;

use orison_ir::{Attribute, Context};
use orison_ori::operations::stack::{Frame as Layout, Slot};

use super::symbols::{bytes_of, lanes_of, size_of};
use crate::ptx::Error;
use crate::ptx::ast::{Declaration, Declarator};

/// A variable and its offset in the frame.
#[derive(Debug)]
struct Variable {
    name: String,
    offset: u32,
    size: u32,
    alignment: u32,
}

/// The variables of a function in declaration order.
#[derive(Debug, Default)]
pub(super) struct Frame {
    variables: Vec<Variable>,
    names: HashSet<String>,
}

impl Frame {
    /// Adds a variable; returns the name of its slot, with a number appended if inner scopes
    /// declare the same name.
    ///
    /// # Errors
    /// The frame exceeds the local memory of a thread, or the size is not a number.
    pub fn declare(
        &mut self,
        declaration: &Declaration<'_>,
        declarator: &Declarator<'_>,
    ) -> Result<String, Error> {
        let size = size_of(declaration, &declarator.extents);
        let alignment = declaration
            .alignment
            .unwrap_or(bytes_of(declaration.ty) * lanes_of(declaration));
        let added = size.and_then(|size| self.add(declarator.name, size, alignment));
        added.ok_or_else(|| Error {
            place: declarator.place,
            message: format!(
                "the '.local' variables up to '{}' exceed the {} bytes of local memory of a thread",
                declarator.name,
                Layout::LOCAL_MEMORY
            ),
        })
    }

    /// Adds a variable of this many bytes; `None` if there is no room for it.
    pub fn add(&mut self, name: &str, size: u64, alignment: u64) -> Option<String> {
        let end = self.variables.last();
        let end = end.map_or(0, |last| last.offset + last.size);
        let alignment = u32::try_from(alignment).ok()?;
        let offset = end.checked_next_multiple_of(alignment)?;
        let size = u32::try_from(size).ok()?;
        (offset.checked_add(size)? <= Layout::LOCAL_MEMORY).then_some(())?;
        let mut unique = name.to_owned();
        let mut number = 0;
        while !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}.{number}");
        }
        self.variables.push(Variable {
            name: unique.clone(),
            offset,
            size,
            alignment,
        });
        Some(unique)
    }

    /// The attribute `frame` of the function; `None` if it has no variables.
    pub fn attribute(&self, context: &mut Context) -> Option<Attribute> {
        let entries = self.variables.iter().map(|variable| {
            let slot = Slot {
                name: &variable.name,
                offset: variable.offset,
                size: variable.size,
                alignment: variable.alignment,
            };
            slot.attribute(context)
        });
        let entries: Vec<_> = entries.collect();
        (!entries.is_empty()).then(|| Attribute::array(context, &entries))
    }
}
