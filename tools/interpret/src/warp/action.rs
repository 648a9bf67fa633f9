//! What an operation does, as read from its name and attributes.

use std::ops::Range;

use orison_ir::{Context, Operation};
use orison_ori::keywords::{
    AtomicOperation, AtomicType, BarrierMode, BarrierReduction, Format, Keyword, MatchMode,
    Reduction, Shape, ShuffleMode, VoteMode, Width,
};
use orison_ori::modifiers::{self, Modifier};
use orison_ori::operations::moves::{AddressOf, Cbank};
use orison_ori::semantics::Computation;

use super::Fault;
use super::copies::Copy;
use super::matrix::{Fragments, Product};
use super::mbarriers::{Arrival, BulkCopy, OnMbarrier};
use super::memory::Space;
use super::program::Names;
use super::warp_group::GroupProduct;

/// The parts of an address: numbers of operands, and a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) base: Option<usize>,
    pub(super) uniform: Option<usize>,
    pub(super) offset: i64,
}

/// A special register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Special {
    /// Of the thread in its CTA, by dimension.
    Thread(usize),
    /// Of the CTA in the grid, by dimension.
    Block(usize),
    Lane,
    Warp,
    /// Lanes below, at or below, above, at or above, or the one of this lane.
    LaneMask(fn(u32) -> u32),
    /// A number that is the same for all threads.
    Constant(u32),
    /// Steps so far; the high word of them.
    Clock,
    ClockHigh,
}

/// How bytes move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub(super) space: Space,
    pub(super) address: Address,
    pub(super) width: Width,
    /// The operand that is stored, or is an atomic operation's.
    pub(super) value: usize,
}

/// What an atomic operation does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atomic {
    pub(super) transfer: Transfer,
    pub(super) operation: AtomicOperation,
    pub(super) kind: AtomicType,
    pub(super) expected: Option<usize>,
    pub(super) ftz: bool,
}

/// What a CTA barrier does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Barrier {
    pub(super) mode: BarrierMode,
    pub(super) index: Result<u32, usize>,
    pub(super) threads: Option<usize>,
    pub(super) predicate: Option<usize>,
    pub(super) reduction: Option<BarrierReduction>,
}

/// What an operation does.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Computes results from operands, lane by lane.
    Compute(Computation),
    /// As `Compute`, bit by bit in all operands but some: what decides no bit may have no value.
    /// The bits of the number are operands that must have one.
    ComputeBits(Computation, u32),
    /// Chooses between the first two operands.
    Choose(Computation),
    Concat,
    Extract(usize),
    Undefined,
    ConstantWord {
        bank: usize,
        offset: usize,
    },
    Special(Special),
    Number(u64),
    Load(Transfer),
    Store(Transfer),
    Atomic(Atomic),
    /// Which window an address lies in.
    InWindow(Space),
    Shuffle(ShuffleMode),
    Vote(VoteMode),
    Match(MatchMode),
    Reduce {
        reduction: Reduction,
        signed: bool,
    },
    Elect {
        mask: Option<usize>,
    },
    /// The value of the first active lane, in all lanes.
    FirstLane,
    Barrier(Barrier),
    /// A copy from global to shared memory that goes on.
    Copy(Copy),
    /// Closes a group of copies.
    CloseGroup,
    /// Waits until at most so many groups of copies are open.
    WaitForGroups(usize),
    Product(Product),
    Fragments(Fragments),
    Transpose,
    GroupProduct(GroupProduct),
    OnMbarrier(OnMbarrier),
    Arrive(Arrival),
    /// Waits for a phase of an mbarrier, unless it is a test.
    WaitForPhase {
        address: Address,
        phase: usize,
        test: bool,
    },
    BulkCopy(BulkCopy),
    WaitForBulks,
    CloseProducts,
    WaitForProducts(u32),
    /// Waits for lanes of the warp.
    Gather {
        mask: Option<usize>,
        barrier: bool,
    },
    /// Begins a region at whose end lanes meet.
    BeginRegion,
    LeaveRegion,
    Nothing,
    /// Lets others go on.
    Pause,
    Jump,
    Branch {
        inverted: bool,
    },
    Indexed,
    Exit,
    ExitWhere {
        inverted: bool,
    },
    Call(usize),
    Return,
    Trap,
    /// Stops: the words say why.
    Unmodelled(String),
}

