//! In which iterations of a loop two accesses overlap.

use super::{Affine, Loop, LoopInductions};
use crate::analyses::linear::LinearForm;
use crate::analyses::memory::{self, Access, AliasKind};

/// The numbers of iterations from one access to another one that may overlap it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Distance {
    /// They never overlap.
    Never,
    /// They overlap only if the second is executed at least as many iterations after the first as
    /// the first number says, and at most as many as the second one.
    Between(i64, i64),
    /// They may overlap in any iterations.
    Any,
}

/// An access as a function of the iteration in which it is executed.
#[derive(Clone, Debug)]
pub struct MovingAccess {
    access: Access,
    /// The address, if it is affine.
    address: Option<Affine>,
}

impl MovingAccess {
    /// An access in a loop, not in one nested in it.
    pub fn in_loop(around: &Loop<'_>, inductions: &LoopInductions, access: Access) -> Self {
        let address = access.address.as_ref();
        let address = address.and_then(|address| inductions.affine(around, &address.sum));
        MovingAccess { access, address }
    }

    /// An access outside of loops: the same in all iterations.
    pub fn still(access: Access) -> Self {
        let address = access.address.as_ref().map(|address| Affine {
            start: address.sum.clone(),
            step: LinearForm::constant(0, address.sum.is_wide()),
        });
        MovingAccess { access, address }
    }

    /// Whether it writes.
    pub fn writes(&self) -> bool {
        self.access.writes
    }

    /// In which iterations the access overlaps another one, of the same loop or of a loop that
    /// follows; iterations of each are counted from 0.
    ///
    /// A counter that steps through an address space does not come back to the same bytes by
    /// wrapping around: accesses to all of it would fault before.
    pub fn distance_to(&self, other: &MovingAccess) -> Distance {
        // Without addresses: what holds for the spaces holds in all iterations.
        let [anywhere, elsewhere] = [self, other].map(|one| Access {
            address: None,
            ..one.access.clone()
        });
        if memory::alias(&anywhere, &elsewhere).kind == AliasKind::None {
            return Distance::Never;
        }
        let (Some(a), Some(b)) = (&self.address, &other.address) else {
            return Distance::Any;
        };
        if self.access.space != other.access.space {
            return Distance::Any;
        }
        let [bank, other_bank] = [self, other].map(|one| one.access.address.as_ref()?.bank);
        if bank != other_bank || memory::apart(&a.start, &b.start).is_some() {
            return Distance::Never;
        }
        let sizes = (self.access.bytes, other.access.bytes);
        between(a, b, sizes).unwrap_or(Distance::Any)
    }
}

/// In which iterations of a loop two accesses overlap. Both are executed in the loop, not in one
/// nested in it.
pub fn distance(
    around: &Loop<'_>,
    inductions: &LoopInductions,
    first: &Access,
    second: &Access,
) -> Distance {
    let [first, second] =
        [first, second].map(|one| MovingAccess::in_loop(around, inductions, one.clone()));
    first.distance_to(&second)
}

/// The distances at which two affine addresses overlap; `None` if their difference is not a
/// constant.
fn between(a: &Affine, b: &Affine, sizes: (Option<u64>, Option<u64>)) -> Option<Distance> {
    if a.start.terms() != b.start.terms() || a.start.is_wide() != b.start.is_wide() {
        return None;
    }
    let mut apart = b.start.clone();
    apart.add(&a.start, -1);
    let apart = i128::from(apart.as_constant()?);
    let (first, second) = (i128::from(sizes.0?), i128::from(sizes.1?));
    // The bytes overlap if the second address minus the first one is in this range.
    let (low, high) = (1 - second, first - 1);
    let steps = [&a.step, &b.step].map(|step| step.as_constant().map(i128::from));
    let (Some(a_step), Some(b_step)) = (steps[0], steps[1]) else {
        let still = a.step == b.step;
        return still.then_some(Distance::Any);
    };
    if a_step != b_step {
        // What differs in any iterations is a multiple of the common divisor.
        let divisor = gcd(a_step, b_step);
        let first = low + (apart - low).rem_euclid(divisor);
        return Some(any_if(first <= high));
    }
    if a_step == 0 {
        return Some(any_if(low <= apart && apart <= high));
    }
    let ends = [low - apart, high - apart];
    let [near, far] = if a_step > 0 { ends } else { [ends[1], ends[0]] };
    let (least, most) = (ceiling(near, a_step), floor(far, a_step));
    if least > most {
        return Some(Distance::Never);
    }
    let number = |n: i128| i64::try_from(n).ok();
    Some(Distance::Between(number(least)?, number(most)?))
}

/// Any distance, or none.
fn any_if(overlap: bool) -> Distance {
    match overlap {
        true => Distance::Any,
        false => Distance::Never,
    }
}

fn floor(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    quotient - i128::from(a % b != 0 && (a < 0) != (b < 0))
}

fn ceiling(a: i128, b: i128) -> i128 {
    -floor(-a, b)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
