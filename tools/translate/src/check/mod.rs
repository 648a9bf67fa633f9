//! Checks of PTX beyond its grammar: names, types, state spaces, targets and versions.
//!
//! [`check`] visits a parsed module and finds the errors that ptxas reports. The instructions are
//! described as data, `table/*.toml`, in the notation that `table/form.rs` defines; so are targets
//! and special registers.

mod calls;
mod declarations;
mod instruction;
mod modifiers;
mod names;
mod operands;
mod table;
mod target;
mod types;

use std::collections::HashMap;

use orison_ir::{Palette, Severity};

use crate::ptx::ast::{Item, Module, Statement, StatementKind};
use crate::ptx::{Error, Place};
use modifiers::Choice;
use names::{Entity, Label, Names};
pub use target::can_compile_for;
use target::{NEWEST, Target, Version};

/// The errors in a module, in source order; at most one per instruction.
///
/// ```
/// let text = ".version 8.0\n.target sm_80\n.visible .entry k()\n{\n\t.reg .b32 %r<2>;\n\tadd.u32 %r0, %r1, %r2;\n\tret;\n}\n";
/// let module = orison_translate::ptx::parse(text).expect("well-formed");
/// let errors = orison_translate::check::check(&module);
/// assert_eq!(errors[0].place.line, 6);
/// assert_eq!(errors[0].message, "operand #2 of 'add.u32' is '%r2', which is not declared");
/// ```
pub fn check(module: &Module<'_>) -> Vec<Error> {
    let mut checker = Checker {
        target: Target {
            number: 0,
            suffix: None,
        },
        version: NEWEST,
        names: Names::default(),
        chosen: HashMap::new(),
        errors: Vec::new(),
    };
    if checker.header(module) {
        checker.items(module);
    }
    checker.errors.sort_by_key(|error| error.place);
    checker.errors
}

/// The maximum number of errors shown.
const SHOWN: usize = 100;

/// Checks a module; returns the errors as text, with source lines.
///
/// # Errors
/// The first hundred errors of [`check()`].
pub fn check_text(
    name: &str,
    text: &str,
    module: &Module<'_>,
    palette: Palette,
) -> Result<(), String> {
    let errors = check(module);
    if errors.is_empty() {
        return Ok(());
    }
    let shown = errors.iter().take(SHOWN);
    let mut shown: String = shown
        .map(|error| error.render_with(&palette, name, text))
        .collect();
    if errors.len() > SHOWN {
        let more = format!("{} more errors", errors.len() - SHOWN);
        shown += &palette.headline(name, Severity::Note, &more);
    }
    Err(shown)
}

/// The forms that modifiers select, or the error in them.
type Chosen<'a> = Result<Vec<Choice<'a>>, String>;

