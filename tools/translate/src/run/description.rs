//! The description file of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use orison_interpret::warp::{PixelBox, TensorMap};
use serde::Deserialize;
use serde_json::Value as Json;

use super::values::Format;

/// A run: the kernel, the number of threads, the arguments.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The kernel.
    pub kernel: String,
    /// CTAs, by dimension: one to three numbers.
    #[serde(default = "one")]
    pub grid: Extents,
    /// Threads of a CTA, by dimension: one to three numbers.
    pub block: Extents,
    /// CTAs of a cluster, by dimension, if the kernel does not specify it.
    pub cluster: Option<Extents>,
    /// Bytes of shared memory in addition to symbols with a size.
    #[serde(default)]
    pub dynamic_shared: usize,
    /// Seed of the scheduling of warps and of random buffers.
    #[serde(default)]
    pub seed: u64,
    /// The maximum number of warp instructions of the run.
    #[serde(default = "step_limit")]
    pub step_limit: u64,
    /// Whether the PTX rules for registers that products of warp groups use are checked, for `ori` with
    /// PTX locations.
    #[serde(default)]
    pub source_registers: bool,
    /// The arguments, in the order of the kernel's parameters.
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// Buffers that are not arguments, by name: those that tensor maps describe.
    #[serde(default)]
    pub buffers: BTreeMap<String, Argument>,
    /// Initial values of memory in the constant bank, by name.
    #[serde(default)]
    pub constants: BTreeMap<String, Argument>,
}

fn one() -> Extents {
    Extents([1; 3])
}

fn step_limit() -> u64 {
    orison_interpret::warp::Launch::default().step_limit
}

/// One to three numbers; missing ones are 1.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Vec<u32>")]
pub struct Extents(pub [u32; 3]);

impl TryFrom<Vec<u32>> for Extents {
    type Error = String;

    fn try_from(given: Vec<u32>) -> Result<Self, String> {
        if !(1..=3).contains(&given.len()) || given.contains(&0) {
            return Err("expected one to three positive integers".to_owned());
        }
        let mut extents = [1; 3];
        extents[..given.len()].copy_from_slice(&given);
        Ok(Extents(extents))
    }
}

/// The content of an argument.
#[derive(Clone, Debug)]
pub enum Content {
    /// A number, passed in the parameter itself.
    Value(Vec<u8>),
    /// A buffer: the parameter holds its address.
    Buffer(Vec<u8>),
    /// A buffer with the contents of a file.
    File(PathBuf),
    /// A buffer of this many random numbers in a range.
    Random(usize, [f64; 2]),
    /// A tensor map: the parameter itself, or its address if the parameter is an address.
    TensorMap(MapFields),
}

/// A map of a tensor in the buffer of another argument.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFields {
    /// The name of the argument that owns the buffer.
    pub of: String,
    /// Its offset in the buffer, in bytes.
    #[serde(default)]
    pub offset: u64,
    /// Elements along each dimension, innermost first.
    pub dimensions: Vec<u32>,
    /// Byte strides of all dimensions except the innermost; contiguous if absent.
    pub strides: Option<Vec<u64>>,
    /// Extent of a box along each dimension.
    #[serde(rename = "box", default)]
    pub box_extents: Vec<u32>,
    /// Element stride of a box along each dimension; 1 if absent.
    pub element_strides: Option<Vec<u32>>,
    /// Width in bytes of the swizzled rows: 0, 32, 64 or 128.
    #[serde(default)]
    pub swizzle: u32,
    /// The value of out-of-bounds elements.
    #[serde(default)]
    pub outside: Outside,
    /// Boxes of im2col copies.
    pub pixels: Option<PixelFields>,
}

/// The value of elements outside of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outside {
    /// Zeros.
    #[default]
    Zero,
    /// NaN.
    Nan,
}

