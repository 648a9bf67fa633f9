//! Alias results of two accesses, compared with the sets of bytes that they access.

use std::collections::BTreeSet;

use crate::analyses::linear::{LinearForm, Root};
use crate::analyses::memory::{Access, Address, AliasKind, alias};
use orison_machine::Space;

const ROOT: Root = Root::Bank(0, 352);

fn access(space: Space, roots: &[Root], offset: i64, bytes: Option<u64>, narrow: bool) -> Access {
    let mut sum = LinearForm::constant(offset, !narrow);
    for root in roots {
        sum.add_root(*root, 1);
    }
    Access {
        space: Some(space),
        address: Some(Address { sum, bank: None }),
        bytes,
        ..Access::ANY
    }
}

fn kind(a: &Access, b: &Access) -> AliasKind {
    let found = alias(a, b).kind;
    assert_eq!(found, alias(b, a).kind, "the relation is symmetric");
    found
}

/// The bytes of an access relative to its base, in an address space of 2^`bits` bytes.
fn bytes(offset: i64, count: u64, bits: u32) -> BTreeSet<u64> {
    let start = offset.cast_unsigned();
    let all = 0..count;
    all.map(|byte| start.wrapping_add(byte) & (u64::MAX >> (64 - bits)))
        .collect()
}

fn expected(a: &BTreeSet<u64>, b: &BTreeSet<u64>) -> AliasKind {
    if a == b {
        AliasKind::Same
    } else if a.is_disjoint(b) {
        AliasKind::None
    } else {
        AliasKind::Must
    }
}

const WIDTHS: [u64; 6] = [1, 2, 4, 8, 16, 32];

fn check(space: Space, narrow: bool, offsets: &[i64], bases: &[i64]) {
    let bits = if narrow { 32 } else { 64 };
    for &base in bases {
        for &offset in offsets {
            for left in WIDTHS {
                for right in WIDTHS {
                    let there = base.wrapping_add(offset);
                    let a = access(space, &[ROOT], base, Some(left), narrow);
                    let b = access(space, &[ROOT], there, Some(right), narrow);
                    let sets = [bytes(base, left, bits), bytes(there, right, bits)];
                    assert_eq!(
                        kind(&a, &b),
                        expected(&sets[0], &sets[1]),
                        "{left} bytes at {base}, {right} bytes at {there}"
                    );
                }
            }
        }
    }
}

/// Every pair of widths at every distance at which they may overlap.
#[test]
fn accesses_that_overlap_in_part_alias_but_are_not_the_same() {
    let offsets: Vec<i64> = (-40..=40).collect();
    check(Space::Global, false, &offsets, &[0, -16, 352]);
    check(Space::Shared, true, &offsets, &[0, -16, 352]);
}

/// 32-bit addresses: offsets that differ by 2^32 are the same, and an access at the end of the
/// address space continues at its beginning.
#[test]
fn addresses_of_32_bits_wrap_at_32_bits() {
    let around: Vec<i64> = (-40..=40).collect();
    let turns = [1 << 32, -(1 << 32), 1 << 31, -(1 << 31), 3 << 32];
    let offsets = turns.map(|turn| around.iter().map(move |offset| turn + offset));
    let offsets: Vec<i64> = offsets.into_iter().flatten().collect();
    check(
        Space::Shared,
        true,
        &offsets,
        &[0, -4, i64::from(i32::MAX), 1 << 31],
    );
}

/// 64-bit addresses do not wrap at 32 bits but at 64.
#[test]
fn addresses_of_64_bits_wrap_at_64_bits_only() {
    let around: Vec<i64> = (-40..=40).collect();
    let turns = [1i64 << 32, -(1 << 32), 1 << 31, i64::MIN];
    let offsets = turns.map(|turn| around.iter().map(move |offset| turn.wrapping_add(*offset)));
    let offsets: Vec<i64> = offsets.into_iter().flatten().collect();
    check(Space::Global, false, &offsets, &[0, -4, i64::MAX, i64::MIN]);
}

/// The memories of which a space is a view: the global memory, the thread's local memory, the
/// shared memory of the block and of the other blocks of the cluster, the constant banks, and the
/// tensor memory.
fn memories(space: Space) -> &'static str {
    match space {
        Space::Generic => "GLSR",
        Space::Global | Space::Surface | Space::Texture => "G",
        Space::Local => "L",
        Space::Shared => "S",
        Space::SharedCluster => "SR",
        Space::Constant => "C",
        Space::Tensor => "T",
    }
}

