//! Textures and surfaces.

use orison_ir::declare::{Effects, I32Attr};

use crate::declare::machine_operations;
use crate::keywords::{
    AtomicOperation, AtomicType, Boundary, Dimension, Level, TextureQuery, Width,
};
use crate::types::{DATA, SOURCE_OR_WIDE};

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    group texture {
        operands {
            /// Coordinates and other arguments of the read, in hardware order.
            coordinates: variadic(DATA),
            /// Handle of the texture and its sampler; bound by index if absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// The components selected by the mask.
            value: one(DATA),
        }
        attributes {
            /// Dimensions of the texture.
            dimension = "dimension": required(Dimension),
            /// Four-bit mask of the components.
            mask = "mask": required(I32Attr),
            /// Index of the texture if there is no handle.
            bound = "bound": optional(I32Attr),
        }
        with { verify: Some(rules::texture) }
    }

    group level {
        attributes {
            /// Source of the level of detail.
            level = "level": optional(Level),
        }
    }

    /// Reads a texture with filtering; neighbouring lanes give the derivatives.
    op Tex = "ori.tex": texture + level {
        with { effects: Effects::Unknown }
    }

    /// Reads a texture with filtering and given derivatives.
    op Txd = "ori.txd": texture {
        with { effects: Effects::Unknown }
    }

    /// Reads a texel.
    op Tld = "ori.tld": texture + level {
        with { effects: Effects::Read }
    }

    /// Reads one component of four neighbouring texels.
    op Tld4 = "ori.tld4": texture + level {
        with { effects: Effects::Unknown }
    }

    /// Queries a property of a texture.
    op Txq = "ori.txq" {
        operands {
            /// Arguments of the query.
            coordinates: variadic(DATA),
            /// Handle of the texture; bound by index if absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// The components selected by the mask.
            value: one(DATA),
        }
        attributes {
            /// The query.
            query = "query": required(TextureQuery),
            /// Four-bit mask of the components.
            mask = "mask": required(I32Attr),
            /// Index of the texture if there is no handle.
            bound = "bound": optional(I32Attr),
        }
        with { effects: Effects::Read, verify: Some(rules::texture) }
    }

    /// Reads a surface.
    op Suld = "ori.suld" {
        operands {
            /// The coordinates.
            coordinates: variadic(DATA),
            /// Handle of the surface; bound by index if absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// The value read.
            old: one(DATA),
        }
        attributes {
            /// Dimensions of the surface.
            dimension = "dimension": required(Dimension),
            /// Out-of-bounds behaviour; trap if absent.
            boundary = "boundary": optional(Boundary),
            /// Index of the surface if there is no handle.
            bound = "bound": optional(I32Attr),
            /// Number of bytes.
            width = "width": required(Width),
        }
        with { effects: Effects::Read, verify: Some(rules::surface) }
    }

    /// Writes a surface.
    op Sust = "ori.sust" {
        operands {
            /// The value written.
            value: one(DATA),
            /// The coordinates.
            coordinates: variadic(DATA),
            /// Handle of the surface; bound by index if absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        attributes {
            /// Dimensions of the surface.
            dimension = "dimension": required(Dimension),
            /// Out-of-bounds behaviour; trap if absent.
            boundary = "boundary": optional(Boundary),
            /// Index of the surface if there is no handle.
            bound = "bound": optional(I32Attr),
            /// Number of bytes.
            width = "width": required(Width),
        }
        with { effects: Effects::Write, verify: Some(rules::surface) }
    }

    /// Atomic read-modify-write of a surface.
    op Suatom = "ori.suatom" {
        operands {
            /// The value to combine with.
            value: one(DATA),
            /// The coordinates.
            coordinates: variadic(DATA),
            /// Handle of the surface; bound by index if absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// The value before the operation.
            old: one(DATA),
        }
        attributes {
            /// Dimensions of the surface.
            dimension = "dimension": required(Dimension),
            /// Out-of-bounds behaviour; trap if absent.
            boundary = "boundary": optional(Boundary),
            /// Index of the surface if there is no handle.
            bound = "bound": optional(I32Attr),
            /// The operation.
            atomic_operation = "operation": required(AtomicOperation),
            /// Type of the operands.
            kind = "type": required(AtomicType),
        }
        with { effects: Effects::ReadWrite, verify: Some(rules::surface) }
    }

    /// Atomic reduction on a surface.
    op Sured = "ori.sured" {
        operands {
            /// The value to combine with.
            value: one(DATA),
            /// The coordinates.
            coordinates: variadic(DATA),
            /// Handle of the surface; bound by index if absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        attributes {
            /// Dimensions of the surface.
            dimension = "dimension": required(Dimension),
            /// Out-of-bounds behaviour; trap if absent.
            boundary = "boundary": optional(Boundary),
            /// Index of the surface if there is no handle.
            bound = "bound": optional(I32Attr),
            /// The operation.
            atomic_operation = "operation": required(AtomicOperation),
            /// Type of the operands.
            kind = "type": required(AtomicType),
        }
        with { effects: Effects::ReadWrite, verify: Some(rules::surface) }
    }
}
