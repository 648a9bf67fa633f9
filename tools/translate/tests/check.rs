//! The PTX that the check rejects and accepts, compared with a table and, if installed, with ptxas.

#[path = "../../skipped.rs"]
mod skipped;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use orison_ir::Palette;
use orison_translate::{check, ptx};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/translate")
}

/// A text that ptxas rejects.
struct Refused {
    name: String,
    text: String,
    /// The location of orison's error.
    place: (u32, u32),
    error: String,
    /// The line of ptxas's first error.
    ptxas: u32,
}

fn refused() -> Vec<Refused> {
    let manifest = fs::read_to_string(folder().join("refused.toml")).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let files = manifest["file"].as_array().expect("files");
    let read = |file: &toml::Value| {
        let text = |key: &str| file[key].as_str().expect("a string").to_owned();
        let number = |value: &toml::Value| u32::try_from(value.as_integer().expect("a number"));
        let line = number(&file["line"]).expect("a line");
        Refused {
            name: text("name"),
            text: text("text"),
            place: (line, number(&file["column"]).expect("a column")),
            error: text("error"),
            ptxas: file
                .get("ptxas")
                .map_or(line, |line| number(line).expect("a line")),
        }
    };
    files.iter().map(read).collect()
}

/// The errors of the parser, or of the check.
fn errors(text: &str) -> Vec<ptx::Error> {
    match ptx::parse(text) {
        Ok(module) => check::check(&module),
        Err(error) => vec![error],
    }
}

#[test]
fn what_ptxas_refuses_is_refused_at_its_place() {
    let all = refused();
    assert!(all.len() >= 80, "{}", all.len());
    for case in all {
        let found = errors(&case.text);
        let shown: Vec<_> = found
            .iter()
            .map(|error| (error.place.line, error.place.column, error.message.as_str()))
            .collect();
        let (line, column) = case.place;
        assert_eq!(
            shown,
            [(line, column, case.error.as_str())],
            "{}",
            case.name
        );
    }
}

/// The files that are not valid programs: ptxas rejects them too.
const NO_PROGRAMS: [&str; 2] = ["initial.ptx", "syntax.ptx"];

#[test]
fn what_compilers_write_is_taken() {
    let mut count = 0;
    for entry in fs::read_dir(folder().join("ptx")).expect("the folder of PTX") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.ends_with(".ptx") || NO_PROGRAMS.contains(&name.as_ref()) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("text");
        let found = errors(&text);
        assert_eq!(found, [], "{name}");
        count += 1;
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn the_first_hundred_errors_are_shown() {
    let shown = |count: usize| {
        let wrong = "  mov.u32 %r, 1;\n".repeat(count);
        let text = format!(".version 8.0\n.target sm_80\n.entry k() {{\n{wrong}}}\n");
        let module = ptx::parse(&text).expect("a module");
        check::check_text("k.ptx", &text, &module, Palette::PLAIN).expect_err("undeclared")
    };
    let errors = |shown: &str| shown.matches("k.ptx:").count() - shown.matches("note").count();
    assert_eq!(errors(&shown(100)), 100);
    assert!(!shown(100).contains("more errors"));
    assert_eq!(errors(&shown(103)), 100);
    assert!(shown(103).ends_with("k.ptx: note: 3 more errors\n"));
}

/// Additions of a PTX version newer than the table are accepted; known instructions are checked.
#[test]
fn a_newer_version_may_add_instructions() {
    let text = |version: &str, line: &str| {
        format!(
            ".version {version}\n.target sm_80\n.visible .entry k()\n{{\n.reg .b32 %r<2>;\n{line}\nret;\n}}\n"
        )
    };
    assert_eq!(errors(&text("9.9", "invented.u32 %r0, %r1;")), []);
    assert_eq!(errors(&text("9.0", "invented.u32 %r0, %r1;")).len(), 1);
    assert_eq!(errors(&text("9.9", "add.u32 %r0, %r7, 1;")).len(), 1);
}

/// The line of ptxas's first error is the one in the table.
#[test]
fn ptxas_agrees() {
    let Some(ptxas) = std::env::var_os("PTXAS") else {
        skipped::skipped("PTXAS does not name ptxas");
        return;
    };
    for case in refused() {
        let path = std::env::temp_dir().join(format!("orison-refused-{}.ptx", std::process::id()));
        fs::write(&path, &case.text).expect("written");
        let target = case
            .text
            .split(".target ")
            .nth(1)
            .and_then(|rest| rest.lines().next());
        let target = target
            .filter(|target| *target != "sm_999")
            .unwrap_or("sm_80");
        let output = Command::new(&ptxas)
            .args([&format!("-arch={target}"), "-O0", "-o", "/dev/null"])
            .arg(&path)
            .output()
            .expect("ptxas runs");
        assert!(!output.status.success(), "{}", case.name);
        let told = String::from_utf8_lossy(&output.stderr);
        let lines = told.lines().filter_map(|line| {
            let (number, rest) = line.split_once(", line ")?.1.split_once(';')?;
            let is_error = rest.trim_start().starts_with("error") || rest.contains("fatal");
            number.parse().ok().filter(|_: &u32| is_error)
        });
        // Errors of the module have no line.
        let first = lines.min().unwrap_or(case.ptxas);
        assert_eq!(first, case.ptxas, "{}: {told}", case.name);
        let _ = fs::remove_file(&path);
    }
}
