//! From PTX to machine code: the pipeline `ori-to-sass` on an import, and what its functions need.

mod resource_usage;

use orison_host::builtin::Module as BuiltinModule;
use orison_ir::pass::{ManagerOptions, PassManager, Pipeline};
use orison_ir::{Context, Operation};
use orison_rewrites::ori_to_sass::{OriToSassOptions, add_ori_to_sass};
pub use resource_usage::{resource_usage, resources};

use crate::check::can_compile_for;
use crate::ptx::ast::{Item, Module};

/// The least and the greatest number of registers of a thread that can be asked for; a smaller one is
/// taken for the least, as ptxas does.
pub const REGISTERS: (u32, u32) = (24, 255);

/// Registers the dialects that compilation uses.
pub fn register_dialects(context: &mut Context) {
    crate::import::register_dialects(context);
    orison_sass::register(context);
}

/// Sets the machine that a module is compiled for.
///
/// # Errors
/// If the machine is unknown, or cannot execute code for the target of the module.
pub fn retarget<'t>(module: &mut Module<'t>, machine: &'t str) -> Result<(), String> {
    for item in &mut module.items {
        if let Item::Target(names) = item
            && let Some(target) = names.first_mut()
        {
            match can_compile_for(target, machine) {
                None => {
                    return Err(format!(
                        "value '{machine}' is not defined for option 'gpu-name'"
                    ));
                }
                Some(false) => {
                    return Err(format!(
                        "program with .target '{target}' cannot be compiled for '{machine}'"
                    ));
                }
                Some(true) => *target = machine,
            }
        }
    }
    Ok(())
}

/// Makes machine code of an imported module, which is verified at the end; with `verify_each` behind each pass, too.
///
/// # Errors
/// The text of the diagnostics, which are taken from the context.
pub fn compile(
    context: &mut Context,
    module: Operation,
    options: &OriToSassOptions,
    verify_each: bool,
) -> Result<(), String> {
    let mut pipeline = Pipeline::on(BuiltinModule::NAME);
    add_ori_to_sass(&mut pipeline, options);
    let mut manager = PassManager::new(ManagerOptions { verify_each });
    let ran = manager.run(context, &pipeline, module, &mut String::new());
    if ran.is_ok() && context.verify(module).is_ok() {
        return Ok(());
    }
    let found = context.diagnostics.take();
    Err(found.iter().map(|found| found.render(context)).collect())
}
