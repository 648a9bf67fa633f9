//! Special registers of PTX and their machine equivalents, as observed in the output of ptxas 13.0.

/// The source of a special register of PTX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    /// A special register that does not change.
    Fixed(&'static str),
    /// This many bits of a register, from a bit on.
    Bits(&'static str, i32, u32),
    /// A register that may change; read as 64 bits if requested.
    Changing(&'static str),
    /// A 32-bit value of constant bank 0.
    Constant(i32),
    /// A 32-bit value of constant bank 0 from sm_100 on, where a part of the bank moves with the
    /// size of the cluster.
    Moving(i32),
    /// A 64-bit value of constant bank 0.
    ConstantPair(i32),
    /// A special register minus a 32-bit value of constant bank 0.
    Less(&'static str, i32),
    /// The index of the cluster along an axis.
    Quotient(usize),
    /// The index of the CTA in its cluster along an axis.
    Remainder(usize),
    /// Whether a 32-bit value of constant bank 0 differs from one.
    NotOne(i32),
    /// A number.
    Number(i32),
}

/// Names with the same source on every target.
const EVERYWHERE: [(&str, Special); 30] = [
    ("%tid.x", Special::Fixed("SR_TID.X")),
    ("%tid.y", Special::Fixed("SR_TID.Y")),
    ("%tid.z", Special::Fixed("SR_TID.Z")),
    ("%ctaid.x", Special::Fixed("SR_CTAID.X")),
    ("%ctaid.y", Special::Fixed("SR_CTAID.Y")),
    ("%ctaid.z", Special::Fixed("SR_CTAID.Z")),
    ("%laneid", Special::Fixed("SR_LANEID")),
    ("%smid", Special::Fixed("SR_VIRTUALSMID")),
    ("%lanemask_eq", Special::Fixed("SR_EQMASK")),
    ("%lanemask_lt", Special::Fixed("SR_LTMASK")),
    ("%lanemask_le", Special::Fixed("SR_LEMASK")),
    ("%lanemask_gt", Special::Fixed("SR_GTMASK")),
    ("%lanemask_ge", Special::Fixed("SR_GEMASK")),
    ("%warpid", Special::Bits("SR_VIRTID", 8, 7)),
    ("%nwarpid", Special::Bits("SR_VIRTCFG", 8, 8)),
    ("%clock", Special::Changing("SR_CLOCKLO")),
    ("%clock64", Special::Changing("SR_CLOCKLO")),
    ("%clock_hi", Special::Changing("SR_CLOCKHI")),
    ("%globaltimer", Special::Changing("SR_GLOBALTIMERLO")),
    ("%globaltimer_lo", Special::Changing("SR_GLOBALTIMERLO")),
    ("%globaltimer_hi", Special::Changing("SR_GLOBALTIMERHI")),
    ("%pm0", Special::Changing("SR_PM0")),
    ("%pm1", Special::Changing("SR_PM1")),
    ("%pm2", Special::Changing("SR_PM2")),
    ("%pm3", Special::Changing("SR_PM3")),
    ("%cluster_ctarank", Special::Fixed("SR_CgaCtaId")),
    ("%clusterid.x", Special::Quotient(0)),
    ("%clusterid.y", Special::Quotient(1)),
    ("%clusterid.z", Special::Quotient(2)),
    ("WARP_SZ", Special::Number(32)),
];

/// Offsets in constant bank 0 of launch values, by name: on sm_70 to sm_89, on sm_90, and from
/// sm_100 on; `None` if the target has no such value, or keeps it elsewhere.
const PLACES: [(&str, [Option<i32>; 3]); 20] = [
    ("%ntid.x", [Some(0x0), Some(0x0), Some(0x360)]),
    ("%ntid.y", [Some(0x4), Some(0x4), Some(0x364)]),
    ("%ntid.z", [Some(0x8), Some(0x8), Some(0x368)]),
    ("%nctaid.x", [Some(0xc), Some(0xc), Some(0x370)]),
    ("%nctaid.y", [Some(0x10), Some(0x10), Some(0x374)]),
    ("%nctaid.z", [Some(0x14), Some(0x14), Some(0x378)]),
    ("%dynamic_smem_size", [Some(0x2c), Some(0x2c), None]),
    ("%reserved_smem_offset_end", [Some(0x120), Some(0x68), None]),
    ("%reserved_smem_offset_1", [Some(0x124), Some(0x6c), None]),
    ("%nsmid", [Some(0x10c), Some(0x10c), Some(0x2d0)]),
    ("%cluster_nctaid.x", [None, Some(0x144), None]),
    ("%cluster_nctaid.y", [None, Some(0x148), None]),
    ("%cluster_nctaid.z", [None, Some(0x14c), None]),
    ("%nclusterid.x", [None, Some(0x15c), None]),
    ("%nclusterid.y", [None, Some(0x160), None]),
    ("%nclusterid.z", [None, Some(0x164), None]),
    ("%cluster_nctarank", [None, Some(0x188), None]),
    ("%envreg0", [Some(0x88), Some(0x40), None]),
    ("%envreg1", [Some(0x8c), Some(0x44), None]),
    ("%envreg2", [Some(0x90), Some(0x48), None]),
];

/// Offsets from sm_100 on relative to the moving part.
const MOVING: [(&str, i32); 13] = [
    ("%envreg0", 0x250),
    ("%envreg1", 0x254),
    ("%envreg2", 0x258),
    ("%reserved_smem_offset_end", 0x278),
    ("%reserved_smem_offset_1", 0x27c),
    ("%cluster_nctaid.x", 0x2a0),
    ("%cluster_nctaid.y", 0x2a4),
    ("%cluster_nctaid.z", 0x2a8),
    ("%dynamic_smem_size", 0x2ac),
    ("%nclusterid.x", 0x2c0),
    ("%nclusterid.y", 0x2c4),
    ("%nclusterid.z", 0x2c8),
    ("%cluster_nctarank", 0x2cc),
];

/// The table column of a target.
fn column(sm: u16) -> Option<usize> {
    match sm {
        70..=89 => Some(0),
        90..=99 => Some(1),
        100.. => Some(2),
        _ => None,
    }
}

/// The source of a special register on a target.
pub(super) fn find(name: &str, sm: u16) -> Option<Special> {
    if let Some((_, found)) = EVERYWHERE.iter().find(|(known, _)| *known == name) {
        return Some(*found);
    }
    let column = column(sm)?;
    if let Some((_, places)) = PLACES.iter().find(|(known, _)| *known == name)
        && let Some(place) = places[column]
    {
        return Some(Special::Constant(place));
    }
    if column == 2
        && let Some((_, place)) = MOVING.iter().find(|(known, _)| *known == name)
    {
        return Some(Special::Moving(*place));
    }
    let place = |places: [i32; 3]| places[column];
    // Shared memory of the system is in front of that of programs from sm_90 on, before that behind it.
    let total = Special::Less("SR_SMEMSZ", place([0x114, 0x114, 0x16c]));
    match name {
        "%gridid" => Some(Special::ConstantPair(place([0x30, 0x30, 0x140]))),
        "%total_smem_size" => Some(total),
        "%reserved_smem_offset_begin" | "%reserved_smem_offset_0" if column == 0 => Some(total),
        "%reserved_smem_offset_begin" | "%reserved_smem_offset_0" => Some(Special::Number(0)),
        "%reserved_smem_offset_cap" if column == 0 => Some(Special::Fixed("SR_SMEMSZ")),
        "%reserved_smem_offset_cap" => Some(Special::Number(0x400)),
        "%is_explicit_cluster" if column > 0 => Some(Special::NotOne(place([0, 0x140, 0x36c]))),
        "%cluster_ctaid.x" => Some(Special::Remainder(0)),
        "%cluster_ctaid.y" => Some(Special::Remainder(1)),
        "%cluster_ctaid.z" => Some(Special::Remainder(2)),
        _ => None,
    }
}
