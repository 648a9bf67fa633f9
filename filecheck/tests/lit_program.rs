//! Tests `orison-lit`: its options, reports and exit codes, also compared with lit.

mod common;

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

fn suite(tests: &[(&str, &str)], configuration: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let text = format!("name = 'temporary'\nsuffixes = ['.txt']\n{configuration}");
    std::fs::write(directory.path().join("lit.toml"), text).expect("a writable directory");
    for (name, text) in tests {
        std::fs::write(directory.path().join(name), text).expect("a writable directory");
    }
    directory
}

/// One passing test, two failing tests and an unsupported one.
fn four() -> TempDir {
    suite(
        &[
            ("a.txt", "RUN: true\n"),
            ("b.txt", "RUN: false\n"),
            ("c.txt", "RUN: echo '<&>' ; false\n"),
            ("d.txt", "REQUIRES: absent\nRUN: true\n"),
        ],
        "",
    )
}

/// The output of a program and its exit code.
struct Printed {
    code: Option<i32>,
    out: String,
    error: String,
}

fn run(program: &Path, suite: &TempDir, arguments: &[&str]) -> Printed {
    let output = Command::new(program)
        .args(arguments)
        .arg(suite.path())
        .env_remove("LIT_OPTS")
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Printed {
        code: output.status.code(),
        out: text(&output.stdout),
        error: text(&output.stderr),
    }
}

fn ours(suite: &TempDir, arguments: &[&str]) -> Printed {
    run(
        Path::new(env!("CARGO_BIN_EXE_orison-lit")),
        suite,
        arguments,
    )
}

#[test]
fn tests_are_selected() {
    let suite = four();
    let all = ours(&suite, &[]);
    assert_eq!(all.code, Some(1));
    let lines = [
        "FAIL: temporary :: b.txt (2 of 4)",
        "  Failed     : 2 (50.00%)",
        "  Unsupported: 1 (25.00%)",
    ];
    for line in lines {
        assert!(all.out.contains(line), "{}", all.out);
    }
    assert_eq!(ours(&suite, &["--filter-out=[bc][.]txt"]).code, Some(0));
    // As in lit, filters ignore case.
    let one = ours(&suite, &["--filter=A[.]TXT", "--show-excluded"]);
    assert_eq!(one.code, Some(0), "{}", one.out);
    assert!(one.out.contains("Excluded Tests (3):"), "{}", one.out);
    let none = ours(&suite, &["--filter=nothing"]);
    assert_eq!(none.code, Some(2));
    assert!(
        none.error
            .contains("did not match any tests (of 4 discovered)")
    );
    assert_eq!(
        ours(&suite, &["--filter=nothing", "--allow-empty-runs"]).code,
        Some(0)
    );
    let shard = ours(&suite, &["--num-shards=2", "--run-shard=1"]);
    assert_eq!(
        shard.code,
        Some(1),
        "the first and third test: {}",
        shard.out
    );
    assert!(
        shard.out.contains("-- Testing: 2 of 4 tests"),
        "{}",
        shard.out
    );
    assert!(shard.error.contains("note: Selecting shard 1/2 = size 2/4"));
    let quiet = ours(&suite, &["--num-shards=2", "--run-shard=1", "-q"]);
    assert_eq!(quiet.error.matches("note:").count(), 0, "{}", quiet.error);
}

