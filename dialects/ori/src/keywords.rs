//! Modifiers of operations that are one of a set of keywords: `.GE`, `.AND`, `.GPU` in SASS text.
//!
//! Each set is an enumeration, whose members are attributes: `compare = #ori.compare<ge>`. In the
//! custom form the keywords are in angle brackets after the name of the operation:
//! `ori.isetp <ge, and, s32>`.

pub use orison_ir::Keyword;
use orison_ir::declare::AttributeForm;
use orison_ir::{Context, Operation};

/// The keyword in an inherent attribute; `None` if it is absent or of another set.
pub fn keyword_of<K: Keyword>(context: &Context, op: Operation, key: &str) -> Option<K> {
    K::read(context, op.attribute(context, key)?)
}

orison_ir::keywords! {
    /// The attributes.
    list ATTRIBUTES;

    /// Comparison of integers.
    Compare = "ori.compare" { False = "f", Lt = "lt", Eq = "eq", Le = "le", Gt = "gt", Ne = "ne", Ge = "ge", True = "t" }
    /// Comparison of floats; the names with `u` are true if an operand is NaN.
    FloatCompare = "ori.float_compare" {
        False = "f", Lt = "lt", Eq = "eq", Le = "le", Gt = "gt", Ne = "ne", Ge = "ge", Ordered = "num",
        Unordered = "nan", Ltu = "ltu", Equ = "equ", Leu = "leu", Gtu = "gtu", Neu = "neu", Geu = "geu", True = "t",
    }
    /// Combination of a comparison's outcome with another predicate.
    Combine = "ori.combine" { And = "and", Or = "or", Xor = "xor" }
    /// Integer format of 32 or 64 bits.
    Signedness = "ori.signedness" { Signed = "s32", Unsigned = "u32", SignedWide = "s64", UnsignedWide = "u64" }
    /// Rounding mode of a float operation.
    Rounding = "ori.rounding" { Nearest = "rn", Zero = "rz", Down = "rm", Up = "rp" }
    /// Rounding mode from a float to an integer.
    IntegerRounding = "ori.integer_rounding" { Even = "round", Floor = "floor", Ceiling = "ceil", Truncate = "trunc" }
    /// A number format.
    Format = "ori.format" {
        U8 = "u8", S8 = "s8", U16 = "u16", S16 = "s16", U32 = "u32", S32 = "s32", U64 = "u64", S64 = "s64",
        F16 = "f16", Bf16 = "bf16", F32 = "f32", F64 = "f64", Tf32 = "tf32",
        E4m3 = "e4m3", E5m2 = "e5m2", E3m2 = "e3m2", E2m3 = "e2m3", E2m1 = "e2m1", Ue8m0 = "ue8m0",
        U4 = "u4", S4 = "s4", B1 = "b1",
    }
    /// A function of the transcendental unit.
    Function = "ori.function" {
        Cos = "cos", Sin = "sin", Ex2 = "ex2", Lg2 = "lg2", Rcp = "rcp", Rsq = "rsq", Rcp64h = "rcp64h",
        Rsq64h = "rsq64h", Sqrt = "sqrt", Tanh = "tanh",
    }
    /// Minimum or maximum.
    Extremum = "ori.extremum" { Min = "min", Max = "max" }
    /// Direction of a shift.
    Direction = "ori.direction" { Left = "left", Right = "right" }
    /// Mode of a byte permutation.
    Permutation = "ori.permutation" {
        Index = "idx", Forward4 = "f4e", Backward4 = "b4e", Replicate8 = "rc8", EdgeLeft = "ecl", EdgeRight = "ecr",
        Replicate16 = "rc16",
    }
    /// Number of bytes of a memory access, and extension to 32 bits if narrower.
    Width = "ori.width" {
        U8 = "u8", S8 = "s8", U16 = "u16", S16 = "s16", B32 = "b32", B64 = "b64", B128 = "b128", B256 = "b256",
    }
    /// Ordering of a memory operation.
    Order = "ori.order" { Constant = "constant", Weak = "weak", Strong = "strong", Mmio = "mmio", Private = "private" }
    /// Scope of the ordering of a memory operation.
    Scope = "ori.scope" { Cta = "cta", Cluster = "cluster", Sm = "sm", Gpu = "gpu", Sys = "sys", Vc = "vc" }
    /// Eviction priority of a cache line.
    Eviction = "ori.eviction" {
        First = "evict_first", Normal = "evict_normal", Last = "evict_last", LastUse = "last_use",
        Unchanged = "evict_unchanged", NoAllocate = "no_allocate",
    }
    /// Prefetch size into the second-level cache.
    Prefetch = "ori.prefetch" { L64 = "ltc64b", L128 = "ltc128b", L256 = "ltc256b" }
    /// Cache used by an asynchronous copy.
    Bypass = "ori.bypass" { All = "access", Bypass = "bypass" }
    /// Operation of an atomic instruction.
    AtomicOperation = "ori.atomic_operation" {
        Add = "add", Min = "min", Max = "max", Inc = "inc", Dec = "dec", And = "and", Or = "or", Xor = "xor",
        Exchange = "exch", CompareAndSwap = "cas", Arrive = "arrive", CountIncrement = "popc_inc",
    }
    /// Type of the operands of an atomic operation.
    AtomicType = "ori.atomic_type" {
        U32 = "u32", S32 = "s32", U64 = "u64", S64 = "s64", F16x2 = "f16x2", Bf16x2 = "bf16x2", F32 = "f32",
        F64 = "f64", F32x2 = "f32x2", F32x4 = "f32x4", B32 = "b32", B64 = "b64", B128 = "b128",
    }
    /// Cache control operation.
    CacheAction = "ori.cache_action" {
        InvalidateAll = "ivall", Invalidate = "iv", WriteBack = "wb", WriteBackAll = "wball", ReadStrong = "rs",
        ResetLast = "rslb", Prefetch1 = "pf1", Prefetch2 = "pf2", DemoteLast = "dml2", DiscardLines = "rml2",
        PrefetchLast = "pml2", Prefetch = "pf", QueryPriority = "qry1",
    }
    /// Number of 8 by 8 matrices moved by a shared-memory matrix operation.
    MatrixCount = "ori.matrix_count" { X1 = "x1", X2 = "x2", X4 = "x4" }
    /// Rows and columns of a matrix of bytes moved by a shared-memory matrix operation.
    Cells = "ori.cells" { M16n16 = "m16n16", M8n16 = "m8n16", M16n8 = "m16n8" }
    /// Format of elements expanded to bytes on load: 16 of four or six bits, padded to 16 bytes.
    NarrowElements = "ori.narrow_elements" { Nibbles = "b4x16_p64", Six = "b6x16_p32" }
    /// Mode of a tensor copy that is not a box: window along the width of a convolution, or four
    /// rows.
    BoxForm = "ori.box_form" { Wide = "w", Wide128 = "w128", Gather = "gather4", Scatter = "scatter4" }
    /// Extents of a warp's matrix product.
    Shape = "ori.shape" {
        M8n8k4 = "m8n8k4", M8n8k16 = "m8n8k16", M8n8k32 = "m8n8k32", M8n8k128 = "m8n8k128", M16n8k4 = "m16n8k4",
        M16n8k8 = "m16n8k8", M16n8k16 = "m16n8k16", M16n8k32 = "m16n8k32", M16n8k64 = "m16n8k64",
        M16n8k128 = "m16n8k128", M16n8k256 = "m16n8k256",
    }
    /// Type of the elements of a warp-group product.
    ProductKind = "ori.product_kind" { Half = "half", Integer = "integer", Fp8 = "fp8" }
    /// Type of the elements of a tensor-core product.
    TensorKind = "ori.tensor_kind" {
        F16 = "f16", Tf32 = "tf32", F8f6f4 = "f8f6f4", I8 = "i8", Mxf8f6f4 = "mxf8f6f4", Mxf4 = "mxf4", Mxf4nvf4 = "mxf4nvf4",
    }
    /// Shape of the part of tensor memory accessed by a warp.
    TensorShape = "ori.tensor_shape" {
        S16x64b = "s16x64b", S16x128b = "s16x128b", S16x256b = "s16x256b", S32x32b = "s32x32b", S16x32bx2 = "s16x32bx2",
    }
    /// Shape of a copy to tensor memory: rows and bits per row.
    CopyShape = "ori.copy_shape" {
        S128x256b = "s128x256b", S4x256b = "s4x256b", S128x128b = "s128x128b", S64x128b = "s64x128b", S32x128b = "s32x128b",
    }
    /// Multicast of a copy to tensor memory to the parts of several warps.
    CopyWarps = "ori.copy_warps" { Pairs02 = "warpx2_02_13", Pairs01 = "warpx2_01_23", All = "warpx4" }
    /// Lane selection of a shuffle.
    ShuffleMode = "ori.shuffle_mode" { Index = "idx", Up = "up", Down = "down", Butterfly = "bfly" }
    /// Reduction of a predicate over a warp.
    VoteMode = "ori.vote_mode" { All = "all", Any = "any", Equal = "eq" }
    /// Mode of a match of lanes.
    MatchMode = "ori.match_mode" { All = "all", Any = "any" }
    /// Reduction of the values of a warp.
    Reduction = "ori.reduction" { Sum = "sum", Min = "min", Max = "max", And = "and", Or = "or", Xor = "xor" }
    /// Mode of a CTA barrier.
    BarrierMode = "ori.barrier_mode" { Sync = "sync", Arrive = "arrive", Reduce = "reduce", Scan = "scan" }
    /// Reduction of predicates at a barrier.
    BarrierReduction = "ori.barrier_reduction" { Popc = "popc", And = "and", Or = "or" }
    /// Strength of a memory barrier.
    FenceOrder = "ori.fence_order" { Sc = "sc", All = "all" }
    /// Proxies ordered by a fence.
    View = "ori.view" { Generic = "generic", Shared = "shared", Tensor = "tensor" }
    /// Operation on an mbarrier.
    MbarrierAction = "ori.mbarrier_action" { Initialize = "init", Invalidate = "inval", ExpectTx = "expect_tx", CompleteTx = "complete_tx", Test = "test" }
    /// Dimensions of a texture or surface.
    Dimension = "ori.dimension" {
        D1 = "tex1d", D2 = "tex2d", D3 = "tex3d", Cube = "cube", Array1 = "array1d", Array2 = "array2d", ArrayCube = "array_cube",
    }
    /// Source of the level of detail of a texture read.
    Level = "ori.level" { Automatic = "auto", Zero = "lz", Level = "ll", Bias = "lb" }
    /// Out-of-bounds behaviour of a surface access.
    Boundary = "ori.boundary" { Trap = "trap", Clamp = "clamp", Zero = "zero" }
    /// Texture query.
    TextureQuery = "ori.texture_query" { Dimension = "dimension", Type = "type", SamplePosition = "sample_position" }
    /// Address space of a symbol.
    Space = "ori.space" { Global = "global", Shared = "shared", Constant = "constant", Local = "local" }
    /// Linkage of a symbol.
    Linkage = "ori.linkage" { Extern = "extern", Visible = "visible", Weak = "weak", Common = "common" }
    /// Direction of a change of the register count.
    RegisterPool = "ori.register_pool" { Increase = "inc", Decrease = "dec" }
    /// Kind of a trap.
    Trap = "ori.trap" { Trap = "trap", Drain = "drain", Pause = "pause", Interrupt = "int" }
}

impl Width {
    /// The number of bytes.
    pub fn bytes(self) -> u8 {
        match self {
            Width::U8 | Width::S8 => 1,
            Width::U16 | Width::S16 => 2,
            Width::B32 => 4,
            Width::B64 => 8,
            Width::B128 => 16,
            Width::B256 => 32,
        }
    }
}
