//! Selection of the machine model of a pass.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use orison_ir::pass::{OptionValue, nearest};
use orison_ir::{Attribute, Context, Diagnostic, Operation, Severity};
use orison_tileas::nv_tileaa::KernelSpec;
use orison_tileas::schedule_keys::KERNEL_SPEC;

use crate::machine::MachineModel;

/// Lifts the shared-memory budget if set to `1`; other values have no effect (C44).
pub const UNLIMITED_SMEM_VARIABLE: &str = "TILE_AS_DEBUG_UNLIMITED_SMEM";

/// The machine model, by name, by kernel, or from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MachineChoice {
    /// That of `computeCapability` in the function's `nv_tileaa.kernel_spec`; Blackwell if it is
    /// absent.
    #[default]
    Auto,
    /// As `Auto`, with the abstract cycles of the reference.
    Page,
    /// An embedded model.
    Named(&'static str),
    /// A model in a TOML file, read when the option is parsed.
    File {
        /// The path as given.
        path: String,
        /// The parsed model.
        model: Arc<MachineModel>,
    },
}

/// The embedded models with the shared-memory budget lifted.
static UNLIMITED: LazyLock<Vec<MachineModel>> = LazyLock::new(|| {
    let models = MachineModel::EMBEDDED
        .into_iter()
        .filter_map(MachineModel::by_name);
    let lifted = models.map(|model| model.clone().with_unlimited_smem(true));
    lifted.collect()
});

fn is_unlimited() -> bool {
    std::env::var_os(UNLIMITED_SMEM_VARIABLE).is_some_and(|value| value == "1")
}

impl MachineChoice {
    /// The choices besides files.
    fn names() -> impl Iterator<Item = &'static str> {
        ["auto", "page"].into_iter().chain(MachineModel::EMBEDDED)
    }

    /// A warning that no model exists for the kernel's machine, naming the one used instead.
    pub fn substitution(&self, context: &Context, op: Operation) -> Option<Diagnostic> {
        let capability = capability(context, op)
            .filter(|_| matches!(self, MachineChoice::Auto | MachineChoice::Page))?;
        if MachineModel::for_compute_capability(capability).is_some() {
            return None;
        }
        let message = format!(
            "no machine model for compute capability {capability}; using '{}'",
            self.model(context, op).name()
        );
        let place = op.location(context);
        Some(Diagnostic::new(Severity::Warning, place, message))
    }

    /// The model for an operation of a kernel.
    pub fn model(&self, context: &Context, op: Operation) -> &MachineModel {
        let model = match self {
            MachineChoice::File { model, .. } => return model,
            MachineChoice::Named(name) => {
                MachineModel::by_name(name).unwrap_or_else(MachineModel::blackwell)
            }
            MachineChoice::Auto => of_kernel(context, op),
            MachineChoice::Page => of_kernel(context, op).page(),
        };
        let mut unlimited = UNLIMITED.iter();
        match is_unlimited() {
            true => unlimited
                .find(|lifted| lifted.name() == model.name())
                .unwrap_or(model),
            false => model,
        }
    }
}

/// The compute capability, such as 90, of the kernel around an operation.
pub fn capability(context: &Context, op: Operation) -> Option<u32> {
    let capability = KernelSpec::around(context, op)?.compute_capability?;
    u32::try_from(capability).ok()
}

/// Checks that a given compute capability is well-formed.
///
/// # Errors
/// If the kernel specification around the operation has one that is not a positive `i32`.
pub fn check_capability(context: &Context, op: Operation) -> Result<(), Box<Diagnostic>> {
    let around = std::iter::once(op).chain(op.ancestors(context));
    let mut specifications = around.filter_map(|op| op.attribute(context, KERNEL_SPEC));
    let given = |specification: Attribute| specification.get(context, "computeCapability");
    match specifications.next().and_then(given) {
        Some(_) if capability(context, op).is_none_or(|capability| capability == 0) => {
            Err(op.op_error(context, "failed to get compute capability"))
        }
        _ => Ok(()),
    }
}

/// The model of the kernel's compute capability.
fn of_kernel(context: &Context, op: Operation) -> &'static MachineModel {
    capability(context, op)
        .and_then(MachineModel::for_compute_capability)
        .unwrap_or_else(MachineModel::blackwell)
}

impl OptionValue for MachineChoice {
    fn form() -> String {
        let names: Vec<&str> = MachineChoice::names().collect();
        format!("{}|<file>.toml", names.join("|"))
    }

    fn read(text: &str) -> Result<Self, String> {
        match text {
            "auto" => return Ok(MachineChoice::Auto),
            "page" => return Ok(MachineChoice::Page),
            _ => {}
        }
        let mut embedded = MachineModel::EMBEDDED.into_iter();
        if let Some(name) = embedded.find(|name| *name == text) {
            return Ok(MachineChoice::Named(name));
        }
        if Path::new(text)
            .extension()
            .is_none_or(|kind| kind != "toml")
        {
            return Err(match nearest(text, Self::names()) {
                Some(nearest) => format!("no such value '{text}'; did you mean '{nearest}'?"),
                None => format!("no such value '{text}'; allowed are {}", Self::form()),
            });
        }
        let content = std::fs::read_to_string(text).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.split(" (os error").next().unwrap_or_default();
            format!("cannot read '{text}': {reason}")
        })?;
        let model = MachineModel::parse(text, &content).map_err(|error| error.to_string())?;
        Ok(MachineChoice::File {
            path: text.to_owned(),
            model: Arc::new(model.with_unlimited_smem(is_unlimited())),
        })
    }

    fn write(&self) -> Option<String> {
        Some(match self {
            MachineChoice::Auto => "auto".to_owned(),
            MachineChoice::Page => "page".to_owned(),
            MachineChoice::Named(name) => (*name).to_owned(),
            MachineChoice::File { path, .. } => path.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in MachineChoice::names() {
            let choice = MachineChoice::read(name).unwrap();
            assert_eq!(choice.write().as_deref(), Some(name));
        }
        let error = MachineChoice::read("hoper").unwrap_err();
        assert!(error.contains("did you mean 'hopper'?"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = MachineChoice::read("no/such/machine.toml").unwrap_err();
        assert_eq!(
            error,
            "cannot read 'no/such/machine.toml': No such file or directory"
        );
    }
}
