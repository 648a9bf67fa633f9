//! Finds MLIR's C interface as a shared library, and makes it when the distribution has none.
//!
//! Debian ships `libMLIR.so` with everything in it but the C interface, which is there only as
//! archives. Linked statically, each program would have a second MLIR with types of its own; so
//! the archives become `libMLIR-C.so` on top of the shared library.

use std::env;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_LINK_SHARED");
    if env::var("MLIR_SYS_LINK_SHARED").as_deref() != Ok("1") {
        return Ok(());
    }
    let libraries = library_directory()?;
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", libraries.display());
    if libraries.join("libMLIR-C.so").exists() {
        return Ok(());
    }
    let made = PathBuf::from(env::var("OUT_DIR")?);
    link_c_interface(&libraries, &made.join("libMLIR-C.so"))?;
    println!("cargo:rustc-link-search=native={}", made.display());
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", made.display());
    println!("cargo:rustc-env=ORISON_MLIR_C={}", made.display());
    Ok(())
}

/// Where LLVM has its libraries.
fn library_directory() -> Result<PathBuf, Box<dyn Error>> {
    let prefix = env::var("MLIR_SYS_220_PREFIX")?;
    let output = Command::new(Path::new(&prefix).join("bin/llvm-config"))
        .arg("--libdir")
        .output()?;
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

/// Links all archives of the C interface into one shared library.
fn link_c_interface(libraries: &Path, target: &Path) -> Result<(), Box<dyn Error>> {
    let mut archives = Vec::new();
    for entry in fs::read_dir(libraries)? {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if name.starts_with("libMLIRCAPI") && name.ends_with(".a") {
            archives.push(path);
        }
    }
    archives.sort();
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let status = Command::new(&compiler)
        .args(["-shared", "-Wl,-soname,libMLIR-C.so", "-Wl,--no-undefined"])
        .arg("-o")
        .arg(target)
        .arg("-Wl,--whole-archive")
        .args(&archives)
        .arg("-Wl,--no-whole-archive")
        .arg(format!("-L{}", libraries.display()))
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .args(["-lMLIR", "-lLLVM"])
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("'{compiler}' could not link {}", target.display()).into())
    }
}