/// Reads the attributes of an operation.
struct Reader<'a> {
    context: &'a Context,
    op: Operation,
    group: &'a dyn Fn(&str) -> Range<usize>,
}

impl Reader<'_> {
    fn word<K: Keyword>(&self, key: &str) -> Option<K> {
        K::from_keyword(self.op.attribute(self.context, key)?.as_str(self.context)?)
    }

    fn number(&self, key: &str) -> Option<i64> {
        self.op.attribute(self.context, key)?.as_i64(self.context)
    }

    fn flag(&self, key: &str) -> bool {
        self.op.attribute(self.context, key).is_some()
    }

    fn operand(&self, group: &str) -> Option<usize> {
        (self.group)(group).next()
    }

    fn address(&self) -> Address {
        Address {
            base: self.operand("base"),
            uniform: self.operand("uniform"),
            offset: self.number("offset").unwrap_or(0),
        }
    }

    fn transfer(&self, space: Space) -> Transfer {
        Transfer {
            space,
            address: self.address(),
            width: self.word("width").unwrap_or(Width::B32),
            value: self.operand("value").unwrap_or(0),
        }
    }

    fn constant_transfer(&self) -> Transfer {
        let bank = self.number("bank").unwrap_or(0);
        self.transfer(Space::Constant(usize::try_from(bank).unwrap_or(0)))
    }

    fn atomic(&self, space: Space) -> Option<Action> {
        Some(Action::Atomic(Atomic {
            transfer: self.transfer(space),
            operation: self.word("operation")?,
            kind: self.word("type")?,
            expected: self.operand("expected"),
            ftz: self.flag("ftz"),
        }))
    }

    fn barrier(&self) -> Option<Action> {
        let index = match self.number("index") {
            Some(index) => Ok(u32::try_from(index).ok()?),
            None => Err(self.operand("barrier")?),
        };
        Some(Action::Barrier(Barrier {
            mode: self.word("mode")?,
            index,
            threads: self.operand("threads"),
            predicate: self.operand("predicate"),
            reduction: self.word("barrier_reduction"),
        }))
    }

    fn special(&self) -> Option<Action> {
        let name = self.op.attribute(self.context, "register")?;
        special(name.as_str(self.context)?).map(Action::Special)
    }

    fn symbol<'s>(&'s self, key: &str) -> Option<&'s str> {
        self.op
            .attribute(self.context, key)?
            .as_symbol(self.context)
    }
}

fn dimension(letter: &str) -> Option<usize> {
    ["X", "Y", "Z"].iter().position(|known| *known == letter)
}

fn special(name: &str) -> Option<Special> {
    use super::memory::{LOCAL_WINDOW, SHARED_WINDOW};
    if let Some(letter) = name.strip_prefix("SR_TID.") {
        return dimension(letter).map(Special::Thread);
    }
    if let Some(letter) = name.strip_prefix("SR_CTAID.") {
        return dimension(letter).map(Special::Block);
    }
    Some(match name {
        "SR_LANEID" => Special::Lane,
        "SR_VIRTID" | "SR_WARPID" => Special::Warp,
        "SR_LTMASK" | "SR_LANEMASK_LT" => Special::LaneMask(|lane| (1 << lane) - 1),
        "SR_LEMASK" | "SR_LANEMASK_LE" => Special::LaneMask(|lane| u32::MAX >> (31 - lane)),
        "SR_GTMASK" | "SR_LANEMASK_GT" => Special::LaneMask(|lane| !(u32::MAX >> (31 - lane))),
        "SR_GEMASK" | "SR_LANEMASK_GE" => Special::LaneMask(|lane| u32::MAX << lane),
        "SR_EQMASK" | "SR_LANEMASK_EQ" => Special::LaneMask(|lane| 1 << lane),
        "SRZ" | "SR_SMID" | "SR_CgaCtaId" | "SR_CTARANK" | "SR_SWINLO" | "SR_LWINLO" => {
            Special::Constant(0)
        }
        "SR_SWINHI" => Special::Constant((SHARED_WINDOW >> 32) as u32),
        "SR_LWINHI" => Special::Constant((LOCAL_WINDOW >> 32) as u32),
        "SR_CLOCKLO" | "SR_CLOCK" | "SR_GLOBALTIMERLO" => Special::Clock,
        "SR_CLOCKHI" | "SR_GLOBALTIMERHI" => Special::ClockHigh,
        _ => return None,
    })
}

