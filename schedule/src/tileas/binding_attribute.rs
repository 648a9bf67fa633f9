//! The attributes that record the buffers of pipelines, and the form of one binding in them.
//!
//! | attribute | on | holds |
//! |---|---|---|
//! | `tileas.buffer` | `create_pipeline` | one binding |
//! | `tileas.buffers` | a scheduled loop, or what is around one | the bindings of the pipelines that materialization will make for it: pipes, then mutexes |
//! | `tileas.buffers` | the function | `{smem, tmem_columns : i64}` in use, and `planned`, its own list of bindings |
//!
//! A binding is a dictionary: `class` is `"smem"`, `"tmem"` or `"barrier"`. A barrier has `barrier
//! : i32`. A ring has `slots : i32`, `stride : i64` (bytes from one slot to the next), `mbarriers :
//! i64` (first byte of `full[slots]`, `empty[slots]`), and `offset : i64` in bytes or `column :
//! i64`.

use orison_ir::{Attribute, Context};

use crate::buffers::{Binding, Lifetime, Place};

/// One binding, on `create_pipeline`.
pub const BUFFER: &str = "tileas.buffer";
/// Bindings on a loop, totals on a function.
pub const BUFFERS: &str = "tileas.buffers";

/// A count as an attribute of 64 bits.
pub(super) fn i64_attribute(context: &mut Context, value: u64) -> Attribute {
    Attribute::i64(context, i64::try_from(value).unwrap_or(i64::MAX))
}

/// A count as an attribute of 32 bits.
pub(super) fn i32_attribute(context: &mut Context, value: u32) -> Attribute {
    Attribute::i32(context, i32::try_from(value).unwrap_or(i32::MAX))
}

/// A binding as an attribute.
pub fn write_binding(context: &mut Context, binding: &Binding) -> Attribute {
    let class = Attribute::string(context, binding.place.class());
    let mut entries = vec![("class", class)];
    let (place, barriers) = match binding.place {
        Place::Barrier { number } => {
            entries.push(("barrier", i32_attribute(context, number)));
            return Attribute::dictionary_of(context, &entries);
        }
        Place::Shared { offset, barriers } => (("offset", offset), barriers),
        Place::Tensor { column, barriers } => (("column", column), barriers),
    };
    entries.push((place.0, i64_attribute(context, place.1)));
    entries.push(("slots", i32_attribute(context, binding.depth)));
    entries.push(("stride", i64_attribute(context, binding.slot_stride)));
    entries.push(("mbarriers", i64_attribute(context, barriers)));
    Attribute::dictionary_of(context, &entries)
}

/// Parses a binding; `None` if the attribute is malformed. The lifetime is that of the request.
pub fn read_binding(
    context: &Context,
    attribute: Attribute,
    id: u32,
    lifetime: Lifetime,
) -> Option<Binding> {
    let i32_of = |key: &str| {
        let value = attribute.get(context, key)?.as_i32(context)?;
        u32::try_from(value).ok()
    };
    let i64_of = |key: &str| {
        let value = attribute.get(context, key)?.as_i64(context)?;
        u64::try_from(value).ok()
    };
    let class = attribute.get(context, "class")?.as_str(context)?;
    let place = match class {
        "barrier" => Place::Barrier {
            number: i32_of("barrier")?,
        },
        "smem" => Place::Shared {
            offset: i64_of("offset")?,
            barriers: i64_of("mbarriers")?,
        },
        "tmem" => Place::Tensor {
            column: i64_of("column")?,
            barriers: i64_of("mbarriers")?,
        },
        _ => return None,
    };
    let barrier = matches!(place, Place::Barrier { .. });
    Some(Binding {
        id,
        depth: if barrier { 1 } else { i32_of("slots")?.max(1) },
        slot_stride: if barrier { 0 } else { i64_of("stride")? },
        place,
        lifetime,
        storage: id,
    })
}
