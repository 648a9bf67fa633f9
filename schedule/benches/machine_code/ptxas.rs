//! Compiles PTX with ptxas, with its user time, and disassembles the result.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What ptxas made.
pub(crate) struct Compiled {
    /// The listing of nvdisasm.
    pub(crate) listing: String,
    /// The user time of ptxas.
    pub(crate) user: std::time::Duration,
}

/// Compilations in one measurement: the system divides the time of a process between user and system by ticks.
const TIMES: f64 = 4.0;
const SCRIPT: &str = r#"TIMEFORMAT=%U
time for number in 1 2 3 4; do "${PTXAS:-ptxas}" -O3 "$@" || exit; done"#;

/// Compiles a file for its target. The programs are `$PTXAS` and `$NVDISASM`, or those of the search path.
pub(crate) fn compile(file: &Path) -> Result<Compiled, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", file.display());
    let text = fs::read_to_string(file).map_err(fail)?;
    let target = text
        .lines()
        .find_map(|line| line.trim().strip_prefix(".target"));
    let target =
        target.and_then(|names| names.split([',', ' ', '\t']).find(|name| !name.is_empty()));
    let target = target.ok_or_else(|| format!("{} has no target", file.display()))?;
    let cubin = std::env::temp_dir().join(format!("orison-bench-{}.cubin", std::process::id()));
    // The shell tells user times in milliseconds.
    let timed = Command::new("bash")
        .args(["-c", SCRIPT, "ptxas"])
        .arg(format!("-arch={target}"))
        .arg(file)
        .arg("-o")
        .arg(&cubin)
        .output()
        .map_err(fail)?;
    let told = String::from_utf8_lossy(&timed.stderr);
    let seconds: Option<f64> = told.lines().last().and_then(|line| line.parse().ok());
    let (true, Some(seconds)) = (timed.status.success(), seconds) else {
        return Err(format!("{}: {told}", file.display()));
    };
    let nvdisasm = std::env::var("NVDISASM").unwrap_or_else(|_| "nvdisasm".to_owned());
    let listed = Command::new(nvdisasm)
        .args(["-c", "-hex"])
        .arg(&cubin)
        .output()
        .map_err(fail)?;
    fs::remove_file(&cubin).map_err(fail)?;
    Ok(Compiled {
        listing: String::from_utf8_lossy(&listed.stdout).into_owned(),
        user: std::time::Duration::from_secs_f64(seconds / TIMES),
    })
}