/// Operations that compute bit by bit, with the operands that must have a value.
fn bitwise(name: &str) -> Option<u32> {
    Some(match name {
        "ori.lop3" | "ori.ulop3" | "ori.plop3" | "ori.uplop3" => 0,
        "ori.prmt" | "ori.uprmt" | "ori.shf" | "ori.ushf" => 0b10,
        _ => return None,
    })
}

fn computed(name: &str, computation: Computation) -> Action {
    if let Some(needed) = bitwise(name) {
        return Action::ComputeBits(computation, needed);
    }
    match name {
        "ori.sel" | "ori.usel" | "ori.fsel" | "ori.ufsel" => Action::Choose(computation),
        _ => Action::Compute(computation),
    }
}

impl Action {
    /// What an operation does.
    ///
    /// # Errors
    /// Names that stand for nothing. An operation that is not modelled is an action of its own, an
    /// error only when it is reached.
    pub(super) fn of(
        context: &Context,
        op: Operation,
        group: &dyn Fn(&str) -> Range<usize>,
        names: &dyn Names,
    ) -> Result<Action, Fault> {
        let name = op.name_text(context);
        let reader = Reader { context, op, group };
        if let Some(action) = structural(&reader, name) {
            return Ok(action);
        }
        if let Some(computation) = Computation::of(context, op) {
            return Ok(computed(name, computation));
        }
        let action = named(&reader, name, names)?
            .or_else(|| memory(&reader, name))
            .or_else(|| copies(&reader, name))
            .or_else(|| matrices(&reader, name))
            .or_else(|| of_warp(&reader, name))
            .or_else(|| of_control(&reader, name));
        Ok(action.unwrap_or_else(|| unmodelled(&reader, name)))
    }
}

fn unmodelled(reader: &Reader<'_>, name: &str) -> Action {
    let text = |key: &str| {
        let text = reader.op.attribute(reader.context, key);
        text.and_then(|text| text.as_str(reader.context))
    };
    let what = text("mnemonic")
        .or_else(|| text("register"))
        .unwrap_or(name);
    Action::Unmodelled(what.to_owned())
}

/// What stands for no instruction, and is as wide as registers are.
fn structural(reader: &Reader<'_>, name: &str) -> Option<Action> {
    Some(match name {
        "ori.undef" => Action::Undefined,
        "ori.concat" => Action::Concat,
        "ori.extract" => Action::Extract(usize::try_from(reader.number("word")?).ok()?),
        "ori.r2ur" => Action::FirstLane,
        "ori.cbank" => {
            let op = Cbank(reader.op);
            Action::ConstantWord {
                bank: usize::try_from(op.bank(reader.context)?).ok()?,
                offset: usize::try_from(op.offset(reader.context)?).ok()?,
            }
        }
        _ => return None,
    })
}

fn named(reader: &Reader<'_>, name: &str, names: &dyn Names) -> Result<Option<Action>, Fault> {
    let fail = |symbol: &str, what: &str| {
        let message = format!("names '{symbol}', which is no {what}");
        Fault::at(reader.context, reader.op, &message)
    };
    match name {
        AddressOf::NAME => {
            let symbol = reader.symbol("symbol").unwrap_or_default();
            let found = names.address(symbol);
            let found = found.ok_or_else(|| fail(symbol, "memory"))?;
            Ok(Some(Action::Number(found)))
        }
        "ori.call" => {
            let symbol = reader.symbol("callee").unwrap_or_default();
            let found = names.function(symbol);
            let found = found.ok_or_else(|| fail(symbol, "function with a body"))?;
            Ok(Some(Action::Call(found)))
        }
        _ => Ok(None),
    }
}

