//! What a function needs of the machine beside its instructions.

use orison_ir::declare::VerifyResult;
use orison_ir::{Attribute, Context, Operation};

use super::Func;

/// The resources of a function, as `ptxas -v` reports them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Resources {
    /// Whether it is a kernel.
    pub kernel: bool,
    /// General registers of a thread: the highest one and those below it.
    pub registers: u32,
    /// Named barriers of a CTA.
    pub barriers: u32,
    /// Bytes of its stack frame.
    pub frame: u32,
    /// Bytes of the frames of the longest chain of calls that is known.
    pub stack: u32,
    /// Bytes that its stores of spilled registers write.
    pub spill_stores: u32,
    /// Bytes that its loads of spilled registers read.
    pub spill_loads: u32,
    /// Bytes of its parameters.
    pub parameters: u32,
}

const KERNEL: &str = "kernel";

impl Resources {
    /// The numbers by their keys.
    fn numbers(&mut self) -> [(&'static str, &mut u32); 7] {
        [
            ("registers", &mut self.registers),
            ("barriers", &mut self.barriers),
            ("frame", &mut self.frame),
            ("stack", &mut self.stack),
            ("spill_stores", &mut self.spill_stores),
            ("spill_loads", &mut self.spill_loads),
            ("parameters", &mut self.parameters),
        ]
    }

    /// The resources that a function states; `None` if it states none.
    pub fn of(context: &Context, function: Func) -> Option<Self> {
        let stated = function.resources(context)?;
        let mut found = Resources {
            kernel: stated.get(context, KERNEL).is_some(),
            ..Resources::default()
        };
        for (key, number) in found.numbers() {
            let value = stated.get(context, key);
            let value = value.and_then(|value| value.as_i64(context));
            *number = value.and_then(|value| value.try_into().ok()).unwrap_or(0);
        }
        Some(found)
    }

    /// Notes the resources at a function; numbers that are zero are left out.
    pub fn state(mut self, context: &mut Context, function: Func) {
        let mut entries = Vec::new();
        for (key, number) in self.numbers() {
            if let Ok(value @ 1..) = i32::try_from(*number) {
                entries.push((key, Attribute::i32(context, value)));
            }
        }
        if self.kernel {
            entries.push((KERNEL, Attribute::UNIT));
        }
        let stated = Attribute::dictionary_of(context, &entries);
        function.0.set_attribute(context, "resources", stated);
    }
}

/// Checks the resources that a function states.
pub(super) fn verify(context: &Context, op: Operation) -> VerifyResult {
    let Some(stated) = Func(op).resources(context) else {
        return Ok(());
    };
    let known = Resources::default().numbers().map(|(key, _)| key);
    for (key, value) in stated.entries(context) {
        let key = key.text(context);
        let message = if key == KERNEL {
            (*value != Attribute::UNIT).then(|| format!("resource '{key}' is a unit attribute"))
        } else if known.contains(&key) {
            let number = value.as_i64(context).map(u32::try_from);
            let is_number = matches!(number, Some(Ok(_)));
            (!is_number).then(|| format!("resource '{key}' is a number that is not negative"))
        } else {
            Some(format!("unknown resource '{key}'"))
        };
        if let Some(message) = message {
            return Err(op.op_error(context, message));
        }
    }
    Ok(())
}
