//! Declarations: variables, registers, parameters, functions.

use std::collections::HashMap;

use super::Checker;
use super::names::{Entity, Formal, Variable};
use super::types::{Class, Type};
use crate::ptx::ast::{
    Declaration, Declarator, Expression, Function, FunctionDirective, Initializer, bytes_of,
    lanes_of, size_of,
};

/// Types not permitted for registers.
const NOT_IN_REGISTERS: [&str; 9] = [
    ".bf16",
    ".bf16x2",
    ".tf32",
    ".f32x2",
    ".e4m3x2",
    ".e5m2x2",
    ".texref",
    ".samplerref",
    ".surfref",
];

/// Types not permitted for variables.
const NOT_IN_MEMORY: [&str; 6] = [".bf16", ".bf16x2", ".tf32", ".f32x2", ".e4m3x2", ".e5m2x2"];

/// The entity of a declared memory name; `None` if its type is unknown.
pub(super) fn variable<'a>(
    declaration: &Declaration<'a>,
    name: &Declarator<'a>,
    role: Formal,
) -> Option<Variable<'a>> {
    let ty = Type::named(declaration.ty)?;
    let size = size_of(declaration, &name.extents);
    let is_open = name.extents.iter().any(Option::is_none);
    Some(Variable {
        space: declaration.space,
        ty,
        size: size.filter(|_| !is_open),
        role,
        is_extern: declaration.linkage == Some(".extern"),
    })
}

impl<'a> Checker<'a> {
    /// A declaration of a module or body: declares its names.
    pub(super) fn declaration(&mut self, declaration: &'a Declaration<'a>, is_module: bool) {
        let place = declaration.place;
        let is_register = declaration.space == ".reg";
        let elements = usize::try_from(lanes_of(declaration)).unwrap_or(1);
        if let Some(message) = misplaced(declaration, is_module) {
            return self.error(place, message);
        }
        let bits = bytes_of(declaration.ty) * 8 * lanes_of(declaration);
        if bits > 128 {
            self.error(place, "a vector has at most 128 bits".to_owned());
        }
        for name in &declaration.names {
            if let Some(message) = unfit(declaration, name) {
                self.error(name.place, message);
            }
            let Some(ty) = Type::named(declaration.ty) else {
                continue;
            };
            let entity = if is_register {
                Entity::Register(ty, elements)
            } else {
                match variable(declaration, name, Formal::No) {
                    Some(variable) => Entity::Variable(variable),
                    None => continue,
                }
            };
            self.initializer(declaration, name);
            self.declare(name, entity);
        }
    }

    fn declare(&mut self, name: &'a Declarator<'a>, entity: Entity<'a>) {
        let before = self.names.find_here(name.name);
        let is_new = match name.count {
            Some(count) => self.names.declare_counted(name.name, count, entity),
            None => self.names.declare(name.name, entity),
        };
        if is_new {
            return;
        }
        if let (Some(Entity::Variable(first)), Entity::Variable(second)) = (before, entity) {
            // A variable may be declared before or after its definition.
            let is_same = first.space == second.space && first.size == second.size;
            if (first.is_extern || second.is_extern) && is_same {
                return;
            }
        }
        self.error(name.place, format!("'{}' is declared twice", name.name));
    }

    /// Checks the initializer of a variable.
    fn initializer(&mut self, declaration: &'a Declaration<'a>, name: &'a Declarator<'a>) {
        let Some(initializer) = &name.initializer else {
            return;
        };
        let place = name.place;
        if !matches!(declaration.space, ".global" | ".const") {
            let space = declaration.space;
            return self.error(
                place,
                format!("'{}' in {space} cannot be initialized", name.name),
            );
        }
        let extents = name.extents.iter().map(|extent| {
            let value = extent.as_ref().and_then(Expression::as_integer);
            value.and_then(|value| usize::try_from(value).ok())
        });
        let extents: Vec<_> = extents.collect();
        if declaration.linkage == Some(".extern") {
            return self.error(
                place,
                format!("declaration '{}' cannot be initialized", name.name),
            );
        }
        let class = Type::named(declaration.ty).map(|ty| ty.class);
        if class == Some(Class::Opaque) {
            return;
        }
        if let Some(message) = self.value(initializer, &extents, declaration) {
            self.error(place, message);
        }
    }

