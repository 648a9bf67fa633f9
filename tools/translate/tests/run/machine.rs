//! Machine code has the same results as the PTX that it was made of: ours, and that of ptxas, on the same
//! inputs. The latter needs ptxas and nvdisasm, which the environment variables PTXAS and NVDISASM name.

use std::path::Path;
use std::process::Command;

use orison_interpret::warp::{GlobalMemory, Launch};

use super::passes::{self, Module};

/// The levels of optimization.
const LEVELS: [u8; 3] = [0, 1, 3];

/// Runs a tool; its output.
fn output(program: &str, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {errors}");
    output.stdout
}

/// The listings of what ptxas makes of PTX at each level; none without the tools.
fn listings(text: &str) -> Vec<(u8, String)> {
    let tools = ["PTXAS", "NVDISASM"].map(|tool| std::env::var(tool).ok());
    let [Some(ptxas), Some(nvdisasm)] = tools else {
        return Vec::new();
    };
    let targets = text.lines().filter_map(|line| line.strip_prefix(".target"));
    let target = targets
        .flat_map(|rest| rest.trim().split([',', ' ']))
        .next();
    let target = target.expect("PTX has a target");
    let folder = tempfile::tempdir().expect("a folder for files of tools");
    let place = |name: &str| -> String { folder.path().join(name).display().to_string() };
    let (source, cubin) = (place("k.ptx"), place("k.cubin"));
    std::fs::write(Path::new(&source), text).expect("a file for ptxas");
    let listing = |level: u8| {
        let level_flag = format!("-O{level}");
        output(
            &ptxas,
            &["-arch", target, &level_flag, &source, "-o", &cubin],
        );
        let listing = output(&nvdisasm, &["-hex", &cubin]);
        (
            level,
            String::from_utf8(listing).expect("nvdisasm prints text"),
        )
    };
    LEVELS.into_iter().map(listing).collect()
}

/// Whether the interpreter of machine code cannot run what ptxas makes of a text at a level.
fn is_not_modelled(text: &str, level: u8) -> bool {
    // The mbarrier that `UTCATOMSWS.2CTA` waits at is the system's.
    let pairs = text.contains("tcgen05.alloc.cta_group::2");
    // Not understood: in optimized code a CTA ends before the other has added to its memory.
    let swaps = level > 0 && text.contains(".entry swap(");
    pairs || swaps
}

/// The modules of machine code of PTX, each with a description.
pub fn compiled(name: &str, text: &str) -> Vec<(String, Module)> {
    let own = LEVELS.into_iter().map(|level| {
        let mut module = Module::read(name, text);
        module.compile(level);
        (format!("-O{level}"), module)
    });
    let all = listings(text).into_iter();
    let modelled = all.filter(|(level, _)| !is_not_modelled(text, *level));
    let listings = modelled.map(|(level, listing)| {
        let module = Module::read(&format!("{name}.sass"), &listing);
        (format!("ptxas -O{level}"), module)
    });
    own.chain(listings).collect()
}

/// The machine code of a kernel turns `before` into `after`, at every level.
pub fn agree(file: &str, name: &str, launch: &Launch, before: &GlobalMemory, after: &GlobalMemory) {
    let text = std::fs::read_to_string(super::path(file)).expect("the kernel of a test");
    for (compiler, module) in compiled(file, &text) {
        let mut memory = before.clone();
        if let Err(fault) = module.kernel(name).run(&mut memory, launch) {
            let fault = fault.render(&module.context);
            panic!("{name} of {compiler}: {fault}");
        }
        passes::same(&format!("{name} of {compiler}"), after, &memory);
    }
}
