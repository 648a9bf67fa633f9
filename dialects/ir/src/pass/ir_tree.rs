//! `--mlir-print-ir-tree-dir`: IR dumps as files, in directories nested like the operations.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::Event;
use crate::{Context, Operation};

/// A directory with a file for each IR dump.
///
/// A dump of a pass on `@f` in an unnamed module is
/// `builtin_module_no-symbol-name/func_func_f/0_2_cse.mlir`: a directory for each operation from
/// the outermost inwards, and in the file name, for each of them, the index of its last dump (0 if
/// it has none). The files of one operation thus sort in pass order, and those of a nested
/// operation show between which dumps of the outer one they were made. Operations with the same
/// name share files, of which the last one written remains, as in MLIR.
#[derive(Clone, Debug)]
pub struct IrTree {
    root: PathBuf,
    dumps: FxHashMap<Operation, usize>,
    failed: bool,
}

impl IrTree {
    /// A tree in this directory, which is created with the first file.
    pub fn new(root: PathBuf) -> Self {
        IrTree {
            root,
            dumps: FxHashMap::default(),
            failed: false,
        }
    }

    /// Whether a file could not be written.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// Writes the text for the pass of the event. Emits an error at the operation only for the
    /// first file that cannot be written, since the others are likely to fail for the same reason.
    pub(super) fn write(&mut self, event: &mut Event<'_>, text: &str) {
        let next = self.dumps.get(&event.op).map_or(0, |last| last + 1);
        self.dumps.insert(event.op, next);
        let path = self.path(event.context, event.op, event.pass.definition().name);
        if let Err(error) = write_file(&path, text)
            && !self.failed
        {
            self.failed = true;
            let location = event.op.location(event.context);
            let message = format!("cannot write the IR to '{}': {error}", path.display());
            event.context.error(location, message);
        }
    }

    fn path(&self, context: &Context, op: Operation, pass: &str) -> PathBuf {
        let mut chain: Vec<_> = std::iter::once(op).chain(op.ancestors(context)).collect();
        chain.reverse();
        let mut path = self.root.clone();
        let mut file = String::new();
        for op in chain {
            path.push(folder_name(context, op));
            let number = self.dumps.get(&op).copied().unwrap_or_default();
            file.push_str(&format!("{number}_"));
        }
        path.push(format!("{file}{pass}.mlir"));
        path
    }
}

/// `func_func_f` for `func.func @f`. Path separators become `_`.
fn folder_name(context: &Context, op: Operation) -> String {
    let name = op.name_text(context).replace('.', "_");
    let symbol = op.symbol_name(context).unwrap_or("no-symbol-name");
    format!("{name}_{symbol}").replace(['/', '\\'], "_")
}

fn write_file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
