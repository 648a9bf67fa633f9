//! `umask` and `ulimit`.
//!
//! A process cannot set these for another one without unsafe code, so programs are started through
//! `sh` and `prlimit`, which set them and then exec the program.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The limits of programs started from now on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    mask: Option<u32>,
    /// Options of `prlimit` with their values.
    resources: BTreeMap<&'static str, String>,
}

impl Limits {
    /// Runs `umask`.
    pub(super) fn umask(&mut self, arguments: &[String]) -> Result<(), String> {
        let [mask] = arguments else {
            return Err("'umask' supports only one argument".to_owned());
        };
        let parsed = u32::from_str_radix(mask, 8)
            .map_err(|_| format!("Error: 'umask': not an octal number: '{mask}'"))?;
        self.mask = Some(parsed & 0o777);
        Ok(())
    }

    /// Runs `ulimit`.
    pub(super) fn ulimit(&mut self, arguments: &[String]) -> Result<(), String> {
        let [option, value] = arguments else {
            return Err("'ulimit' requires two arguments".to_owned());
        };
        let (name, unit) = match option.as_str() {
            "-v" => ("as", 1024),
            "-n" => ("nofile", 1),
            "-s" => ("stack", 1024),
            "-f" => ("fsize", 1),
            _ => return Err(format!("'ulimit' does not support option: {option}")),
        };
        let limit = if value == "unlimited" {
            value.clone()
        } else {
            value
                .parse::<u64>()
                .ok()
                .and_then(|value| value.checked_mul(unit))
                .ok_or_else(|| format!("Error: 'ulimit': not a limit: '{value}'"))?
                .to_string()
        };
        self.resources.insert(name, limit);
        Ok(())
    }

    /// The command that runs `program` within the limits.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = match self.mask {
            Some(mask) => {
                let mut command = Command::new("/bin/sh");
                command.args(["-c", &format!("umask {mask:o}; exec \"$@\""), "sh"]);
                if self.resources.is_empty() {
                    command.arg(program);
                    return command;
                }
                command.arg("prlimit");
                command
            }
            None if self.resources.is_empty() => return Command::new(program),
            None => Command::new("prlimit"),
        };
        for (name, value) in &self.resources {
            command.arg(format!("--{name}={value}:{value}"));
        }
        command.arg("--").arg(program);
        command
    }
}