#[test]
fn runs_end_early_and_exit_as_told() {
    let suite = four();
    assert_eq!(ours(&suite, &["--ignore-fail"]).code, Some(0));
    assert_eq!(ours(&suite, &["--no-execute"]).code, Some(0));
    assert_eq!(ours(&suite, &["--nonsense"]).code, Some(2));
    assert_eq!(ours(&suite, &["/no/such/path"]).code, Some(2));
    let stopped = ours(&suite, &["--max-failures=1", "-j1"]);
    assert!(
        stopped
            .error
            .contains("reached maximum number of test failures")
    );

    let slow = self::suite(
        &[("a.txt", "RUN: true\n"), ("b.txt", "RUN: sleep 100\n")],
        "",
    );
    let ended = ours(&slow, &["--max-time=1", "-j1", "--show-skipped"]);
    assert_eq!(
        ended.code,
        Some(0),
        "skipped tests are no failures: {}",
        ended.out
    );
    assert!(
        ended
            .error
            .contains("warning: reached timeout, skipping remaining tests")
    );
    assert!(
        ended
            .out
            .contains("Skipped Tests (1):\n  temporary :: b.txt"),
        "{}",
        ended.out
    );
}

#[test]
fn what_is_shown_can_be_chosen() {
    let suite = four();
    let verbose = ours(&suite, &["-v", "--filter=c[.]txt"]);
    assert!(verbose.out.contains("# | <&>"), "{}", verbose.out);
    assert!(
        verbose
            .out
            .contains("# error: command failed with exit status: 1")
    );
    let same = ours(&suite, &["--test-output=failed", "--filter=c[.]txt"]);
    let untimed = |text: &str| text.replace(char::is_numeric, "");
    assert_eq!(untimed(&same.out), untimed(&verbose.out));
    let nothing = ours(&suite, &["--print-result-after=off", "--terse-summary"]);
    assert!(!nothing.out.contains("Testing"), "{}", nothing.out);
    assert!(!nothing.out.contains("(1 of 4)"), "{}", nothing.out);
    let listed = ours(&suite, &["--show-tests"]);
    assert!(
        listed.out.contains("  temporary :: d.txt"),
        "{}",
        listed.out
    );
    assert_eq!(ours(&suite, &["--show-used-features"]).out, "absent\n");
    assert!(
        ours(&suite, &["--time-tests"])
            .out
            .contains("Slowest Tests:")
    );
    let shuffled = ["--shuffle", "--seed=5", "--show-tests"];
    assert_eq!(ours(&suite, &shuffled).out, ours(&suite, &shuffled).out);
}

