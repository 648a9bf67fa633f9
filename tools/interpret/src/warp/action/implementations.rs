//! The operations with actions of their own: loads and stores, matrices, warps, control flow.

use orison_ir::Context;
use orison_ori::keywords::{
    CacheAction, Format, Reduction, Shape, Signedness, Space as NamedSpace,
};
use orison_ori::modifiers::{self, Modifier};
use orison_ori::operations as ori;

use super::super::Fault;
use super::super::memory::{Space, function_address};
use super::asynchronous::{BULK_COPIES, COPIES, TENSOR_MEMORY};
use super::read::ReadAction::{self, Attributes, Computation, Symbols};
use super::read::{self, Reader, Row};
use super::{Action, Fragments, GroupProduct, LOP3_TEST, LaneExtremum, Names, Product};

/// Attaches how actions are read to the operations of `ori`.
pub(crate) fn register(context: &mut Context) {
    let families = [
        STRUCTURE,
        COMPUTATIONS,
        MEMORY,
        COPIES,
        BULK_COPIES,
        TENSOR_MEMORY,
        MATRICES,
        WARPS,
        CONTROL,
    ];
    for (definition, read) in families.into_iter().flatten() {
        context.attach(definition, *read);
    }
}

/// Operations that are not instructions and work on registers of any width, addresses, calls.
const STRUCTURE: &[Row] = &[
    (
        ori::Undef::DEFINITION,
        Attributes(|_| Some(Action::Undefined)),
    ),
    (
        ori::Concat::DEFINITION,
        Attributes(|_| Some(Action::Concat)),
    ),
    (
        ori::Extract::DEFINITION,
        Attributes(|reader| {
            let word = usize::try_from(reader.number("word")?).ok()?;
            Some(Action::Extract(word))
        }),
    ),
    (
        ori::R2ur::DEFINITION,
        Attributes(|_| Some(Action::FirstLane)),
    ),
    (
        ori::Cbank::DEFINITION,
        Attributes(|reader| {
            let op = ori::Cbank(reader.op);
            Some(Action::ConstantWord {
                bank: usize::try_from(op.bank(reader.context)?).ok()?,
                offset: usize::try_from(op.offset(reader.context)?).ok()?,
            })
        }),
    ),
    (ori::AddressOf::DEFINITION, Symbols(address)),
    (ori::Call::DEFINITION, Symbols(call)),
    (
        ori::Alloca::DEFINITION,
        Attributes(|reader| {
            let alignment = u64::try_from(reader.number("alignment")?).ok()?;
            Some(Action::TakeStack { alignment })
        }),
    ),
    (
        ori::StackSave::DEFINITION,
        Attributes(|_| Some(Action::StackEnd)),
    ),
    (
        ori::StackRestore::DEFINITION,
        Attributes(|_| Some(Action::PutStackBack)),
    ),
];

fn unresolved(reader: &Reader<'_>, symbol: &str, what: &str) -> Fault {
    let message = format!("refers to '{symbol}', which is not {what}");
    Fault::at(reader.context, reader.op, &message)
}

fn address(reader: &Reader<'_>, names: &dyn Names) -> Result<Action, Fault> {
    let symbol = reader.symbol("symbol").unwrap_or_default();
    match (names.address(symbol), names.function(symbol)) {
        (Some(found), _) if names.is_shared(symbol) => Ok(Action::SharedSymbol(found)),
        (Some(found), _) => Ok(Action::Number(found)),
        (None, Some(function)) => Ok(Action::Number(function_address(function))),
        (None, None) => Err(unresolved(reader, symbol, "a memory")),
    }
}

fn call(reader: &Reader<'_>, names: &dyn Names) -> Result<Action, Fault> {
    let symbol = reader.symbol("callee").unwrap_or_default();
    let found = names.function(symbol);
    found
        .map(Action::Call)
        .ok_or_else(|| unresolved(reader, symbol, "a function with a body"))
}