fn memory(reader: &Reader<'_>, name: &str) -> Option<Action> {
    Some(match name {
        "ori.ldg" => Action::Load(reader.transfer(Space::Global)),
        "ori.ld" => Action::Load(reader.transfer(Space::Generic)),
        "ori.lds" => Action::Load(reader.transfer(Space::Shared)),
        "ori.ldl" => Action::Load(reader.transfer(Space::Local)),
        "ori.ldc" | "ori.uldc" | "ori.ldcu" => Action::Load(reader.constant_transfer()),
        "ori.stg" => Action::Store(reader.transfer(Space::Global)),
        "ori.st" => Action::Store(reader.transfer(Space::Generic)),
        "ori.sts" => Action::Store(reader.transfer(Space::Shared)),
        "ori.stl" => Action::Store(reader.transfer(Space::Local)),
        "ori.atom" | "ori.red" => reader.atomic(Space::Generic)?,
        "ori.atomg" | "ori.redg" => reader.atomic(Space::Global)?,
        "ori.atoms" => reader.atomic(Space::Shared)?,
        "ori.qspc" => {
            use orison_ori::keywords::Space as Named;
            Action::InWindow(match reader.word("space")? {
                Named::Global => Space::Global,
                Named::Shared => Space::Shared,
                Named::Local => Space::Local,
                Named::Constant => Space::Constant(3),
            })
        }
        _ => return None,
    })
}

fn copies(reader: &Reader<'_>, name: &str) -> Option<Action> {
    Some(match name {
        "ori.ldgsts" => Action::Copy(Copy {
            shared: Address {
                base: reader.operand("shared_base"),
                uniform: reader.operand("shared_uniform"),
                offset: reader.number("shared_offset").unwrap_or(0),
            },
            global: reader.address(),
            width: reader.word("width").unwrap_or(Width::B32),
            size: reader.operand("size"),
        }),
        "ori.ldgdepbar" => Action::CloseGroup,
        "ori.depbar" => Action::WaitForGroups(usize::try_from(reader.number("count")?).ok()?),
        "ori.syncs" => Action::OnMbarrier(OnMbarrier {
            action: reader.word("mbarrier")?,
            address: reader.address(),
            count: reader.operand("count"),
        }),
        "ori.syncs_arrive" if !reader.flag("remote") => Action::Arrive(Arrival {
            address: reader.address(),
            count: reader.operand("count"),
            expect: reader.operand("expect"),
            drops: reader.flag("drops"),
        }),
        "ori.syncs_try_wait" => Action::WaitForPhase {
            address: reader.address(),
            phase: reader.operand("phase")?,
            test: reader.flag("test"),
        },
        "ori.ublkcp" if reader.operand("multicast").is_none() => Action::BulkCopy(BulkCopy {
            destination: reader.operand("destination")?,
            source: reader.operand("source")?,
            size: reader.operand("size")?,
            barrier: reader.operand("barrier"),
        }),
        "ori.utmacmdflush" => Action::Nothing,
        "ori.bulk_wait" => Action::WaitForBulks,
        _ => return None,
    })
}

fn matrices(reader: &Reader<'_>, name: &str) -> Option<Action> {
    let product = |left: Option<Format>, right: Option<Format>, sum: Option<Format>| {
        Some(Action::Product(Product {
            shape: reader.word("shape")?,
            left: left?,
            right: right?,
            sum: sum?,
            saturate: reader.flag("saturate"),
        }))
    };
    let fragments = |value| {
        Action::Fragments(Fragments {
            address: reader.address(),
            transposed: reader.flag("transposed"),
            value,
        })
    };
    let from = reader.word("from");
    let (left, right) = (reader.word("left_format"), reader.word("right_format"));
    match name {
        "ori.hmma" => product(from, from, reader.word("accumulator")),
        "ori.imma" => product(left, right, Some(Format::S32)),
        "ori.qmma" => product(left, right, reader.word("accumulator")),
        "ori.dmma" => product(Some(Format::F64), Some(Format::F64), Some(Format::F64)),
        "ori.ldsm" => Some(fragments(None)),
        "ori.stsm" => Some(fragments(reader.operand("value"))),
        "ori.movm" => Some(Action::Transpose),
        "ori.wgmma.mma" => group_product(reader),
        "ori.wgmma.commit" | "ori.warpgroup.commit" => Some(Action::CloseProducts),
        "ori.wgmma.wait" | "ori.warpgroup.wait" => {
            let count = u32::try_from(reader.number("count")?).ok()?;
            Some(Action::WaitForProducts(count))
        }
        _ => None,
    }
}

