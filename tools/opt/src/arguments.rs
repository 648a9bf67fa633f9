//! Command lines in the style of LLVM's tools.

use clap::{Arg, ArgAction, Command};

/// Rewrites `-name` and `-name=value` to two dashes, if `name` has more than one letter: LLVM's
/// tools accept both spellings. Arguments after `--`, and values of options, are unchanged.
pub fn normalize(command: &Command, arguments: Vec<String>) -> Vec<String> {
    let takes_value = |name: &str| {
        command.get_arguments().any(|argument| {
            argument.get_long() == Some(name)
                && argument
                    .get_num_args()
                    .is_some_and(|count| count.min_values() > 0)
        })
    };
    let mut normalized = Vec::with_capacity(arguments.len());
    let mut verbatim = false;
    let mut value_next = false;
    for argument in arguments {
        let name = argument.trim_start_matches('-');
        if verbatim || value_next || !argument.starts_with('-') || name.is_empty() {
            verbatim |= argument == "--" && !value_next;
            value_next = false;
            normalized.push(argument);
            continue;
        }
        let known = is_long(command, name.split('=').next().unwrap_or(name));
        let short = name.len() == 1 || (name.starts_with('o') && !known);
        value_next = takes_value(name) || argument == "-o";
        if argument.starts_with("--") || short {
            normalized.push(argument);
        } else {
            normalized.push(format!("-{argument}"));
        }
    }
    normalized
}

fn is_long(command: &Command, name: &str) -> bool {
    command
        .get_arguments()
        .any(|argument| argument.get_long() == Some(name))
}

/// A flag that defaults to false: `--name`, `--name=false`.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    switch(name, help, false)
}

/// A flag with the given default: `--name`, `--name=true`, `--name=false`.
pub fn switch(name: &'static str, help: &'static str, default: bool) -> Arg {
    Arg::new(name)
        .long(name)
        .help(help)
        .num_args(0..=1)
        .require_equals(true)
        .default_value(if default { "true" } else { "false" })
        .default_missing_value("true")
        .value_parser(parse_boolean)
        .action(ArgAction::Set)
        .overrides_with(name)
        .hide_default_value(!default)
        .value_name("bool")
}

/// An option with a value of any type: `--name=value`, `--name value`.
pub fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).value_name(value)
}

/// An option that may be repeated, with commas between values.
pub fn list(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    option(name, value, help)
        .action(ArgAction::Append)
        .value_delimiter(',')
}

fn parse_boolean(text: &str) -> Result<bool, String> {
    match text {
        "true" | "TRUE" | "True" | "1" => Ok(true),
        "false" | "FALSE" | "False" | "0" => Ok(false),
        _ => Err(format!(
            "'{text}' is invalid value for boolean argument! Try 0 or 1"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(arguments: &[&str]) -> Vec<String> {
        let command = Command::new("t")
            .arg(flag("only-this", ""))
            .arg(option("with", "v", ""))
            .arg(Arg::new("output").short('o'));
        let arguments = arguments.iter().map(|&a| a.to_owned()).collect();
        normalize(&command, arguments)
    }

    #[test]
    fn one_dash_is_as_good_as_two() {
        let given = [
            "t",
            "-only-this",
            "-cse=a=b",
            "--x",
            "-",
            "-o",
            "-f",
            "-ofile",
        ];
        let expected = [
            "t",
            "--only-this",
            "--cse=a=b",
            "--x",
            "-",
            "-o",
            "-f",
            "-ofile",
        ];
        assert_eq!(normalized(&given), expected);
    }

    #[test]
    fn values_and_what_follows_two_dashes_stay() {
        let given = ["t", "-with", "-v", "-a", "--", "-a"];
        let expected = ["t", "--with", "-v", "-a", "--", "-a"];
        assert_eq!(normalized(&given), expected);
    }
}