/// Bitwise operations, and selections between two operands.
const COMPUTATIONS: &[Row] = &[
    (ori::Lop3::DEFINITION, BITWISE),
    (ori::Ulop3::DEFINITION, BITWISE),
    (ori::Plop3::DEFINITION, BITWISE),
    (ori::Uplop3::DEFINITION, BITWISE),
    (ori::Mov::DEFINITION, BITWISE),
    (ori::Umov::DEFINITION, BITWISE),
    (
        ori::Lop3Test::DEFINITION,
        Computation(|computation| Action::ComputeBits(computation, LOP3_TEST)),
    ),
    (ori::Prmt::DEFINITION, BITWISE_EXCEPT_SECOND),
    (ori::Uprmt::DEFINITION, BITWISE_EXCEPT_SECOND),
    (ori::Shf::DEFINITION, BITWISE_EXCEPT_SECOND),
    (ori::Ushf::DEFINITION, BITWISE_EXCEPT_SECOND),
    (ori::Sel::DEFINITION, Computation(Action::Choose)),
    (ori::Usel::DEFINITION, Computation(Action::Choose)),
    (ori::Fsel::DEFINITION, Computation(Action::Choose)),
    (ori::Ufsel::DEFINITION, Computation(Action::Choose)),
];

impl Action {
    /// The action of a computation of an operation with a full name; `with` is the operand that the
    /// outcome of a comparison is combined with.
    pub(in crate::warp) fn of_computation(
        name: &str,
        computation: orison_ori::semantics::Computation,
        with: Option<usize>,
    ) -> Action {
        let mut own = COMPUTATIONS.iter();
        match own.find(|(definition, _)| definition.name == name) {
            Some((_, Computation(action))) => action(computation),
            _ => match with {
                Some(with) if !name.ends_with("lop3_test") => Action::Compare { computation, with },
                _ => Action::Compute(computation),
            },
        }
    }
}

const BITWISE: ReadAction = Computation(|computation| Action::ComputeBits(computation, 0));
/// The second operand, a permutation or an amount, must be defined.
const BITWISE_EXCEPT_SECOND: ReadAction =
    Computation(|computation| Action::ComputeBits(computation, 0b10));

/// Loads, stores, atomic operations.
const MEMORY: &[Row] = &[
    (
        ori::Ldg::DEFINITION,
        Attributes(|reader| load(reader, Space::Global)),
    ),
    (
        ori::Ld::DEFINITION,
        Attributes(|reader| load(reader, Space::Generic)),
    ),
    (
        ori::Lds::DEFINITION,
        Attributes(|reader| load(reader, Space::Shared)),
    ),
    (
        ori::Ldl::DEFINITION,
        Attributes(|reader| load(reader, Space::Local)),
    ),
    (ori::Ldc::DEFINITION, Attributes(load_constant)),
    (ori::Uldc::DEFINITION, Attributes(load_constant)),
    (ori::Ldcu::DEFINITION, Attributes(load_constant)),
    (
        ori::Stg::DEFINITION,
        Attributes(|reader| store(reader, Space::Global)),
    ),
    (
        ori::St::DEFINITION,
        Attributes(|reader| store(reader, Space::Generic)),
    ),
    (
        ori::Sts::DEFINITION,
        Attributes(|reader| store(reader, Space::Shared)),
    ),
    (
        ori::Stl::DEFINITION,
        Attributes(|reader| store(reader, Space::Local)),
    ),
    (
        ori::Atom::DEFINITION,
        Attributes(|reader| reader.atomic(Space::Generic)),
    ),
    (
        ori::Red::DEFINITION,
        Attributes(|reader| reader.atomic(Space::Generic)),
    ),
    (
        ori::Atomg::DEFINITION,
        Attributes(|reader| reader.atomic(Space::Global)),
    ),
    (
        ori::Redg::DEFINITION,
        Attributes(|reader| reader.atomic(Space::Global)),
    ),
    (
        ori::Atoms::DEFINITION,
        Attributes(|reader| reader.atomic(Space::Shared)),
    ),
    (
        ori::Qspc::DEFINITION,
        Attributes(|reader| {
            Some(Action::InWindow(match reader.word("space")? {
                NamedSpace::Global => Space::Global,
                NamedSpace::Shared => Space::Shared,
                NamedSpace::Local => Space::Local,
                NamedSpace::Constant => Space::Constant(3),
            }))
        }),
    ),
];

fn load(reader: &Reader<'_>, space: Space) -> Option<Action> {
    Some(Action::Load(reader.transfer(space)))
}

fn load_constant(reader: &Reader<'_>) -> Option<Action> {
    let bank = reader.number("bank").unwrap_or(0);
    load(reader, Space::Constant(usize::try_from(bank).unwrap_or(0)))
}

fn store(reader: &Reader<'_>, space: Space) -> Option<Action> {
    Some(Action::Store(reader.transfer(space)))
}

