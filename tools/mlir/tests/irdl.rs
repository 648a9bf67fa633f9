//! MLIR, told of the dialects by IRDL, accepts what orison accepts and rejects what is wrong.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::own_context;
use melior::ir::Module;
use orison_ir::declare::{Trait, TypeBound, Variadicity};
use orison_ir::printer::print_to_string;
use orison_ir::{
    Attribute, Block, Context, Location, Operation, OperationName, OperationState, PrintFlags,
    Region, Source, Type, parse_source,
};

const DIALECTS: [&str; 3] = ["nv_tileaa", "nv_tileas", "ori"];

/// The test files of the dialects.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut found = Vec::new();
    for folder in ["tileaa", "tileas", "ori", "schedule"] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder of tests") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "mlir") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Whether a group of values has several types, which IRDL cannot describe: the operation is then
/// written as an unregistered one.
fn has_mixed_group(context: &Context, op: Operation) -> bool {
    let Some(definition) = op.definition(context) else {
        return false;
    };
    let mixed = |types: &[Type]| types.windows(2).any(|pair| pair[0] != pair[1]);
    let (operands, results) = (op.operand_types(context), op.result_types(context));
    let groups = definition.operands.iter().enumerate();
    groups
        .filter(|(_, group)| group.variadicity == Variadicity::Variadic)
        .any(|(number, _)| mixed(&operands[definition.operand_range(context, op, number)]))
        || definition
            .results
            .iter()
            .enumerate()
            .filter(|(_, group)| group.variadicity == Variadicity::Variadic)
            .any(|(number, _)| mixed(&results[definition.result_range(context, op, number)]))
}

/// Whether a value is in a physical register: its type has a parameter that IRDL cannot make optional.
fn has_physical_register(context: &Context, op: Operation) -> bool {
    let mut types = op.operand_types(context);
    types.extend(op.result_types(context));
    let blocks = op
        .regions(context)
        .flat_map(|region| region.blocks(context));
    types.extend(blocks.flat_map(|block| block.argument_types(context)));
    let function = orison_ori::operations::structure::Func::of(context, op);
    let signature = function.and_then(|function| function.function_type(context));
    if let Some((inputs, results)) = signature.and_then(|ty| ty.as_function(context)) {
        types.extend(inputs.iter().chain(results));
    }
    types
        .into_iter()
        .any(|ty| orison_ori::Physical::of(context, ty).is_some())
}

/// Puts an operation by itself: operands from nowhere, regions with nothing in them.
struct Sketch {
    state: OperationState,
    operand_types: Vec<Type>,
    /// Arguments of the entry block of each region; none for an empty region.
    regions: Vec<Option<Vec<Type>>>,
}

impl Sketch {
    fn of(context: &Context, op: Operation) -> Sketch {
        let mut state = OperationState::new(op.name(context), Location::UNKNOWN);
        state.result_types = op.result_types(context).into();
        state.properties = op.properties(context);
        state.attributes = op.attributes(context);
        let entry = |region: Region| {
            region
                .first_block(context)
                .map(|b| b.argument_types(context))
        };
        Sketch {
            state,
            operand_types: op.operand_types(context),
            regions: op.regions(context).map(entry).collect(),
        }
    }

    /// Appends it to a block.
    fn append(&self, context: &mut Context, block: Block) {
        let mut state = self.state.clone();
        for ty in &self.operand_types {
            let name = OperationName::new(context, "test.value");
            let mut source = OperationState::new(name, Location::UNKNOWN);
            source.result_types.push(*ty);
            let source = Operation::create(context, &source);
            block.append(context, source);
            state.operands.push(source.result(context, 0));
        }
        for arguments in &self.regions {
            let region = Region::new(context);
            if let Some(arguments) = arguments {
                let arguments: Vec<_> = arguments
                    .iter()
                    .map(|ty| (*ty, Location::UNKNOWN))
                    .collect();
                let body = Block::new(context, &arguments);
                region.append_block(context, body);
                let name = OperationName::new(context, "test.end");
                let end = Operation::create(context, &OperationState::new(name, Location::UNKNOWN));
                body.append(context, end);
            }
            state.regions.push(region);
        }
        let new = Operation::create(context, &state);
        block.append(context, new);
    }
}

/// Sketches as a module in the form that an MLIR with IRDL reads.
fn text_of(context: &mut Context, sketches: &[&Sketch], flags: &PrintFlags) -> String {
    let region = Region::new(context);
    let block = Block::new(context, &[]);
    region.append_block(context, block);
    for sketch in sketches {
        sketch.append(context, block);
    }
    let name = OperationName::new(context, "builtin.module");
    let mut state = OperationState::new(name, Location::UNKNOWN);
    state.regions.push(region);
    let module = Operation::create(context, &state);
    print_to_string(context, module, flags)
}