/// Boxes of im2col copies, between channels and images.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PixelFields {
    /// The minimum position of the first pixel, by dimension.
    pub lower: Vec<i32>,
    /// The offset of the maximum position of a pixel from the last one of the tensor.
    pub upper: Vec<i32>,
    /// Channels of a pixel.
    pub channels: u32,
    /// Pixels of a box.
    pub pixels: u32,
}

impl Content {
    /// Whether it is in a buffer.
    pub fn is_buffer(&self) -> bool {
        !matches!(self, Content::Value(_) | Content::TensorMap(_))
    }
}

impl MapFields {
    /// The map of a buffer at an address.
    ///
    /// # Errors
    /// An invalid map.
    pub fn map(&self, format: Format, address: u64) -> Result<TensorMap, String> {
        let element = format.tensor_element();
        let rank = self.dimensions.len();
        let packed = || {
            let mut stride = element.bytes() as u64;
            let inner = self.dimensions.iter().take(rank.saturating_sub(1));
            let strides = inner.map(|extent| {
                stride = stride.saturating_mul(u64::from(*extent));
                stride
            });
            strides.collect()
        };
        let map = TensorMap {
            element,
            address: address.saturating_add(self.offset),
            dimensions: self.dimensions.clone(),
            strides: self.strides.clone().unwrap_or_else(packed),
            box_extents: match &self.pixels {
                // The extents of a box of pixels are specified there.
                Some(_) if self.box_extents.is_empty() => vec![1; rank],
                _ => self.box_extents.clone(),
            },
            element_strides: self
                .element_strides
                .clone()
                .unwrap_or_else(|| vec![1; rank]),
            swizzle: self.swizzle,
            nan_outside: self.outside == Outside::Nan,
            pixels: self.pixels.as_ref().map(|pixels| PixelBox {
                lower: pixels.lower.clone(),
                upper: pixels.upper.clone(),
                channels: pixels.channels,
                pixels: pixels.pixels,
            }),
        };
        map.check()?;
        Ok(map)
    }
}

/// An argument.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Argument {
    /// The format of the numbers.
    pub format: Format,
    /// What it is.
    pub content: Content,
    /// Its name in the output; the parameter's name if absent.
    pub name: Option<String>,
    /// Whether it is printed after the run.
    pub output: bool,
    /// The file in which its bytes are saved after the run.
    pub save: Option<PathBuf>,
    /// Its expected contents after the run.
    pub expect: Option<Vec<u8>>,
    /// The tolerance of comparisons: relative for values above 1.
    pub tolerance: f64,
}

/// The fields of an argument as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(rename = "type")]
    format: Format,
    value: Option<Json>,
    values: Option<Vec<Json>>,
    by_value: Option<bool>,
    count: Option<usize>,
    fill: Option<Json>,
    random: Option<[f64; 2]>,
    file: Option<PathBuf>,
    tensor_map: Option<MapFields>,
    name: Option<String>,
    #[serde(default)]
    output: bool,
    save: Option<PathBuf>,
    expect: Option<Vec<Json>>,
    #[serde(default)]
    tolerance: f64,
}

fn bytes(format: Format, numbers: &[Json]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for number in numbers {
        bytes.extend(format.encode(number)?);
    }
    Ok(bytes)
}

/// The largest buffer of a run in bytes.
const LARGEST: usize = 1 << 30;

