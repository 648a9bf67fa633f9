use std::fs;
use std::path::{Path, PathBuf};

use super::*;

#[path = "../build/model.rs"]
#[expect(dead_code, reason = "the build script reads all of it")]
mod model;

/// The row of the table is where the row says.
#[test]
fn rows_have_places() {
    for row in Row::all() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(row.file);
        let text = fs::read_to_string(path).expect("the file");
        let line = text.lines().nth(row.line as usize - 1);
        assert_eq!(line, Some(format!("name = {:?}", row.name).as_str()));
    }
}

/// The files of the table: their stems and texts.
fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions");
    let entries = fs::read_dir(folder).expect("the folder");
    let names = entries.map(|entry| entry.expect("an entry").path());
    let tables = names.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let read = |path: PathBuf| {
        let stem = path.file_stem().expect("a name").to_string_lossy();
        (
            stem.into_owned(),
            fs::read_to_string(&path).expect("a text"),
        )
    };
    let mut files: Vec<_> = tables.map(read).collect();
    files.sort();
    files
}

/// The row of `docs/adding-an-instruction.md`.
fn row_of_the_guide() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/adding-an-instruction.md");
    let page = fs::read_to_string(page).expect("the guide");
    let (_, step) = page.split_once("/half.toml\n").expect("the step");
    let (row, _) = step.split_once("```").expect("its end");
    let lines = row.trim().lines().map(|line| format!("{}\n", line.trim()));
    lines.collect()
}

/// The first step of the guide, carried out: the table without the row, then with a row at the end
/// of its file.
#[test]
fn the_row_of_the_guide_is_added() {
    let row = row_of_the_guide();
    let table = |added: &str| {
        let mut files = files();
        let half = files.iter_mut().find(|(stem, _)| stem == "half");
        let (_, text) = half.expect("the file");
        let without = text.replace(&row, "");
        assert_ne!(without, *text, "the file has the row");
        *text = format!("{without}\n{added}");
        model::Model::read(&files)
    };
    let computed = |added: &str| {
        let model = table(added).expect("a table");
        let found = model.computations().get("ori.fhadd").copied();
        found.map(str::to_owned)
    };
    assert_eq!(computed(""), None);
    assert_eq!(computed(&row).as_deref(), Some("half::fhadd"));
    for key in ["name", "about", "latency"] {
        let error = table(&row.replace(&format!("\n{key} ="), "\n# ")).expect_err(key);
        assert!(error.contains(&format!("missing field `{key}`")), "{error}");
    }
    let error = table(&row.replace(", computes = \"half::fhadd\"", "")).expect_err("silence");
    assert_eq!(error, "'FHADD' does not say what 'ori.fhadd' computes");
}

#[test]
fn every_base_entry_has_its_number() {
    for number in 0..BASE_ENTRIES {
        let entry = Entry::numbered(number).expect("an entry for each number");
        assert_eq!(entry.number, Some(number));
    }
    assert!(Entry::numbered(BASE_ENTRIES).is_none());
}

#[test]
fn fixed_latencies_may_be_variable_on_some_machines() {
    let of = |name: &str, sm| Opcode::named(name).map(|opcode| opcode.row().latency(sm));
    assert_eq!(of("DFMA", 70), Some(Latency::Fixed));
    assert_eq!(of("DFMA", 80), Some(Latency::Variable));
    assert_eq!(of("DFMA", 90), Some(Latency::Fixed));
    assert_eq!(of("DFMA", 103), Some(Latency::Variable));
    assert_eq!(of("HGMMA", 90), Some(Latency::Asynchronous));
}

#[test]
fn targets_have_numbers() {
    assert_eq!(sm_number("sm_90a"), Some(90));
    assert_eq!(sm_number("sm_103f"), Some(103));
    for text in ["sm_", "sm_90aa", "90", "sm_9-0"] {
        assert_eq!(sm_number(text), None, "{text}");
    }
}

/// Reads a table of one file, with all base entries of ptxas after the given rows.
fn read(rows: &str, first: usize) -> Result<model::Model, String> {
    let numbers = (first..usize::from(BASE_ENTRIES)).map(|number| {
        format!("{{ ptxas = {number}, name = \"P{number}\", category = \"pseudo\", cycles = 1 }},")
    });
    let pseudo = format!("pseudo = [{}]", numbers.collect::<String>());
    let files = [("integer", rows.to_owned()), ("pseudo", pseudo)];
    model::Model::read(&files.map(|(stem, text)| (stem.to_owned(), text)))
}