/// Every operation of the dialects in the tests that verifies, unless it ends a block.
fn sketches(context: &mut Context) -> Vec<(Sketch, bool)> {
    let mut found = Vec::new();
    for path in files() {
        let text = fs::read_to_string(&path).expect("a test");
        for part in text.split("// -----") {
            let source = Source {
                name: "test.mlir",
                text: part,
                first_line: 1,
            };
            let Ok(module) = parse_source(context, source) else {
                continue;
            };
            if context.verify(module).is_err() {
                continue;
            }
            for op in orison_ir::walk::collect(context, module) {
                let ends =
                    op.has_trait(context, Trait::Terminator) || op.successor_count(context) > 0;
                let Some(definition) = op.definition(context) else {
                    continue;
                };
                let groups_of_regions = definition.regions.iter().any(|region| region.variadic);
                if !DIALECTS.contains(&definition.dialect())
                    || ends
                    || groups_of_regions
                    || has_physical_register(context, op)
                {
                    continue;
                }
                let mixed = has_mixed_group(context, op);
                found.push((Sketch::of(context, op), mixed));
            }
            let _ = context.diagnostics.take();
        }
    }
    found
}

/// An MLIR context that knows the dialects.
fn told() -> melior::Context {
    let context = common::context();
    orison_mlir::load_dialects(&context, &DIALECTS).expect("MLIR takes the IRDL");
    context
}

/// Whether MLIR reads a text; its errors are not shown.
fn accepts(context: &melior::Context, text: &str) -> bool {
    let id = context.attach_diagnostic_handler(|_| true);
    let read = Module::parse(context, text).is_some();
    context.detach_diagnostic_handler(id);
    read
}

/// As in IRDL, but with the names that operations have in a context which knows them.
fn live_form(text: &str, names: &BTreeMap<String, &str>) -> String {
    let mut text = text.to_owned();
    for (dotless, name) in names {
        text = text.replace(&format!("\"{dotless}\""), &format!("\"{name}\""));
    }
    text
}

/// The names with several dots, by what they are in IRDL.
fn dotted_names(context: &Context) -> BTreeMap<String, &'static str> {
    let own = context
        .dialects()
        .iter()
        .filter(|dialect| !dialect.upstream);
    let names = own.flat_map(|dialect| dialect.operations.iter().map(|op| op.name));
    names
        .filter_map(|name| {
            let (dialect, local) = name.split_once('.')?;
            let dotless = format!("{dialect}.{}", local.replace('.', "_"));
            (dotless != name).then_some((dotless, name))
        })
        .collect()
}

#[test]
fn operations_of_the_tests_are_accepted() {
    let mut context = own_context();
    let sketches = sketches(&mut context);
    let names = dotted_names(&context);
    let mlir = told();
    let (mut kinds, mut mixed_groups) = (BTreeMap::new(), 0);
    for (sketch, mixed) in &sketches {
        let text = text_of(&mut context, &[sketch], &PrintFlags::irdl());
        assert!(accepts(&mlir, &live_form(&text, &names)), "{text}");
        mixed_groups += usize::from(*mixed);
        *kinds.entry(sketch.state.name).or_insert(0) += 1;
    }
    println!(
        "{} operations of {} kinds, {mixed_groups} with a group of several types",
        sketches.len(),
        kinds.len()
    );
    assert!(kinds.len() > 200, "{}", kinds.len());
}

#[test]
fn wrong_arity_types_and_attributes_are_rejected() {
    let mut context = own_context();
    let all = sketches(&mut context);
    let names = dotted_names(&context);
    let mlir = told();
    let mut seen = BTreeMap::new();
    for (sketch, mixed) in &all {
        if !mixed {
            seen.entry(sketch.state.name).or_insert(sketch);
        }
    }
    let types: BTreeSet<_> = (all.iter())
        .flat_map(|(sketch, _)| sketch.operand_types.iter().copied())
        .collect();
    let mut counts = BTreeMap::new();
    for sketch in seen.values() {
        let mut wrong = wrong_ones(&mut context, sketch);
        wrong.extend(two_types(&context, sketch, &types));
        for (kind, wrong) in wrong {
            let text = text_of(&mut context, &[&wrong], &PrintFlags::irdl());
            assert!(!accepts(&mlir, &live_form(&text, &names)), "{kind}: {text}");
            *counts.entry(kind).or_insert(0) += 1;
        }
    }
    println!("{counts:?}");
    assert_eq!(counts.len(), 7, "{counts:?}");
}

