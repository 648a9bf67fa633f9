//! Import of PTX: the result is valid, complete, and stable when parsed again.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use orison_ir::walk::collect;
use orison_ir::{
    Context, LocationKind, Operation, PrintFlags, Severity, Source, parse_source, print_to_string,
};
use orison_translate::import::{Counts, import, register_dialects};
use orison_translate::ptx;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/translate/ptx");
    let entries = fs::read_dir(folder).expect("the folder of PTX");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    // `syntax.ptx` is not a valid program: it reads registers that it does not declare.
    files.retain(|file| {
        file.extension().is_some_and(|extension| extension == "ptx")
            && !file.ends_with("syntax.ptx")
    });
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    files
}

fn imported(context: &mut Context, text: &str) -> (Operation, Counts) {
    register_dialects(context);
    let module = ptx::parse(text).expect("well-formed PTX");
    import(context, "a.ptx", text, &module).expect("labels are defined")
}

fn name_of(file: &Path) -> String {
    file.file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}

#[test]
fn imports_are_valid_and_read_again_as_the_same() {
    for file in files() {
        let text = fs::read_to_string(&file).expect("text");
        let mut context = Context::new();
        let (module, _) = imported(&mut context, &text);
        assert!(context.verify(module).is_ok(), "{}", file.display());
        for flags in [PrintFlags::default(), PrintFlags::generic()] {
            let printed = print_to_string(&context, module, &flags);
            let mut other = Context::new();
            register_dialects(&mut other);
            let source = Source {
                name: "a.mlir",
                text: &printed,
                first_line: 1,
            };
            let again = parse_source(&mut other, source).expect("what was printed");
            assert!(other.verify(again).is_ok(), "{}", file.display());
            assert_eq!(
                print_to_string(&other, again, &flags),
                printed,
                "{}",
                file.display()
            );
        }
    }
}

#[test]
fn what_is_not_modelled_is_kept_and_told() {
    let mut kept = 0;
    for file in files() {
        let text = fs::read_to_string(&file).expect("text");
        let mut context = Context::new();
        let (module, counts) = imported(&mut context, &text);
        let mut found = 0;
        for op in collect(&context, module) {
            if op.is(&context, "ori.inst") {
                let kept = op
                    .attribute(&context, "text")
                    .and_then(|text| text.as_str(&context));
                assert!(kept.is_some_and(|text| text.ends_with(';')));
                found += 1;
            }
        }
        let remarks = context.diagnostics.take();
        let remarks = remarks
            .iter()
            // Initializers kept as text are reported too.
            .filter(|d| d.severity == Severity::Remark && d.message.contains("'ori.inst'"))
            .count();
        assert_eq!(
            (found, remarks),
            (counts.unmodelled, counts.unmodelled),
            "{}",
            file.display()
        );
        assert!(counts.instructions > counts.unmodelled);
        kept += found;
    }
    assert!(kept > 0, "no file has an instruction that is not modelled");
}

#[test]
fn kernels_of_these_files_need_nothing_else() {
    for file in files() {
        let name = name_of(&file);
        let whole = ["saxpy.sm_80.ptx", "gemm.sm_90a.ptx", "reduction.sm_80.ptx"];
        if whole.contains(&name.as_str()) {
            let text = fs::read_to_string(&file).expect("text");
            let (_, counts) = imported(&mut Context::new(), &text);
            assert_eq!(counts.unmodelled, 0, "{name}");
        }
    }
}

/// A kernel around statements.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.8\n.target sm_80\n.visible .entry k(.param .u32 n)\n{{\n.reg .pred %p<9>;\n.reg .b32 \
         %r<99999>;\n.reg .b64 %rd<9>;\n{body}\n}}\n"
    )
}

fn printed(body: &str) -> String {
    let mut context = Context::new();
    let text = kernel(body);
    let (module, _) = imported(&mut context, &text);
    let valid = context.verify(module).is_ok();
    let problems: Vec<_> = context.diagnostics.take();
    let shown: String = problems
        .iter()
        .map(|problem| problem.render(&context))
        .collect();
    assert!(valid, "{shown}");
    print_to_string(&context, module, &PrintFlags::default())
}

#[test]
fn a_register_written_on_two_paths_is_an_argument_where_they_meet() {
    let text = printed(
        "mov.u32 %r1, 1; setp.eq.s32 %p1, %r1, 2; @%p1 bra A; mov.u32 %r2, 5; bra B;\n\
         A: mov.u32 %r2, 6;\nB: add.s32 %r3, %r2, %r1; st.shared.b32 [%r3], %r3; ret;",
    );
    let arguments: Vec<_> = text.lines().filter(|line| line.contains("^bb3(")).collect();
    // Both branches pass one value, and the block takes one: %r1 is the same on both paths.
    assert_eq!(arguments.len(), 3, "{text}");
    assert!(
        arguments
            .iter()
            .all(|line| line.matches("!ori.r").count() == 1),
        "{text}"
    );
}

