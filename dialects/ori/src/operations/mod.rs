//! Operations, one file per family.

pub mod asynchronous;
pub mod atomics;
pub mod cluster;
pub mod control;
pub mod conversion;
mod edges;
pub mod float;
mod functions;
pub mod integer;
pub mod matrix;
mod matrix_rules;
pub mod memory;
pub mod moves;
mod rules;
pub mod sparse;
pub mod stack;
pub mod structure;
pub mod synchronization;
pub mod texture;
pub mod uniform;
pub mod warp;

use orison_ir::declare::OperationDefinition;

/// Re-exports the operations of families, and joins the lists of their declarations.
macro_rules! families {
    ($($family:ident: $($list:ident)*;)*) => {
        $(#[doc(no_inline)] pub use $family::*;)*

        const LISTS: &[&[&OperationDefinition]] = &[$($($family::$list),*),*];
    };
}

families! {
    structure: OPERATIONS;
    moves: PSEUDO OPERATIONS;
    integer: OPERATIONS;
    float: OPERATIONS;
    conversion: OPERATIONS;
    memory: OPERATIONS;
    stack: PSEUDO OPERATIONS;
    atomics: OPERATIONS;
    cluster: OPERATIONS;
    asynchronous: OPERATIONS;
    matrix: OPERATIONS;
    sparse: OPERATIONS;
    warp: OPERATIONS;
    uniform: OPERATIONS;
    texture: OPERATIONS;
    control: OPERATIONS;
    synchronization: OPERATIONS;
}

/// The number of operations.
const COUNT: usize = {
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        count += LISTS[list].len();
        list += 1;
    }
    count
};

/// All operations, family by family.
pub static OPERATIONS: &[&OperationDefinition] = &{
    let mut all = [Func::DEFINITION; COUNT];
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        let mut place = 0;
        while place < LISTS[list].len() {
            all[count] = LISTS[list][place];
            count += 1;
            place += 1;
        }
        list += 1;
    }
    all
};