/// What IRDL must reject: one thing wrong each.
fn wrong_ones(context: &mut Context, sketch: &Sketch) -> Vec<(&'static str, Sketch)> {
    let Some(definition) = sketch.state.name.definition(context) else {
        return Vec::new();
    };
    let copy = || Sketch {
        state: sketch.state.clone(),
        operand_types: sketch.operand_types.clone(),
        regions: sketch.regions.clone(),
    };
    let odd = Type::integer(context, 7);
    let single = |groups: &[orison_ir::declare::ValueDefinition]| {
        groups
            .iter()
            .all(|group| group.variadicity == Variadicity::One)
    };
    let mut wrong = Vec::new();
    if single(definition.operands) {
        let mut more = copy();
        more.operand_types.push(odd);
        wrong.push(("an operand more", more));
        if !sketch.operand_types.is_empty() {
            let mut less = copy();
            less.operand_types.pop();
            wrong.push(("an operand less", less));
        }
        for (number, operand) in definition.operands.iter().enumerate() {
            let numbers = |bound: &TypeBound| *bound == TypeBound::Named("builtin.integer");
            if !operand.constraint.bounds.is_empty()
                && !operand.constraint.bounds.iter().any(numbers)
            {
                let mut other = copy();
                other.operand_types[number] = odd;
                wrong.push(("an operand of another type", other));
            }
        }
    }
    if single(definition.results) {
        let mut more = copy();
        more.state.result_types.push(odd);
        wrong.push(("a result more", more));
    }
    for attribute in definition.attributes {
        if !attribute.may_be_absent() {
            let mut without = copy();
            without.state.properties = without.state.properties.without(context, attribute.name);
            wrong.push(("no attribute", without));
            if attribute.constraint.keywords.is_some() {
                let word = Attribute::string(context, "no such word");
                let mut other = copy();
                other.state.properties = other.state.properties.with(context, attribute.name, word);
                wrong.push(("a string in place of a keyword", other));
            }
        }
    }
    wrong
}

/// An operation whose result must be of its operand's type, with another type for the result that
/// would do by itself.
fn two_types(
    context: &Context,
    sketch: &Sketch,
    types: &BTreeSet<Type>,
) -> Option<(&'static str, Sketch)> {
    let name = sketch.state.name;
    let definition = name.definition(context)?;
    let [result] = definition.results else {
        return None;
    };
    if !name.has_trait(context, Trait::SameOperandsAndResultType) {
        return None;
    }
    let known = sketch.state.result_types[0];
    let fits = |ty: &&Type| **ty != known && (result.constraint.check)(context, **ty);
    let mut state = sketch.state.clone();
    state.result_types[0] = *types.iter().find(fits)?;
    let other = Sketch {
        state,
        operand_types: sketch.operand_types.clone(),
        regions: sketch.regions.clone(),
    };
    Some(("two types where one is meant", other))
}

#[test]
fn mlir_opt_reads_the_file_and_prints_what_orison_reads_back() {
    if Command::new("mlir-opt-22")
        .arg("--version")
        .output()
        .is_err()
    {
        println!("mlir-opt-22 is not installed: only the library was asked");
        return;
    }
    let mut context = own_context();
    let all = sketches(&mut context);
    // Symbols of one module have names of their own.
    let mut symbols = BTreeSet::new();
    let plain: Vec<_> = all
        .iter()
        .filter(|(_, mixed)| !mixed)
        .map(|(sketch, _)| sketch)
        .filter(|sketch| {
            let symbol = sketch.state.properties.get(&context, "sym_name");
            symbol.is_none_or(|symbol| symbols.insert(symbol))
        })
        .collect();
    let text = text_of(&mut context, &plain, &PrintFlags::irdl());
    let custom = text_of(&mut context, &plain, &PrintFlags::generic());
    let folder = tempfile::tempdir().expect("a folder");
    let irdl = folder.path().join("dialects.irdl.mlir");
    let input = folder.path().join("all.mlir");
    let dialects: Vec<_> = DIALECTS
        .iter()
        .map(|name| context.dialect(name).expect("its own"))
        .collect();
    fs::write(&irdl, orison_ir::declare::irdl_file(&dialects)).expect("it is written");
    fs::write(&input, &text).expect("it is written");
    let output = Command::new("mlir-opt-22")
        .arg(format!("--irdl-file={}", irdl.display()))
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
        .arg(&input)
        .output()
        .expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut back = own_context();
    back.read_irdl_form(true);
    let source = Source {
        name: "back.mlir",
        text: &printed,
        first_line: 1,
    };
    let module = parse_source(&mut back, source).expect("orison reads it back");
    back.read_irdl_form(false);
    assert_eq!(
        print_to_string(&back, module, &PrintFlags::generic()),
        custom
    );
}