const ROW: &str = "[[instruction]]\nname = \"X\"\nabout = \"A.\"\nlatency = \"fixed\"\n";

/// Entries take what their instruction says, and say what differs.
#[test]
fn entries_inherit() {
    let row = format!(
        "{ROW}pipe = \"alu\"\nreads = [\"shared\"]\nentries = [{{ ptxas = 0, cycles = 6 }}, \
         {{ modifiers = \"W.E\", pipe = \"fma\", reads = [] }}]"
    );
    let model = read(&row, 1).expect("a table");
    let last = model.entries.last().expect("an entry");
    assert_eq!(
        (last.name.as_str(), last.mnemonic.as_str()),
        ("X_W_E", "X.W.E")
    );
    assert_eq!(last.shared.pipe, Some(Pipe::Fma));
    assert_eq!(last.shared.reads.as_deref(), Some(&[][..]));
    assert_eq!(model.entries[0].shared.pipe, Some(Pipe::Alu));
    assert_eq!(model.entries[0].shared.since, Some(70));
    assert_eq!(model.rows[0].entries, [0, 322]);
    assert_eq!(model::variant("CGABAR_ARV"), "CgabarArv");
}

#[test]
fn broken_tables_are_refused() {
    let with = |keys: &str| read(&format!("{ROW}{keys}"), 0).expect_err(keys);
    let of = "instructions/integer.toml: 'X'";
    for (keys, message) in [
        ("colour = 1", "has an unknown key 'colour'"),
        ("entries = [{ colour = 1 }]", "has an unknown key 'colour'"),
        (
            "entries = [{ category = \"float\" }]",
            "has an entry with a category, which is that of the file",
        ),
        (
            "pipe = \"alu\"\nentries = [{ pipe = \"alu\" }]",
            "has an entry that repeats 'pipe' of the instruction",
        ),
        (
            "entries = [{ ptxas = 0 }]",
            "is a base entry of ptxas without 'cycles'",
        ),
        (
            "entries = [{ source = \"me\" }]",
            "has source 'me', not 'gmma' or 'ori'",
        ),
        (
            "entries = [{ ptxas = 0, cycles = 1, source = \"ori\" }]",
            "has source 'ori', not 'gmma' or 'ori'",
        ),
        (
            "widths = [{ of = { d0 = \"2\" } }]",
            "has widths, but not what it writes: 'results'",
        ),
        (
            "flags = [\"branch\"]",
            "may end a block, but does not say what it writes: 'results'",
        ),
        (
            "results = \"one\"\nwidths = [{ of = { d0 = \"0\" } }]",
            "has a width 'd0 = 0' that is not valid",
        ),
        (
            "results = \"one\"\nwidths = [{ of = { q = \"1\" } }]",
            "has a width 'q = 1' that is not valid",
        ),
        (
            "results = \"one\"\nwidths = [{ of = { s0 = \"rows/2\" } }]",
            "has a width 's0 = rows/2' that is not valid",
        ),
    ] {
        assert_eq!(with(keys), format!("{of} {message}"));
    }
    for (operands, message) in [
        ("R R", "has operands 'R R' without '='"),
        ("R|Q? = R", "has an operand 'R|Q?' of an unknown kind"),
        (
            "P? R R R = R R",
            "has operands of which no rule tells what is written",
        ),
    ] {
        let keys = format!("operands = \"{operands}\"");
        assert_eq!(with(&keys), format!("{of} {message}"));
    }
    assert_eq!(
        with("results = \"one\"\noperands = \"R = R\""),
        format!("{of} has 'results', which follow from 'operands'")
    );
    let twice = format!("{ROW}{ROW}");
    assert_eq!(with(&twice[ROW.len()..]), format!("{of} has two rows"));
    let variable = ROW.replace("fixed", "variable") + "variable-on = [80]";
    let variable = read(&variable, 0).expect_err("variable");
    assert_eq!(
        variable,
        format!("{of} is variable on some machines, but its latency is not fixed")
    );
    for name in ["x", "X__Y", "1X", "X.Y"] {
        let named = read(&ROW.replace("\"X\"", &format!("{name:?}")), 0).expect_err(name);
        assert!(
            named.ends_with("is not a mnemonic without modifiers"),
            "{named}"
        );
    }
    assert!(with("pipe = \"fpu\"").contains("unknown variant `fpu`"));
}

