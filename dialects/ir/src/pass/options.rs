//! Typed options of passes, with their textual form.

use std::fmt;
use std::ops::RangeInclusive;

use super::nearest;

/// The definition of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionDefinition {
    /// The name, in kebab-case.
    pub name: &'static str,
    /// Its effect.
    pub help: &'static str,
    /// The allowed values, for example `bool`, `uint 1..64` or `off|normal`.
    pub form: fn() -> String,
    /// The default as text; `None` if there is none.
    pub default: fn() -> Option<String>,
}

/// Names of options with their values, as text.
pub type OptionTexts = Vec<(String, String)>;

/// The reason why an option could not be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// There is no option with this name.
    Unknown {
        /// The name that was given.
        name: String,
        /// A suggested name, if any.
        nearest: Option<String>,
    },
    /// The value is not allowed.
    Value {
        /// The option.
        name: String,
        /// The error in the value.
        message: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown {
                name,
                nearest: None,
            } => write!(f, "no such option '{name}'"),
            OptionError::Unknown {
                name,
                nearest: Some(nearest),
            } => write!(f, "no such option '{name}'; did you mean '{nearest}'?"),
            OptionError::Value { name, message } => write!(f, "option '{name}': {message}"),
        }
    }
}

impl std::error::Error for OptionError {}

/// The options of a pass. Written by [`pass_options!`](crate::pass_options).
pub trait PassOptions: Clone + fmt::Debug + Default + 'static {
    /// The definitions of the options.
    const DEFINITIONS: &'static [OptionDefinition];

    /// Sets an option from text.
    ///
    /// # Errors
    /// If there is no such option, or the value is not allowed.
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError>;

    /// The value as text; `None` if it is not set or there is no such option.
    fn get(&self, name: &str) -> Option<String>;

    /// The options with these values; the others have their defaults.
    ///
    /// # Errors
    /// That of [`Self::set`], for the first one that cannot be set.
    fn of(values: &[(String, String)]) -> Result<Self, OptionError> {
        let mut options = Self::default();
        for (name, value) in values {
            options.set(name, value)?;
        }
        Ok(options)
    }

    /// The error for an unknown option.
    fn unknown(name: &str) -> OptionError {
        let known = Self::DEFINITIONS.iter().map(|definition| definition.name);
        OptionError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, known).map(str::to_owned),
        }
    }
}

/// No options.
impl PassOptions for () {
    const DEFINITIONS: &'static [OptionDefinition] = &[];

    fn set(&mut self, name: &str, _: &str) -> Result<(), OptionError> {
        Err(Self::unknown(name))
    }

    fn get(&self, _: &str) -> Option<String> {
        None
    }
}

/// A type of option values.
pub trait OptionValue: Sized {
    /// The allowed values.
    fn form() -> String;
    /// Parses a value.
    ///
    /// # Errors
    /// If it is not allowed; the error states the reason.
    fn read(text: &str) -> Result<Self, String>;
    /// The value as text; `None` if there is none.
    fn write(&self) -> Option<String>;
}

impl OptionValue for bool {
    fn form() -> String {
        "bool".to_owned()
    }
    fn read(text: &str) -> Result<Self, String> {
        match text {
            // A flag without a value is true, as in LLVM.
            "true" | "TRUE" | "True" | "1" | "" => Ok(true),
            "false" | "FALSE" | "False" | "0" => Ok(false),
            _ => Err(format!(
                "'{text}' is invalid value for boolean argument! Try 0 or 1"
            )),
        }
    }
    fn write(&self) -> Option<String> {
        Some(self.to_string())
    }
}

macro_rules! parsed_option {
    ($($ty:ty, $form:literal, $article:literal;)*) => { $(
        impl OptionValue for $ty {
            fn form() -> String {
                $form.to_owned()
            }
            fn read(text: &str) -> Result<Self, String> {
                let message = concat!("value invalid for ", $article, " argument!");
                text.parse().map_err(|_| format!("'{text}' {message}"))
            }
            fn write(&self) -> Option<String> {
                Some(self.to_string())
            }
        }

        impl OptionNumber for $ty {
            type Limit = $ty;
            fn number(&self) -> Option<$ty> {
                Some(*self)
            }
        }
    )* };
}

