//! A cubin with the instructions of its kernels in another order: disassembled by nvdisasm, scheduled within
//! blocks, with new control words, and written back.
//!
//! Each kernel is written as far as the cubin allows it: in the new order, of which the instructions that the cubin
//! refers to keep their addresses; in the old one with new control words; or as it was. None becomes slower by static time,
//! and none is written with a hazard.

use std::fmt::Write as _;
use std::process::Command;

use orison_sass::function::Function;
use orison_sass::listing;
use orison_schedule::instructions::machine_code::{Options, Outcome, model_of, schedule};
use orison_schedule::sass::facts::FunctionFacts;
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::report::{BUDGET, FunctionReport, Measured, html, text};
use orison_schedule::sass::simulate::{Frequencies, hazards};

use super::cubin::{fixed, patch};

/// A rescheduled cubin.
#[derive(Debug)]
pub struct Rescheduled {
    /// Its bytes.
    pub cubin: Vec<u8>,
    /// What happened to its kernels and device functions, in the order of nvdisasm's listing.
    pub kernels: Vec<Kernel>,
}

/// A kernel or device function of a cubin.
#[derive(Debug)]
pub struct Kernel {
    /// It, before.
    pub before: Function<'static>,
    /// It, as it is in the new cubin.
    pub after: Function<'static>,
    /// Static cycles.
    pub outcome: Outcome,
    /// Why it does not have a new order, if that is not because there is no faster one.
    pub note: Option<String>,
}

/// Reschedules the kernels of a cubin. `nvdisasm` is the program to run.
///
/// # Errors
/// If nvdisasm cannot be run or rejects the cubin, or its listing cannot be read.
pub fn reschedule(cubin: &[u8], nvdisasm: Option<&str>) -> Result<Rescheduled, String> {
    let text = disassemble(cubin, nvdisasm)?;
    let functions = listing::parse(&text).and_then(listing::Listing::into_functions);
    let functions =
        functions.map_err(|error| format!("in the listing of nvdisasm: {}", error.message))?;
    let mut cubin = cubin.to_vec();
    let mut kernels = Vec::with_capacity(functions.len());
    for function in functions {
        let (kernel, patched) = one(&cubin, function);
        cubin = patched.unwrap_or(cubin);
        kernels.push(kernel);
    }
    Ok(Rescheduled { cubin, kernels })
}

/// A kernel, and the cubin with it if it changed.
fn one(cubin: &[u8], function: Function<'static>) -> (Kernel, Option<Vec<u8>>) {
    let mut kernel = Kernel {
        after: function.clone(),
        before: function,
        outcome: Outcome::default(),
        note: None,
    };
    let target = &kernel.before.target;
    let Some(model) = LatencyModel::for_code(target) else {
        kernel.note = Some(format!("there is no latency model for '{target}'"));
        return (kernel, None);
    };
    let model = model_of(&kernel.before, model);
    if let Some(opaque) = kernel.before.opaque() {
        kernel.note = Some(format!("the effects of '{opaque}' are unknown"));
        return (kernel, None);
    }
    let frequencies = Frequencies::of_loops(&kernel.before);
    // Without the references to a kernel none of its instructions moves.
    let (fixed, tries) = match fixed(cubin, &kernel.before) {
        Ok(fixed) => (fixed, &[true, false][..]),
        Err(error) => {
            kernel.note = Some(error.message);
            (Vec::new(), &[false][..])
        }
    };
    for moves in tries.iter().copied() {
        let options = Options {
            moves,
            fixed: &fixed,
            in_place: true,
            keeps_words: true,
            ..Options::default()
        };
        let mut after = kernel.before.clone();
        let outcome = schedule(&mut after, model, &frequencies, &options);
        let facts = FunctionFacts::new(&after, model);
        if let Some(hazard) = hazards(&after, &facts, model).first() {
            kernel.note = Some(format!("the result has a hazard: {hazard}"));
            continue;
        }
        match patch(cubin, std::slice::from_ref(&after)) {
            Ok(patched) => {
                kernel.after = after;
                kernel.outcome = outcome;
                return (kernel, Some(patched));
            }
            Err(error) => kernel.note = Some(error.message),
        }
    }
    (kernel, None)
}

impl Rescheduled {
    /// The static cycles of each kernel, before and after, as a table.
    pub fn table(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{:>12} {:>12} {:>6} {:>7} {:>9}  kernel",
            "before", "after", "ratio", "moved", "of"
        );
        for kernel in &self.kernels {
            let Kernel { outcome, after, .. } = kernel;
            let ratio = thousandths(outcome.after, outcome.given);
            let _ = writeln!(
                out,
                "{:>12} {:>12} {:>2}.{:03} {:>7} {:>9}  {}",
                outcome.given,
                outcome.after,
                ratio / 1000,
                ratio % 1000,
                kernel.moved(),
                after.instructions().count(),
                after.name
            );
            if let Some(note) = &kernel.note {
                let _ = writeln!(out, "{:>52}: {note}", "note");
            }
        }
        out
    }

    /// The kernels before and after, drawn in the form of a file that ends in `.html` or `.txt`.
    ///
    /// # Errors
    /// If the file ends in something else.
    pub fn drawings(&self, file: &str) -> Result<String, String> {
        let reports: Vec<FunctionReport> = self.kernels.iter().filter_map(Kernel::report).collect();
        match file.rsplit_once('.').map(|(_, end)| end) {
            Some("html") => Ok(html::render(&reports)),
            Some("txt") => Ok(text::render(&reports, WIDTH)),
            _ => Err(format!(
                "expected a file that ends in .html or .txt, found '{file}'"
            )),
        }
    }
}

/// Columns of a drawing as text.
const WIDTH: usize = 100;

impl Kernel {
    /// Instructions that are in another place.
    fn moved(&self) -> usize {
        let places = self.before.instructions().zip(self.after.instructions());
        places
            .filter(|(old, new)| old.address != new.address)
            .count()
    }

    fn report(&self) -> Option<FunctionReport> {
        let model = LatencyModel::for_code(&self.before.target)?;
        let model = model_of(&self.before, model);
        let measured = |name: &str, function: &Function<'_>| {
            Measured::new(name, function, model, &Frequencies::of_loops(function))
        };
        let versions = vec![
            measured("before", &self.before),
            measured("after", &self.after),
        ];
        Some(FunctionReport::new(
            &self.before.name,
            &self.before.target,
            BUDGET,
            versions,
        ))
    }
}

/// A ratio in thousandths, rounded; 1000 if there is nothing to compare with.
fn thousandths(after: u64, before: u64) -> u64 {
    if before == 0 {
        return 1000;
    }
    (after.saturating_mul(1000) + before / 2) / before
}

/// The listing of a cubin.
fn disassemble(cubin: &[u8], program: Option<&str>) -> Result<String, String> {
    let named = std::env::var("NVDISASM").ok();
    let program = program.or(named.as_deref()).unwrap_or("nvdisasm");
    let file = tempfile::NamedTempFile::new().and_then(|mut file| {
        std::io::Write::write_all(&mut file, cubin)?;
        Ok(file)
    });
    let file = file.map_err(|error| format!("a temporary file for nvdisasm: {error}"))?;
    let ran = Command::new(program)
        .args(["-c", "-hex"])
        .arg(file.path())
        .output();
    let ran = ran.map_err(|error| {
        format!("'{program}' does not run: {error}; name it with --nvdisasm or NVDISASM")
    })?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(format!("'{program}' rejects the cubin: {}", said.trim()));
    }
    String::from_utf8(ran.stdout).map_err(|_| format!("'{program}' printed what is no text"))
}