/// What no row shows alone.
#[test]
fn contradictions_are_refused() {
    let with = |entries: &str| read(&format!("{ROW}entries = [{entries}]"), 0).expect_err(entries);
    assert_eq!(
        with("{ ptxas = 7, cycles = 1 }"),
        "'P7' is entry 8: each number from 0 to 321 is that of one base entry"
    );
    assert_eq!(with("{ name = \"P3\" }"), "two entries have the name 'P3'");
    assert_eq!(
        with("{ operation = \"o\" }, { name = \"Y\", operation = \"o\" }"),
        "'Y' is the same form of 'o' as another entry: 'when'"
    );
    assert_eq!(
        with("{ operation = \"o\", when = \"wide\" }"),
        "'o' has no entry without 'when'"
    );
    assert_eq!(
        with("{ when = \"wide\" }"),
        "'X' has 'when' or 'lanes', but no operation"
    );
    assert_eq!(
        with("{ lanes = \"uniform\" }"),
        "'X' has 'when' or 'lanes', but no operation"
    );
    let pseudo = read("pseudo = [{ name = \"P\", category = \"pseudo\" }]", 0).expect_err("pseudo");
    assert_eq!(
        pseudo,
        "instructions/integer.toml: 'P' is an entry without instruction: pseudo.toml has these, by name"
    );
    let files = [("colours".to_owned(), String::new())];
    let stem = model::Model::read(&files).expect_err("a category");
    assert!(
        stem.starts_with("instructions/colours.toml: unknown variant `colours`"),
        "{stem}"
    );
}

/// What instructions of the two datapaths say of each other, and what operations compute.
#[test]
fn relations_are_checked() {
    let uniform = |keys: &str| {
        let row = ROW.replace("\"X\"", "\"UX\"") + "pipe = \"uniform\"\nsince = 75\n" + keys;
        let general = format!("{ROW}entries = [{{ operation = \"o\", computes = \"f\" }}]\n");
        read(&format!("{general}{row}"), 0)
    };
    let refused = |keys: &str| uniform(keys).expect_err(keys);
    let of = "uniform-of = [\"X\"]\n";
    let model = uniform(&format!("{of}entries = [{{ operation = \"u\" }}]")).expect("a table");
    let named = |name: &str| model.entries.iter().position(|entry| entry.name == name);
    let entry = |name: &str| &model.entries[named(name).expect(name)];
    assert_eq!(entry("UX").general, named("X"));
    assert_eq!(entry("X").uniform, named("UX"));
    assert_eq!(
        model.computations().into_iter().collect::<Vec<_>>(),
        [("o", "f"), ("u", "f")]
    );
    for (keys, message) in [
        (String::new(), "'UX' has no 'uniform-of', but there is 'X'"),
        (
            "uniform-of = [\"Y\"]".to_owned(),
            "'UX' is of 'Y', which has no row",
        ),
        (
            format!("{of}entries = [{{ since = 70 }}]"),
            "'UX' is uniform, but since a machine before 75",
        ),
        (
            format!("{of}entries = [{{ pipe = \"alu\" }}]"),
            "'UX' has 'uniform-of', but another pipe",
        ),
        (
            format!("{of}entries = [{{ modifiers = \"W\", operation = \"u\" }}]"),
            "'UX_W' has an operation, but that form of 'X' has none",
        ),
        (
            format!(
                "{of}entries = [{{ operation = \"u\" }}, {{ name = \"V\", operation = \"v\" }}]"
            ),
            "'V' and 'UX' are the uniform 'X'",
        ),
        (
            format!("{of}entries = [{{ operation = \"u\", computes = \"f\" }}]"),
            "'UX' has 'computes', which is that of the general one",
        ),
    ] {
        assert_eq!(refused(&keys), message);
    }
    let computes = |entries: &str| read(&format!("{ROW}entries = [{entries}]"), 0);
    assert_eq!(
        computes("{ operation = \"o\" }").expect_err("a function"),
        "'X' does not say what 'o' computes"
    );
    assert_eq!(
        computes(
            "{ operation = \"o\", computes = \"f\" }, \
             { name = \"Y\", operation = \"o\", when = \"w\", computes = \"g\" }"
        )
        .expect_err("two functions"),
        "entries of 'o' compute different functions"
    );
    for others in [
        "flags = [\"changing\"]",
        "reads = [\"shared\"]",
        "computes = \"unknown\"",
    ] {
        let entry = format!("{{ operation = \"o\", {others} }}");
        assert!(computes(&entry).expect(others).computations().is_empty());
    }
}