parsed_option! {
    i32, "int", "integer";
    i64, "long", "integer";
    u32, "uint", "unsigned integer";
    u64, "ulong", "unsigned integer";
    usize, "uint", "unsigned integer";
    f64, "number", "floating point";
}

/// A number whose range an option can restrict.
pub trait OptionNumber: OptionValue {
    /// The type of the limits.
    type Limit: Copy + PartialOrd + fmt::Display;
    /// The number; `None` if it is not set.
    fn number(&self) -> Option<Self::Limit>;
}

impl<T: OptionNumber> OptionNumber for Option<T> {
    type Limit = T::Limit;
    fn number(&self) -> Option<T::Limit> {
        self.as_ref().and_then(OptionNumber::number)
    }
}

/// The form of a number in a range: `uint 1..64`.
pub fn form_within<T: OptionNumber>(range: &RangeInclusive<T::Limit>) -> String {
    format!("{} {}..{}", T::form(), range.start(), range.end())
}

/// Parses a number in a range.
///
/// # Errors
/// If it is not a number, or not in the range; the error states the range.
pub fn read_within<T: OptionNumber>(
    text: &str,
    range: &RangeInclusive<T::Limit>,
) -> Result<T, String> {
    let outside = || {
        let (least, most) = (range.start(), range.end());
        format!("{text} is out of range: must be from {least} to {most}")
    };
    // A number that does not fit the type is reported as out of range.
    let value = T::read(text).map_err(|message| match text.parse::<i128>() {
        Ok(_) => outside(),
        Err(_) => message,
    })?;
    let fits = value.number().is_none_or(|number| range.contains(&number));
    if fits { Ok(value) } else { Err(outside()) }
}

impl OptionValue for String {
    fn form() -> String {
        "string".to_owned()
    }
    fn read(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }
    fn write(&self) -> Option<String> {
        Some(self.clone())
    }
}

/// An option that may be unset.
impl<T: OptionValue> OptionValue for Option<T> {
    fn form() -> String {
        T::form()
    }
    fn read(text: &str) -> Result<Self, String> {
        T::read(text).map(Some)
    }
    fn write(&self) -> Option<String> {
        self.as_ref().and_then(OptionValue::write)
    }
}

/// A comma-separated list.
impl<T: OptionValue> OptionValue for Vec<T> {
    fn form() -> String {
        format!("{},...", T::form())
    }
    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        text.split(',').map(T::read).collect()
    }
    fn write(&self) -> Option<String> {
        let items: Vec<_> = self.iter().filter_map(OptionValue::write).collect();
        (!items.is_empty()).then(|| items.join(","))
    }
}

/// A choice between names. Implement it with [`option_enum!`](crate::option_enum).
pub trait OptionEnum: Sized + Copy + PartialEq + 'static {
    /// The choices with their names.
    const CHOICES: &'static [(&'static str, Self)];
}

/// Declares an enumeration of option values.
///
/// ```
/// orison_ir::option_enum! {
///     /// How much.
///     pub enum Amount {
///         /// Nothing.
///         Nothing = "nothing",
///         /// Everything.
///         Everything = "everything",
///     }
/// }
/// use orison_ir::pass::OptionValue;
/// assert_eq!(Amount::read("nothing"), Ok(Amount::Nothing));
/// assert!(Amount::read("nothin").unwrap_err().contains("did you mean 'nothing'?"));
/// ```
#[macro_export]
macro_rules! option_enum {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident = $text:literal ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        $visibility enum $name {
            $( $(#[$variant_meta])* $variant, )*
        }

        impl $crate::pass::OptionEnum for $name {
            const CHOICES: &'static [(&'static str, Self)] = &[$( ($text, $name::$variant) ),*];
        }

        impl $crate::pass::OptionValue for $name {
            fn form() -> String {
                <Self as $crate::pass::OptionEnum>::CHOICES
                    .iter()
                    .map(|(name, _)| *name)
                    .collect::<Vec<_>>()
                    .join("|")
            }
            fn read(text: &str) -> Result<Self, String> {
                let choices = <Self as $crate::pass::OptionEnum>::CHOICES;
                if let Some((_, value)) = choices.iter().find(|(name, _)| *name == text) {
                    return Ok(*value);
                }
                let names = choices.iter().map(|(name, _)| *name);
                Err(match $crate::pass::nearest(text, names) {
                    Some(nearest) => format!("no such value '{text}'; did you mean '{nearest}'?"),
                    None => format!("no such value '{text}'; allowed are {}", Self::form()),
                })
            }
            fn write(&self) -> Option<String> {
                let choices = <Self as $crate::pass::OptionEnum>::CHOICES;
                let choice = choices.iter().find(|(_, value)| value == self);
                choice.map(|(name, _)| (*name).to_owned())
            }
        }
    };
}

