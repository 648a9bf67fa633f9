//! All that lit reads before it runs a command.

use std::collections::BTreeSet;
use std::path::Path;

use super::config::Configuration;
use super::script::{self, Directive};
use super::substitute::Substitutions;
use super::{condition, settings, shell};

/// Reads a test and a `lit.toml` from the same bytes; what was found, as text.
pub(crate) fn read_for_fuzzing(data: &[u8]) -> String {
    let features: BTreeSet<String> = ["yes".to_owned(), "target=sm_90".to_owned()].into();
    let mut found = Vec::new();
    if let Ok(text) = std::str::from_utf8(data) {
        let settings = settings::parse(text);
        if let Ok(settings) = &settings {
            let configuration = Configuration::from_settings(Path::new("/suite"), settings);
            found.push(format!("{configuration:?}"));
        }
        found.push(format!("{settings:?}"));
    }
    found.push(match script::parse(data) {
        Ok(script) => expanded(&script, &features),
        Err(message) => message,
    });
    found.join("\n")
}

/// The conditions of a script, and its commands after substitutions.
fn expanded(script: &script::Script, features: &BTreeSet<String>) -> String {
    let mut found = Vec::new();
    let lists = [
        &script.requires,
        &script.unsupported,
        &script.expected_failures,
    ];
    for expression in lists.into_iter().flatten() {
        found.push(format!("{:?}", condition::evaluate(expression, features)));
        found.push(format!("{:?}", condition::names(expression)));
    }
    let (source, temporary) = (Path::new("/suite/a.txt"), Path::new("/out/a.txt.tmp"));
    let mut substitutions = Substitutions::new(&[], source, temporary);
    for directive in &script.directives {
        found.push(match directive {
            Directive::Define(definition) => format!("{:?}", substitutions.define(definition)),
            Directive::Run(run) => match substitutions.apply(&run.command, features) {
                // Definitions of definitions double their text.
                Ok(command) if command.len() > 1 << 16 => "long".to_owned(),
                Ok(command) => format!("{:?}", shell::parse(&command)),
                Err(message) => message,
            },
        });
    }
    found.join("\n")
}