/// Products of matrices, and their fragments.
const MATRICES: &[Row] = &[
    (
        ori::Hmma::DEFINITION,
        Attributes(|reader| {
            let from = reader.word("from");
            product(reader, [from, from, reader.word("accumulator")])
        }),
    ),
    (
        ori::Imma::DEFINITION,
        Attributes(|reader| {
            let [left, right] = operand_formats(reader);
            product(reader, [left, right, Some(Format::S32)])
        }),
    ),
    (ori::Qmma::DEFINITION, Attributes(product_of_bytes)),
    (
        ori::Bmma::DEFINITION,
        Attributes(|reader| product(reader, [Format::B1, Format::B1, Format::S32].map(Some))),
    ),
    (
        ori::Dmma::DEFINITION,
        Attributes(|reader| product(reader, [Some(Format::F64); 3])),
    ),
    (
        ori::Ldsm::DEFINITION,
        Attributes(|reader| Some(fragments(reader, None))),
    ),
    (
        ori::Stsm::DEFINITION,
        Attributes(|reader| Some(fragments(reader, reader.operand("value")))),
    ),
    (
        ori::Movm::DEFINITION,
        Attributes(|_| Some(Action::Transpose)),
    ),
    (ori::WgmmaMma::DEFINITION, Attributes(group_product)),
    (
        ori::WgmmaCommit::DEFINITION,
        Attributes(|_| Some(Action::CloseProducts)),
    ),
    (
        ori::WarpgroupCommit::DEFINITION,
        Attributes(|_| Some(Action::CloseProducts)),
    ),
    (ori::WgmmaWait::DEFINITION, Attributes(wait_for_products)),
    (
        ori::WarpgroupWait::DEFINITION,
        Attributes(wait_for_products),
    ),
];

/// The product of fragments with elements of these formats: left, right, sum.
fn product(reader: &Reader<'_>, [left, right, sum]: [Option<Format>; 3]) -> Option<Action> {
    Some(Action::Product(Product {
        shape: reader.word("shape")?,
        left: left?,
        right: right?,
        sum: sum?,
        saturate: reader.flag("saturate"),
        exclusive: reader.flag("exclusive"),
    }))
}

fn operand_formats(reader: &Reader<'_>) -> [Option<Format>; 2] {
    [reader.word("left_format"), reader.word("right_format")]
}

/// The layout of elements with fewer than eight bits in their bytes is not known well enough.
fn product_of_bytes(reader: &Reader<'_>) -> Option<Action> {
    let formats = operand_formats(reader);
    let narrow = [Format::E3m2, Format::E2m3, Format::E2m1];
    if formats
        .iter()
        .flatten()
        .any(|format| narrow.contains(format))
    {
        return None;
    }
    let [left, right] = formats;
    product(reader, [left, right, reader.word("accumulator")])
}

fn fragments(reader: &Reader<'_>, value: Option<usize>) -> Action {
    Action::Fragments(Fragments {
        address: reader.address(),
        transposed: reader.flag("transposed"),
        value,
    })
}

