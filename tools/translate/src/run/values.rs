//! Numbers as JSON, and as bytes of memory.

use orison_interpret::warp::TensorElement;
use orison_ir::numbers::{Float, FloatKind};
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// A number format of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 8 bits.
    S8,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 16 bits.
    S16,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    S32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 64 bits.
    S64,
    /// Half precision.
    F16,
    /// `bf16`, the high half of a float.
    Bf16,
    /// Float.
    F32,
    /// Double.
    F64,
    /// 8 bits, 4 of them exponent, finite.
    E4m3,
    /// 8 bits, 5 of them exponent.
    E5m2,
}

impl Format {
    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Format::U8 | Format::S8 | Format::E4m3 | Format::E5m2 => 1,
            Format::U16 | Format::S16 | Format::F16 | Format::Bf16 => 2,
            Format::U32 | Format::S32 | Format::F32 => 4,
            Format::U64 | Format::S64 | Format::F64 => 8,
        }
    }

    /// The tensor element type of this format.
    pub fn tensor_element(self) -> TensorElement {
        match self {
            Format::U8 | Format::S8 | Format::E4m3 | Format::E5m2 => TensorElement::U8,
            Format::U16 | Format::S16 => TensorElement::U16,
            Format::U32 => TensorElement::U32,
            Format::S32 => TensorElement::S32,
            Format::U64 => TensorElement::U64,
            Format::S64 => TensorElement::S64,
            Format::F16 => TensorElement::F16,
            Format::Bf16 => TensorElement::Bf16,
            Format::F32 => TensorElement::F32,
            Format::F64 => TensorElement::F64,
        }
    }

    fn float(self) -> Option<FloatKind> {
        Some(match self {
            Format::F16 => FloatKind::F16,
            Format::Bf16 => FloatKind::BF16,
            Format::F32 => FloatKind::F32,
            Format::F64 => FloatKind::F64,
            Format::E4m3 => FloatKind::F8E4M3FN,
            Format::E5m2 => FloatKind::F8E5M2,
            _ => return None,
        })
    }

    fn is_signed(self) -> bool {
        matches!(self, Format::S8 | Format::S16 | Format::S32 | Format::S64)
    }

    /// Whether a number fits the format: integers of either signedness that fit its bits.
    fn holds(self, value: i128) -> bool {
        let bits = 8 * self.bytes() as u32;
        (-(1_i128 << (bits - 1))..1_i128 << bits).contains(&value)
    }

    /// The little-endian bytes of a number: a JSON number, or a string with a literal, `0x…` for the
    /// bits, `inf`, `-inf` or `nan`.
    ///
    /// # Errors
    /// A message if it is not a number of the format.
    pub fn encode(self, json: &Json) -> Result<Vec<u8>, String> {
        let bits = self
            .bits(json)
            .ok_or_else(|| format!("{json} is not a value of this type"))?;
        Ok(bits.to_le_bytes()[..self.bytes()].to_vec())
    }

    fn bits(self, json: &Json) -> Option<u128> {
        let text = match json {
            Json::Number(number) => number.to_string(),
            Json::String(text) => text.clone(),
            _ => return None,
        };
        if let Some(digits) = text.strip_prefix("0x") {
            let bits = u128::from_str_radix(digits, 16).ok()?;
            return (bits >> (8 * self.bytes()) == 0).then_some(bits);
        }
        let Some(kind) = self.float() else {
            let value: i128 = text.parse().ok()?;
            return self.holds(value).then(|| value.cast_unsigned());
        };
        let value = match text.as_str() {
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            "nan" => f64::NAN,
            text => text.parse().ok()?,
        };
        Some(Float::from_f64(kind, value).bits())
    }

    /// The bytes of a value computed in doubles, rounded.
    pub fn encode_f64(self, value: f64) -> Vec<u8> {
        let bits = match self.float() {
            Some(kind) => Float::from_f64(kind, value).bits(),
            None => (value.floor() as i128).cast_unsigned(),
        };
        bits.to_le_bytes()[..self.bytes()].to_vec()
    }

    /// Decodes bytes to a double.
    pub fn decode_f64(self, bytes: &[u8]) -> f64 {
        match self.float() {
            Some(kind) => Float::from_le_bytes(kind, bytes).to_f64(),
            None => self.integer(bytes) as f64,
        }
    }

    fn integer(self, bytes: &[u8]) -> i128 {
        let all = bytes.iter().rev();
        let bits = all.fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
        let shift = 128 - 8 * self.bytes() as u32;
        if self.is_signed() {
            (bits << shift).cast_signed() >> shift
        } else {
            bits.cast_signed()
        }
    }

    /// Decodes bytes to JSON. Values that are not finite become strings.
    pub fn decode(self, bytes: &[u8]) -> Json {
        if self.float().is_none() {
            let value = self.integer(bytes);
            return match (i64::try_from(value), u64::try_from(value)) {
                (Ok(value), _) => json!(value),
                (_, Ok(value)) => json!(value),
                _ => Json::Null,
            };
        }
        match self.decode_f64(bytes) {
            value if value.is_nan() => json!("nan"),
            value if value.is_infinite() && value > 0.0 => json!("inf"),
            value if value.is_infinite() => json!("-inf"),
            value => json!(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_as_bytes() {
        let cases = [
            (Format::S8, json!(-3)),
            (Format::U64, json!(u64::MAX)),
            (Format::F16, json!(1.5)),
            (Format::Bf16, json!(-2.0)),
            (Format::F64, json!(0.1)),
            (Format::E4m3, json!(448.0)),
            (Format::F32, json!("-inf")),
            (Format::F32, json!("nan")),
        ];
        for (format, number) in cases {
            let bytes = format.encode(&number).unwrap();
            assert_eq!(bytes.len(), format.bytes());
            assert_eq!(format.decode(&bytes), number);
        }
        assert_eq!(
            Format::F32.encode(&json!("0x3f800000")).unwrap(),
            [0, 0, 0x80, 0x3F]
        );
        assert!(Format::U8.encode(&json!(256)).is_err());
        assert!(Format::S32.encode(&json!(1.5)).is_err());
        assert!(Format::F16.encode(&json!([1])).is_err());
    }
}
