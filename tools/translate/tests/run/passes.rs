//! Passes preserve the final memory of the kernels.

use orison_interpret::warp::{Bytes, GlobalMemory, Kernel, Launch};
use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, Operation, walk};

/// The pipelines run on every kernel, each on a separate copy.
const PIPELINES: &[&str] = &[
    "canonicalize",
    "cse",
    "sccp",
    "ori.func(ori-branch-opt)",
    "ori.func(ori-perform-live-dead)",
    "ori.func(ori-strength-reduce)",
    "ori.func(ori-switch-opt)",
    "ori.func(ori-reassociate)",
    "ori.func(ori-store-elimination)",
    "ori.func(ori-optimize-uniform-atomic)",
    "ori.func(ori-predication)",
    "ori.func(ori-rematerialize{floor=2 share=1})",
    "ori.func(ori-copy-propagation)",
    "ori.func(ori-gvn)",
    "ori.func(ori-general-optimize)",
    "ori.func(ori-peephole)",
    "ori.func(ori-loop-simplification,ori-branch-opt,ori-pipelining)",
    "ori.func(ori-loops)",
    "ori.func(ori-optimize)",
    "ori.func(ori-branch-opt,ori-switch-opt,ori-predication,ori-strength-reduce,ori-peephole,\
     ori-gvn,ori-reassociate,ori-general-optimize,ori-copy-propagation,ori-perform-live-dead,ori-branch-opt)",
];

/// The pass after which operations are instructions of the machine.
const LEGALIZED: &str = "ori-enforce-argument-restrictions";

/// Operations with a form of the machine that the interpreter of `ori` does not have: the bits of an
/// mbarrier or of allocated columns, sizes as predicates, tables in constant banks.
const MACHINE_FORMS: [&str; 4] = ["ori.syncs", "ori.tcgen05.alloc", "ori.ldgsts", "ori.brx"];

/// Bytes of shared memory that machines with clusters reserve at its start.
const RESERVED: usize = 1024;

/// A file of kernels, with its own context.
pub struct Module {
    pub context: Context,
    operation: Operation,
}

impl Module {
    pub fn load(file: &str) -> Self {
        let text = std::fs::read_to_string(super::path(file)).expect("the kernel of a test");
        Self::read(file, &text)
    }

    /// Reads a text in the form that its name tells.
    pub fn read(file: &str, text: &str) -> Self {
        let mut context = Context::new();
        orison_opt::registry::register_all_dialects(&mut context);
        let module = orison_translate::run::load(&mut context, file, text, true);
        let operation = module.unwrap_or_else(|errors| panic!("{errors}"));
        Self { context, operation }
    }

    pub fn kernel(&self, name: &str) -> Kernel<'_> {
        let kernel = Kernel::new(&self.context, self.operation, name);
        kernel.unwrap_or_else(|fault| panic!("{}", fault.render(&self.context)))
    }

    /// Runs a kernel as a description tells; what is printed.
    pub fn describe(
        &self,
        description: &orison_translate::run::Description,
    ) -> Result<String, String> {
        let directory = std::path::Path::new(".");
        orison_translate::run::run(
            &self.context,
            self.operation,
            "run.json",
            description,
            directory,
        )
    }

    /// Makes machine code of an import at a level of optimization.
    pub fn compile(&mut self, level: u8) {
        self.transform(&format!("ori-to-sass{{level={level}}}"));
    }

    fn errors(&mut self) -> String {
        let all = self.context.diagnostics.take();
        all.iter()
            .map(|found| found.render(&self.context))
            .collect()
    }

    /// Runs passes, which must leave the module valid.
    fn transform(&mut self, pipeline: &str) {
        let mut registry = PassRegistry::default();
        orison_opt::registry::register_all_passes(&mut registry);
        let parsed = registry.parse_pipeline(&format!("builtin.module({pipeline})"));
        let parsed = parsed.unwrap_or_else(|error| panic!("{pipeline}: {error}"));
        let ran = run_pipeline(&mut self.context, &parsed, self.operation).is_ok();
        if !ran || self.context.verify(self.operation).is_err() {
            panic!("{pipeline}: {}", self.errors());
        }
    }
}

/// Every pipeline preserves a kernel that turns `before` into `after`.
pub fn keep(file: &str, name: &str, launch: &Launch, before: &GlobalMemory, after: &GlobalMemory) {
    for pipeline in PIPELINES {
        keep_after(pipeline, Module::load(file), name, launch, [before, after]);
    }
    let module = Module::load(file);
    let operations = walk::collect(&module.context, module.operation);
    let has = |form: &&str| operations.iter().any(|op| op.is(&module.context, form));
    if !MACHINE_FORMS.iter().any(has) {
        let launch = Launch {
            dynamic_shared: launch.dynamic_shared + RESERVED,
            ..launch.clone()
        };
        keep_after(LEGALIZED, module, name, &launch, [before, after]);
    }
}

fn keep_after(
    pipeline: &str,
    mut module: Module,
    name: &str,
    launch: &Launch,
    [before, after]: [&GlobalMemory; 2],
) {
    module.transform(pipeline);
    let mut memory = before.clone();
    if let Err(fault) = module.kernel(name).run(&mut memory, launch) {
        panic!("{name} after {pipeline}: {}", fault.render(&module.context));
    }
    same(&format!("{name} after {pipeline}"), after, &memory);
}

/// Two runs left the same in the buffers, where the first one is defined.
pub fn same(what: &str, one: &GlobalMemory, other: &GlobalMemory) {
    for ((buffer, old), (_, new)) in one.buffers().iter().zip(other.buffers()) {
        if let Some(at) = difference(old, new) {
            panic!("{what}: byte {at} of '{buffer}' differs");
        }
    }
}

/// The first byte that was defined and is undefined, or differs.
fn difference(old: &Bytes, new: &Bytes) -> Option<usize> {
    (0..old.len()).find(|at| {
        let same = new.known()[*at] && new.data()[*at] == old.data()[*at];
        old.known()[*at] && !same
    })
}

#[test]
fn bytes_that_differ_are_found() {
    let old = Bytes::defined(vec![1, 2, 3]);
    assert_eq!(difference(&old, &old), None);
    assert_eq!(difference(&old, &Bytes::defined(vec![1, 2, 4])), Some(2));
}
