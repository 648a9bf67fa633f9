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

/// Lists the operations: re-exports their typed views, and collects their declarations.
macro_rules! operations {
    ($($family:ident: $($name:ident)*;)*) => {
        $(#[doc(no_inline)] pub use $family::{$($name),*};)*

        /// All operations, family by family.
        pub static OPERATIONS: &[&OperationDefinition] =
            &[$($($family::$name::DEFINITION),*),*];
    };
}

operations! {
    structure: Func Memory Alias;
    moves: Imm Cbank Undef Concat Extract AddressOf Mov Sel S2r Cs2r Createpolicy CreatepolicyRange Mapa;
    integer: Iadd3 Imad ImadWide ImadHi Lop3 Lop3Test Lea Shf Viadd Imnmx Vimnmx Vimnmx3 Viaddmnmx
        Iabs Vabsdiff Vabsdiff4 Idp Bmsk Sgxt Popc Flo Brev Prmt I2i I2ip Clmad Isetp Plop3 P2r R2p;
    float: Fadd Fmul Ffma Fhfma Fadd2 Fmul2 Ffma2 Fmnmx Fmnmx3 Fsel Fsetp Fset Mufu Fchk Fswzadd
        Hadd2 Hadd2F32 Hmul2 Hfma2 Hfma2Mma Hmnmx2 Vhmnmx Hset2 Hsetp2 Dadd Dmul Dfma Dsetp;
    conversion: I2f F2i F2f Frnd F2fp F2fpStochastic F2fpUnpack I2fp F2ip;
    memory: Ldg Ld Lds Ldl Ldc Uldc Ldcu Stg St Sts Stl Ldsm Stsm Movm;
    stack: SlotAddress Alloca StackSave StackRestore;
    atomics: Atom Atomg Atoms Red Redg;
    cluster: Stas Redas Ldgmc Ugetnextworkid;
    asynchronous: Ldgsts Ldgdepbar Depbar BulkWait Syncs SyncsArrive Arrives SyncsTryWait Cctl Cctll Utmaldg
        Utmastg Utmaredg Utmapf Utmacctl Utmacmdflush Ublkcp Ublkred Ublkpf;
    matrix: Hmma Imma Qmma Bmma Dmma WgmmaMma WgmmaFence WgmmaCommit WgmmaWait WarpgroupArrive
        WarpgroupCommit WarpgroupWait TensorMma TensorLd TensorSt TensorWaitLd TensorWaitSt TensorCp
        TensorShift TensorCommit TensorAlloc TensorDealloc TensorPermit;
    sparse: HmmaSparse ImmaSparse QmmaSparse QmmaScaled OmmaScaled;
    warp: Shfl Vote Voteu Match Redux Credux Elect Qspc;
    uniform: Uiadd3 Uimad UimadWide Ulop3 Ulea Ushf Uprmt Usel Uimnmx Usgxt Ubmsk Upopc Uflo Ubrev
        Uisetp Ufadd Ufmul Uffma Ufsel Ufsetp Uf2fp Ui2fp Uplop3 Up2ur;
    moves: Umov R2ur S2ur Cs2ur;
    texture: Tex Txd Tld Tld4 Txq Suld Sust Suatom Sured;
    control: Bra CondBra Brx Exit ExitIf Kill Ret Call CallIndirect;
    synchronization: Bar Membar Errbar Cgaerrbar Fence Warpsync CgabarArrive CgabarWait Nanosleep
        Acqbulk Preexit Pmtrig Yield Setmaxreg Bssy Bsync Break Nop Bpt Inst;
}
