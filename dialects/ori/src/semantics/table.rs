//! The table from operations to evaluation functions.

use crate::operations as ori;

use super::Function;
use super::{bits, compare, convert, float, half, integer, transcendental};

/// Names of uniform operations whose counterpart is not the name without `u`.
fn twin(name: &str) -> &str {
    match name {
        "uimnmx" => "vimnmx",
        "up2ur" => "p2r",
        "ui2fp" => "i2fp",
        name => name,
    }
}

/// The evaluation function for a full operation name; `None` if it is not a pure function of
/// operands.
pub(super) fn function_of(name: &str) -> Option<Function> {
    let name = name.strip_prefix("ori.")?;
    plain(twin(name)).or_else(|| plain(name.strip_prefix('u')?))
}

/// Whether an operation has a guard: all except those without an instruction.
pub(super) fn has_guard(name: &str) -> bool {
    !matches!(
        name,
        ori::Imm::NAME | ori::Concat::NAME | ori::Extract::NAME
    )
}

fn plain(name: &str) -> Option<Function> {
    integer_function(name)
        .or_else(|| bit_function(name))
        .or_else(|| float_function(name))
        .or_else(|| half_function(name))
        .or_else(|| conversion(name))
}

fn integer_function(name: &str) -> Option<Function> {
    Some(match name {
        "iadd3" => integer::iadd3,
        "imad" => integer::imad,
        "imad_wide" => integer::imad_wide,
        "imad_hi" => integer::imad_hi,
        "lea" => integer::lea,
        "viadd" => integer::viadd,
        "imnmx" | "vimnmx" => integer::imnmx,
        "vimnmx3" => integer::vimnmx3,
        "viaddmnmx" => integer::viaddmnmx,
        "iabs" => integer::iabs,
        "vabsdiff" => integer::vabsdiff,
        "vabsdiff4" => integer::vabsdiff4,
        "idp" => integer::idp,
        "i2i" => integer::i2i,
        "i2ip" => integer::i2ip,
        "isetp" => compare::isetp,
        _ => return None,
    })
}

fn bit_function(name: &str) -> Option<Function> {
    Some(match name {
        "lop3" => bits::lop3,
        "lop3_test" => bits::lop3_test,
        "plop3" => bits::plop3,
        "shf" => bits::shf,
        "bmsk" => bits::bmsk,
        "sgxt" => bits::sgxt,
        "popc" => bits::popc,
        "flo" => bits::flo,
        "brev" => bits::brev,
        "prmt" => bits::prmt,
        "clmad" => bits::clmad,
        "p2r" => bits::p2r,
        "r2p" => bits::r2p,
        "mov" => bits::copy,
        "sel" => bits::sel,
        "imm" => bits::immediate,
        "concat" => bits::concat,
        "extract" => bits::extract,
        _ => return None,
    })
}

fn float_function(name: &str) -> Option<Function> {
    Some(match name {
        "fadd" => float::fadd,
        "fmul" => float::fmul,
        "ffma" => float::ffma,
        "fadd2" => float::fadd2,
        "fmul2" => float::fmul2,
        "ffma2" => float::ffma2,
        "fmnmx" => float::fmnmx,
        "fmnmx3" => float::fmnmx3,
        "fsel" => float::fsel,
        "fsetp" => compare::fsetp,
        "fset" => compare::fset,
        "mufu" => transcendental::mufu,
        "fchk" => float::fchk,
        "dadd" => float::dadd,
        "dmul" => float::dmul,
        "dfma" => float::dfma,
        "dsetp" => compare::dsetp,
        _ => return None,
    })
}

fn half_function(name: &str) -> Option<Function> {
    Some(match name {
        "hadd2" => half::hadd2,
        "hadd2_f32" => half::hadd2_f32,
        "hmul2" => half::hmul2,
        "hfma2" | "hfma2_mma" => half::hfma2,
        "hmnmx2" | "vhmnmx" => half::hmnmx2,
        "fhadd" => half::fhadd,
        "fhfma" => half::fhfma,
        "hset2" => compare::hset2,
        "hsetp2" => compare::hsetp2,
        _ => return None,
    })
}

fn conversion(name: &str) -> Option<Function> {
    Some(match name {
        "i2f" => convert::i2f,
        "f2i" => convert::f2i,
        "f2f" => convert::f2f,
        "frnd" => convert::frnd,
        "f2fp" => convert::f2fp,
        "f2fp_unpack" => convert::f2fp_unpack,
        "i2fp" => convert::i2fp,
        "f2ip" => convert::f2ip,
        _ => return None,
    })
}
