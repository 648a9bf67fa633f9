//! The pass `ori-replace-uniforms-with-imm`: phase 11 of ptxas (reference 9.8: `LDC` of a known
//! kernel parameter).

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult, Statistic,
    source_position,
};
use orison_ir::{Context, Operation, Value};
use orison_ori::Register;
use orison_ori::keywords::{Width, keyword_of};
use orison_ori::operations::memory::Ldc;
use orison_ori::operations::moves::Cbank;
use rustc_hash::FxHashMap;

use super::functions::{Function, applied, functions, immediate_before};
use orison_ori::analyses::properties;

/// The function attribute with known constants: dictionaries of `bank`, `offset`, `value`.
pub const ATTRIBUTE: &str = "ori.known_constants";

orison_ir::pass_options! {
    /// Options of `ori-replace-uniforms-with-imm`.
    pub struct ReplaceUniformsWithImmOptions {
        /// Constant bank words with values known in all functions, as `bank:offset=value`.
        known = "known": Vec<String> = Vec::new(),
    }
}

const REPLACED: &str = "replaced";

/// The pass `ori-replace-uniforms-with-imm`.
#[derive(Clone, Debug)]
pub struct ReplaceUniformsWithImm(ReplaceUniformsWithImmOptions);

impl Pass for ReplaceUniformsWithImm {
    type Options = ReplaceUniformsWithImmOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<ReplaceUniformsWithImm>(
        "ori-replace-uniforms-with-imm",
        "Replaces known kernel parameters by immediates: phase 11 of ptxas.\n\
         \n\
         Reads of 32-bit values of constant banks become immediates if the value is given by the \
         option or by the attribute `ori.known_constants` of the function, which takes \
         precedence: `[{bank = 0, offset = 352, value = 7}]`. A 64-bit value is known if both \
         halves are.",
        source_position!(),
    )
    .with_statistics(&[Statistic {
        name: REPLACED,
        summary: "Number of reads of constants that became immediates",
    }]);

    fn create(options: ReplaceUniformsWithImmOptions) -> Self {
        ReplaceUniformsWithImm(options)
    }

    fn options(&self) -> &ReplaceUniformsWithImmOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        let mut everywhere = Known::default();
        for text in &self.0.known {
            let Some((place, value)) = parse(text) else {
                let message = format!("expected 'bank:offset=value', found '{text}'");
                return Err(PassFailure::from(root.op_error(pass.context, message)));
            };
            everywhere.insert(place, value);
        }
        let mut work = Vec::new();
        for function in functions(pass.context, root) {
            let own = told(pass.context, function.op);
            let own = own.map_err(|message| function.op.op_error(pass.context, message))?;
            let mut known = everywhere.clone();
            known.extend(own);
            work.push((function, known));
        }
        let mut status = IRStatus::Unchanged;
        for (function, known) in work {
            status |= replace(pass, function, &known);
        }
        Ok(status)
    }
}

/// Constant bank words by bank and offset.
type Known = FxHashMap<(i64, i64), u32>;

/// Parses `bank:offset=value`.
fn parse(text: &str) -> Option<((i64, i64), u32)> {
    let (place, value) = text.split_once('=')?;
    let (bank, offset) = place.split_once(':')?;
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse::<i64>().ok(),
    };
    Some(((number(bank)?, number(offset)?), word(number(value)?)?))
}

/// A signed or unsigned number as 32 bits.
fn word(number: i64) -> Option<u32> {
    let signed = i32::try_from(number).map(i32::cast_unsigned);
    signed.or_else(|_| u32::try_from(number)).ok()
}

/// The constants given by the attribute of a function.
fn told(context: &Context, function: Operation) -> Result<Known, String> {
    let mut known = Known::default();
    let Some(attribute) = function.attribute(context, ATTRIBUTE) else {
        return Ok(known);
    };
    let wrong = || {
        format!(
            "attribute '{ATTRIBUTE}' must be an array of {{bank, offset, value}} with 32-bit \
             integers"
        )
    };
    for row in attribute.as_array(context).ok_or_else(wrong)? {
        let number = |key: &str| row.get(context, key)?.as_i64(context);
        let all = (
            number("bank"),
            number("offset"),
            number("value").and_then(word),
        );
        let (Some(bank), Some(offset), Some(value)) = all else {
            return Err(wrong());
        };
        known.insert((bank, offset), value);
    }
    Ok(known)
}

fn replace(pass: &mut PassContext<'_>, function: Function, known: &Known) -> IRStatus {
    if known.is_empty() {
        return IRStatus::Unchanged;
    }
    let context = &*pass.context;
    let blocks = function.body.blocks(context);
    let found: Vec<_> = blocks
        .flat_map(|block| block.operations(context))
        .filter_map(|op| Some((op, constant(context, op, known)?)))
        .collect();
    for (op, (register, number)) in &found {
        applied(pass, *op, "known-constant", "the value is known");
        let context = &mut *pass.context;
        let value = immediate_before(context, *op, *register, *number);
        op.result(context, 0).replace_all_uses_with(context, value);
        op.erase(context);
        pass.count(REPLACED, 1);
    }
    IRStatus::changed_if(!found.is_empty())
}

/// The constant read from a constant bank, with its register class.
fn constant(context: &Context, op: Operation, known: &Known) -> Option<(Register, i64)> {
    let number = |key: &str| op.attribute(context, key).and_then(|n| n.as_i64(context));
    if Cbank::of(context, op).is_none() {
        Ldc::of(context, op)?;
        let width = keyword_of(context, op, "width").unwrap_or(Width::B32);
        let whole =
            matches!(width, Width::B32 | Width::B64) && properties::guard(context, op).is_none();
        if !whole || op.operand_count(context) != 0 {
            return None;
        }
    }
    let (bank, offset) = (number("bank").unwrap_or(0), number("offset").unwrap_or(0));
    let result: Value = op.result(context, 0);
    let register = Register::of(context, result.ty(context))?;
    let low = *known.get(&(bank, offset))?;
    match register {
        Register::R | Register::Ur => Some((register, i64::from(low.cast_signed()))),
        Register::R64 | Register::Ur64 => {
            let high = *known.get(&(bank, offset + 4))?;
            let bits = u64::from(high) << 32 | u64::from(low);
            Some((register, bits.cast_signed()))
        }
        _ => None,
    }
}
