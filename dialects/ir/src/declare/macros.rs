//! The declaration macro.

/// Declares operations. Each declaration defines the record that verifier, parser, printer and
/// documentation read (`Type::DEFINITION`) and the typed view with accessors and a builder.
///
/// ```
/// use orison_ir::declare::{Effects, I32Attr, constraints::{ANY_TYPE, INDEX}};
/// orison_ir::operations! {
///     /// Reads one element.
///     ///
///     /// The longer description follows the summary line.
///     op Peek = "toy.peek" {
///         operands {
///             /// What to read from.
///             source: one(ANY_TYPE),
///             /// Where.
///             indices: variadic(INDEX),
///         }
///         results {
///             /// The element.
///             element: one(ANY_TYPE),
///         }
///         attributes {
///             /// Alignment in bytes.
///             alignment = "alignment": optional(I32Attr),
///         }
///         with { effects: Effects::Read }
///     }
/// }
/// let mut context = orison_ir::Context::new();
/// assert_eq!(Peek::DEFINITION.name, "toy.peek");
/// assert_eq!(Peek::DEFINITION.summary(), "Reads one element.");
/// ```
#[macro_export]
macro_rules! operations {
    ($(
        $(#[doc = $doc:literal])*
        op $rust:ident = $name:literal {
            $(operands { $( $(#[doc = $operand_doc:literal])* $operand:ident : $operand_kind:ident ($operand_constraint:expr) ),* $(,)? })?
            $(results { $( $(#[doc = $result_doc:literal])* $result:ident : $result_kind:ident ($result_constraint:expr) ),* $(,)? })?
            $(attributes { $( $(#[doc = $attribute_doc:literal])* $attribute:ident = $attribute_name:literal : $attribute_kind:ident ($form:ty $(, $default:expr)?) ),* $(,)? })?
            $(regions { $( $(#[doc = $region_doc:literal])* $region:ident : $region_kind:ident ($region_constraint:expr) ),* $(,)? })?
            $(successors { $( $(#[doc = $successor_doc:literal])* $successor:ident : $successor_kind:ident ),* $(,)? })?
            $(with { $( $field:ident : $value:expr ),* $(,)? })?
        }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $rust(pub $crate::Operation);

        #[allow(clippy::too_many_arguments, dead_code)]
        impl $rust {
            /// The declaration.
            pub const DEFINITION: &'static $crate::declare::OperationDefinition =
                &$crate::declare::OperationDefinition {
                    name: $name,
                    rust_name: stringify!($rust),
                    documentation: concat!($($doc, "\n"),*),
                    operands: &[$($($crate::declare::ValueDefinition {
                        name: stringify!($operand),
                        variadicity: $crate::operations!(@variadicity $operand_kind),
                        constraint: &$operand_constraint,
                        documentation: concat!($($operand_doc, "\n"),*),
                    }),*)?],
                    results: &[$($($crate::declare::ValueDefinition {
                        name: stringify!($result),
                        variadicity: $crate::operations!(@variadicity $result_kind),
                        constraint: &$result_constraint,
                        documentation: concat!($($result_doc, "\n"),*),
                    }),*)?],
                    attributes: &[$($($crate::declare::InherentAttribute {
                        name: $attribute_name,
                        constraint: <$form as $crate::declare::AttributeForm>::CONSTRAINT,
                        optional: $crate::operations!(@optional $attribute_kind),
                        default: $crate::operations!(@default $attribute_kind $form $(, $default)?),
                        documentation: concat!($($attribute_doc, "\n"),*),
                    }),*)?],
                    regions: &[$($($crate::declare::RegionDefinition {
                        name: stringify!($region),
                        constraint: $region_constraint,
                        variadic: $crate::operations!(@variadic_region $region_kind),
                        documentation: concat!($($region_doc, "\n"),*),
                    }),*)?],
                    successors: &[$($($crate::declare::SuccessorDefinition {
                        name: stringify!($successor),
                        variadic: $crate::operations!(@variadic_region $successor_kind),
                        documentation: concat!($($successor_doc, "\n"),*),
                    }),*)?],
                    $($($field: $value,)*)?
                    file: file!(),
                    line: line!(),
                    ..$crate::declare::OperationDefinition::DEFAULT
                };

            /// The full name.
            pub const NAME: &'static str = $name;

            /// The typed view of `op`, if it is this operation.
            pub fn of(context: &$crate::Context, op: $crate::Operation) -> Option<Self> {
                op.definition(context)
                    .is_some_and(|definition| std::ptr::eq(definition.name, $name) || definition.name == $name)
                    .then_some($rust(op))
            }

            /// The operation.
            pub fn operation(self) -> $crate::Operation {
                self.0
            }

            $($( $crate::operations!(@operand_accessor $operand_kind $operand $(, $operand_doc)*); )*)?
            $($( $crate::operations!(@result_accessor $result_kind $result $(, $result_doc)*); )*)?
            $($( $crate::operations!(@attribute_accessor $attribute_kind $attribute $attribute_name $form $(, $attribute_doc)*); )*)?
            $($( $crate::operations!(@region_accessor $region_kind $region $(, $region_doc)*); )*)?

            /// Creates the operation at the builder's insertion point: operands, attributes, then
            /// the types of the results. Regions are created empty.
            pub fn build(
                builder: &mut $crate::Builder<'_>,
                location: $crate::Location,
                $($( $operand: $crate::operations!(@operand_parameter $operand_kind), )*)?
                $($( $attribute: $crate::operations!(@attribute_parameter $attribute_kind $form), )*)?
                $($( $result: $crate::operations!(@result_parameter $result_kind), )*)?
            ) -> Self {
                let mut parts = $crate::declare::BuildParts::new(builder.context(), Self::DEFINITION, location);
                $($( parts.operand_group(&$crate::operations!(@list $operand_kind $operand)); )*)?
                $($( $crate::operations!(@attribute_set $attribute_kind $form, parts, builder, $attribute_name, $attribute); )*)?
                $($( parts.result_group(&$crate::operations!(@list $result_kind $result)); )*)?
                let state = parts.finish(builder.context());
                $rust(builder.create(&state))
            }
        }
    )* };

    (@variadicity one) => { $crate::declare::Variadicity::One };
    (@variadicity optional) => { $crate::declare::Variadicity::Optional };
    (@variadicity variadic) => { $crate::declare::Variadicity::Variadic };
    (@optional required) => { false };
    (@optional optional) => { true };
    (@optional default) => { true };
    (@default required $form:ty) => { None };
    (@default optional $form:ty) => { None };
    (@default default $form:ty, $value:expr) => {
        Some(|context| <$form as $crate::declare::AttributeForm>::write(context, $value))
    };
    (@variadic_region one) => { false };
    (@variadic_region variadic) => { true };

    (@operand_parameter one) => { $crate::Value };
    (@operand_parameter optional) => { Option<$crate::Value> };
    (@operand_parameter variadic) => { &[$crate::Value] };
    (@result_parameter one) => { $crate::Type };
    (@result_parameter optional) => { Option<$crate::Type> };
    (@result_parameter variadic) => { &[$crate::Type] };
    (@list one $value:ident) => { [$value] };
    (@list optional $value:ident) => { $value.as_slice() };
    (@list variadic $value:ident) => { $value };
    (@attribute_parameter required $form:ty) => { <$form as $crate::declare::AttributeForm>::Value<'_> };
    (@attribute_parameter optional $form:ty) => { Option<<$form as $crate::declare::AttributeForm>::Value<'_>> };
    (@attribute_parameter default $form:ty) => { <$form as $crate::declare::AttributeForm>::Value<'_> };
    (@attribute_set optional $form:ty, $parts:ident, $builder:ident, $key:literal, $value:ident) => {
        if let Some(value) = $value {
            let value = <$form as $crate::declare::AttributeForm>::write($builder.context(), value);
            $parts.attribute($builder.context(), $key, value);
        }
    };
    (@attribute_set $kind:ident $form:ty, $parts:ident, $builder:ident, $key:literal, $value:ident) => {
        let value = <$form as $crate::declare::AttributeForm>::write($builder.context(), $value);
        $parts.attribute($builder.context(), $key, value);
    };

    (@operand_accessor one $name:ident $(, $doc:literal)*) => {
        $(#[doc = $doc])*
        pub fn $name(self, context: &$crate::Context) -> $crate::Value {
            self.0.operands_named(context, stringify!($name))[0]
        }
    };
    (@operand_accessor optional $name:ident $(, $doc:literal)*) => {
        $(#[doc = $doc])*
        pub fn $name(self, context: &$crate::Context) -> Option<$crate::Value> {
            self.0.operands_named(context, stringify!($name)).first().copied()
        }
    };
    (@operand_accessor variadic $name:ident $(, $doc:literal)*) => {
        $(#[doc = $doc])*
        pub fn $name(self, context: &$crate::Context) -> Vec<$crate::Value> {
            self.0.operands_named(context, stringify!($name))
        }
    };
    (@result_accessor one $name:ident $(, $doc:literal)*) => {
        $(#[doc = $doc])*
        pub fn $name(self, context: &$crate::Context) -> $crate::Value {
            self.0.results_named(context, stringify!($name))[0]
        }
    };
    (@result_accessor optional $name:ident $(, $doc:literal)*) => {
        $(#[doc = $doc])*
        pub fn $name(self, context: &$crate::Context) -> Option<$crate::Value> {
            self.0.results_named(context, stringify!($name)).first().copied()
        }
    };
    (@result_accessor variadic $name:ident $(, $doc:literal)*) => {
        $(#[doc = $doc])*
        pub fn $name(self, context: &$crate::Context) -> Vec<$crate::Value> {
            self.0.results_named(context, stringify!($name))
        }
    };
    (@attribute_accessor $kind:ident $name:ident $key:literal $form:ty $(, $doc:literal)*) => {
        $(#[doc = $doc])*
        ///
        /// `None` if the attribute is absent or of another form.
        pub fn $name(self, context: &$crate::Context) -> Option<<$form as $crate::declare::AttributeForm>::Value<'_>> {
            let attribute = self.0.attribute(context, $key)?;
            <$form as $crate::declare::AttributeForm>::read(context, attribute)
        }
    };
    (@region_accessor one $name:ident $(, $doc:literal)*) => {
        $(#[doc = $doc])*
        pub fn $name(self, context: &$crate::Context) -> $crate::Region {
            self.0.regions_named(context, stringify!($name))[0]
        }
    };
    (@region_accessor variadic $name:ident $(, $doc:literal)*) => {
        $(#[doc = $doc])*
        pub fn $name(self, context: &$crate::Context) -> Vec<$crate::Region> {
            self.0.regions_named(context, stringify!($name))
        }
    };
}