    /// The error in an array element, if any.
    fn value(
        &self,
        initializer: &Initializer<'a>,
        extents: &[Option<usize>],
        declaration: &Declaration<'a>,
    ) -> Option<String> {
        let ty = declaration.ty;
        match initializer {
            Initializer::List(items) => {
                let Some((extent, rest)) = extents.split_first() else {
                    let elements = usize::try_from(lanes_of(declaration)).unwrap_or(1);
                    return (elements == 1 || items.len() != elements)
                        .then(|| format!("{} values for {elements} elements", items.len()));
                };
                if extent.is_some_and(|extent| items.len() > extent) {
                    return Some(format!(
                        "{} values for {} elements",
                        items.len(),
                        extent.unwrap_or(0)
                    ));
                }
                items
                    .iter()
                    .find_map(|item| self.value(item, rest, declaration))
            }
            Initializer::Value(value) => {
                let class = Type::named(ty)?.class;
                match value {
                    _ if !extents.is_empty() => {
                        Some("an array requires a list of values".to_owned())
                    }
                    _ if class == Class::Float && !matches!(ty, ".f32" | ".f64") => {
                        Some(format!("a variable of type {ty} cannot be initialized"))
                    }
                    Expression::Integer(..) if class == Class::Float => {
                        Some(format!("an integer is not a value of type {ty}"))
                    }
                    Expression::Single(_) | Expression::Double(_) if class == Class::Integer => {
                        Some(format!("a float is not a value of type {ty}"))
                    }
                    Expression::Name(name) if self.names.find(name).is_none() => {
                        Some(format!("'{name}' is not declared"))
                    }
                    _ => None,
                }
            }
            Initializer::Field(..) => None,
        }
    }

    /// The parameters and results of a function, its directives, and its name.
    pub(super) fn function_head(&mut self, function: &'a Function<'a>) {
        let place = function.place;
        let name = function.name;
        if function.is_kernel && function.linkage == Some(".common") {
            self.error(place, format!("kernel '{name}' cannot be common"));
        }
        match self.names.find_here(name) {
            Some(Entity::Function(before)) => {
                if before.body.is_some() && function.body.is_some() {
                    self.error(place, format!("'{name}' is defined twice"));
                } else if !same_interface(before, function) {
                    self.error(
                        place,
                        format!("'{name}' was declared with different parameters"),
                    );
                }
                if function.body.is_none() {
                    return;
                }
            }
            Some(_) => self.error(place, format!("'{name}' is declared twice")),
            None => {}
        }
        self.names.declare(name, Entity::Function(function));
        self.function_directives(function);
    }

    fn function_directives(&mut self, function: &'a Function<'a>) {
        let mut seen: HashMap<&str, &[u64]> = HashMap::new();
        for directive in &function.directives {
            let FunctionDirective::Numbers(name, numbers) = directive else {
                continue;
            };
            let place = function.place;
            seen.insert(name, numbers);
            let is_positive = matches!(
                *name,
                ".maxntid" | ".reqntid" | ".maxnreg" | ".reqnctapercluster"
            );
            if is_positive && numbers.contains(&0) {
                self.error(place, format!("expected positive integers after '{name}'"));
            }
            let is_cluster = matches!(
                *name,
                ".reqnctapercluster"
                    | ".maxclusterrank"
                    | ".explicitcluster"
                    | ".blocksareclusters"
            );
            if is_cluster && self.target.number < 90 {
                let message = format!(
                    "'{name}' requires sm_90 or later, but the target is {}",
                    self.target
                );
                self.error(place, message);
            }
            let is_function = matches!(
                *name,
                ".noreturn" | ".abi_preserve" | ".abi_preserve_control"
            );
            if function.is_kernel == is_function {
                let what = if is_function { "functions" } else { "kernels" };
                self.error(place, format!("'{name}' is only allowed on {what}"));
            }
        }
        let is_complete = seen.contains_key(".reqntid") && seen.contains_key(".reqnctapercluster");
        if seen.contains_key(".blocksareclusters") && !is_complete {
            let message =
                "'.blocksareclusters' requires '.reqntid' and '.reqnctapercluster'".to_owned();
            self.error(function.place, message);
        }
        if seen.contains_key(".maxntid") && seen.contains_key(".reqntid") {
            let message = "'.maxntid' and '.reqntid' are mutually exclusive".to_owned();
            self.error(function.place, message);
        }
    }

