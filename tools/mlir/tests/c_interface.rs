//! The C interface: the header is current, and programs in C, C++ and Python work with it.

#[path = "../../skipped.rs"]
mod skipped;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of this test's program, where cargo puts the library that it tests, too.
fn built() -> PathBuf {
    let test = env::current_exe().expect("a test has a program");
    test.parent().expect("target/debug/deps").to_owned()
}

/// Where MLIR's headers and libraries are.
fn prefix() -> PathBuf {
    env::var("MLIR_SYS_220_PREFIX")
        .expect("tools/mlir/cargo sets it")
        .into()
}

/// Where the shared library of MLIR's C interface is.
fn c_library() -> PathBuf {
    option_env!("ORISON_MLIR_C").map_or_else(|| prefix().join("lib"), PathBuf::from)
}

#[test]
fn the_header_is_what_the_sources_say() {
    let config =
        cbindgen::Config::from_file(here().join("cbindgen.toml")).expect("a configuration");
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_src(here().join("src/c_interface.rs"))
        .generate()
        .expect("a header");
    let mut header = Vec::new();
    bindings.write(&mut header);
    let path = here().join("include/orison.h");
    if env::var_os("ORISON_WRITE_HEADER").is_some() {
        fs::write(&path, &header).expect("it is written");
    }
    let known = fs::read(&path).unwrap_or_default();
    assert!(
        known == header,
        "include/orison.h is not current: run ORISON_WRITE_HEADER=1 tools/mlir/cargo test --test c_interface"
    );
}

/// Compiles a program against the library and runs it; what it writes.
fn run(compiler: &str, options: &[&str], source: &Path, arguments: &[&Path]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    let status = Command::new(compiler)
        .args(options)
        .args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"])
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg(format!("-I{}", here().join("include").display()))
        .arg(format!("-I{}", prefix().join("include").display()))
        .arg(format!("-L{}", built().display()))
        .arg(format!("-L{}", c_library().display()))
        .arg(format!("-L{}", prefix().join("lib").display()))
        .args(["-lorison_mlir", "-lMLIR-C", "-lMLIR"])
        .arg(format!("-Wl,-rpath,{}", built().display()))
        .arg(format!("-Wl,-rpath,{}", c_library().display()))
        .arg(format!("-Wl,-rpath,{}", prefix().join("lib").display()))
        .status()
        .expect("there is a compiler");
    assert!(status.success(), "{} does not compile", source.display());
    output(Command::new(&program).args(arguments))
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}\n{errors}");
    text
}

#[test]
fn a_c_program_calls_every_function() {
    let text = run(
        "cc",
        &["-std=c11"],
        &here().join("tests/c_interface.c"),
        &[],
    );
    assert!(text.ends_with("all good\n"), "{text}");
}

#[test]
fn the_example_in_cpp_schedules_a_loop() {
    let text = run(
        "c++",
        &["-std=c++17"],
        &here().join("examples/gemm.cpp"),
        &[],
    );
    assert!(
        text.contains("nv_tileas.async.pipeline.create_pipeline"),
        "{text}"
    );
}

#[test]
fn the_example_in_python_schedules_a_loop() {
    let python = Command::new("python3").arg("--version").output();
    if python.is_err() {
        skipped::skipped("python3 is not installed: its example is left out");
        return;
    }
    let text = output(
        Command::new("python3")
            .arg(here().join("examples/gemm.py"))
            .arg(built().join("liborison_mlir.so"))
            .arg(c_library().join("libMLIR-C.so")),
    );
    assert!(
        text.contains("nv_tileas.async.pipeline.create_pipeline"),
        "{text}"
    );
}

#[test]
fn the_example_in_rust_schedules_a_loop() {
    // `cargo test` builds the examples too; `--test c_interface` alone does not.
    let examples = built().with_file_name("examples");
    let text = output(&mut Command::new(examples.join("gemm")));
    assert!(
        text.contains("nv_tileas.async.pipeline.create_pipeline"),
        "{text}"
    );
}
