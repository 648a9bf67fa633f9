//! What a function needs of the machine beside its instructions.

use orison_ir::{Attribute, Context};

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
    /// The most registers that it may have, if it says so.
    pub max_registers: u32,
    /// CTAs of a cluster by dimension, if it requires clusters.
    pub cluster: Option<[u32; 3]>,
    /// The most threads of a CTA by dimension, if it says so.
    pub max_threads: Option<[u32; 3]>,
    /// The threads of a CTA by dimension, if it requires that many.
    pub required_threads: Option<[u32; 3]>,
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
            ("max_registers", &mut self.max_registers),
        ]
    }

    /// The extents by their keys.
    fn extents(&mut self) -> [(&'static str, &mut Option<[u32; 3]>); 3] {
        [
            ("cluster", &mut self.cluster),
            ("max_threads", &mut self.max_threads),
            ("required_threads", &mut self.required_threads),
        ]
    }

    /// Those of an attribute `resources`.
    pub fn of(context: &Context, stated: Attribute) -> Self {
        let mut found = Resources {
            kernel: stated.get(context, KERNEL).is_some(),
            ..Resources::default()
        };
        for (key, found) in found.extents() {
            let value = stated.get(context, key);
            *found = value.and_then(|value| extents(context, value));
        }
        for (key, number) in found.numbers() {
            let value = stated.get(context, key);
            let value = value.and_then(|value| value.as_i64(context));
            *number = value.and_then(|value| value.try_into().ok()).unwrap_or(0);
        }
        found
    }

    /// The attribute; numbers that are zero are left out.
    pub fn attribute(mut self, context: &mut Context) -> Attribute {
        let mut entries = Vec::new();
        for (key, number) in self.numbers() {
            if let Ok(value @ 1..) = i32::try_from(*number) {
                entries.push((key, Attribute::i32(context, value)));
            }
        }
        for (key, found) in self.extents() {
            if let Some(found) = found {
                let extents = found.map(|extent| i32::try_from(extent).unwrap_or(i32::MAX));
                entries.push((key, Attribute::i32_array(context, &extents)));
            }
        }
        if self.kernel {
            entries.push((KERNEL, Attribute::UNIT));
        }
        Attribute::dictionary_of(context, &entries)
    }

    /// What is wrong with an attribute.
    pub(super) fn problem(context: &Context, stated: Attribute) -> Option<String> {
        let mut all = Resources::default();
        let of_extents = all.extents().map(|(key, _)| key);
        let known = all.numbers().map(|(key, _)| key);
        stated.entries(context).iter().find_map(|(key, value)| {
            let key = key.text(context);
            if key == KERNEL {
                let is_unit = *value == Attribute::UNIT;
                return (!is_unit).then(|| format!("resource '{key}' is a unit attribute"));
            }
            if of_extents.contains(&key) {
                let message = || format!("resource '{key}' is three numbers from 1 on");
                return extents(context, *value).is_none().then(message);
            }
            if !known.contains(&key) {
                return Some(format!("unknown resource '{key}'"));
            }
            let number = value.as_i64(context).map(u32::try_from);
            let is_number = matches!(number, Some(Ok(_)));
            (!is_number).then(|| format!("resource '{key}' is a number that is not negative"))
        })
    }
}

/// Extents by dimension.
fn extents(context: &Context, attribute: Attribute) -> Option<[u32; 3]> {
    let extents: Vec<u32> = attribute
        .as_i32_array(context)?
        .into_iter()
        .map(|extent| u32::try_from(extent).ok().filter(|extent| *extent > 0))
        .collect::<Option<_>>()?;
    extents.try_into().ok()
}
