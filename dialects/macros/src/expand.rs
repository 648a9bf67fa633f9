//! What a declaration expands to: the definition, the typed view, accessors and a builder.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use crate::declaration::{AttributePart, Body, Invocation, Kind, Operation, Part};

/// The items of all operations, and the list of their declarations.
pub fn invocation(invocation: &Invocation) -> TokenStream {
    let Invocation { operations, list } = invocation;
    let items = operations.iter().map(operation);
    let list = list.iter().map(|(name, documentation)| {
        let about = attributes(documentation);
        let views = operations.iter().map(|operation| &operation.rust);
        quote! {
            #about
            pub(crate) const #name: &[&::orison_ir::declare::OperationDefinition] =
                &[#(#views::DEFINITION),*];
        }
    });
    quote!(#(#items)* #(#list)*)
}

/// The items of an operation.
fn operation(operation: &Operation) -> TokenStream {
    let Operation {
        documentation,
        rust,
        name,
        body,
    } = operation;
    let about = attributes(documentation);
    let definition = definition(operation);
    let accessors = accessors(body);
    let build = build(body);
    quote! {
        #about
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct #rust(pub ::orison_ir::Operation);

        #[allow(clippy::too_many_arguments, dead_code)]
        impl #rust {
            /// The declaration.
            pub const DEFINITION: &'static ::orison_ir::declare::OperationDefinition = {
                static DEFINITION: ::orison_ir::declare::OperationDefinition = #definition;
                &DEFINITION
            };

            /// The full name.
            pub const NAME: &'static str = #name;

            /// The typed view of `op`, if it is this operation.
            pub fn of(context: &::orison_ir::Context, op: ::orison_ir::Operation) -> Option<Self> {
                Self::matches(context, op).then_some(#rust(op))
            }

            /// True if `op` is this operation, and registered. Constant time.
            pub fn matches(context: &::orison_ir::Context, op: ::orison_ir::Operation) -> bool {
                Self::DEFINITION.matches(context, op)
            }

            /// The operation.
            pub fn operation(self) -> ::orison_ir::Operation {
                self.0
            }

            #accessors
            #build
        }
    }
}

/// `#[doc = …]` for each line.
fn attributes(documentation: &[TokenStream]) -> TokenStream {
    quote!(#(#[doc = #documentation])*)
}

/// An expression for the text of all lines.
fn text(documentation: &[TokenStream]) -> TokenStream {
    quote!(::core::concat!(#(#documentation, "\n"),*))
}

fn definition(operation: &Operation) -> TokenStream {
    let Operation {
        documentation,
        rust,
        name,
        body,
    } = operation;
    let documentation = text(documentation);
    let rust_name = rust.to_string();
    let operands = body.operands.iter().map(value);
    let results = body.results.iter().map(value);
    let attributes = body.attributes.iter().map(attribute);
    let regions = body.regions.iter().map(|part| {
        let constraint = &part.constraint;
        counted(part, "RegionDefinition", &quote!(constraint: #constraint,))
    });
    let none = TokenStream::new();
    let successors = body
        .successors
        .iter()
        .map(|part| counted(part, "SuccessorDefinition", &none));
    let traits = &body.traits;
    let verify = verifier(&body.verifiers);
    let (fields, values): (Vec<_>, Vec<_>) = body.fields.iter().cloned().unzip();
    let start = rust.span().unwrap();
    let file = start.file();
    let line = Literal::u32_suffixed(u32::try_from(start.line()).unwrap_or(0));
    quote! {
        ::orison_ir::declare::OperationDefinition {
            name: #name,
            rust_name: #rust_name,
            documentation: #documentation,
            operands: &[#(#operands),*],
            results: &[#(#results),*],
            attributes: &[#(#attributes),*],
            regions: &[#(#regions),*],
            successors: &[#(#successors),*],
            traits: &[#(#traits),*],
            #verify
            #(#fields: #values,)*
            file: #file,
            line: #line,
            ..::orison_ir::declare::OperationDefinition::DEFAULT
        }
    }
}

fn value(part: &Part) -> TokenStream {
    let (name, constraint) = (part.name.to_string(), &part.constraint);
    let documentation = text(&part.documentation);
    let variadicity = match part.kind {
        Kind::Optional => quote!(Optional),
        Kind::Variadic => quote!(Variadic),
        _ => quote!(One),
    };
    quote! {
        ::orison_ir::declare::ValueDefinition {
            name: #name,
            variadicity: ::orison_ir::declare::Variadicity::#variadicity,
            constraint: &#constraint,
            documentation: #documentation,
        }
    }
}

fn attribute(part: &AttributePart) -> TokenStream {
    let AttributePart {
        key,
        kind,
        form,
        default,
        ..
    } = part;
    let optional = *kind != Kind::Required;
    let documentation = text(&part.documentation);
    let default = match kind {
        Kind::Default => quote! {
            ::core::option::Option::Some(|context| {
                <#form as ::orison_ir::declare::AttributeForm>::write(context, #default)
            })
        },
        _ => quote!(::core::option::Option::None),
    };
    quote! {
        ::orison_ir::declare::InherentAttribute {
            name: #key,
            constraint: <#form as ::orison_ir::declare::AttributeForm>::CONSTRAINT,
            optional: #optional,
            default: #default,
            documentation: #documentation,
        }
    }
}

/// The definition of a region or successor, which has a name and may be variadic.
fn counted(part: &Part, definition: &str, constraint: &TokenStream) -> TokenStream {
    let (name, definition) = (part.name.to_string(), format_ident!("{definition}"));
    let documentation = text(&part.documentation);
    let variadic = part.kind == Kind::Variadic;
    quote! {
        ::orison_ir::declare::#definition {
            name: #name,
            #constraint
            variadic: #variadic,
            documentation: #documentation,
        }
    }
}

/// One verifier that runs all of them in order.
fn verifier(verifiers: &[TokenStream]) -> TokenStream {
    match verifiers {
        [] => TokenStream::new(),
        [one] => quote!(verify: ::core::option::Option::Some(#one),),
        all => quote! {
            verify: ::core::option::Option::Some(|context, op| {
                #({
                    let verify: ::orison_ir::declare::VerifyFn = #all;
                    verify(context, op)?;
                })*
                ::core::result::Result::Ok(())
            }),
        },
    }
}

fn accessors(body: &Body) -> TokenStream {
    let mut output = TokenStream::new();
    for (group, part) in body.operands.iter().enumerate() {
        output.extend(value_accessor(&body.operands, group, part, true));
    }
    for (group, part) in body.results.iter().enumerate() {
        output.extend(value_accessor(&body.results, group, part, false));
    }
    output.extend(body.attributes.iter().map(attribute_accessors));
    let regions = body.regions.iter().enumerate();
    output.extend(regions.map(|(number, part)| region_accessor(number, part)));
    output
}

/// Reads values by index where all groups before have one value, and by the recorded or derived sizes
/// of the groups otherwise.
fn value_accessor(parts: &[Part], group: usize, part: &Part, operands: bool) -> TokenStream {
    let (about, name) = (attributes(&part.documentation), &part.name);
    let (get, range) = match operands {
        true => (quote!(operand), quote!(operand_range)),
        false => (quote!(result), quote!(result_range)),
    };
    let range = quote!(Self::DEFINITION.#range(context, self.0, #group));
    let (output, body) = match part.kind {
        Kind::Optional => (
            quote!(::core::option::Option<::orison_ir::Value>),
            quote!(#range.next().map(|number| self.0.#get(context, number))),
        ),
        Kind::Variadic => (
            quote!(::orison_ir::Values),
            quote!(#range.map(|number| self.0.#get(context, number)).collect()),
        ),
        _ if parts[..group].iter().all(|part| part.kind == Kind::One) => (
            quote!(::orison_ir::Value),
            quote!(self.0.#get(context, #group)),
        ),
        _ => (
            quote!(::orison_ir::Value),
            quote!(self.0.#get(context, #range.start)),
        ),
    };
    quote! {
        #about
        pub fn #name(self, context: &::orison_ir::Context) -> #output {
            #body
        }
    }
}

fn attribute_accessors(part: &AttributePart) -> TokenStream {
    let AttributePart {
        name,
        key,
        kind,
        form,
        ..
    } = part;
    let about = attributes(&part.documentation);
    let set = match kind {
        Kind::Required => TokenStream::new(),
        _ => {
            let set = format_ident!("set_{name}");
            let summary = format!("Sets `{name}`.");
            quote! {
                #[doc = #summary]
                pub fn #set(
                    self,
                    context: &mut ::orison_ir::Context,
                    value: <#form as ::orison_ir::declare::AttributeForm>::Value<'_>,
                ) {
                    let value = <#form as ::orison_ir::declare::AttributeForm>::write(context, value);
                    let properties = self.0.properties(context).with(context, #key, value);
                    self.0.set_properties(context, properties);
                }
            }
        }
    };
    quote! {
        #about
        ///
        /// `None` if the attribute is absent or of another form.
        pub fn #name(
            self,
            context: &::orison_ir::Context,
        ) -> ::core::option::Option<<#form as ::orison_ir::declare::AttributeForm>::Value<'_>> {
            let attribute = self.0.attribute(context, #key)?;
            <#form as ::orison_ir::declare::AttributeForm>::read(context, attribute)
        }
        #set
    }
}

fn region_accessor(number: usize, part: &Part) -> TokenStream {
    let (about, name) = (attributes(&part.documentation), &part.name);
    let (output, body) = match part.kind {
        Kind::Variadic => (
            quote!(::std::vec::Vec<::orison_ir::Region>),
            quote!(self.0.regions(context).skip(#number).collect()),
        ),
        _ => (
            quote!(::orison_ir::Region),
            quote!(self.0.region(context, #number)),
        ),
    };
    quote! {
        #about
        pub fn #name(self, context: &::orison_ir::Context) -> #output {
            #body
        }
    }
}

/// Whether the result types are those of the first operand.
fn infers_results(body: &Body) -> bool {
    let infers = |one: &TokenStream| one.to_string().ends_with("SameOperandsAndResultType");
    let is_one = |part: &&Part| part.kind == Kind::One;
    body.traits.iter().any(infers)
        && body.operands.first().as_ref().is_some_and(is_one)
        && body.results.iter().all(|part| part.kind == Kind::One)
}

fn build(body: &Body) -> TokenStream {
    // Names that the parameters, which the declaration chooses, cannot clash with.
    let own = |name: &str| Ident::new(name, Span::mixed_site());
    let (builder, location, parts) = (own("builder"), own("location"), own("parts"));
    let operands = body
        .operands
        .iter()
        .map(|part| parameter(part, &quote!(::orison_ir::Value)));
    let required = |part: &&AttributePart| part.kind == Kind::Required;
    let written: Vec<_> = body.attributes.iter().filter(required).collect();
    let attributes = written.iter().map(|part| {
        let (name, form) = (&part.name, &part.form);
        quote!(#name: <#form as ::orison_ir::declare::AttributeForm>::Value<'_>)
    });
    let inferred = infers_results(body);
    let typed: &[Part] = if inferred { &[] } else { &body.results };
    let results = typed
        .iter()
        .map(|part| parameter(part, &quote!(::orison_ir::Type)));
    let successors = body
        .successors
        .iter()
        .map(|part| parameter(part, &quote!(::orison_ir::Block)));
    let given = operands.chain(attributes).chain(results).chain(successors);
    let parameters: Vec<_> = given.collect();
    let operand_groups = body.operands.iter().map(list);
    let result_groups: Vec<_> = match inferred {
        true => {
            let first = &body.operands[0].name;
            let same = quote!(&[#first.ty(#builder.context())]);
            body.results.iter().map(|_| same.clone()).collect()
        }
        false => body.results.iter().map(list).collect(),
    };
    let keys = written.iter().map(|part| &part.key);
    let forms = written.iter().map(|part| &part.form);
    let values = written.iter().map(|part| &part.name);
    let successor_groups = body.successors.iter().map(list);
    let about = "Creates the operation at the builder's insertion point, from operands, required attributes, \
                 types of the results (unless they are those of the operands) and successors. Other attributes \
                 are absent or have their defaults, and regions are empty.";
    quote! {
        #[doc = #about]
        pub fn build(
            #builder: &mut ::orison_ir::Builder<'_>,
            #location: ::orison_ir::Location,
            #(#parameters),*
        ) -> Self {
            let mut #parts =
                ::orison_ir::declare::BuildParts::new(#builder.context(), Self::DEFINITION, #location);
            #(#parts.operand_group(#operand_groups);)*
            #({
                let value = <#forms as ::orison_ir::declare::AttributeForm>::write(#builder.context(), #values);
                #parts.attribute(#builder.context(), #keys, value);
            })*
            #(#parts.result_group(#result_groups);)*
            #(#parts.successor_group(#successor_groups);)*
            let state = #parts.finish(#builder.context());
            Self(#builder.create(&state))
        }
    }
}

/// A parameter of the builder for a group of operands, results or successors.
fn parameter(part: &Part, element: &TokenStream) -> TokenStream {
    let name = &part.name;
    match part.kind {
        Kind::Optional => quote!(#name: ::core::option::Option<#element>),
        Kind::Variadic => quote!(#name: &[#element]),
        _ => quote!(#name: #element),
    }
}

/// The slice of the values of a parameter.
fn list(part: &Part) -> TokenStream {
    let name: &Ident = &part.name;
    match part.kind {
        Kind::Optional => quote!(#name.as_slice()),
        Kind::Variadic => quote!(#name),
        _ => quote!(&[#name]),
    }
}
