//! The builtin float types and their encodings.

/// One of the builtin float types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// `f4E2M1FN`.
    F4E2M1FN,
    /// `f6E2M3FN`.
    F6E2M3FN,
    /// `f6E3M2FN`.
    F6E3M2FN,
    /// `f8E5M2`.
    F8E5M2,
    /// `f8E4M3`.
    F8E4M3,
    /// `f8E4M3FN`.
    F8E4M3FN,
    /// `f8E5M2FNUZ`.
    F8E5M2FNUZ,
    /// `f8E4M3FNUZ`.
    F8E4M3FNUZ,
    /// `f8E4M3B11FNUZ`.
    F8E4M3B11FNUZ,
    /// `f8E3M4`.
    F8E3M4,
    /// `f8E8M0FNU`: powers of two only, without sign and without zero.
    F8E8M0FNU,
    /// `bf16`.
    BF16,
    /// `f16`.
    F16,
    /// `tf32`.
    TF32,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// `f80`: the extended format of x87, with an explicit integer bit.
    F80,
    /// `f128`.
    F128,
}

/// The non-finite values of a float type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NonFinite {
    /// The highest exponent is reserved for infinities and NaNs, as in IEEE 754.
    Ieee,
    /// No infinity; the NaN has every exponent and mantissa bit set.
    NanAllOnes,
    /// No infinity and no negative zero, whose encoding is the only NaN.
    NanNegativeZero,
    /// Finite values only.
    None,
}

/// The parameters of a format.
#[derive(Clone, Copy)]
struct Semantics {
    keyword: &'static str,
    exponent_bits: u32,
    mantissa_bits: u32,
    bias: i32,
    non_finite: NonFinite,
}

const fn semantics(
    keyword: &'static str,
    exponent_bits: u32,
    mantissa_bits: u32,
    bias: i32,
    non_finite: NonFinite,
) -> Semantics {
    Semantics {
        keyword,
        exponent_bits,
        mantissa_bits,
        bias,
        non_finite,
    }
}

impl FloatKind {
    /// All kinds, narrowest first.
    pub const ALL: [Self; 18] = [
        Self::F4E2M1FN,
        Self::F6E2M3FN,
        Self::F6E3M2FN,
        Self::F8E5M2,
        Self::F8E4M3,
        Self::F8E4M3FN,
        Self::F8E5M2FNUZ,
        Self::F8E4M3FNUZ,
        Self::F8E4M3B11FNUZ,
        Self::F8E3M4,
        Self::F8E8M0FNU,
        Self::BF16,
        Self::F16,
        Self::TF32,
        Self::F32,
        Self::F64,
        Self::F80,
        Self::F128,
    ];

    const fn semantics(self) -> Semantics {
        use NonFinite::{Ieee, NanAllOnes, NanNegativeZero, None};
        match self {
            Self::F4E2M1FN => semantics("f4E2M1FN", 2, 1, 1, None),
            Self::F6E2M3FN => semantics("f6E2M3FN", 2, 3, 1, None),
            Self::F6E3M2FN => semantics("f6E3M2FN", 3, 2, 3, None),
            Self::F8E5M2 => semantics("f8E5M2", 5, 2, 15, Ieee),
            Self::F8E4M3 => semantics("f8E4M3", 4, 3, 7, Ieee),
            Self::F8E4M3FN => semantics("f8E4M3FN", 4, 3, 7, NanAllOnes),
            Self::F8E5M2FNUZ => semantics("f8E5M2FNUZ", 5, 2, 16, NanNegativeZero),
            Self::F8E4M3FNUZ => semantics("f8E4M3FNUZ", 4, 3, 8, NanNegativeZero),
            Self::F8E4M3B11FNUZ => semantics("f8E4M3B11FNUZ", 4, 3, 11, NanNegativeZero),
            Self::F8E3M4 => semantics("f8E3M4", 3, 4, 3, Ieee),
            Self::F8E8M0FNU => semantics("f8E8M0FNU", 8, 0, 127, NanAllOnes),
            Self::BF16 => semantics("bf16", 8, 7, 127, Ieee),
            Self::F16 => semantics("f16", 5, 10, 15, Ieee),
            Self::TF32 => semantics("tf32", 8, 10, 127, Ieee),
            Self::F32 => semantics("f32", 8, 23, 127, Ieee),
            Self::F64 => semantics("f64", 11, 52, 1023, Ieee),
            Self::F80 => semantics("f80", 15, 63, 16383, Ieee),
            Self::F128 => semantics("f128", 15, 112, 16383, Ieee),
        }
    }

    /// The type's name in the textual format.
    #[must_use]
    pub const fn keyword(self) -> &'static str {
        self.semantics().keyword
    }

    /// The type with the given name.
    #[must_use]
    pub fn from_keyword(keyword: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.keyword() == keyword)
    }

    /// The number of bits of a value. (`tf32` has 19, although it is stored in 32.)
    #[must_use]
    pub const fn width(self) -> u32 {
        let fields = self.exponent_bits() + self.mantissa_bits();
        fields + self.has_sign() as u32 + self.has_integer_bit() as u32
    }

    /// The number of bits of the exponent field.
    #[must_use]
    pub const fn exponent_bits(self) -> u32 {
        self.semantics().exponent_bits
    }

    /// The number of bits of the fraction, without the explicit integer bit of `f80`.
    #[must_use]
    pub const fn mantissa_bits(self) -> u32 {
        self.semantics().mantissa_bits
    }

    /// The number of significant bits of a normal value, including the integer bit.
    #[must_use]
    pub const fn precision(self) -> u32 {
        self.semantics().mantissa_bits + 1
    }

    /// The exponent bias.
    #[must_use]
    pub const fn bias(self) -> i32 {
        self.semantics().bias
    }

    /// The non-finite values of the type.
    #[must_use]
    pub const fn non_finite(self) -> NonFinite {
        self.semantics().non_finite
    }

    /// Whether the type has an infinity.
    #[must_use]
    pub const fn has_infinity(self) -> bool {
        matches!(self.non_finite(), NonFinite::Ieee)
    }

    /// Whether the type has a NaN.
    #[must_use]
    pub const fn has_nan(self) -> bool {
        !matches!(self.non_finite(), NonFinite::None)
    }

    /// Whether the type has a zero.
    #[must_use]
    pub const fn has_zero(self) -> bool {
        !matches!(self, Self::F8E8M0FNU)
    }

    /// Whether the encoding has a sign bit.
    #[must_use]
    pub const fn has_sign(self) -> bool {
        !matches!(self, Self::F8E8M0FNU)
    }

    /// Whether zero has two encodings.
    #[must_use]
    pub const fn has_negative_zero(self) -> bool {
        self.has_zero() && !matches!(self.non_finite(), NonFinite::NanNegativeZero)
    }

    /// Whether the integer bit is stored rather than implied.
    #[must_use]
    pub const fn has_integer_bit(self) -> bool {
        matches!(self, Self::F80)
    }

    /// The exponent of the largest finite values.
    #[must_use]
    pub const fn max_exponent(self) -> i32 {
        let largest_field = (1 << self.exponent_bits()) - 1;
        let reserved = matches!(self.non_finite(), NonFinite::Ieee) || self.mantissa_bits() == 0;
        largest_field - reserved as i32 - self.bias()
    }

    /// The exponent of the smallest normal values.
    #[must_use]
    pub const fn min_exponent(self) -> i32 {
        (self.has_zero() as i32) - self.bias()
    }
}

impl std::fmt::Display for FloatKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.keyword())
    }
}
