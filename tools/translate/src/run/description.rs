//! What the file of a run says.

use std::collections::BTreeMap;
use std::path::PathBuf;

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
                    "expected one of 'value', 'values', 'file', 'count', or 'count' \
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
            ("{", ("a:1:", "error: EOF")),
        ];
        // Columns are those of the parser: one more or less with features that other crates ask for.
        for (text, (place, words)) in cases {
            let error = Description::parse("a", text).unwrap_err();
            assert!(error.starts_with(place) && error.contains(words), "{error}");
        }
    }
}
