//! The parser compared with lit's on random lines.

use std::io::Write as _;
use std::process::{Command as Process, Stdio};

use super::{Command, Line, Pipeline, Word, parse};

#[path = "../../../tests/common/skipped.rs"]
mod skipped;

/// Where Debian installs lit's Python modules.
const LIT: &str = "/usr/lib/llvm-22/utils/lit";

/// Prints the parse results of lit for lines separated by zero bytes, in the format of [`shown`].
const SCRIPT: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
from lit import ShUtil
from lit.ShCommands import GlobItem, Seq

def word(item):
    return "~" + item.pattern if isinstance(item, GlobItem) else "'" + item

def command(one):
    words = [word(item) for item in one.args]
    for operator, target in one.redirects:
        number = str(operator[1]) if len(operator) > 1 else ""
        # Operators as targets fail when the command runs.
        # lit calls the operator <> so.
        name = operator[0].replace("<<", "<>")
        words.append("(" + number + name + ")" + word(target))
    return " ".join(words)

def shown(line):
    if isinstance(line, Seq):
        return shown(line.lhs) + " " + line.op + " " + shown(line.rhs)
    return " | ".join(map(command, line.commands))

data = sys.stdin.buffer.read().decode()
for line in data.split("\0"):
    try:
        text = shown(ShUtil.ShParser(line, False, True).parse())
    except Exception:
        text = "error"
    sys.stdout.buffer.write(text.encode() + b"\0")
"#;

/// Pieces of lines.
const PIECES: [&str; 31] = [
    "a", "b1", "2", " ", " ", " ", "*", "?", "\"", "\"", "'", "'", "\\", "\\", "$", "|", "||", "&",
    "&&", ";", ">", ">>", "<", "<&", "<<", "&>", ">&", "<>", "2>&1", "\u{1f}", "\u{e9}",
];

fn word(word: &Word) -> String {
    format!("{}{}", if word.is_glob { "~" } else { "'" }, word.text)
}

fn command(command: &Command) -> String {
    let redirections = command.redirections.iter().map(|redirection| {
        let number = redirection.descriptor.map(|number| number.to_string());
        let (number, operator) = (number.unwrap_or_default(), redirection.operator);
        format!("({number}{operator}){}", word(&redirection.target))
    });
    let words = command.words.iter().map(word).chain(redirections);
    words.collect::<Vec<_>>().join(" ")
}

fn pipeline(pipeline: &Pipeline) -> String {
    pipeline.iter().map(command).collect::<Vec<_>>().join(" | ")
}

fn shown(line: &Line) -> String {
    let rest = line.rest.iter();
    let rest = rest.map(|(operator, next)| format!(" {operator} {}", pipeline(next)));
    pipeline(&line.first) + &rest.collect::<String>()
}

/// The parse results of lit; `None` if lit is not installed.
fn by_lit(lines: &[String]) -> Option<Vec<String>> {
    if !std::path::Path::new(LIT).is_dir() {
        return None;
    }
    let mut child = Process::new("python3")
        .args(["-c", SCRIPT, LIT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().expect("a pipe");
    let text = lines.join("\0");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the script ends");
    writer.join().expect("no panic").expect("the script reads");
    let text = String::from_utf8(output.stdout).expect("text");
    Some(text.split('\0').map(str::to_owned).collect())
}

#[test]
fn random_lines_are_parsed_as_by_lit() {
    let mut state = 0x9e37_79b9_u64;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).expect("31 bits") % bound
    };
    let lines: Vec<String> = (0..20_000)
        .map(|_| {
            (0..1 + below(9))
                .map(|_| PIECES[below(PIECES.len())])
                .collect()
        })
        .collect();
    let Some(expected) = by_lit(&lines) else {
        skipped::skipped(&format!("lit is not installed in {LIT}"));
        return;
    };
    let errors = expected.iter().filter(|text| *text == "error").count();
    assert!((2_000..18_000).contains(&errors), "{errors} errors");
    for (line, expected) in lines.iter().zip(&expected) {
        let ours = parse(line).map_or("error".to_owned(), |line| shown(&line));
        assert_eq!(&ours, expected, "{line:?}");
    }
}