#[test]
fn a_guarded_write_keeps_the_old_value() {
    let text = printed(
        "mov.u32 %r1, 1; setp.eq.s32 %p1, %r1, 2; @!%p1 add.s32 %r1, %r1, 7;\n\
         @%p1 ld.shared.b32 %r1, [%r1]; st.shared.b32 [%r1], %r1; ret;",
    );
    assert!(text.contains("= ori.sel %"), "{text}");
    assert!(text.contains(", not %"), "{text}");
    assert!(text.contains("= ori.lds <b32> [%"), "{text}");
    assert!(
        text.contains("] if %") && text.contains(" else %"),
        "{text}"
    );
}

/// The carry of a subtraction is kept inverted within a block.
#[test]
fn a_carry_is_inverted_at_the_end_of_a_block_only_if_another_block_reads_it() {
    let start = "sub.cc.u32 %r1, %r2, %r3; setp.eq.u32 %p1, %r1, %r2; @%p1 bra A;";
    let read = printed(&format!(
        "{start} addc.u32 %r1, %r1, 0;\nA: st.shared.b32 [%r2], %r1; ret;"
    ));
    assert_eq!(read.matches("= ori.plop3").count(), 1, "{read}");
    let replaced = printed(&format!(
        "{start} add.cc.u32 %r1, %r2, %r3; addc.u32 %r1, %r1, 0;\n\
         A: st.shared.b32 [%r2], %r1; ret;"
    ));
    assert_eq!(replaced.matches("= ori.plop3").count(), 0, "{replaced}");
}

#[test]
fn variables_of_one_name_in_different_braces_are_different() {
    let text = printed(
        "{ .local .b32 buf; mov.u32 %r1, buf; st.local.b32 [%r1], 1; }\n\
         { .local .b32 buf; mov.u32 %r1, buf; st.local.b32 [%r1], 2; }\nret;",
    );
    for name in ["buf", "buf.1"] {
        let place = format!("ori.slot_address \"{name}\"");
        assert_eq!(text.matches(&place).count(), 1, "{text}");
    }
}

/// Each line is inlined at the one before it.
#[test]
fn locations_of_inlined_functions_nest_to_a_limit() {
    let mut body = ".loc 1 1 1\nmov.u32 %r1, 1;\n".to_owned();
    for line in 2..=100 {
        let caller = line - 1;
        let _ = writeln!(
            body,
            ".loc 1 {line} 1, function_name $f, inlined_at 1 {caller} 1\nmov.u32 %r{line}, {line};"
        );
    }
    let text = kernel(&format!("{body}ret;")).replacen(".visible", ".file 1 \"a.cu\"\n.visible", 1);
    let mut context = Context::new();
    let (module, _) = imported(&mut context, &text);
    let depth_of = |op: &Operation| {
        let (mut location, mut depth) = (op.location(&context), 0);
        while let LocationKind::CallSite { caller, .. } = location.kind(&context) {
            (location, depth) = (caller, depth + 1);
        }
        depth
    };
    let depths: Vec<_> = collect(&context, module).iter().map(depth_of).collect();
    // The 66th line is inlined at a place that is not known to be inlined itself.
    assert_eq!(depths.iter().max(), Some(&64));
    let last = depths.iter().rposition(|depth| *depth == 64);
    assert_eq!(last.map(|last| depths[last + 1]), Some(1));
}

#[test]
fn a_shuffle_of_some_lanes_waits_for_them() {
    let text = printed("shfl.sync.idx.b32 %r1, %r2, 0, 31, 0x3ff; st.shared.b32 [%r1], %r1; ret;");
    let gather = text.find("ori.warpsync mask(");
    assert!(gather.is_some() && gather < text.find("ori.shfl"), "{text}");
    let text = printed("shfl.sync.idx.b32 %r1, %r2, 0, 31, -1; st.shared.b32 [%r1], %r1; ret;");
    assert!(!text.contains("ori.warpsync"), "{text}");
}