impl TryFrom<Fields> for Argument {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Self, String> {
        let format = fields.format;
        let count = fields.count.unwrap_or(0);
        if count
            .checked_mul(format.bytes())
            .is_none_or(|bytes| bytes > LARGEST)
        {
            return Err(format!("the buffer exceeds {LARGEST} bytes"));
        }
        if let Some(map) = &fields.tensor_map {
            return Argument::of_map(&fields, map);
        }
        let content = match (
            &fields.value,
            &fields.values,
            &fields.file,
            &fields.random,
            fields.count,
        ) {
            (Some(value), None, None, None, None) => Content::Value(format.encode(value)?),
            (None, Some(values), None, None, None) if fields.by_value == Some(true) => {
                Content::Value(bytes(format, values)?)
            }
            (None, Some(values), None, None, None) => Content::Buffer(bytes(format, values)?),
            (None, None, Some(file), None, None) => Content::File(file.clone()),
            (None, None, None, Some(bounds), Some(count)) => Content::Random(count, *bounds),
            (None, None, None, None, Some(count)) => {
                let fill = fields.fill.clone().unwrap_or_else(|| 0.into());
                Content::Buffer(format.encode(&fill)?.repeat(count))
            }
            _ => {
                return Err(
                    "expected one of 'value', 'values', 'file', 'tensor_map', 'count', or 'count' \
                            with 'fill' or 'random'"
                        .to_owned(),
                );
            }
        };
        let expect = fields
            .expect
            .as_deref()
            .map(|numbers| bytes(format, numbers));
        Ok(Argument {
            format,
            content,
            name: fields.name,
            output: fields.output,
            save: fields.save,
            expect: expect.transpose()?,
            tolerance: fields.tolerance,
        })
    }
}

impl Argument {
    /// A tensor map, which permits no other fields.
    fn of_map(fields: &Fields, map: &MapFields) -> Result<Self, String> {
        let alone = fields.value.is_none()
            && fields.values.is_none()
            && fields.file.is_none()
            && fields.random.is_none()
            && fields.fill.is_none()
            && fields.count.is_none()
            && fields.save.is_none()
            && fields.expect.is_none()
            && !fields.output;
        if !alone {
            return Err("'tensor_map' cannot have contents or output".to_owned());
        }
        // Any address is sufficient to find errors in the map.
        map.map(fields.format, 0)?;
        Ok(Argument {
            format: fields.format,
            content: Content::TensorMap(map.clone()),
            name: fields.name.clone(),
            output: false,
            save: None,
            expect: None,
            tolerance: 0.0,
        })
    }
}

impl Description {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// `file:line:col: error: …`.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let message = error.to_string();
            let message = message
                .rsplit_once(" at line ")
                .map_or(message.as_str(), |(message, _)| message);
            format!("{name}:{line}:{column}: error: {message}\n")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_tell_their_place() {
        let cases = [
            (
                "{\"kernel\": \"k\"}",
                ("a:1:", "error: missing field `block`"),
            ),
            (
                "{\"kernel\": \"k\",\n \"block\": [32, 0]}",
                ("a:2:", "error: expected one to three"),
            ),
            (
                "{\"kernel\": \"k\", \"block\": [32],\n\n\"grids\": [1]}",
                ("a:3:", "error: unknown field `grids`"),
            ),
            (
                "{\"kernel\": \"k\", \"block\": [32], \"arguments\": [\n {\"type\": \"u8\", \"value\": 300}]}",
                ("a:2:", "error: 300 is not a value of this type"),
            ),
            (
                "{\"kernel\": \"k\", \"block\": [32], \"arguments\": [\n {\"type\": \"u8\", \"value\": 3, \"count\": 2}]}",
                ("a:2:", "error: expected one of 'value'"),
            ),
            (
                "{\"kernel\": \"k\", \"block\": [32], \"arguments\": [{\"type\": \"f16\",\n \
                 \"tensor_map\": {\"of\": \"a\", \"dimensions\": [64, 3], \"box\": [60, 3]}}]}",
                (
                    "a:2:",
                    "error: invalid tensor map: the box rows must be multiples of 16 bytes, found 120",
                ),
            ),
            (
                "{\"kernel\": \"k\", \"block\": [32], \"arguments\": [{\"type\": \"f16\",\n \
                 \"tensor_map\": {\"of\": \"a\", \"dimensions\": [64], \"box\": [64]}, \"count\": 3}]}",
                ("a:2:", "error: 'tensor_map' cannot have contents or output"),
            ),
            ("{", ("a:1:", "error: EOF")),
        ];
        // Columns are those of the parser: they may differ by one with features that other crates
        // enable.
        for (text, (place, words)) in cases {
            let error = Description::parse("a", text).unwrap_err();
            assert!(error.starts_with(place) && error.contains(words), "{error}");
        }
    }
}
