//! Constants of the format, as in MLIR's `Bytecode/Encoding.h`.

/// The magic number at the start of a file: `ML\xefR`.
pub const MAGIC: [u8; 4] = *b"ML\xefR";

/// The newest supported version, which is written by default.
pub const VERSION: u64 = 6;

/// The versions that introduced features.
pub(super) mod since {
    /// Dialects may have their own version.
    pub(crate) const DIALECT_VERSIONS: u64 = 1;
    /// Regions that are isolated from above are separate sections.
    pub(crate) const ISOLATED_SECTIONS: u64 = 2;
    /// Use lists in a non-default order are encoded.
    pub(crate) const USE_ORDERS: u64 = 3;
    /// The unknown location of a block argument is omitted; operation names are counted.
    pub(crate) const ELIDED_LOCATIONS: u64 = 4;
    /// Properties have a section; operation names state whether they are registered.
    pub(crate) const PROPERTIES: u64 = 5;
    /// Operand and result group sizes are plain numbers in the properties.
    pub(crate) const SEGMENT_NUMBERS: u64 = 6;
}

/// The padding byte before aligned data.
pub(super) const PADDING: u8 = 0xCB;

/// The kinds of sections.
pub(super) mod section {
    pub(crate) const STRINGS: u8 = 0;
    pub(crate) const DIALECTS: u8 = 1;
    pub(crate) const ENTRIES: u8 = 2;
    pub(crate) const ENTRY_OFFSETS: u8 = 3;
    pub(crate) const IR: u8 = 4;
    pub(crate) const RESOURCES: u8 = 5;
    pub(crate) const RESOURCE_OFFSETS: u8 = 6;
    pub(crate) const DIALECT_VERSIONS: u8 = 7;
    pub(crate) const PROPERTIES: u8 = 8;
    /// The number of kinds.
    pub(crate) const COUNT: u8 = 9;
    /// Flag in the kind of a section that specifies an alignment.
    pub(crate) const ALIGNED: u8 = 0x80;

    /// The name of a kind in messages.
    pub(crate) fn name(kind: u8) -> String {
        let name = match kind {
            STRINGS => "String",
            DIALECTS => "Dialect",
            ENTRIES => "AttrType",
            ENTRY_OFFSETS => "AttrTypeOffset",
            IR => "IR",
            RESOURCES => "Resource",
            RESOURCE_OFFSETS => "ResourceOffset",
            DIALECT_VERSIONS => "DialectVersions",
            PROPERTIES => "Properties",
            _ => "Unknown",
        };
        format!("{name} ({kind})")
    }
}

/// Flags for the encoded parts of an operation.
pub(super) mod part {
    pub(crate) const ATTRIBUTES: u8 = 1;
    pub(crate) const RESULTS: u8 = 1 << 1;
    pub(crate) const OPERANDS: u8 = 1 << 2;
    pub(crate) const SUCCESSORS: u8 = 1 << 3;
    pub(crate) const REGIONS: u8 = 1 << 4;
    pub(crate) const USE_ORDERS: u8 = 1 << 5;
    pub(crate) const PROPERTIES: u8 = 1 << 6;
}

/// The codes of builtin attributes, as in MLIR's `IR/BuiltinDialectBytecode.td`.
pub(super) mod attribute {
    pub(crate) const ARRAY: u64 = 0;
    pub(crate) const DICTIONARY: u64 = 1;
    pub(crate) const STRING: u64 = 2;
    pub(crate) const TYPED_STRING: u64 = 3;
    pub(crate) const FLAT_SYMBOL: u64 = 4;
    pub(crate) const SYMBOL: u64 = 5;
    pub(crate) const TYPE: u64 = 6;
    pub(crate) const UNIT: u64 = 7;
    pub(crate) const INTEGER: u64 = 8;
    pub(crate) const FLOAT: u64 = 9;
    pub(crate) const CALL_SITE_LOCATION: u64 = 10;
    pub(crate) const FILE_LOCATION: u64 = 11;
    pub(crate) const FUSED_LOCATION: u64 = 12;
    pub(crate) const FUSED_LOCATION_WITH_METADATA: u64 = 13;
    pub(crate) const NAME_LOCATION: u64 = 14;
    pub(crate) const UNKNOWN_LOCATION: u64 = 15;
    pub(crate) const DENSE_RESOURCE: u64 = 16;
    pub(crate) const DENSE_ARRAY: u64 = 17;
    pub(crate) const DENSE_NUMBERS: u64 = 18;
    pub(crate) const DENSE_STRINGS: u64 = 19;
    pub(crate) const SPARSE: u64 = 20;
    pub(crate) const DISTINCT: u64 = 21;
    pub(crate) const FILE_RANGE: u64 = 22;
}

/// The codes of builtin types, as in MLIR's `IR/BuiltinDialectBytecode.td`.
pub(super) mod ty {
    pub(crate) const INTEGER: u64 = 0;
    pub(crate) const INDEX: u64 = 1;
    pub(crate) const FUNCTION: u64 = 2;
    pub(crate) const BF16: u64 = 3;
    pub(crate) const F16: u64 = 4;
    pub(crate) const F32: u64 = 5;
    pub(crate) const F64: u64 = 6;
    pub(crate) const F80: u64 = 7;
    pub(crate) const F128: u64 = 8;
    pub(crate) const COMPLEX: u64 = 9;
    pub(crate) const MEMREF: u64 = 10;
    pub(crate) const MEMREF_WITH_SPACE: u64 = 11;
    pub(crate) const NONE: u64 = 12;
    pub(crate) const TENSOR: u64 = 13;
    pub(crate) const TENSOR_WITH_ENCODING: u64 = 14;
    pub(crate) const TUPLE: u64 = 15;
    pub(crate) const UNRANKED_MEMREF: u64 = 16;
    pub(crate) const UNRANKED_MEMREF_WITH_SPACE: u64 = 17;
    pub(crate) const UNRANKED_TENSOR: u64 = 18;
    pub(crate) const VECTOR: u64 = 19;
    pub(crate) const SCALABLE_VECTOR: u64 = 20;
}

/// The kinds of resources.
pub(super) mod resource {
    pub(crate) const BLOB: u8 = 0;
    pub(crate) const BOOL: u8 = 1;
    pub(crate) const STRING: u8 = 2;
}