fn wait_for_products(reader: &Reader<'_>) -> Option<Action> {
    let count = u32::try_from(reader.number("count")?).ok()?;
    Some(Action::WaitForProducts(count))
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

/// Operations of a warp: special registers, exchange between lanes, reconvergence.
const WARPS: &[Row] = &[
    (ori::S2r::DEFINITION, Attributes(read::special_register)),
    (ori::S2ur::DEFINITION, Attributes(read::special_register)),
    (ori::Cs2r::DEFINITION, Attributes(read::special_register)),
    (ori::Cs2ur::DEFINITION, Attributes(read::special_register)),
    (
        ori::Shfl::DEFINITION,
        Attributes(|reader| Some(Action::Shuffle(reader.word("shuffle")?))),
    ),
    (ori::Vote::DEFINITION, Attributes(vote)),
    (ori::Voteu::DEFINITION, Attributes(vote)),
    (
        ori::Match::DEFINITION,
        Attributes(|reader| Some(Action::Match(reader.word("match")?))),
    ),
    (
        ori::Redux::DEFINITION,
        Attributes(|reader| {
            Some(Action::Reduce {
                reduction: reader.word("reduction")?,
                signed: reader.word("signedness") == Some(Signedness::Signed),
            })
        }),
    ),
    (
        ori::Credux::DEFINITION,
        Attributes(|reader| {
            Some(Action::Extremum(LaneExtremum {
                smallest: reader.word("reduction") == Some(Reduction::Min),
                from: reader.word("from")?,
                absolute: reader.flag("absolute"),
                nan_wins: reader.flag("nan_wins"),
            }))
        }),
    ),
    (
        ori::Mapa::DEFINITION,
        Attributes(|_| Some(Action::MapAddress)),
    ),
    (
        ori::Elect::DEFINITION,
        Attributes(|reader| {
            Some(Action::Elect {
                mask: reader.operand("mask"),
            })
        }),
    ),
    (ori::Bar::DEFINITION, Attributes(read::barrier)),
    (
        ori::Warpsync::DEFINITION,
        Attributes(|reader| {
            Some(Action::Gather {
                mask: reader.operand("mask"),
                barrier: false,
            })
        }),
    ),
    (
        ori::Bsync::DEFINITION,
        Attributes(|reader| {
            Some(Action::Gather {
                mask: reader.operand("barrier"),
                barrier: true,
            })
        }),
    ),
    (
        ori::Bssy::DEFINITION,
        Attributes(|_| Some(Action::BeginRegion)),
    ),
    (
        ori::Break::DEFINITION,
        Attributes(|_| Some(Action::LeaveRegion)),
    ),
    (
        ori::CgabarArrive::DEFINITION,
        Attributes(|_| Some(Action::ArriveAtCluster)),
    ),
    (
        ori::CgabarWait::DEFINITION,
        Attributes(|_| Some(Action::WaitForCluster)),
    ),
];

fn vote(reader: &Reader<'_>) -> Option<Action> {
    Some(Action::Vote(reader.word("vote")?))
}

/// Memory accesses are in order here, registers suffice, and there are no caches.
const NOTHING: ReadAction = Attributes(|_| Some(Action::Nothing));

/// Control flow, and operations that only affect time or order.
const CONTROL: &[Row] = &[
    (ori::Bra::DEFINITION, Attributes(|_| Some(Action::Jump))),
    (
        ori::CondBra::DEFINITION,
        Attributes(|reader| {
            Some(Action::Branch {
                inverted: reader.flag("inverted"),
            })
        }),
    ),
    (ori::Brx::DEFINITION, Attributes(|_| Some(Action::Indexed))),
    (ori::Exit::DEFINITION, Attributes(|_| Some(Action::Exit))),
    (ori::Kill::DEFINITION, Attributes(|_| Some(Action::Exit))),
    (
        ori::ExitIf::DEFINITION,
        Attributes(|reader| {
            Some(Action::ExitWhere {
                inverted: reader.flag("inverted"),
            })
        }),
    ),
    (ori::Ret::DEFINITION, Attributes(|_| Some(Action::Return))),
    (
        ori::CallIndirect::DEFINITION,
        Attributes(|_| Some(Action::CallIndirect)),
    ),
    (ori::Bpt::DEFINITION, Attributes(|_| Some(Action::Trap))),
    (
        ori::Nanosleep::DEFINITION,
        Attributes(|_| Some(Action::Pause)),
    ),
    (ori::Yield::DEFINITION, Attributes(|_| Some(Action::Pause))),
    (ori::Cctl::DEFINITION, Attributes(control_cache)),
    (ori::Nop::DEFINITION, NOTHING),
    (ori::Membar::DEFINITION, NOTHING),
    (ori::Errbar::DEFINITION, NOTHING),
    (ori::Cgaerrbar::DEFINITION, NOTHING),
    (ori::Fence::DEFINITION, NOTHING),
    (ori::Cctll::DEFINITION, NOTHING),
    (ori::Acqbulk::DEFINITION, NOTHING),
    (ori::Preexit::DEFINITION, NOTHING),
    (ori::Pmtrig::DEFINITION, NOTHING),
    (ori::Utmapf::DEFINITION, NOTHING),
    (ori::Utmacctl::DEFINITION, NOTHING),
    (ori::Ublkpf::DEFINITION, NOTHING),
    (
        ori::WgmmaFence::DEFINITION,
        Attributes(|_| Some(Action::FenceProducts)),
    ),
    (
        ori::WarpgroupArrive::DEFINITION,
        Attributes(|_| Some(Action::FenceProducts)),
    ),
    (
        ori::Createpolicy::DEFINITION,
        Attributes(|_| Some(Action::Number(0))),
    ),
    // Registers are unlimited here.
    (
        ori::Setmaxreg::DEFINITION,
        Attributes(|_| Some(Action::Succeed)),
    ),
];

fn control_cache(reader: &Reader<'_>) -> Option<Action> {
    let discards = reader.word("action") == Some(CacheAction::DiscardLines);
    Some(match discards {
        true => Action::Discard(reader.address()),
        false => Action::Nothing,
    })
}