/// A check in progress.
#[derive(Debug)]
struct Checker<'a> {
    target: Target,
    version: Version,
    names: Names<'a>,
    /// Cache of the forms by name and modifiers.
    chosen: HashMap<(&'a str, &'a [&'a str]), std::rc::Rc<Chosen<'a>>>,
    errors: Vec<Error>,
}

impl<'a> Checker<'a> {
    fn error(&mut self, place: Place, message: String) {
        self.errors.push(Error { place, message });
    }

    /// Checks version and target, which come first; false if checking cannot continue.
    fn header(&mut self, module: &Module<'a>) -> bool {
        let place = |number: usize| {
            let place = module.places.get(number).copied();
            place.unwrap_or(Place { line: 1, column: 1 })
        };
        let Some(Item::Version(major, minor)) = module.items.first() else {
            self.error(
                place(0),
                "expected '.version' at the beginning of the file".to_owned(),
            );
            return false;
        };
        self.version = Version(*major, *minor);
        if let Some(message) = self.version.unknown() {
            self.error(place(0), message);
            return false;
        }
        let Some(Item::Target(names)) = module.items.get(1) else {
            self.error(place(1), "expected '.target' after '.version'".to_owned());
            return false;
        };
        self.targets(place(1), names)
    }

    fn targets(&mut self, place: Place, names: &[&str]) -> bool {
        for (number, name) in names.iter().enumerate() {
            let option = matches!(*name, "texmode_unified" | "texmode_independent" | "debug");
            if number > 0 && option {
                continue;
            }
            let Some((target, since)) = Target::named(name) else {
                self.error(place, format!("unknown target '{name}'"));
                return false;
            };
            if self.version < since {
                let message = format!(
                    "target {target} requires PTX {since}, but the version is {}",
                    self.version
                );
                self.error(place, message);
            }
            self.target = target;
        }
        true
    }

    fn items(&mut self, module: &'a Module<'a>) {
        self.names.open();
        let mut items = module.items.iter().zip(&module.places).skip(2).peekable();
        let _ = items.next_if(|(item, _)| matches!(item, Item::AddressSize(_)));
        for (item, place) in items {
            match item {
                Item::Version(..) | Item::AddressSize(_) => {
                    self.error(
                        *place,
                        "this directive is only allowed at the beginning of a file".to_owned(),
                    );
                }
                Item::Target(names) => {
                    self.targets(*place, names);
                }
                Item::Variable(declaration) => self.declaration(declaration, true),
                Item::Function(function) => {
                    self.function_head(function);
                    self.names.open();
                    self.parameters(function);
                    if let Some(body) = &function.body {
                        self.statements(body);
                    }
                    self.names.close();
                }
                Item::Alias(alias, aliased) => self.alias(*place, alias, aliased),
                Item::Pragma(texts) => {
                    let known = [
                        "nounroll",
                        "enable_smem_spilling",
                        "frequency",
                        "used_bytes_mask",
                    ];
                    let mut unknown = texts.iter().filter(|text| !known.contains(text));
                    if let Some(text) = unknown.next() {
                        self.error(*place, format!("unknown module pragma '{text}'"));
                    }
                }
                Item::File(_) | Item::Section(_) => {}
            }
        }
    }

    fn alias(&mut self, place: Place, alias: &'a str, aliased: &str) {
        for name in [alias, aliased] {
            if !matches!(self.names.find(name), Some(Entity::Function(_))) {
                return self.error(place, format!("'{name}' is not a function declared before"));
            }
        }
    }

    /// The statements of a block: labels are visible in the whole block, other names from their
    /// declaration.
    fn statements(&mut self, statements: &'a [Statement<'a>]) {
        self.labels(statements);
        for (number, statement) in statements.iter().enumerate() {
            match &statement.kind {
                StatementKind::Declaration(declaration) => self.declaration(declaration, false),
                StatementKind::Block(inner) => {
                    self.names.open();
                    self.statements(inner);
                    self.names.close();
                }
                StatementKind::Instruction(instruction) => {
                    self.instruction(statement.place, instruction);
                }
                StatementKind::Targets(kind, names) => {
                    self.targets_of(statement.place, kind, names);
                }
                StatementKind::Label(name) => {
                    // The statement after a label determines its kind.
                    let label = match statements.get(number + 1).map(|next| &next.kind) {
                        Some(StatementKind::Prototype(prototype)) => Label::Prototype(prototype),
                        Some(StatementKind::Targets(".branchtargets", _)) => Label::Branches,
                        Some(StatementKind::Targets(_, names)) => Label::Calls(names),
                        _ => continue,
                    };
                    if !self.names.declare(name, Entity::Label(label)) {
                        self.error(statement.place, format!("'{name}' is declared twice"));
                    }
                }
                StatementKind::Pragma(_) | StatementKind::Loc(_) | StatementKind::Prototype(_) => {}
            }
        }
    }

    /// Declares the labels of instructions of a block.
    fn labels(&mut self, statements: &'a [Statement<'a>]) {
        for (number, statement) in statements.iter().enumerate() {
            let StatementKind::Label(name) = &statement.kind else {
                continue;
            };
            let behind = statements.get(number + 1).map(|next| &next.kind);
            let is_table = matches!(
                behind,
                Some(StatementKind::Prototype(_) | StatementKind::Targets(..))
            );
            if !is_table && !self.names.declare(name, Entity::Label(Label::Code)) {
                self.error(statement.place, format!("label '{name}' is defined twice"));
            }
        }
    }

    /// Checks the labels of `.branchtargets` and the functions of `.calltargets`.
    fn targets_of(&mut self, place: Place, kind: &str, names: &[&str]) {
        for name in names {
            let is_right = match self.names.find(name) {
                Some(Entity::Label(Label::Code)) => kind == ".branchtargets",
                Some(Entity::Function(function)) => kind == ".calltargets" && !function.is_kernel,
                Some(_) => false,
                None => return self.error(place, format!("'{name}' is not declared")),
            };
            if !is_right {
                let what = if kind == ".branchtargets" {
                    "label"
                } else {
                    "function"
                };
                self.error(place, format!("'{name}' in '{kind}' is not a {what}"));
            }
        }
    }
}