const SPACES: [Space; 9] = [
    Space::Generic,
    Space::Local,
    Space::Shared,
    Space::SharedCluster,
    Space::Constant,
    Space::Global,
    Space::Surface,
    Space::Texture,
    Space::Tensor,
];

/// A generic address may be one of local or shared memory, and an address of the cluster one of the
/// own shared memory.
#[test]
fn spaces_alias_where_they_are_views_of_the_same_memory() {
    for a in SPACES {
        for b in SPACES {
            let common = memories(a)
                .chars()
                .any(|memory| memories(b).contains(memory));
            let [left, right] = [a, b].map(|space| Access {
                space: Some(space),
                ..Access::ANY
            });
            let wanted = if common {
                AliasKind::May
            } else {
                AliasKind::None
            };
            assert_eq!(kind(&left, &right), wanted, "{a:?} and {b:?}");
            assert_eq!(kind(&left, &Access::ANY), AliasKind::May, "{a:?} and any");
        }
    }
}

/// The same number is the address of other memory in another space: the generic window of shared
/// memory does not begin at 0.
#[test]
fn offsets_are_not_compared_between_spaces() {
    for (a, b) in [
        (Space::Generic, Space::Local),
        (Space::Generic, Space::Shared),
        (Space::Generic, Space::Global),
        (Space::SharedCluster, Space::Shared),
    ] {
        for offset in [0, 64] {
            let left = access(a, &[ROOT], 0, Some(4), false);
            let right = access(b, &[ROOT], offset, Some(4), false);
            assert_eq!(kind(&left, &right), AliasKind::May, "{a:?} and {b:?}");
        }
    }
}

#[test]
fn offsets_are_not_compared_between_bases() {
    let pairs: [(&[Root], &[Root]); 4] = [
        (&[ROOT], &[Root::Bank(0, 360)]),
        (&[ROOT], &[]),
        (&[ROOT], &[ROOT, ROOT]),
        (&[ROOT], &[Root::Bank(0, 360), ROOT]),
    ];
    for (a, b) in pairs {
        for offset in [0, 64] {
            let left = access(Space::Global, a, 0, Some(4), false);
            let right = access(Space::Global, b, offset, Some(4), false);
            assert_eq!(kind(&left, &right), AliasKind::May, "{a:?} and {b:?}");
        }
    }
    let narrow = access(Space::Global, &[ROOT], 0, Some(4), true);
    let wide = access(Space::Global, &[ROOT], 64, Some(4), false);
    assert_eq!(kind(&narrow, &wide), AliasKind::May, "widths of addresses");
}

#[test]
fn accesses_of_unknown_size_are_never_apart_or_the_same() {
    for (left, right) in [(None, Some(4)), (None, None)] {
        for (offset, wanted) in [(0, AliasKind::Must), (1 << 20, AliasKind::May)] {
            let a = access(Space::Shared, &[ROOT], 0, left, true);
            let b = access(Space::Shared, &[ROOT], offset, right, true);
            assert_eq!(kind(&a, &b), wanted, "at {offset}");
        }
    }
}

#[test]
fn constant_memory_aliases_no_write() {
    let mut constant = access(Space::Global, &[ROOT], 0, Some(4), false);
    constant.writes = false;
    constant.constant = true;
    let mut write = access(Space::Global, &[ROOT], 0, Some(4), false);
    write.reads = false;
    assert_eq!(kind(&constant, &write), AliasKind::None);
    let mut read = write.clone();
    (read.reads, read.writes) = (true, false);
    assert_eq!(kind(&constant, &read), AliasKind::Same);
    assert_eq!(kind(&write, &read), AliasKind::Same);
}

#[test]
fn constant_banks_share_nothing() {
    let bank = |bank| {
        let mut access = access(Space::Constant, &[], 16, Some(4), false);
        access.writes = false;
        if let Some(address) = &mut access.address {
            address.bank = Some(bank);
        }
        access
    };
    assert_eq!(kind(&bank(0), &bank(3)), AliasKind::None);
    assert_eq!(kind(&bank(3), &bank(3)), AliasKind::Same);
}