    /// Declares the parameters of a function as names of its body.
    pub(super) fn parameters(&mut self, function: &'a Function<'a>) {
        let inputs = function.parameters.as_deref().unwrap_or_default();
        let inputs = inputs
            .iter()
            .map(|declaration| (declaration, Formal::Input));
        let results = function
            .results
            .iter()
            .map(|declaration| (declaration, Formal::Output));
        for (declaration, role) in inputs.chain(results) {
            for name in &declaration.names {
                let Some(ty) = Type::named(declaration.ty) else {
                    continue;
                };
                if declaration.space == ".reg" && function.is_kernel {
                    let message =
                        format!("parameter '{}' of a kernel must be in .param", name.name);
                    self.error(name.place, message);
                }
                let is_open = name.extents.iter().any(Option::is_none);
                if is_open && function.is_kernel {
                    self.error(
                        name.place,
                        format!("parameter '{}' of a kernel has no size", name.name),
                    );
                }
                if ty.class == Class::Predicate && declaration.space == ".param" {
                    let message = format!("predicate '{}' must be in .reg", name.name);
                    self.error(name.place, message);
                }
                let elements = usize::try_from(lanes_of(declaration)).unwrap_or(1);
                let entity = match variable(declaration, name, role) {
                    Some(_) if declaration.space == ".reg" => Entity::Register(ty, elements),
                    Some(variable) => Entity::Variable(variable),
                    None => continue,
                };
                if !self.names.declare(name.name, entity) && name.name != "_" {
                    self.error(name.place, format!("'{}' is declared twice", name.name));
                }
            }
        }
    }
}

/// Why a declaration is not permitted in this context.
fn misplaced(declaration: &Declaration<'_>, is_module: bool) -> Option<String> {
    let space = declaration.space;
    if is_module && matches!(space, ".reg" | ".local" | ".param") {
        return Some(format!("{space} can only be declared in functions"));
    }
    if !is_module && declaration.linkage.is_some() {
        let linkage = declaration.linkage.unwrap_or_default();
        return Some(format!("{linkage} is only allowed outside of functions"));
    }
    if space == ".tex" {
        return Some("state space .tex was removed in PTX 1.5".to_owned());
    }
    if space != ".reg" && NOT_IN_MEMORY.contains(&declaration.ty) {
        return Some(format!("a variable cannot have type {}", declaration.ty));
    }
    if space == ".sreg" {
        return Some("special registers cannot be declared".to_owned());
    }
    if space == ".reg" && NOT_IN_REGISTERS.contains(&declaration.ty) {
        return Some(format!("a register cannot have type {}", declaration.ty));
    }
    if declaration.vector == Some(".v8") {
        return Some("a vector has at most four elements".to_owned());
    }
    (space != ".reg" && declaration.ty == ".pred").then(|| "a predicate must be in .reg".to_owned())
}

/// The error in a declared name, if any.
fn unfit(declaration: &Declaration<'_>, name: &Declarator<'_>) -> Option<String> {
    let is_register = declaration.space == ".reg";
    if is_register && !name.extents.is_empty() {
        return Some(format!("register '{}' cannot be an array", name.name));
    }
    let is_extern = declaration.linkage == Some(".extern");
    let is_incomplete = name.extents.iter().any(|extent| match extent {
        Some(extent) => extent.as_integer() == Some(0),
        None => true,
    });
    (is_incomplete && !is_extern && name.initializer.is_none())
        .then(|| format!("'{}' has no size", name.name))
}

fn same_interface(a: &Function<'_>, b: &Function<'_>) -> bool {
    let shapes = |declarations: &[Declaration<'_>]| -> Vec<_> {
        let variables = declarations.iter().map(|declaration| {
            let variable = variable(declaration, &declaration.names[0], Formal::Input);
            variable.map(|variable| (variable.size, variable.ty.class == Class::Predicate))
        });
        variables.collect()
    };
    let parameters =
        |function: &Function<'_>| shapes(function.parameters.as_deref().unwrap_or_default());
    a.is_kernel == b.is_kernel
        && parameters(a) == parameters(b)
        && shapes(&a.results) == shapes(&b.results)
}
