//! Which operations become which terms.

use egg::Id;
use orison_ir::Context;
use orison_ir::declare::OperationDefinition;
use orison_machine::Entry;
use orison_ori::operations::{self as ori, OPERATIONS};
use smallvec::smallvec;

use super::read::{Classes, Read, Reading};
use super::term::{Operator, Sort};

/// Attaches the readings to the operations of `ori`.
pub(super) fn attach(context: &mut Context) {
    if !context.interface::<Reading>().is_empty() {
        return;
    }
    let families = [(INTEGERS, false), (FLOATS, false), (COMPOUND, true)];
    let readings = families.into_iter().flat_map(|(rows, several)| {
        rows.iter().map(move |&(general, read)| Reading {
            general,
            read,
            several,
        })
    });
    let readings: Vec<Reading> = readings.collect();
    for reading in &readings {
        context.attach(reading.general, *reading);
    }
    for uniform in OPERATIONS {
        let general = Entry::of_operation(uniform.name).find_map(Entry::general);
        let general = general.and_then(|entry| entry.operation);
        let is_general = |reading: &&Reading| Some(reading.general.name) == general;
        if let Some(reading) = readings.iter().find(is_general) {
            context.attach(uniform, *reading);
        }
    }
}

type Row = (&'static OperationDefinition, Read);

fn one(class: Id) -> Classes {
    smallvec![class]
}

const INTEGERS: &[Row] = &[
    (ori::Mov::DEFINITION, |reader, source, depth| {
        reader.copied(source, depth)
    }),
    (ori::Imm::DEFINITION, |reader, source, depth| {
        reader.immediate(source, depth)
    }),
    (ori::Concat::DEFINITION, |reader, source, depth| {
        reader.concatenation(source, depth)
    }),
    (ori::Extract::DEFINITION, |reader, source, depth| {
        reader.part(source, depth)
    }),
    (ori::Iadd3::DEFINITION, |reader, source, depth| {
        reader.sum(source, depth)
    }),
    (ori::Viadd::DEFINITION, |reader, source, depth| {
        reader.operator(source, depth, Operator::Add)
    }),
    (ori::Imad::DEFINITION, |reader, source, depth| {
        reader.product(source, depth)
    }),
    (ori::ImadWide::DEFINITION, |reader, source, depth| {
        let operators = [Operator::MultiplyWideUnsigned, Operator::MultiplyWideSigned];
        reader.wide_product(source, depth, operators)
    }),
    (ori::ImadHi::DEFINITION, |reader, source, depth| {
        let operators = [Operator::MultiplyHighUnsigned, Operator::MultiplyHighSigned];
        reader.wide_product(source, depth, operators)
    }),
    (ori::Lop3::DEFINITION, |reader, source, depth| {
        reader.table(source, "lut", Sort::Word, depth)
    }),
    (ori::Plop3::DEFINITION, |reader, source, depth| {
        reader.predicates(source, depth)
    }),
    (ori::Lea::DEFINITION, |reader, source, depth| {
        reader.lea(source, depth)
    }),
    (ori::Shf::DEFINITION, |reader, source, depth| {
        reader.shift(source, depth)
    }),
    (ori::Imnmx::DEFINITION, |reader, source, depth| {
        reader.extremum(source, depth)
    }),
    (ori::Vimnmx::DEFINITION, |reader, source, depth| {
        reader.extremum(source, depth)
    }),
    (ori::Isetp::DEFINITION, |reader, source, depth| {
        reader.comparison(source, depth)
    }),
    (ori::Sel::DEFINITION, |reader, source, depth| {
        reader.selection(source, depth)
    }),
    (ori::Iabs::DEFINITION, |reader, source, depth| {
        reader.operator(source, depth, Operator::Absolute)
    }),
    (ori::Popc::DEFINITION, |reader, source, depth| {
        reader.operator(source, depth, Operator::PopulationCount)
    }),
    (ori::Brev::DEFINITION, |reader, source, depth| {
        reader.operator(source, depth, Operator::Reverse)
    }),
    (ori::Flo::DEFINITION, |reader, source, depth| {
        reader.highest_bit(source, depth)
    }),
    (ori::Prmt::DEFINITION, |reader, source, depth| {
        reader.permutation(source, depth)
    }),
    (ori::Bmsk::DEFINITION, |reader, source, depth| {
        reader.mask(source, depth)
    }),
    (ori::Sgxt::DEFINITION, |reader, source, depth| {
        reader.extension(source, depth)
    }),
    (ori::Vimnmx3::DEFINITION, |reader, source, depth| {
        let minima = [Operator::Min3Unsigned, Operator::Min3Signed];
        let maxima = [Operator::Max3Unsigned, Operator::Max3Signed];
        reader.extremum_of_three(source, depth, [minima, maxima])
    }),
    (ori::Viaddmnmx::DEFINITION, |reader, source, depth| {
        let minima = [Operator::AddMinUnsigned, Operator::AddMinSigned];
        let maxima = [Operator::AddMaxUnsigned, Operator::AddMaxSigned];
        match source.has("relu") {
            true => None,
            false => reader.extremum_of_three(source, depth, [minima, maxima]),
        }
    }),
    (ori::Vabsdiff::DEFINITION, |reader, source, depth| {
        reader.distance(source, depth)
    }),
];

const FLOATS: &[Row] = &[
    (ori::I2f::DEFINITION, |reader, source, depth| {
        reader.float_of_integer(source, depth)
    }),
    (ori::Fadd::DEFINITION, |reader, source, depth| {
        use Operator::{FloatAdd, FloatAddFast, FloatAddFlush};
        reader.arithmetic(source, depth, [FloatAdd, FloatAddFlush, FloatAddFast])
    }),
    (ori::Fmul::DEFINITION, |reader, source, depth| {
        use Operator::{FloatMultiply, FloatMultiplyFast, FloatMultiplyFlush};
        let operators = [FloatMultiply, FloatMultiplyFlush, FloatMultiplyFast];
        reader.arithmetic(source, depth, operators)
    }),
    (ori::Ffma::DEFINITION, |reader, source, depth| {
        use Operator::{FloatMultiplyAdd, FloatMultiplyAddFlush};
        let operators = [FloatMultiplyAdd, FloatMultiplyAddFlush, FloatMultiplyAdd];
        reader.arithmetic(source, depth, operators)
    }),
    (ori::Dadd::DEFINITION, |reader, source, depth| {
        reader.arithmetic(source, depth, [Operator::DoubleAdd; 3])
    }),
    (ori::Dmul::DEFINITION, |reader, source, depth| {
        reader.arithmetic(source, depth, [Operator::DoubleMultiply; 3])
    }),
    (ori::Dfma::DEFINITION, |reader, source, depth| {
        reader.arithmetic(source, depth, [Operator::DoubleMultiplyAdd; 3])
    }),
    (ori::Fmnmx::DEFINITION, |reader, source, depth| {
        reader.float_extremum(source, depth).map(one)
    }),
    (ori::Fmnmx3::DEFINITION, |reader, source, depth| {
        reader.float_extremum_of_three(source, depth).map(one)
    }),
    (ori::Fsel::DEFINITION, |reader, source, depth| {
        reader.float_selection(source, depth).map(one)
    }),
    (ori::Hadd2::DEFINITION, |reader, source, depth| {
        let operators = [Operator::HalfAdd, Operator::BrainAdd];
        reader.half_arithmetic(source, depth, operators).map(one)
    }),
    (ori::Hmul2::DEFINITION, |reader, source, depth| {
        let operators = [Operator::HalfMultiply, Operator::BrainMultiply];
        reader.half_arithmetic(source, depth, operators).map(one)
    }),
    (ori::Hfma2::DEFINITION, |reader, source, depth| {
        let operators = [Operator::HalfMultiplyAdd, Operator::BrainMultiplyAdd];
        reader.half_arithmetic(source, depth, operators).map(one)
    }),
    (ori::Hmnmx2::DEFINITION, |reader, source, depth| {
        reader.half_extremum(source, depth).map(one)
    }),
    (ori::F2f::DEFINITION, |reader, source, depth| {
        reader.between_floats(source, depth).map(one)
    }),
    (ori::F2i::DEFINITION, |reader, source, depth| {
        reader.integer_of_float(source, depth).map(one)
    }),
];

/// Operations that may correspond to several operators, or to one that costs more.
const COMPOUND: &[Row] = &[
    (ori::I2fp::DEFINITION, |reader, source, depth| {
        reader.float_of_integer(source, depth)
    }),
    (ori::P2r::DEFINITION, |reader, source, depth| {
        reader.packed_predicates(source, depth)
    }),
    (ori::I2i::DEFINITION, |reader, source, depth| {
        reader.between_integers(source, depth).map(one)
    }),
    (ori::Fsetp::DEFINITION, |reader, source, depth| {
        let operators = [Operator::FloatCompare, Operator::FloatCompareFlush];
        reader.relation(source, depth, operators)
    }),
    (ori::Dsetp::DEFINITION, |reader, source, depth| {
        reader.relation(source, depth, [Operator::DoubleCompare; 2])
    }),
    (ori::Hsetp2::DEFINITION, |reader, source, depth| {
        reader.half_relations(source, depth)
    }),
];