/// What is written follows from the roles: the first rule that finds it for all operands that may be
/// absent.
#[test]
fn roles_say_what_is_written() {
    use Destinations::{AllButLast, BeforeAddress, Leading, None, One, Texels, Two};
    for (operands, rule) in [
        ("= memory R", None),
        ("R? R = memory", BeforeAddress),
        ("R P? = R R|UR|number P?", Leading),
        ("P? R R = R R UR number word", Texels),
        ("R? P = P", AllButLast),
        ("P = R R", One),
        ("P P = R R P", Two),
    ] {
        let row = format!("{ROW}operands = {operands:?}");
        let model = read(&row, 0).expect(operands);
        assert_eq!(model.rows[0].destinations, Some(rule), "{operands}");
    }
}

/// Optional operands are told apart by what follows them: `IADD3` has up to two carries of each direction.
#[test]
fn operands_have_roles() {
    use OperandKind::{Constant as C, General as R, Number as N, Predicate as P, UniformPredicate};
    let roles = |name: &str| Opcode::named(name).and_then(|opcode| opcode.row().roles);
    let sum = roles("IADD3").expect("roles");
    for (operands, written) in [
        (vec![R, R, R, R], Some(1)),
        (vec![R, P, R, N, R], Some(2)),
        (vec![R, P, P, R, C, R, P, P], Some(3)),
        (vec![R, R, R, R, P], Some(1)),
        (vec![R, P, P, P, R, R, R], None),
        (vec![R, R, R], None),
        (vec![R, C, R, R], None),
        (vec![R, UniformPredicate, R, R, R], None),
    ] {
        assert_eq!(sum.written(&operands), written, "{operands:?}");
    }
    let store = roles("STL").expect("roles");
    assert_eq!(store.written(&[OperandKind::Memory, R]), Some(0));
    assert!(roles("TTUCCTL").is_none());
}

#[test]
fn rows_are_found_by_name() {
    for (place, row) in Row::all().iter().enumerate() {
        assert_eq!(row.opcode as usize, place);
        assert_eq!(Opcode::named(row.name), Some(row.opcode));
        assert!(
            row.entries().all(|entry| entry.opcode == Some(row.opcode)),
            "{}",
            row.name
        );
        assert!(
            row.entries().next().is_some() && row.about.ends_with('.'),
            "{}",
            row.name
        );
    }
    for entry in Entry::all() {
        assert!(std::ptr::eq(
            Entry::named(entry.name).expect("by name"),
            entry
        ));
    }
    assert!(Opcode::named("NO_SUCH_ROW").is_none() && Entry::named("NO_SUCH_ENTRY").is_none());
}

#[test]
fn markers_and_pseudo_rows_issue_nothing() {
    for row in Entry::all() {
        let nothing = matches!(row.category, Category::Marker | Category::Pseudo);
        if nothing {
            assert!(row.mnemonic.is_empty(), "{}", row.name);
            assert_eq!(row.pipe, Pipe::None, "{}", row.name);
        }
        if row.mnemonic.is_empty() {
            assert_eq!(row.number.filter(|_| !nothing), None, "{}", row.name);
        }
        let known = ["instructions", "sass", "gmma", "ori"];
        assert!(known.contains(&row.source), "{}", row.source);
        assert_eq!(
            row.number.is_some(),
            row.source == "instructions",
            "{}",
            row.name
        );
        assert!(row.number.is_none() || row.cycles.is_some(), "{}", row.name);
    }
}

#[test]
fn memory_rows_say_what_they_touch() {
    for row in Entry::all() {
        let touches = !row.reads.is_empty() || !row.writes.is_empty();
        if row.category == Category::Memory && !row.mnemonic.is_empty() {
            let asks = ["QSPC"].contains(&row.mnemonic);
            assert!(touches || asks, "{}", row.name);
        }
        if matches!(
            row.category,
            Category::Integer | Category::Float | Category::Double
        ) {
            assert!(!touches, "{}", row.name);
        }
    }
}

#[test]
fn the_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/instructions.md");
    if std::env::var_os("ORISON_WRITE_PAGES").is_some() {
        fs::write(&path, page()).expect("the page is written");
    }
    let found = fs::read_to_string(&path).expect("the page");
    assert_eq!(found.lines().count(), page().lines().count());
    for (found, wanted) in found.lines().zip(page().lines()) {
        assert_eq!(
            found, wanted,
            "run ORISON_WRITE_PAGES=1 cargo test -p orison-machine page"
        );
    }
}
