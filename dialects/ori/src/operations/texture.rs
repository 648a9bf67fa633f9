//! Textures and surfaces.

use orison_ir::declare::I32Attr;

use crate::declare::machine_operations;
use crate::keywords::{
    AtomicOperationAttr, AtomicTypeAttr, BoundaryAttr, DimensionAttr, LevelAttr, TextureQueryAttr,
    WidthAttr,
};
use crate::types::{DATA, SOURCE_OR_WIDE};

use super::rules;

machine_operations! {
    /// Reads a texture with filtering; neighbouring lanes give the derivatives.
    op Tex = "ori.tex" {
        operands {
            /// Coordinates, and what else the kind of read takes, in the order of the hardware.
            coordinates: variadic(DATA),
            /// Handle of the texture and its sampler; bound by number when absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// The components that the mask names.
            value: one(DATA),
        }
        attributes {
            /// What is read.
            dimension = "dimension": required(DimensionAttr),
            /// Which components, as four bits.
            mask = "mask": required(I32Attr),
            /// Number of the texture, when there is no handle.
            bound = "bound": optional(I32Attr),
            /// Where the level of detail comes from.
            level = "level": optional(LevelAttr),
        }
        effects: Unknown,
        verify: rules::texture,
    }

    /// Reads a texture with filtering and given derivatives.
    op Txd = "ori.txd" {
        operands {
            /// Coordinates, and what else the kind of read takes, in the order of the hardware.
            coordinates: variadic(DATA),
            /// Handle of the texture and its sampler; bound by number when absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// The components that the mask names.
            value: one(DATA),
        }
        attributes {
            /// What is read.
            dimension = "dimension": required(DimensionAttr),
            /// Which components, as four bits.
            mask = "mask": required(I32Attr),
            /// Number of the texture, when there is no handle.
            bound = "bound": optional(I32Attr),
        }
        effects: Unknown,
        verify: rules::texture,
    }

    /// Reads a texel.
    op Tld = "ori.tld" {
        operands {
            /// Coordinates, and what else the kind of read takes, in the order of the hardware.
            coordinates: variadic(DATA),
            /// Handle of the texture and its sampler; bound by number when absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// The components that the mask names.
            value: one(DATA),
        }
        attributes {
            /// What is read.
            dimension = "dimension": required(DimensionAttr),
            /// Which components, as four bits.
            mask = "mask": required(I32Attr),
            /// Number of the texture, when there is no handle.
            bound = "bound": optional(I32Attr),
            /// Where the level of detail comes from.
            level = "level": optional(LevelAttr),
        }
        effects: Read,
        verify: rules::texture,
    }

    /// Reads one component of four neighbouring texels.
    op Tld4 = "ori.tld4" {
        operands {
            /// Coordinates, and what else the kind of read takes, in the order of the hardware.
            coordinates: variadic(DATA),
            /// Handle of the texture and its sampler; bound by number when absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// The components that the mask names.
            value: one(DATA),
        }
        attributes {
            /// What is read.
            dimension = "dimension": required(DimensionAttr),
            /// Which components, as four bits.
            mask = "mask": required(I32Attr),
            /// Number of the texture, when there is no handle.
            bound = "bound": optional(I32Attr),
            /// Where the level of detail comes from.
            level = "level": optional(LevelAttr),
        }
        effects: Unknown,
        verify: rules::texture,
    }

    /// Asks about a texture.
    op Txq = "ori.txq" {
        operands {
            /// What the question takes.
            coordinates: variadic(DATA),
            /// Handle of the texture; bound by number when absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// The components that the mask names.
            value: one(DATA),
        }
        attributes {
            /// The question.
            query = "query": required(TextureQueryAttr),
            /// Which components, as four bits.
            mask = "mask": required(I32Attr),
            /// Number of the texture, when there is no handle.
            bound = "bound": optional(I32Attr),
        }
        effects: Read,
        verify: rules::texture,
    }

    /// Reads a surface.
    op Suld = "ori.suld" {
        operands {
            /// Where.
            coordinates: variadic(DATA),
            /// Handle of the surface; bound by number when absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// What was there.
            old: one(DATA),
        }
        attributes {
            /// What the surface is.
            dimension = "dimension": required(DimensionAttr),
            /// What happens beyond the borders; a trap when absent.
            boundary = "boundary": optional(BoundaryAttr),
            /// Number of the surface, when there is no handle.
            bound = "bound": optional(I32Attr),
            /// How many bytes.
            width = "width": required(WidthAttr),
        }
        effects: Read,
        verify: rules::surface,
    }

    /// Writes a surface.
    op Sust = "ori.sust" {
        operands {
            /// What is written.
            value: one(DATA),
            /// Where.
            coordinates: variadic(DATA),
            /// Handle of the surface; bound by number when absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        attributes {
            /// What the surface is.
            dimension = "dimension": required(DimensionAttr),
            /// What happens beyond the borders; a trap when absent.
            boundary = "boundary": optional(BoundaryAttr),
            /// Number of the surface, when there is no handle.
            bound = "bound": optional(I32Attr),
            /// How many bytes.
            width = "width": required(WidthAttr),
        }
        effects: Write,
        verify: rules::surface,
    }

    /// Reads, combines and writes a surface.
    op Suatom = "ori.suatom" {
        operands {
            /// What is written.
            value: one(DATA),
            /// Where.
            coordinates: variadic(DATA),
            /// Handle of the surface; bound by number when absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        results {
            /// What was there.
            old: one(DATA),
        }
        attributes {
            /// What the surface is.
            dimension = "dimension": required(DimensionAttr),
            /// What happens beyond the borders; a trap when absent.
            boundary = "boundary": optional(BoundaryAttr),
            /// Number of the surface, when there is no handle.
            bound = "bound": optional(I32Attr),
            /// What it does.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// What it works on.
            kind = "type": required(AtomicTypeAttr),
        }
        effects: ReadWrite,
        verify: rules::surface,
    }

    /// Combines a surface with a value.
    op Sured = "ori.sured" {
        operands {
            /// What is written.
            value: one(DATA),
            /// Where.
            coordinates: variadic(DATA),
            /// Handle of the surface; bound by number when absent.
            handle: optional(SOURCE_OR_WIDE),
        }
        attributes {
            /// What the surface is.
            dimension = "dimension": required(DimensionAttr),
            /// What happens beyond the borders; a trap when absent.
            boundary = "boundary": optional(BoundaryAttr),
            /// Number of the surface, when there is no handle.
            bound = "bound": optional(I32Attr),
            /// What it does.
            atomic_operation = "operation": required(AtomicOperationAttr),
            /// What it works on.
            kind = "type": required(AtomicTypeAttr),
        }
        effects: ReadWrite,
        verify: rules::surface,
    }
}
