//! Reads actions from names and attributes of operations.

use std::ops::Range;

use orison_ir::{Context, Operation};
use orison_ori::keywords::{CacheAction, Format, Keyword, Reduction, Rounding, Shape, Width};
use orison_ori::modifiers::{self, Modifier};
use orison_ori::operations::moves::{AddressOf, Cbank};
use orison_ori::semantics::Computation;
use orison_ori::semantics::number::Direction;

use super::super::Fault;
use super::super::access::Change;
use super::super::matrix::{Fragments, Product};
use super::super::memory::{Space, function_address};
use super::super::program::Names;
use super::super::warp_group::GroupProduct;
use super::{
    Action, Address, Atomic, Barrier, LOP3_TEST, LaneExtremum, Special, Transfer, asynchronous,
    table,
};

/// Reads the attributes of an operation.
pub(super) struct Reader<'a> {
    pub(super) context: &'a Context,
    pub(super) op: Operation,
    pub(super) group: &'a dyn Fn(&str) -> Range<usize>,
}

impl Reader<'_> {
    pub(super) fn word<K: Keyword>(&self, key: &str) -> Option<K> {
        K::from_keyword(self.op.attribute(self.context, key)?.as_str(self.context)?)
    }

    pub(super) fn number(&self, key: &str) -> Option<i64> {
        self.op.attribute(self.context, key)?.as_i64(self.context)
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        self.op.attribute(self.context, key).is_some()
    }

    pub(super) fn operand(&self, group: &str) -> Option<usize> {
        (self.group)(group).next()
    }

    pub(super) fn address(&self) -> Address {
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
            change: self.change()?,
            expected: self.operand("expected"),
        }))
    }

    /// The memory change of an atomic operation.
    pub(super) fn change(&self) -> Option<Change> {
        Some(Change {
            operation: self.word("operation")?,
            kind: self.word("type")?,
            ftz: self.flag("ftz"),
            rounding: match self.word("rounding") {
                None | Some(Rounding::Nearest) => Direction::NearestEven,
                Some(Rounding::Zero) => Direction::Zero,
                Some(Rounding::Down) => Direction::Down,
                Some(Rounding::Up) => Direction::Up,
            },
        })
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
    use crate::warp::memory::{LOCAL_WINDOW, SHARED_WINDOW};
    if let Some(letter) = name.strip_prefix("SR_TID.") {
        return dimension(letter).map(Special::Thread);
    }
    if let Some(letter) = name.strip_prefix("SR_CTAID.") {
        return dimension(letter).map(Special::Block);
    }
    Some(match name {
        "SR_LANEID" => Special::Lane,
        // PTX reads both from bit 8 on (as ptxas 13.0 does).
        "SR_VIRTID" => Special::Warp(8),
        "SR_VIRTCFG" => Special::Warps(8),
        "SR_WARPID" => Special::Warp(0),
        "SR_CgaCtaId" | "SR_CTARANK" => Special::Rank,
        "SR_SMEMSZ" => Special::SharedSize,
        "SR_LTMASK" | "SR_LANEMASK_LT" => Special::LaneMask(|lane| (1 << lane) - 1),
        "SR_LEMASK" | "SR_LANEMASK_LE" => Special::LaneMask(|lane| u32::MAX >> (31 - lane)),
        "SR_GTMASK" | "SR_LANEMASK_GT" => Special::LaneMask(|lane| !(u32::MAX >> (31 - lane))),
        "SR_GEMASK" | "SR_LANEMASK_GE" => Special::LaneMask(|lane| u32::MAX << lane),
        "SR_EQMASK" | "SR_LANEMASK_EQ" => Special::LaneMask(|lane| 1 << lane),
        // The meaning of SR_CgaSize is unknown; the constant bank is laid out for zero.
        "SRZ" | "SR_SMID" | "SR_VIRTUALSMID" | "SR_SWINLO" | "SR_LWINLO" | "SR_CgaSize" => {
            Special::Constant(0)
        }
        "SR_SWINHI" => Special::Constant((SHARED_WINDOW >> 32) as u32),
        "SR_LWINHI" => Special::Constant((LOCAL_WINDOW >> 32) as u32),
        "SR_CLOCKLO" | "SR_CLOCK" | "SR_GLOBALTIMERLO" => Special::Clock,
        "SR_CLOCKHI" | "SR_GLOBALTIMERHI" => Special::ClockHigh,
        _ => return None,
    })
}

/// Bitwise operations, with the operands that must be defined.
fn bitwise(name: &str) -> Option<u32> {
    Some(match name {
        "ori.lop3" | "ori.ulop3" | "ori.plop3" | "ori.uplop3" | "ori.mov" | "ori.umov" => 0,
        "ori.lop3_test" => LOP3_TEST,
        "ori.prmt" | "ori.uprmt" | "ori.shf" | "ori.ushf" => 0b10,
        _ => return None,
    })
}

fn computed(reader: &Reader<'_>, name: &str, computation: Computation) -> Action {
    if let Some(needed) = bitwise(name) {
        return Action::ComputeBits(computation, needed);
    }
    if let Some(with) = reader.operand("with") {
        return Action::Compare { computation, with };
    }
    match name {
        "ori.sel" | "ori.usel" | "ori.fsel" | "ori.ufsel" => Action::Choose(computation),
        _ => Action::Compute(computation),
    }
}