fn group_product(reader: &Reader<'_>) -> Option<Action> {
    let negated = |group: &str| {
        let operand = reader.operand(group);
        operand.is_some_and(|operand| {
            modifiers::of_operand(reader.context, reader.op, operand).contains(Modifier::Negate)
        })
    };
    let number = |key| usize::try_from(reader.number(key)?).ok();
    Some(Action::GroupProduct(GroupProduct {
        product: Product {
            // The extents of a group's product are its own.
            shape: Shape::M16n8k16,
            left: reader.word("left_format")?,
            right: reader.word("right_format")?,
            sum: reader.word("accumulator")?,
            saturate: reader.flag("saturate"),
        },
        columns: number("columns")?,
        depth: number("depth")?,
        negated: [negated("a"), negated("b")],
        transposed: [
            reader.flag("transpose_left"),
            reader.flag("transpose_right"),
        ],
        accumulator: reader.operand("accumulator"),
        scale: reader.operand("scale"),
    }))
}

fn of_warp(reader: &Reader<'_>, name: &str) -> Option<Action> {
    Some(match name {
        "ori.s2r" | "ori.s2ur" | "ori.cs2r" | "ori.cs2ur" => reader.special()?,
        "ori.shfl" => Action::Shuffle(reader.word("shuffle")?),
        "ori.vote" | "ori.voteu" => Action::Vote(reader.word("vote")?),
        "ori.match" => Action::Match(reader.word("match")?),
        "ori.redux" => Action::Reduce {
            reduction: reader.word("reduction")?,
            signed: matches!(
                reader.word("signedness"),
                Some(orison_ori::keywords::Signedness::Signed)
            ),
        },
        "ori.elect" => Action::Elect {
            mask: reader.operand("mask"),
        },
        "ori.bar" => reader.barrier()?,
        "ori.warpsync" => Action::Gather {
            mask: reader.operand("mask"),
            barrier: false,
        },
        "ori.bsync" => Action::Gather {
            mask: reader.operand("barrier"),
            barrier: true,
        },
        "ori.bssy" => Action::BeginRegion,
        "ori.break" => Action::LeaveRegion,
        _ => return None,
    })
}

fn of_control(reader: &Reader<'_>, name: &str) -> Option<Action> {
    let inverted = reader.flag("inverted");
    Some(match name {
        "ori.bra" => Action::Jump,
        "ori.cond_bra" => Action::Branch { inverted },
        "ori.brx" => Action::Indexed,
        "ori.exit" | "ori.kill" => Action::Exit,
        "ori.exit_if" => Action::ExitWhere { inverted },
        "ori.ret" => Action::Return,
        "ori.bpt" => Action::Trap,
        "ori.nanosleep" | "ori.yield" => Action::Pause,
        // Memory is in order here, and registers are enough.
        "ori.nop"
        | "ori.membar"
        | "ori.errbar"
        | "ori.cgaerrbar"
        | "ori.fence"
        | "ori.cctl"
        | "ori.cctll"
        | "ori.utmapf"
        | "ori.utmacctl"
        | "ori.ublkpf"
        | "ori.wgmma.fence"
        | "ori.warpgroup.arrive" => Action::Nothing,
        "ori.createpolicy" => Action::Number(0),
        "ori.setmaxreg" if results_are_absent(reader) => Action::Nothing,
        _ => return None,
    })
}

fn results_are_absent(reader: &Reader<'_>) -> bool {
    reader.op.result_count(reader.context) == 0
}
