//! What the file of a run says.

use std::collections::BTreeMap;
use std::path::PathBuf;

use orison_interpret::warp::{PixelBox, TensorMap};
use serde::Deserialize;
use serde_json::Value as Json;

use super::values::Format;

/// A run: which kernel, how many threads, on what.
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
    /// CTAs of a cluster, by dimension, where the kernel does not say it.
    pub cluster: Option<Extents>,
    /// Bytes of shared memory beside that of symbols with a size.
    #[serde(default)]
    pub dynamic_shared: usize,
    /// What the order of warps, and random buffers, are drawn from.
    #[serde(default)]
    pub seed: u64,
    /// Instructions of warps after which the run is given up.
    #[serde(default = "step_limit")]
    pub step_limit: u64,
    /// The arguments, in the order of the kernel's parameters.
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// Memory that no parameter is the address of, by name: what tensor maps are of.
    #[serde(default)]
    pub buffers: BTreeMap<String, Argument>,
    /// First values of memory in the constant bank, by name.
    #[serde(default)]
    pub constants: BTreeMap<String, Argument>,
}

fn one() -> Extents {
    Extents([1; 3])
}

fn step_limit() -> u64 {
    orison_interpret::warp::Launch::default().step_limit
}

/// One to three numbers; those that are missing are 1.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Vec<u32>")]
pub struct Extents(pub [u32; 3]);

impl TryFrom<Vec<u32>> for Extents {
    type Error = String;

    fn try_from(given: Vec<u32>) -> Result<Self, String> {
        if !(1..=3).contains(&given.len()) || given.contains(&0) {
            return Err("expected one to three numbers above zero".to_owned());
        }
        let mut extents = [1; 3];
        extents[..given.len()].copy_from_slice(&given);
        Ok(Extents(extents))
    }
}

/// What an argument is.
#[derive(Clone, Debug)]
pub enum Content {
    /// A number, in the parameter itself.
    Value(Vec<u8>),
    /// A buffer: the parameter is its address.
    Buffer(Vec<u8>),
    /// A buffer with the bytes of a file.
    File(PathBuf),
    /// A buffer of so many random numbers between two.
    Random(usize, [f64; 2]),
    /// A tensor map: the parameter itself, or its address where the parameter is one.
    TensorMap(MapFields),
}

/// A map of a tensor that lies in the buffer of another argument.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFields {
    /// The argument whose buffer it is, by name.
    pub of: String,
    /// Where it begins in the buffer, in bytes.
    #[serde(default)]
    pub offset: u64,
    /// Elements along each dimension, innermost first.
    pub dimensions: Vec<u32>,
    /// Bytes from one element to the next along all dimensions but the innermost; none between them
    /// when absent.
    pub strides: Option<Vec<u64>>,
    /// Elements that a box spans along each dimension.
    #[serde(rename = "box", default)]
    pub box_extents: Vec<u32>,
    /// Which elements a box has along each dimension; every one when absent.
    pub element_strides: Option<Vec<u32>>,
    /// Bytes of rows whose chunks change places: 0, 32, 64 or 128.
    #[serde(default)]
    pub swizzle: u32,
    /// What lies outside of the tensor.
    #[serde(default)]
    pub outside: Outside,
    /// Boxes of a convolution.
    pub pixels: Option<PixelFields>,
}

/// What lies outside of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outside {
    /// Zeros.
    #[default]
    Zero,
    /// No numbers.
    Nan,
}

/// Boxes of a convolution, between channels and images.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PixelFields {
    /// Where the first pixel of a row may be, by dimension.
    pub lower: Vec<i32>,
    /// How far behind the last one of the tensor a pixel may be.
    pub upper: Vec<i32>,
    /// Channels of a pixel.
    pub channels: u32,
    /// Pixels of a box.
    pub pixels: u32,
}

impl Content {
    /// Whether it lies in a buffer.
    pub fn is_buffer(&self) -> bool {
        !matches!(self, Content::Value(_) | Content::TensorMap(_))
    }
}

impl MapFields {
    /// The map of a buffer at an address.
    ///
    /// # Errors
    /// What no map is like.
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
                // What a box of pixels has is said there.
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
    /// What it is called in what is printed; the parameter's name when absent.
    pub name: Option<String>,
    /// Whether it is printed behind the run.
    pub output: bool,
    /// The file that its bytes go to behind the run.
    pub save: Option<PathBuf>,
    /// What it must be behind the run.
    pub expect: Option<Vec<u8>>,
    /// How far numbers may be from what is expected: as a part of it where it is above 1.
    pub tolerance: f64,
}

/// The fields of an argument as they are written.
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
            return Err(format!("a buffer has at most {LARGEST} bytes"));
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
    /// A tensor map, which is nothing else besides.
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
            return Err("a tensor map has no contents, and no output, of its own".to_owned());
        }
        // Any address does to find out what is wrong with the map.
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
                ("a:2:", "error: 300 is no number of this type"),
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
                    "error: rows of a tensor map's boxes are multiples of 16 bytes",
                ),
            ),
            (
                "{\"kernel\": \"k\", \"block\": [32], \"arguments\": [{\"type\": \"f16\",\n \
                 \"tensor_map\": {\"of\": \"a\", \"dimensions\": [64], \"box\": [64]}, \"count\": 3}]}",
                ("a:2:", "error: a tensor map has no contents"),
            ),
            ("{", ("a:1:", "error: EOF")),
        ];
        // Columns are those of the parser: one more or less with features that other crates ask for.
        for (text, (place, words)) in cases {
            let error = Description::parse("a", text).unwrap_err();
            assert!(error.starts_with(place) && error.contains(words), "{error}");
        }
    }
}