#[test]
fn labels_belong_to_the_braces_around_them() {
    let loops = "{\n.reg .pred done;\nwait:\nsetp.eq.s32 done, %r1, 0;\n@!done bra.uni wait;\n}\n";
    let text = printed(&format!("mov.u32 %r1, %tid.x;\n{loops}{loops}ret;"));
    assert_eq!(
        text.matches("ori.cond_bra <uniform> not").count(),
        2,
        "{text}"
    );
}

#[test]
fn code_that_nothing_reaches_goes_and_a_loop_at_the_entry_gets_a_block_before_it() {
    let text = printed("L: add.s32 %r1, %r1, 1; bra L; st.shared.b32 [%r1], %r1;");
    assert!(!text.contains("ori.sts"), "{text}");
    assert!(text.contains("ori.undef : !ori.r"), "{text}");
    assert!(text.contains("ori.bra ^bb1(%"), "{text}");
}

#[test]
fn undefined_and_doubled_labels_are_errors_where_they_stand() {
    let cases = [
        ("bra NOWHERE;", 8, 1, "label 'NOWHERE' is not defined"),
        ("L:\nret;\nL:\nret;", 10, 1, "label 'L' is defined twice"),
        (
            "brx.idx %r1, table;",
            8,
            1,
            "branch targets 'table' are not defined",
        ),
        (
            "{\n.reg .b64 %q;\n.reg .b32 %q;\n}\nret;",
            10,
            11,
            "register '%q' is declared with two types",
        ),
        ("bra 5;", 8, 1, "operand 0 of 'bra' must be a name"),
        ("@%r1 ret;", 8, 1, "'%r1' is not a predicate"),
        (
            "{\ninner: ret;\n}\nbra inner;",
            11,
            1,
            "label 'inner' is not defined",
        ),
    ];
    for (body, line, column, message) in cases {
        let text = kernel(body);
        let module = ptx::parse(&text).expect("well-formed");
        let mut context = Context::new();
        register_dialects(&mut context);
        let error = import(&mut context, "a.ptx", &text, &module).expect_err(body);
        assert_eq!(
            (error.place.line, error.place.column),
            (line, column),
            "{body}"
        );
        assert_eq!(error.message, message);
    }
    for (text, column, message) in [
        (
            ".global .b32 k; .entry k() { ret; }",
            24,
            "'k' is defined twice",
        ),
        (
            ".func f() { ret; } .func f() { ret; }",
            26,
            "'f' is defined twice",
        ),
        (
            ".global .b32 v; .global .b32 v;",
            30,
            "'v' is defined twice",
        ),
        (
            ".extern .global .b32 v; .shared .b32 v;",
            38,
            "'v' is declared in .global and in .shared",
        ),
        (
            ".local .b32 v;",
            1,
            "a '.local' variable must be declared in a function",
        ),
        (
            ".entry k() { .local .b8 v[524289]; ret; }",
            25,
            "the '.local' variables up to 'v' exceed the 524288 bytes of local memory of a thread",
        ),
        (
            ".entry k() .maxntid 0 { ret; }",
            8,
            "expected positive integers after '.maxntid'",
        ),
    ] {
        let text = format!(".version 8.8\n.target sm_80\n{text}");
        let module = ptx::parse(&text).expect("well-formed");
        let mut context = Context::new();
        register_dialects(&mut context);
        let error = import(&mut context, "a.ptx", &text, &module).expect_err(message);
        let place = (error.place.line, error.place.column);
        assert_eq!((place, error.message.as_str()), ((3, column), message));
    }
    let module = ptx::parse(".version 8.8\n").expect("well-formed");
    let mut context = Context::new();
    register_dialects(&mut context);
    let error = import(&mut context, "a.ptx", "", &module).expect_err("no target");
    assert_eq!(error.message, "expected '.target sm_…', found ''");
}

/// A kernel of many blocks with values live across them, of about this many bytes.
fn large(bytes: usize) -> String {
    let mut body = String::from("mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n");
    let mut number = 0;
    while body.len() < bytes {
        let _ = writeln!(
            body,
            "setp.lt.s32 %p1, %r1, {number};\n@%p1 bra L{number};\nadd.s32 %r2, %r2, %r1;\nL{number}:\n\
             mad.lo.s32 %r{0}, %r1, %r2, 5;\nst.shared.b32 [%r{0}], %r2;",
            number + 10
        );
        number += 1;
    }
    kernel(&(body + "ret;"))
}

/// Thousands of branches are imported whole; `cargo bench -p orison-translate --bench branches` measures
/// how the time grows.
#[test]
fn a_long_kernel_is_imported_whole() {
    let text = large(300_000);
    let (_, counts) = imported(&mut Context::new(), &text);
    assert_eq!(counts.unmodelled, 0);
}