/// The form of an option, with its range if it has one: for [`pass_options!`](crate::pass_options).
#[doc(hidden)]
#[macro_export]
macro_rules! option_form {
    ($ty:ty) => {
        <$ty as $crate::pass::OptionValue>::form()
    };
    ($ty:ty, $range:expr) => {
        $crate::pass::form_within::<$ty>(&$range)
    };
}

/// Parses an option, in its range if it has one: for [`pass_options!`](crate::pass_options).
#[doc(hidden)]
#[macro_export]
macro_rules! option_read {
    ($text:expr, $ty:ty) => {
        <$ty as $crate::pass::OptionValue>::read($text)
    };
    ($text:expr, $ty:ty, $range:expr) => {
        $crate::pass::read_within::<$ty>($text, &$range)
    };
}

/// Declares the options of a pass: a struct with defaults, and its textual form. A number can have
/// a range, which is shown in help and lists; a value outside is an error that states the range.
///
/// ```
/// orison_ir::pass_options! {
///     /// Options of `toy-unroll`.
///     pub struct UnrollOptions {
///         /// How many copies of the body.
///         factor = "factor": u32[1..=64] = 4,
///         /// Loops to leave alone.
///         skip = "skip": Vec<String> = Vec::new(),
///     }
/// }
/// use orison_ir::pass::PassOptions;
/// let mut options = UnrollOptions::default();
/// let error = options.set("factor", "65").unwrap_err().to_string();
/// assert_eq!(error, "option 'factor': 65 is out of range: must be from 1 to 64");
/// options.set("skip", "a,b").unwrap();
/// assert_eq!(options.skip, ["a", "b"]);
/// assert_eq!(options.get("factor").as_deref(), Some("4"));
/// assert!(options.set("factr", "1").unwrap_err().to_string().contains("did you mean 'factor'?"));
/// ```
#[macro_export]
macro_rules! pass_options {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $( $(#[doc = $help:literal])* $field:ident = $text:literal : $ty:ty $([$range:expr])? = $default:expr ),*
            $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug)]
        $visibility struct $name {
            $( $(#[doc = $help])* pub $field: $ty, )*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $( $field: $default, )* }
            }
        }

        impl $crate::pass::PassOptions for $name {
            const DEFINITIONS: &'static [$crate::pass::OptionDefinition] = &[
                $( $crate::pass::OptionDefinition {
                    name: $text,
                    help: concat!($($help),*),
                    form: || $crate::option_form!($ty $(, $range)?),
                    default: || <$ty as $crate::pass::OptionValue>::write(&{ let value: $ty = $default; value }),
                }, )*
            ];

            fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::pass::OptionError> {
                match name {
                    $( $text => {
                        let read = $crate::option_read!(value, $ty $(, $range)?);
                        self.$field = read.map_err(|message| {
                            $crate::pass::OptionError::Value { name: name.to_owned(), message }
                        })?;
                        Ok(())
                    } )*
                    _ => Err(<Self as $crate::pass::PassOptions>::unknown(name)),
                }
            }

            fn get(&self, name: &str) -> Option<String> {
                match name {
                    $( $text => <$ty as $crate::pass::OptionValue>::write(&self.$field), )*
                    _ => None,
                }
            }
        }
    };
}
