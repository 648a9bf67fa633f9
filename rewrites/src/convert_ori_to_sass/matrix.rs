//! Products of warp groups and in tensor memory, copies of boxes and blocks: instructions whose
//! operands are consecutive uniform registers.

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Operation};
use orison_ori::Register as Class;
use orison_ori::analyses::properties::immediate;
use orison_ori::keywords::{
    BoxForm, Format, Keyword, ProductKind, TensorKind, TensorShape, keyword_of,
};
use orison_ori::modifiers::{self, Modifier};
use orison_ori::operations as ori;
use orison_sass::instruction::{
    Address, AddressRegister, AddressSpace, MemoryOperand, Operand, RegisterOperand,
};
use orison_sass::registers::{Register, RegisterFile};

use super::Code;
use super::operands::{Operands, has, register};

type Written<T> = Result<T, Box<orison_ir::Diagnostic>>;
type Writer = fn(&mut Code, &Operands<'_>) -> VerifyResult;

/// Writes an operation of this module; false if it is not one.
pub fn write(code: &mut Code, context: &Context, op: Operation) -> Written<bool> {
    let writers: [(&orison_ir::declare::OperationDefinition, Writer); 10] = [
        (ori::WgmmaMma::DEFINITION, group_product),
        (ori::TensorMma::DEFINITION, tensor_product),
        (ori::TensorLd::DEFINITION, tensor_load),
        (ori::TensorSt::DEFINITION, tensor_store),
        (ori::Utmaldg::DEFINITION, box_load),
        (ori::Utmastg::DEFINITION, box_store),
        (ori::Utmaredg::DEFINITION, box_store),
        (ori::Utmapf::DEFINITION, box_prefetch),
        (ori::Ublkcp::DEFINITION, block_copy),
        (ori::Ublkred::DEFINITION, block_copy),
    ];
    for (definition, writer) in writers {
        if op.is_one_of(context, &[definition]) {
            let operands = Operands {
                context,
                op,
                machine: code.machine,
            };
            writer(code, &operands)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// `gdesc[UR4].tnspB` and the like.
fn in_space(space: AddressSpace, register: Register, offset: i64, selector: &str) -> Operand {
    Operand::Memory(MemoryOperand {
        space,
        descriptor: None,
        hidden_descriptor: None,
        address: Address {
            registers: vec![AddressRegister {
                register,
                selector: Box::default(),
            }],
            offset: (offset != 0).then_some(offset),
        },
        selector: selector.into(),
    })
}

fn predicate(register: Register, not: bool) -> Operand {
    let mut operand = RegisterOperand::new(register);
    operand.not = not;
    Operand::Register(operand)
}

fn at_least(found: &Operands<'_>, least: u16) -> VerifyResult {
    if found.machine >= least {
        return Ok(());
    }
    let message = format!("does not exist on sm_{}", found.machine);
    Err(found.op.op_error(found.context, message))
}

/// The registers of operands that are consecutive uniform registers: the first one.
fn block(found: &Operands<'_>, groups: &[&str]) -> Written<Register> {
    let mut first: Option<Register> = None;
    let mut next = 0;
    for group in groups {
        for value in found.op.operands_named(found.context, group) {
            let register = found.register_of(value, group)?;
            if first.is_some() && usize::from(register.index) != next {
                let message = "requires its parts in consecutive uniform registers";
                return Err(found.op.op_error(found.context, message));
            }
            first.get_or_insert(register);
            let class = Class::of(found.context, value.ty(found.context));
            let words = class.and_then(Class::words).unwrap_or(1);
            next = usize::from(register.index) + usize::try_from(words).unwrap_or(1);
        }
    }
    match first {
        Some(first) => Ok(first),
        None => Err(found.op.op_error(found.context, "has no operands")),
    }
}

/// The spelling of a format in capitals.
fn format(found: &Operands<'_>, key: &str) -> String {
    let format = keyword_of::<Format>(found.context, found.op, key);
    format.map_or(String::new(), |format| {
        format.keyword().to_ascii_uppercase()
    })
}

/// `HGMMA.64x128x16.F32.BF16 R24, gdesc[UR12], R24, gsb0`: both descriptors are in four consecutive
/// registers, the left one first.
fn group_product(code: &mut Code, found: &Operands<'_>) -> VerifyResult {
    at_least(found, 90)?;
    let (context, op) = (found.context, found.op);
    let sparse = op.has_operands_named(context, "metadata");
    let mut name = match keyword_of(context, op, "kind") {
        Some(ProductKind::Integer) => "IGMMA",
        Some(ProductKind::Fp8) => "QGMMA",
        _ => "HGMMA",
    }
    .to_owned();
    let single = format(found, "left_format");
    if single == "B1" {
        name = "BGMMA".to_owned();
    }
    if sparse {
        name.push_str(".SP");
    }
    let extents = [found.number("columns"), found.number("depth")];
    name.push_str(&format!(".64x{}x{}", extents[0], extents[1]));
    match name.as_bytes()[0] {
        b'I' => name.push_str(&format!(".{single}.{}", format(found, "right_format"))),
        b'B' => name.push_str(".AND.POPC"),
        first => {
            name.push_str(&format!(".{}", format(found, "accumulator")));
            match (first, single.as_str()) {
                (b'H', "F16") => {}
                (b'H', _) => name.push_str(&format!(".{single}")),
                _ => name.push_str(&format!(".{single}.{}", format(found, "right_format"))),
            }
        }
    }
    if has(context, op, "saturate") {
        name.push_str(".SAT");
    }
    let result = found.register_of(op.result(context, 0), "result")?;
    let mut operands = vec![Operand::register(result)];
    let left = found.value("a")?;
    let in_registers = Class::of(context, left.ty(context)).and_then(Class::words) == Some(4);
    let descriptors = if in_registers {
        operands.push(Operand::register(found.register_of(left, "a")?));
        // The descriptor of the left matrix would stand before it.
        let right = found.named("b")?;
        if right.index % 4 != 2 {
            let message = "requires the descriptor in the second pair of four registers";
            return Err(op.op_error(context, message));
        }
        Register {
            index: right.index - 2,
            ..right
        }
    } else {
        block(found, &["a", "b"])?
    };
    operands.push(in_space(
        AddressSpace::MatrixDescriptor,
        descriptors,
        0,
        &selector(found),
    ));
    accumulator(found, result, &mut operands)?;
    if sparse {
        operands.push(Operand::register(found.named("metadata")?));
        operands.push(Operand::integer(found.number("selector")));
    }
    if ends_group(context, op) {
        let group = Register::new(RegisterFile::GroupScoreboard, 0);
        operands.push(Operand::register(group));
    }
    code.emit(context, op, &name, operands)
}

/// The modifiers of the factors: `negA.tnspB`.
fn selector(found: &Operands<'_>) -> String {
    let (context, op) = (found.context, found.op);
    let negated = |group: &str| {
        let mut range = op.operand_range_named(context, group);
        range.any(|number| modifiers::of_operand(context, op, number).contains(Modifier::Negate))
    };
    let all = [
        ("negA", negated("a")),
        ("negB", negated("b")),
        ("tnspA", has(context, op, "transpose_left")),
        ("tnspB", has(context, op, "transpose_right")),
    ];
    let words: Vec<&str> = all
        .into_iter()
        .filter(|(_, holds)| *holds)
        .map(|(word, _)| word)
        .collect();
    words.join(".")
}

/// The addend, which is in the registers of the result, and the predicate by which it is added.
fn accumulator(
    found: &Operands<'_>,
    result: Register,
    operands: &mut Vec<Operand>,
) -> VerifyResult {
    let (context, op) = (found.context, found.op);
    let scale = op.operand_range_named(context, "scale").next();
    let scale = scale.map(|number| {
        let inverted = modifiers::of_operand(context, op, number).contains(Modifier::Invert);
        (op.operand(context, number), inverted)
    });
    let known =
        scale.and_then(|(value, inverted)| Some((immediate(context, value)? & 1 != 0) != inverted));
    let addend = match known {
        Some(false) => Vec::new(),
        _ => op.operands_named(context, "accumulator"),
    };
    let Some(addend) = addend.first().and_then(|addend| register(context, *addend)) else {
        operands.extend([
            Operand::register(Register::RZ),
            predicate(Register::UPT, true),
        ]);
        return Ok(());
    };
    if addend != result {
        let message = "requires the accumulator in the registers of the result";
        return Err(op.op_error(context, message));
    }
    operands.push(Operand::register(addend));
    if let Some((value, inverted)) = scale.filter(|_| known.is_none()) {
        operands.push(predicate(found.register_of(value, "scale")?, inverted));
    }
    Ok(())
}

/// Whether a product is the last one before the end of its group.
fn ends_group(context: &Context, op: Operation) -> bool {
    let mut next = op.next(context);
    while let Some(after) = next {
        if ori::WgmmaMma::of(context, after).is_some() {
            return false;
        }
        let ends = [
            ori::WgmmaCommit::DEFINITION,
            ori::WarpgroupCommit::DEFINITION,
        ];
        if after.is_one_of(context, &ends) {
            return true;
        }
        next = after.next(context);
    }
    true
}

/// `UTCHMMA gdesc[UR14], gdesc[UR16], tmem[UR25], tmem[UR12], idesc[UR13], UPT`: the descriptor of
/// shapes and formats is the high half of a pair.
fn tensor_product(code: &mut Code, found: &Operands<'_>) -> VerifyResult {
    at_least(found, 100)?;
    let (context, op) = (found.context, found.op);
    let mut name = match keyword_of(context, op, "tensor_kind") {
        Some(TensorKind::I8) => "UTCIMMA",
        Some(TensorKind::F8f6f4 | TensorKind::Mxf8f6f4) => "UTCQMMA",
        Some(TensorKind::Mxf4 | TensorKind::Mxf4nvf4) => "UTCOMMA",
        _ => "UTCHMMA",
    }
    .to_owned();
    if has(context, op, "two_ctas") {
        name.push_str(".2CTA");
    }
    let left = found.value("a")?;
    let left_space = match Class::of(context, left.ty(context)) {
        Some(Class::Ur) => AddressSpace::Tensor,
        _ => AddressSpace::MatrixDescriptor,
    };
    let pair = found.value("instruction")?;
    if Class::of(context, pair.ty(context)) != Some(Class::Ur64) {
        return Err(op.op_error(context, "requires the instruction descriptor in a pair"));
    }
    let low = found.register_of(pair, "instruction")?;
    let high = Register {
        index: low.index.saturating_add(1),
        ..low
    };
    let mut operands = vec![
        in_space(left_space, found.register_of(left, "a")?, 0, ""),
        in_space(AddressSpace::MatrixDescriptor, found.named("b")?, 0, ""),
        in_space(AddressSpace::Tensor, found.named("accumulator")?, 0, ""),
        in_space(AddressSpace::Tensor, low, 0, ""),
        in_space(AddressSpace::InstructionDescriptor, high, 0, ""),
    ];
    if op.has_operands_named(context, "scales") {
        let scales = block(found, &["scales"])?;
        operands.push(in_space(AddressSpace::Tensor, scales, 0, ""));
    }
    let scale = op.operand_range_named(context, "scale").next();
    operands.push(match scale {
        Some(number) => {
            let value = op.operand(context, number);
            let inverted = modifiers::of_operand(context, op, number).contains(Modifier::Invert);
            match immediate(context, value) {
                Some(bits) => predicate(Register::UPT, (bits & 1 != 0) == inverted),
                None => predicate(found.register_of(value, "scale")?, inverted),
            }
        }
        None => predicate(Register::UPT, false),
    });
    code.emit(context, op, &name, operands)
}

/// The modifiers that name the part of tensor memory a warp accesses.
fn shape(found: &Operands<'_>, mnemonic: &str, packed: &str) -> Vec<(String, i64)> {
    let (context, op) = (found.context, found.op);
    let repeat = found.number("repeat");
    let mut tail = match repeat {
        1 => String::new(),
        count => format!(".x{count}"),
    };
    if has(context, op, "pack") {
        tail.push_str(packed);
    }
    let words: &[(&str, i64)] = match keyword_of(context, op, "tensor_shape") {
        Some(TensorShape::S16x64b) => &[(".16dp64bit", 0)],
        Some(TensorShape::S16x128b) => &[(".16dp128bit", 0)],
        Some(TensorShape::S16x256b) => &[(".16dp256bit", 0)],
        Some(TensorShape::S16x32bx2) => &[(".16dp32bit_t0_t15", 0), (".16dp32bit_t16_t31", 1)],
        _ => &[("", 0)],
    };
    let half = found.number("half_distance");
    let words = words.iter();
    words
        .map(|(word, step)| (format!("{mnemonic}{word}{tail}"), step * half))
        .collect()
}

fn tensor_load(code: &mut Code, found: &Operands<'_>) -> VerifyResult {
    at_least(found, 100)?;
    let (context, op) = (found.context, found.op);
    let address = found.named("address")?;
    let value = found.register_of(op.result(context, 0), "value")?;
    for (name, offset) in shape(found, "LDTM", ".PACK16BIT") {
        let place = in_space(AddressSpace::Tensor, address, offset, "");
        code.emit(context, op, &name, vec![Operand::register(value), place])?;
    }
    Ok(())
}

fn tensor_store(code: &mut Code, found: &Operands<'_>) -> VerifyResult {
    at_least(found, 100)?;
    let (context, op) = (found.context, found.op);
    let address = found.named("address")?;
    let value = found.value("value")?;
    let value = register(context, value).unwrap_or(Register::RZ);
    for (name, offset) in shape(found, "STTM", ".EXPAND16BIT") {
        let place = in_space(AddressSpace::Tensor, address, offset, "");
        code.emit(context, op, &name, vec![place, Operand::register(value)])?;
    }
    Ok(())
}

/// `.2D.IM2COL`, with the transfer mode.
fn dimensions(found: &Operands<'_>) -> String {
    let (context, op) = (found.context, found.op);
    let form = match keyword_of::<BoxForm>(context, op, "form") {
        Some(BoxForm::Wide) => ".W",
        Some(BoxForm::Wide128) => ".W128",
        Some(BoxForm::Gather) => ".GATHER4",
        Some(BoxForm::Scatter) => ".SCATTER4",
        None => "",
    };
    let convolution = if has(context, op, "im2col") {
        ".IM2COL"
    } else {
        ""
    };
    format!(".{}D{convolution}{form}", found.number("dimensions"))
}

/// `desc[UR4]`, the cache policy, if there is one.
fn policy(found: &Operands<'_>, operands: &mut Vec<Operand>) -> VerifyResult {
    if found.op.has_operands_named(found.context, "policy") {
        let policy = found.named("policy")?;
        operands.push(in_space(AddressSpace::Descriptor, policy, 0, ""));
    }
    Ok(())
}

/// An address in a uniform register.
fn place(register: Register) -> Operand {
    in_space(AddressSpace::Plain, register, 0, "")
}

/// `UTMALDG.2D [UR8], [UR4]`: the first block is the destination, the mbarrier, the coordinates.
fn box_load(code: &mut Code, found: &Operands<'_>) -> VerifyResult {
    at_least(found, 90)?;
    let (context, op) = (found.context, found.op);
    let mut name = format!("UTMALDG{}", dimensions(found));
    let multicast = op.has_operands_named(context, "multicast");
    if multicast {
        name.push_str(".MULTICAST");
    }
    if has(context, op, "two_ctas") {
        name.push_str(".2CTA");
    }
    let first = block(found, &["destination", "barrier", "coordinates"])?;
    let mut operands = vec![place(first), place(found.named("descriptor")?)];
    // The offsets of a convolution and the mask of a multicast share a register.
    let mut packed = op.operands_named(context, "offsets");
    packed.extend(op.operands_named(context, "multicast"));
    packed.dedup();
    match packed.as_slice() {
        [] => {}
        [one] => operands.push(Operand::register(found.register_of(*one, "offsets")?)),
        _ => {
            let message = "requires offsets and mask in one register";
            return Err(op.op_error(context, message));
        }
    }
    policy(found, &mut operands)?;
    code.emit(context, op, &name, operands)
}

/// `UTMASTG.2D [UR4], [UR8]`: the first block is the source and the coordinates.
fn box_store(code: &mut Code, found: &Operands<'_>) -> VerifyResult {
    at_least(found, 90)?;
    let (context, op) = (found.context, found.op);
    let name = match keyword_of::<orison_ori::keywords::AtomicOperation>(context, op, "operation") {
        Some(operation) => {
            let operation = operation.keyword().to_ascii_uppercase();
            format!("UTMAREDG{}.{operation}", dimensions(found))
        }
        None => format!("UTMASTG{}", dimensions(found)),
    };
    let first = block(found, &["source", "coordinates"])?;
    let mut operands = vec![place(first), place(found.named("descriptor")?)];
    policy(found, &mut operands)?;
    code.emit(context, op, &name, operands)
}

fn box_prefetch(code: &mut Code, found: &Operands<'_>) -> VerifyResult {
    at_least(found, 90)?;
    let name = format!("UTMAPF.L2{}", dimensions(found));
    let first = block(found, &["coordinates"])?;
    let mut operands = vec![place(first), place(found.named("descriptor")?)];
    for offset in found.op.operands_named(found.context, "offsets") {
        operands.push(Operand::register(found.register_of(offset, "offsets")?));
    }
    policy(found, &mut operands)?;
    code.emit(found.context, found.op, &name, operands)
}

/// `UBLKCP.S.G [UR36], [UR6], UR4`: the mbarrier is after the address in shared memory.
fn block_copy(code: &mut Code, found: &Operands<'_>) -> VerifyResult {
    at_least(found, 90)?;
    let (context, op) = (found.context, found.op);
    let destination = found.value("destination")?;
    let to_global = Class::of(context, destination.ty(context)) == Some(Class::Ur64);
    let ways = if to_global { "G.S" } else { "S.G" };
    let operation = keyword_of::<orison_ori::keywords::AtomicOperation>(context, op, "operation");
    let mut name = match operation {
        Some(operation) => {
            format!(
                "UBLKRED.{ways}.{}",
                operation.keyword().to_ascii_uppercase()
            )
        }
        None => format!("UBLKCP.{ways}"),
    };
    if op.has_operands_named(context, "multicast") {
        name.push_str(".MULTICAST");
    }
    let first = match to_global {
        true => found.register_of(destination, "destination")?,
        false => block(found, &["destination", "barrier"])?,
    };
    let mut operands = vec![
        place(first),
        place(found.named("source")?),
        Operand::register(found.named("size")?),
    ];
    for group in ["multicast", "bytes"] {
        if op.has_operands_named(context, group) {
            operands.push(Operand::register(found.named(group)?));
        }
    }
    policy(found, &mut operands)?;
    code.emit(context, op, &name, operands)
}