impl Action {
    /// The action of an operation.
    ///
    /// # Errors
    /// Unresolved names. An unsupported operation is a separate action: an error only if reached.
    pub(in crate::warp) fn of(
        context: &Context,
        op: Operation,
        group: &dyn Fn(&str) -> Range<usize>,
        names: &dyn Names,
    ) -> Result<Action, Fault> {
        let name = op.name_text(context);
        let reader = Reader { context, op, group };
        if let Some(why) = table::refused(context, op, group) {
            return Ok(Action::Refused(why));
        }
        if let Some(action) = structural(&reader, name) {
            return Ok(action);
        }
        if let Some(computation) = Computation::of(context, op) {
            return Ok(computed(&reader, name, computation));
        }
        let action = named(&reader, name, names)?
            .or_else(|| memory(&reader, name))
            .or_else(|| stack(&reader, name))
            .or_else(|| asynchronous::copies(&reader, name))
            .or_else(|| asynchronous::bulks(&reader, name))
            .or_else(|| asynchronous::tensor_memory(&reader, name))
            .or_else(|| matrices(&reader, name))
            .or_else(|| of_warp(&reader, name))
            .or_else(|| of_control(&reader, name));
        Ok(action.unwrap_or_else(|| refused(&reader, name)))
    }
}

fn refused(reader: &Reader<'_>, name: &str) -> Action {
    let register = reader.op.attribute(reader.context, "register");
    let register = register.and_then(|text| text.as_str(reader.context));
    let what = register.unwrap_or(name);
    Action::Refused(format!("'{what}' is not modelled by the interpreter"))
}

/// Operations that are not instructions and work on registers of any width.
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
        let message = format!("refers to '{symbol}', which is not {what}");
        Fault::at(reader.context, reader.op, &message)
    };
    match name {
        AddressOf::NAME => {
            let symbol = reader.symbol("symbol").unwrap_or_default();
            let found = names.address(symbol);
            if let (None, Some(function)) = (found, names.function(symbol)) {
                return Ok(Some(Action::Number(function_address(function))));
            }
            let found = found.ok_or_else(|| fail(symbol, "a memory"))?;
            Ok(Some(if names.is_shared(symbol) {
                Action::SharedSymbol(found)
            } else {
                Action::Number(found)
            }))
        }
        "ori.call" => {
            let symbol = reader.symbol("callee").unwrap_or_default();
            let found = names.function(symbol);
            let found = found.ok_or_else(|| fail(symbol, "a function with a body"))?;
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

fn stack(reader: &Reader<'_>, name: &str) -> Option<Action> {
    Some(match name {
        "ori.alloca" => Action::TakeStack {
            alignment: u64::try_from(reader.number("alignment")?).ok()?,
        },
        "ori.stack_save" => Action::StackEnd,
        "ori.stack_restore" => Action::PutStackBack,
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
            exclusive: reader.flag("exclusive"),
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
        // The layout of narrower elements in their bytes is not known well enough.
        "ori.qmma"
            if [left, right]
                .map(|it| it.is_none_or(is_narrow))
                .contains(&true) =>
        {
            None
        }
        "ori.qmma" => product(left, right, reader.word("accumulator")),
        "ori.bmma" => product(Some(Format::B1), Some(Format::B1), Some(Format::S32)),
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

/// Whether elements have fewer than eight bits.
fn is_narrow(format: Format) -> bool {
    matches!(format, Format::E3m2 | Format::E2m3 | Format::E2m1)
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
            // Placeholder: the extents of a warp group's product are kept separately.
            shape: Shape::M16n8k16,
            left: reader.word("left_format")?,
            right: reader.word("right_format")?,
            sum: reader.word("accumulator")?,
            saturate: reader.flag("saturate"),
            exclusive: false,
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
        "ori.credux" => Action::Extremum(LaneExtremum {
            smallest: reader.word("reduction") == Some(Reduction::Min),
            from: reader.word("from")?,
            absolute: reader.flag("absolute"),
            nan_wins: reader.flag("nan_wins"),
        }),
        "ori.mapa" => Action::MapAddress,
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
        "ori.cctl" if reader.word("action") == Some(CacheAction::DiscardLines) => {
            Action::Discard(reader.address())
        }
        // Memory accesses are in order here, and registers suffice.
        "ori.nop"
        | "ori.membar"
        | "ori.errbar"
        | "ori.cgaerrbar"
        | "ori.fence"
        | "ori.cctl"
        | "ori.cctll"
        | "ori.acqbulk"
        | "ori.preexit"
        | "ori.pmtrig"
        | "ori.utmapf"
        | "ori.utmacctl"
        | "ori.ublkpf"
        | "ori.wgmma.fence"
        | "ori.warpgroup.arrive" => Action::Nothing,
        "ori.createpolicy" => Action::Number(0),
        // Registers are unlimited here.
        "ori.setmaxreg" => Action::Succeed,
        "ori.call_indirect" => Action::CallIndirect,
        "ori.cgabar_arrive" => Action::ArriveAtCluster,
        "ori.cgabar_wait" => Action::WaitForCluster,
        _ => return None,
    })
}