#[test]
fn a_terminal_shows_a_bar_that_results_replace() {
    let Some(script) = common::program(&["script"]) else {
        common::skipped("no 'script' on the search path");
        return;
    };
    let suite = suite(&[("a.txt", "RUN: true\n"), ("b.txt", "RUN: false\n")], "");
    let output = |color: bool| {
        let program = env!("CARGO_BIN_EXE_orison-lit");
        let command = format!("{program} -s -j1 {}", suite.path().display());
        let mut script = Command::new(&script);
        script.args(["-q", "-e", "-c", &command, "/dev/null"]);
        script.env_remove("LIT_OPTS").env("TERM", "xterm");
        match color {
            true => script.env_remove("NO_COLOR"),
            false => script.env("NO_COLOR", "1"),
        };
        let output = script.output().expect("script starts");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    // A bar has 30 columns; the carriage return and the sequence after it clear the line.
    let (half, full) = ("=".repeat(15), "=".repeat(30));
    let rest = " ".repeat(15);
    let plain = format!(
        "\r[{half}{rest}] 1/2 temporary :: a.txt\x1b[K\r\x1b[KFAIL: temporary :: b.txt (2 of 2)\r\n\
         \r[{full}] 2/2 temporary :: b.txt\x1b[K\r\x1b[K****"
    );
    let printed = output(false);
    assert!(printed.contains(&plain), "{printed:?}");
    let printed = output(true);
    for bar in [
        format!("\r[\x1b[32m{half}{rest}\x1b[0m] 1/2"),
        format!("\r[\x1b[31m{full}\x1b[0m] 2/2"),
    ] {
        assert!(printed.contains(&bar), "{printed:?}");
    }
}

#[test]
fn expectations_can_be_changed() {
    let suite = self::suite(
        &[
            ("a.txt", "RUN: false\n"),
            ("b.txt", "XFAIL: *\nRUN: true\n"),
            ("c.txt", "XFAIL: *\nRUN: false\n"),
        ],
        "",
    );
    assert_eq!(ours(&suite, &[]).code, Some(1));
    // A star stands for every run, and is no feature.
    assert_eq!(ours(&suite, &["--show-used-features"]).out, "\n");
    let expected = [
        "--xfail=a.txt;nothing.txt",
        "--xfail-not=temporary :: b.txt",
    ];
    let changed = ours(&suite, &expected);
    assert_eq!(changed.code, Some(0), "{}", changed.out);
    assert!(
        changed.out.contains("XFAIL: temporary :: a.txt"),
        "{}",
        changed.out
    );
    assert!(
        changed.out.contains("PASS: temporary :: b.txt"),
        "{}",
        changed.out
    );
    let excluded = ours(
        &suite,
        &["--exclude-xfail", "--xfail=a.txt", "--xfail-not=b.txt"],
    );
    assert_eq!(excluded.code, Some(0), "{}", excluded.out);
    assert!(
        excluded.out.contains("  Excluded: 2 (66.67%)"),
        "{}",
        excluded.out
    );
}

#[test]
fn parameters_are_substitutions_and_features() {
    let configuration = "[parameters]\ntarget = 'sm_90'\n";
    let suite = self::suite(
        &[(
            "a.txt",
            "REQUIRES: target=sm_100\nRUN: echo %{target} | FileCheck %s\nCHECK: sm_100\n",
        )],
        configuration,
    );
    let unchanged = ours(&suite, &[]);
    assert!(
        unchanged.out.contains("UNSUPPORTED: temporary :: a.txt"),
        "{}",
        unchanged.out
    );
    for arguments in [["--param", "target=sm_100"], ["-D", "target=sm_100"]] {
        let changed = ours(&suite, &arguments);
        assert!(
            changed.out.contains("PASS: temporary :: a.txt"),
            "{}",
            changed.out
        );
    }
    let unknown = ours(&suite, &["-Dtraget=sm_100"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown
            .error
            .contains("unknown parameter 'traget'; there are: target"),
        "{}",
        unknown.error
    );
}

#[test]
fn failing_tests_are_run_again() {
    let suite = self::suite(&[("a.txt", "RUN: sh -c 'test -e %t || ! touch %t'\n")], "");
    assert_eq!(ours(&suite, &[]).code, Some(1));
    let again = ours(&suite, &["--max-retries-per-test=2"]);
    assert_eq!(again.code, Some(0), "{}", again.out);
    let line = "FLAKYPASS: temporary :: a.txt (1 of 1, 2 of 3 attempts)";
    assert!(again.out.contains(line), "{}", again.out);
}

#[test]
fn results_are_written_for_other_programs() {
    let suite = four();
    let path = |name: &str| suite.path().join(name).to_string_lossy().into_owned();
    let (xml, json) = (path("results.xml"), path("results.json"));
    ours(&suite, &["--xunit-xml-output", &xml, "-o", &json]);
    let read = |path: &str| std::fs::read_to_string(path).expect("the report is there");
    for part in [
        "tests=\"4\" failures=\"2\" skipped=\"1\"",
        "<testcase classname=\"temporary.temporary\" name=\"a.txt\"",
        "<![CDATA[",
    ] {
        assert!(read(&xml).contains(part), "{}", read(&xml));
    }
    let text = read(&json);
    assert!(text.contains("\"name\": \"temporary :: c.txt\""), "{text}");
    assert!(text.contains("# | <&>\\n"), "{text}");
    assert_eq!(text.matches("\"code\": ").count(), 4, "{text}");
    ours(&suite, &["--output", &json, "--report-failures-only"]);
    assert_eq!(read(&json).matches("\"code\": \"FAIL\"").count(), 2);
    assert_eq!(read(&json).matches("\"code\": ").count(), 2);
    ours(
        &suite,
        &["--output", &json, "--num-shards=4", "--run-shard=1"],
    );
    assert_eq!(read(&json).matches("\"code\": ").count(), 1);
}

/// The configuration for lit: the same suites, with nothing from `lit.toml`.
const LIT_CONFIGURATION: &str = "import lit.formats
config.name = 'temporary'
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = ['.txt']
";

/// One suite per result, and options that change the exit code. `--timeout` is left out: lit needs
/// a Python package for it that may be missing.
const RUNS: [(&str, &[&str]); 23] = [
    ("RUN: true\n", &[]),
    ("RUN: false\n", &[]),
    ("RUN: false\n", &["--ignore-fail"]),
    ("RUN: false\n", &["--xfail=a.txt"]),
    ("RUN: false\n", &["--xfail=temporary :: a.txt"]),
    ("RUN: false\n", &["--xfail=b.txt;c.txt"]),
    ("XFAIL: *\nRUN: false\n", &[]),
    ("XFAIL: *\nRUN: false\n", &["--xfail-not=a.txt"]),
    ("XFAIL: *\nRUN: true\n", &["--xfail-not=a.txt"]),
    ("XFAIL: *\nRUN: false\n", &["--exclude-xfail"]),
    ("RUN: false\n", &["--exclude-xfail", "--xfail=a.txt"]),
    ("REQUIRES: absent\nRUN: false\n", &[]),
    ("RUN: a &&& b\n", &[]),
    ("no command\n", &[]),
    ("RUN: sleep 100\n", &["--max-time=1"]),
    ("RUN: true\n", &["--filter=nothing"]),
    ("RUN: true\n", &["--filter=nothing", "--allow-empty-runs"]),
    ("RUN: true\n", &["--filter=A.TXT"]),
    ("RUN: true\n", &["--filter-out=A.TXT"]),
    ("RUN: true\n", &["--num-shards=2", "--run-shard=2"]),
    ("RUN: true\n", &["--num-shards=2"]),
    ("RUN: false\n", &["--no-execute"]),
    ("RUN: true\n", &["--no-such-option"]),
];

/// The counts at the end of a run: everything after the number of tests.
fn counts(text: &str) -> &str {
    text.find("Total Discovered").map_or("", |at| &text[at..])
}

#[test]
fn lit_exits_alike() {
    let Some(lit) = common::program(&["lit-22", "lit"]) else {
        common::skipped("no lit-22 or lit on the search path");
        return;
    };
    let mut wrong = Vec::new();
    for (text, options) in RUNS {
        let suite = suite(&[("a.txt", text), ("lit.cfg", LIT_CONFIGURATION)], "");
        let (own, other) = (ours(&suite, options), run(&lit, &suite, options));
        if own.code != other.code || counts(&own.out) != counts(&other.out) {
            wrong.push(format!(
                "{text:?} {options:?}: {:?} here, {:?} there\n{}{}",
                own.code, other.code, own.out, other.out
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A test that passes unexpectedly makes a run fail, as in LLVM's lit. Debian's build changes this:
/// there, such a test is not a failure.
#[test]
fn an_unexpected_pass_is_a_failure() {
    let text = "XFAIL: *\nRUN: true\n";
    let suite = suite(&[("a.txt", text), ("lit.cfg", LIT_CONFIGURATION)], "");
    let own = ours(&suite, &[]);
    assert_eq!(own.code, Some(1), "{}", own.out);
    let Some(lit) = common::program(&["lit-22", "lit"]) else {
        common::skipped("no lit-22 or lit on the search path");
        return;
    };
    let other = run(&lit, &suite, &[]);
    assert_eq!(counts(&own.out), counts(&other.out));
    // lit lists the names of tests only if they count as failures.
    let is_failure = other.out.contains("Unexpectedly Passed Tests (1):");
    assert_eq!(other.code, Some(i32::from(is_failure)), "{}", other.out);
}
