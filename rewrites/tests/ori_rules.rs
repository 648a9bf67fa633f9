//! The conditions under which passes on `ori` change an operation, each with a function where the
//! change would be wrong and the nearest one where it is made.

use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, PrintFlags, Source, parse_source, print_to_string};

/// The text of a function for sm_90a after a pass.
fn after(pass: &str, body: &str) -> String {
    let text = format!(
        "ori.func private @g(!ori.r) -> !ori.r target \"sm_90a\"\n\
         ori.func @f(%r: !ori.r, %x: !ori.r, %d: !ori.r64, %e: !ori.r64, %p: !ori.p, %q: !ori.p, \
         %u: !ori.ur, %up: !ori.up) target \"sm_90a\" {{\n\
         %zero = ori.imm 0 : !ori.r\n%one = ori.imm 1 : !ori.r\n%four = ori.imm 4 : !ori.r\n\
         {body}\n}}"
    );
    run(pass, &text)
}

/// The same with a kernel, in which `%tid` and `%is` vary and `%n`, `%d` and `%same` do not.
fn after_in_kernel(pass: &str, body: &str) -> String {
    let text = format!(
        "ori.func kernel @k() target \"sm_90a\" {{\n\
         %tid = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n\
         %n = ori.cbank[0, 528] : !ori.r\n%d = ori.cbank[0, 536] : !ori.r64\n\
         %zero = ori.imm 0 : !ori.r\n%one = ori.imm 1 : !ori.r\n%four = ori.imm 4 : !ori.r\n\
         %is = ori.isetp <lt, s32, and> %tid, %n : (!ori.r, !ori.r) -> !ori.p\n\
         %same = ori.isetp <lt, s32, and> %zero, %n : (!ori.r, !ori.r) -> !ori.p\n\
         {body}\n}}"
    );
    run(pass, &text)
}

fn run(pass: &str, text: &str) -> String {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: "rules.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source);
    let module = module.unwrap_or_else(|_| panic!("{:?}", context.diagnostics.take()));
    assert!(context.verify(module).is_ok(), "{:?}", context.diagnostics);
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    let pipeline = registry.parse_pipeline(&format!("builtin.module({pass})"));
    let done = run_pipeline(&mut context, &pipeline.expect("a pipeline"), module);
    assert!(done.is_ok(), "{:?}", context.diagnostics.take());
    assert!(context.verify(module).is_ok(), "{:?}", context.diagnostics);
    print_to_string(&context, module, &PrintFlags::default())
}

/// How often an operation occurs in a text.
fn count(text: &str, operation: &str) -> usize {
    text.matches(&format!("{operation} ")).count()
}

const LOAD: &str = "%l = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r\n";
const STORED: &str = "ori.stg <b32> [%d], %l : (!ori.r64, !ori.r) -> ()\n";
const TYPES: &str = "(!ori.r, !ori.r, !ori.r) -> !ori.r";

/// Whether the store of the loaded value is erased.
fn drops_store(load: &str, between: &str, store: &str) -> bool {
    let text = after(
        "ori-store-elimination",
        &format!("{load}{between}{store}ori.ret"),
    );
    count(&text, "ori.stg")
        < format!("{load}{between}{store}")
            .matches("ori.stg ")
            .count()
}

#[test]
fn a_store_of_what_was_loaded_is_dropped_only_if_nothing_was_written_in_between() {
    assert!(drops_store(LOAD, "", STORED));
    let other =
        |address: &str| format!("ori.stg <b32> [{address}], %x : (!ori.r64, !ori.r) -> ()\n");
    assert!(drops_store(LOAD, &other("%d + 4"), STORED));
    assert!(!drops_store(LOAD, &other("%d + 2"), STORED), "in part");
    assert!(!drops_store(LOAD, &other("%d"), STORED));
    assert!(!drops_store(LOAD, &other("%e"), STORED), "another base");
    assert!(!drops_store(LOAD, "ori.bar <sync, index = 0>\n", STORED));
    assert!(!drops_store(
        LOAD,
        "ori.st <b32> [%e], %x : (!ori.r64, !ori.r) -> ()\n",
        STORED
    ));
}

#[test]
fn a_store_of_what_was_loaded_is_dropped_only_from_the_same_place_and_width() {
    let stored = |address: &str| STORED.replace("[%d]", &format!("[{address}]"));
    assert!(!drops_store(LOAD, "", &stored("%d + 4")));
    assert!(!drops_store(LOAD, "", &stored("%e")));
    let load = |width: &str| LOAD.replace("b32", width);
    let store = |width: &str| STORED.replace("b32", width);
    // A byte is extended when it is loaded: only its low bits are stored.
    assert!(!drops_store(&load("u8"), "", STORED));
    assert!(!drops_store(LOAD, "", &store("u8")));
}

#[test]
fn a_store_of_what_was_loaded_under_a_guard_is_dropped_only_under_it() {
    let guarded = |text: &str, guard: &str| {
        let text = text.replace(
            "[%d]",
            &format!("[%d]{}", if text.contains("ldg") { guard } else { "" }),
        );
        let text = text.replace(", %l :", &format!(", %l{guard} :"));
        text.replace("(!ori.r64)", "(!ori.r64, !ori.p)")
            .replace("(!ori.r64, !ori.r)", "(!ori.r64, !ori.r, !ori.p)")
    };
    let load = guarded(LOAD, " if %p");
    assert!(drops_store(&load, "", &guarded(STORED, " if %p")));
    assert!(!drops_store(&load, "", &guarded(STORED, " if not %p")));
    assert!(!drops_store(&load, "", &guarded(STORED, " if %q")));
    assert!(!drops_store(&load, "", STORED));
    assert!(drops_store(LOAD, "", &guarded(STORED, " if %p")));
}

#[test]
fn ordered_stores_are_kept() {
    let strong = STORED.replace("<b32>", "<b32, strong, gpu>");
    assert!(!drops_store(LOAD, "", &strong));
    let strong = LOAD.replace("<b32>", "<b32, strong, gpu>");
    assert!(!drops_store(&strong, "", STORED));
}

#[test]
fn a_store_of_what_was_stored_is_dropped_only_if_all_of_it_is_there() {
    let store = |width: &str, value: &str, guard: &str| {
        let ty = if guard.is_empty() { "" } else { ", !ori.p" };
        format!("ori.stg <{width}> [%d], {value}{guard} : (!ori.r64, !ori.r{ty}) -> ()\n")
    };
    let drops = |first: &str, second: &str| drops_store("", first, second);
    let plain = store("b32", "%x", "");
    assert!(drops(&plain, &plain));
    assert!(drops(&plain, &store("b32", "%x", " if %p")));
    assert!(!drops(&store("b32", "%x", " if %p"), &plain), "a guard");
    assert!(!drops(&plain, &store("b32", "%r", "")), "another value");
    assert!(!drops(&store("u8", "%x", ""), &plain), "a byte of it");
    let elsewhere = plain.replace("[%d]", "[%d + 4]");
    assert!(!drops(&elsewhere, &plain));
    let loop_text = "ori.bra ^head(%d : !ori.r64)\n^head(%k: !ori.r64):\n\
         ori.stg <b32> [%k], %x : (!ori.r64, !ori.r) -> ()\n\
         ori.cond_bra %p, ^head(%e : !ori.r64), ^out : !ori.p\n^out:\nori.ret";
    let text = after("ori-store-elimination", loop_text);
    assert_eq!(count(&text, "ori.stg"), 1, "another address each time");
}

/// Whether the second of two loads is replaced.
fn merges_load(between: &str, second: &str) -> bool {
    let text = format!(
        "{LOAD}{between}%m = {second}\nori.stg <b32> [%e], %m : (!ori.r64, !ori.r) -> ()\n\
         ori.stg <b32> [%e + 4], %l : (!ori.r64, !ori.r) -> ()\nori.ret"
    );
    count(&after("ori-gvn", &text), "ori.ldg") == 1
}

#[test]
fn loads_are_merged_only_if_nothing_was_written_in_between() {
    let load = "ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r";
    assert!(merges_load("", load));
    for (between, expected) in [
        (
            "ori.stg <b32> [%d + 4], %x : (!ori.r64, !ori.r) -> ()\n",
            true,
        ),
        ("ori.sts <b32> [%r], %x : (!ori.r, !ori.r) -> ()\n", true),
        (
            "ori.stg <b32> [%d + 3], %x : (!ori.r64, !ori.r) -> ()\n",
            false,
        ),
        ("ori.stg <b32> [%e], %x : (!ori.r64, !ori.r) -> ()\n", false),
        ("ori.st <b32> [%e], %x : (!ori.r64, !ori.r) -> ()\n", false),
        (
            "ori.redg <add, u32> [%d], %x : (!ori.r64, !ori.r) -> ()\n",
            false,
        ),
        ("ori.bar <sync, index = 0>\n", false),
        ("ori.membar <all, gpu>\n", false),
        ("%c = ori.call @g(%r) : (!ori.r) -> !ori.r\n", false),
    ] {
        assert_eq!(merges_load(between, load), expected, "{between}");
    }
    assert!(!merges_load(
        "",
        "ori.ldg <b32> [%d + 4] : (!ori.r64) -> !ori.r"
    ));
    assert!(!merges_load(
        "",
        "ori.ldg <u16> [%d] : (!ori.r64) -> !ori.r"
    ));
    assert!(!merges_load(
        "",
        "ori.ldg <b32, strong, gpu> [%d] : (!ori.r64) -> !ori.r"
    ));
}

/// Whether a load after a store is replaced by the value stored.
fn forwards(store: &str, load: &str) -> bool {
    let text =
        format!("{store}\n%l = {load}\nori.sts <b32> [%r], %l : (!ori.r, !ori.r) -> ()\nori.ret");
    count(&after("ori-gvn", &text), "ori.ldg") == 0
}

#[test]
fn stored_values_are_forwarded_only_to_loads_of_exactly_these_bytes() {
    let store = "ori.stg <b32> [%d + 4], %x : (!ori.r64, !ori.r) -> ()";
    let load = "ori.ldg <b32> [%d + 4] : (!ori.r64) -> !ori.r";
    let guarded = "ori.stg <b32> [%d + 4], %x if %p : (!ori.r64, !ori.r, !ori.p) -> ()";
    let under =
        |guard: &str| format!("ori.ldg <b32> [%d + 4] if {guard} : (!ori.r64, !ori.p) -> !ori.r");
    assert!(forwards(store, load));
    assert!(forwards(store, &under("%p")));
    assert!(forwards(guarded, &under("%p")));
    assert!(!forwards(guarded, load), "the store may not be executed");
    assert!(!forwards(guarded, &under("not %p")));
    assert!(!forwards(guarded, &under("%q")));
    let otherwise = "ori.ldg <b32> [%d + 4] if %p else %r : (!ori.r64, !ori.p, !ori.r) -> !ori.r";
    assert!(!forwards(store, otherwise), "elsewhere it is another value");
    assert!(!forwards(store, &load.replace("+ 4", "+ 6")));
    assert!(!forwards(store, &load.replace("+ 4", "+ 8")));
    // What a narrow store writes is extended when it is loaded.
    for width in ["u8", "s8", "u16", "s16"] {
        let [store, load] = [store, load].map(|text| text.replace("b32", width));
        assert!(!forwards(&store, &load), "{width}");
    }
    assert!(!forwards(&store.replace("b32", "u8"), load));
    assert!(!forwards(
        &store.replace("<b32>", "<b32, strong, gpu>"),
        load
    ));
    assert!(!forwards(
        &format!("{store}\nori.bar <sync, index = 0>"),
        load
    ));
}

/// Whether the second of two equal operations is replaced.
fn numbers_alike(first: &str, second: &str, ty: &str) -> bool {
    let text = format!(
        "%a = {first}\n%b = {second}\n\
         ori.inst <mnemonic = \"USE\"> inputs(%a, %b) : ({ty}, {ty}) -> ()\nori.ret"
    );
    let text = after("ori-gvn", &text);
    let last = text
        .lines()
        .find(|line| line.contains("USE"))
        .expect("a use");
    let inputs = last.split_once("inputs(").expect("inputs").1;
    let (a, rest) = inputs.split_once(", ").expect("two");
    rest.starts_with(&format!("{a})"))
}

#[test]
fn operations_are_equal_only_with_equal_operands_modifiers_attributes_and_guards() {
    let alike = |first: &str, second: &str| numbers_alike(first, second, "!ori.r");
    let sum = |text: &str| format!("ori.iadd3 {text} : {TYPES}");
    assert!(alike(&sum("%r, %x, %one"), &sum("%one, %r, %x")));
    assert!(!alike(&sum("%r, %x, %one"), &sum("%r, neg %x, %one")));
    assert!(alike(&sum("%r, neg %x, %one"), &sum("neg %x, %r, %one")));
    assert!(!alike(&sum("%r, neg %x, %one"), &sum("%x, neg %r, %one")));
    let product = |text: &str| format!("ori.imad {text} : {TYPES}");
    assert!(alike(&product("%r, %x, %one"), &product("%x, %r, %one")));
    assert!(!alike(&product("%r, %x, %one"), &product("%one, %x, %r")));
    let table = |lut: u32| format!("ori.lop3 <lut = {lut}> %r, %x, %one : {TYPES}");
    assert!(alike(&table(17), &table(17)));
    assert!(!alike(&table(17), &table(18)));
    let guarded = |guard: &str| {
        format!("ori.iadd3 %r, %x, %one if {guard} : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r")
    };
    assert!(alike(&guarded("%p"), &guarded("%p")));
    assert!(!alike(&guarded("%p"), &guarded("not %p")));
    assert!(!alike(&guarded("%p"), &guarded("%q")));
    assert!(alike(&sum("%r, %x, %one"), &guarded("%p")));
    assert!(!alike(&guarded("%p"), &sum("%r, %x, %one")));
    let complete = "ori.iadd3 %r, %x, %one if %p else %four \
                    : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r";
    assert!(!alike(&sum("%r, %x, %one"), complete));
}

#[test]
fn operations_that_depend_on_other_threads_or_on_time_are_not_merged() {
    for (operation, ty) in [
        ("ori.vote <any> %p : (!ori.p) -> !ori.r", "!ori.r"),
        (
            "ori.shfl <bfly> %r, %x, %one : (!ori.r, !ori.r, !ori.r) -> !ori.r",
            "!ori.r",
        ),
        ("ori.r2ur %r : (!ori.r) -> !ori.ur", "!ori.ur"),
        ("ori.cs2r <register = \"SR_CLOCKLO\"> : !ori.r", "!ori.r"),
        (
            "ori.alloca <alignment = 4> %r : (!ori.r) -> !ori.r",
            "!ori.r",
        ),
        ("ori.call @g(%r) : (!ori.r) -> !ori.r", "!ori.r"),
        (
            "ori.atomg <add, u32> [%d], %x : (!ori.r64, !ori.r) -> !ori.r",
            "!ori.r",
        ),
    ] {
        assert!(!numbers_alike(operation, operation, ty), "{operation}");
    }
}

#[test]
fn operations_are_merged_only_where_the_first_dominates() {
    let sum = "ori.iadd3 %r, %x, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r";
    let text = format!(
        "ori.cond_bra %p, ^then, ^join : !ori.p\n\
         ^then:\n%a = {sum}\nori.sts <b32> [%r], %a : (!ori.r, !ori.r) -> ()\nori.bra ^join\n\
         ^join:\n%b = {sum}\nori.sts <b32> [%x], %b : (!ori.r, !ori.r) -> ()\nori.ret"
    );
    assert_eq!(count(&after("ori-gvn", &text), "ori.iadd3"), 2);
}

/// Whether a triangle with these operations becomes guarded operations.
fn converts(operations: &str) -> bool {
    let text = format!(
        "ori.cond_bra %p, ^then, ^end : !ori.p\n^then:\n{operations}\nori.bra ^end\n^end:\nori.ret"
    );
    count(&after("ori-predication", &text), "ori.cond_bra") == 0
}

#[test]
fn only_operations_that_may_be_guarded_or_speculated_are_predicated() {
    assert!(converts(
        "ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()"
    ));
    for operation in [
        "ori.bar <sync, index = 0>",
        "%a = ori.vote <any> %p : (!ori.p) -> !ori.r",
        "%a = ori.shfl <bfly> %r, %x, %one : (!ori.r, !ori.r, !ori.r) -> !ori.r",
        "%a = ori.r2ur %r : (!ori.r) -> !ori.ur",
        "%a = ori.call @g(%r) : (!ori.r) -> !ori.r",
        "ori.inst <mnemonic = \"FOO\">",
        "ori.redg <add, u32> [%d], %x : (!ori.r64, !ori.r) -> ()",
        "%a = ori.atomg <add, u32> [%d], %x : (!ori.r64, !ori.r) -> !ori.r",
        "ori.stg <b32, strong, sys> [%d], %x : (!ori.r64, !ori.r) -> ()",
        "ori.membar <all, gpu>",
    ] {
        assert!(!converts(operation), "{operation}");
    }
}

/// A guarded operation keeps its own guard: both have to hold.
#[test]
fn predicated_operations_get_the_guard_of_their_way() {
    let diamond = |condition: &str| {
        after(
            "ori-predication",
            &format!(
                "ori.cond_bra {condition}, ^then, ^else : !ori.p\n\
                 ^then:\nori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()\nori.bra ^end\n\
                 ^else:\nori.stg <b32> [%e], %x : (!ori.r64, !ori.r) -> ()\nori.bra ^end\n\
                 ^end:\nori.ret"
            ),
        )
    };
    let guards = |text: &str| {
        let stores = text.lines().filter(|line| line.contains("ori.stg"));
        let of = |line: &str| line.contains(" if not ");
        stores.map(of).collect::<Vec<_>>()
    };
    assert_eq!(guards(&diamond("%p")), [false, true]);
    assert_eq!(guards(&diamond("not %p")), [true, false]);
    let own = after(
        "ori-predication",
        "ori.cond_bra %p, ^then, ^end : !ori.p\n\
         ^then:\nori.stg <b32> [%d], %x if not %q : (!ori.r64, !ori.r, !ori.p) -> ()\n\
         ori.bra ^end\n^end:\nori.ret",
    );
    assert_eq!(count(&own, "ori.plop3"), 1, "{own}");
    assert!(own.contains("not %"), "{own}");
    // A constant bank at a computed address is read by the threads of its way only.
    let bank = after(
        "ori-predication",
        "ori.cond_bra %p, ^then, ^end : !ori.p\n\
         ^then:\n%c = ori.ldc <b32> [%r] : (!ori.r) -> !ori.r\n\
         ori.stg <b32> [%d], %c : (!ori.r64, !ori.r) -> ()\nori.bra ^end\n^end:\nori.ret",
    );
    let load = bank.lines().find(|line| line.contains("ori.ldc"));
    assert!(load.is_some_and(|line| line.contains(" if %")), "{bank}");
}

#[test]
fn needed_operations_are_those_with_effects_and_what_they_use() {
    let lives = |operation: &str| {
        let text = after("ori-perform-live-dead", &format!("{operation}\nori.ret"));
        let name = operation.split("ori.").nth(1).expect("an operation");
        let name = name.split(' ').next().expect("a name");
        count(&text, &format!("ori.{name}")) > 0
    };
    for operation in [
        "ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()",
        "%a = ori.atomg <add, u32> [%d], %x : (!ori.r64, !ori.r) -> !ori.r",
        "%a = ori.ldg <b32, strong, gpu> [%d] : (!ori.r64) -> !ori.r",
        "%a = ori.ld <b32, mmio, sys> [%d] : (!ori.r64) -> !ori.r",
        "ori.bar <sync, index = 0>",
        "%a = ori.bar <reduce, index = 1, popc> predicate(%p) : (!ori.p) -> !ori.r",
        "%a = ori.call @g(%r) : (!ori.r) -> !ori.r",
        "%a = ori.inst <mnemonic = \"FOO\", reads = [], writes = []> : !ori.r",
        "ori.exit_if %p : !ori.p",
    ] {
        assert!(lives(operation), "{operation}");
    }
    for operation in [
        "%a = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r",
        "%a = ori.vote <any> %p : (!ori.p) -> !ori.r",
        "%a = ori.call @g(%r) {pure} : (!ori.r) -> !ori.r",
        "%a = ori.iadd3 %r, %x, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r",
    ] {
        assert!(!lives(operation), "{operation}");
    }
    // The guard and the values where it does not hold are used, too.
    let text = after(
        "ori-perform-live-dead",
        "%c = ori.isetp <lt, s32, and> %r, %x : (!ori.r, !ori.r) -> !ori.p\n\
         %o = ori.iadd3 %r, %x, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %l = ori.ldg <b32> [%d] if %c else %o : (!ori.r64, !ori.p, !ori.r) -> !ori.r\n\
         ori.stg <b32> [%d], %l : (!ori.r64, !ori.r) -> ()\nori.ret",
    );
    assert_eq!(count(&text, "ori.isetp") + count(&text, "ori.iadd3"), 2);
}

/// The uniform counter of a loop that threads leave in different iterations differs after it.
#[test]
fn atomics_are_combined_only_if_all_threads_of_the_warp_have_one_address() {
    let combines = |body: &str| {
        let text = after_in_kernel("ori-optimize-uniform-atomic", &format!("{body}\nori.exit"));
        count(&text, "ori.redux") == 1
    };
    assert!(combines(
        "ori.redg <add, u32> [%d], %tid : (!ori.r64, !ori.r) -> ()"
    ));
    assert!(!combines(
        "%a = ori.imad_wide <u32> %tid, %four, %d : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
         ori.redg <add, u32> [%a], %tid : (!ori.r64, !ori.r) -> ()"
    ));
    let after_loop = |bound: &str| {
        format!(
            "ori.bra ^head(%zero : !ori.r)\n^head(%i: !ori.r):\n\
             %next = ori.iadd3 %i, %one, %zero : {TYPES}\n\
             %a = ori.imad_wide <u32> %next, %four, %d : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
             %more = ori.isetp <lt, s32, and> %next, {bound} : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %more, ^head(%next : !ori.r), ^out : !ori.p\n\
             ^out:\nori.redg <add, u32> [%a], %tid : (!ori.r64, !ori.r) -> ()"
        )
    };
    assert!(combines(&after_loop("%n")));
    assert!(!combines(&after_loop("%tid")));
    for atomic in [
        "ori.redg <add, u32> [%d], %tid if %is : (!ori.r64, !ori.r, !ori.p) -> ()",
        "ori.redg <add, f32> [%d], %tid : (!ori.r64, !ori.r) -> ()",
        "ori.redg <add, u64> [%d], %d : (!ori.r64, !ori.r64) -> ()",
        "%o = ori.atomg <exch, b32> [%d], %tid : (!ori.r64, !ori.r) -> !ori.r",
        "%o = ori.atomg <add, u32> [%d], %tid : (!ori.r64, !ori.r) -> !ori.r\n\
         ori.sts <b32> [%zero], %o : (!ori.r, !ori.r) -> ()",
    ] {
        assert!(!combines(atomic), "{atomic}");
    }
}

/// The number of products left in a loop that counts by `step` and multiplies.
fn products_in_loop(next: &str, product: &str) -> usize {
    let text = after(
        "ori-strength-reduce",
        &format!(
            "%three = ori.imm 3 : !ori.r\nori.bra ^head(%r : !ori.r)\n^head(%i: !ori.r):\n\
             %y = {product}\nori.sts <b32> [%y], %x : (!ori.r, !ori.r) -> ()\n\
             %n = {next}\n\
             %more = ori.isetp <lt, s32, and> %n, %x : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %more, ^head(%n : !ori.r), ^out : !ori.p\n^out:\nori.ret"
        ),
    );
    let body = text.split_once("^bb1").expect("a loop").1;
    count(body, "ori.imad")
}

#[test]
fn products_become_counters_only_of_counters_and_invariant_factors() {
    let next = format!("ori.iadd3 %i, %four, %zero : {TYPES}");
    let product = format!("ori.imad %i, %three, %x : {TYPES}");
    assert_eq!(products_in_loop(&next, &product), 0);
    for sum in ["%i, %four, %one", "%i, neg %four, %zero"] {
        let counter = format!("ori.iadd3 {sum} : {TYPES}");
        assert_eq!(products_in_loop(&counter, &product), 0, "{sum}");
    }
    for other in [
        "ori.iadd3 neg %i, %four, %zero",
        "ori.iadd3 %i, %i, %zero",
        "ori.iadd3 %i, %y, %zero",
    ] {
        let other = format!("{other} : {TYPES}");
        assert_eq!(products_in_loop(&other, &product), 1, "{other}");
    }
    for other in ["%i, %i, %x", "%i, %three, %i", "neg %i, %three, %x"] {
        let other = format!("ori.imad {other} : {TYPES}");
        assert_eq!(products_in_loop(&next, &other), 1, "{other}");
    }
    let guarded = "ori.imad %i, %three, %x if %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r";
    assert_eq!(products_in_loop(&next, guarded), 1);
}

#[test]
fn guards_of_constants_decide_whether_an_operation_is_executed() {
    let stores = |guard: &str, value: u8| {
        let text = after(
            "ori-copy-propagation",
            &format!(
                "%c = ori.imm {value} : !ori.p\n\
                 ori.stg <b32> [%d], %x if {guard} : (!ori.r64, !ori.r, !ori.p) -> ()\nori.ret"
            ),
        );
        assert!(!text.contains(" if "), "{text}");
        count(&text, "ori.stg")
    };
    assert_eq!(stores("%c", 1), 1);
    assert_eq!(stores("%c", 0), 0);
    assert_eq!(stores("not %c", 1), 0);
    assert_eq!(stores("not %c", 0), 1);
}

/// The value that the store writes after copies are propagated.
fn propagated(operation: &str) -> String {
    let text = after(
        "ori-copy-propagation",
        &format!("{operation}\nori.stg <b32> [%d], %y : (!ori.r64, !ori.r) -> ()\nori.ret"),
    );
    let (names, rest) = text
        .split_once("@f(")
        .expect("a function")
        .1
        .split_once(')')
        .expect("arguments");
    let store = rest
        .lines()
        .find(|line| line.contains("ori.stg"))
        .expect("a store");
    let value = store.split_once("], ").expect("a value").1;
    let value = value.split(' ').next().expect("a name").to_owned();
    let mut place = names
        .split(", ")
        .map(|name| name.split(':').next().expect("a name"));
    let place = place.position(|name| name == value);
    place.map_or("another".to_owned(), |place| format!("argument {place}"))
}

/// `%r` is argument 0, `%x` argument 1.
#[test]
fn selections_tables_and_parts_are_copies_of_the_right_operand() {
    let select = |value: u8, choice: &str| {
        propagated(&format!(
            "%c = ori.imm {value} : !ori.p\n\
             %y = ori.sel %r, %x, {choice} : (!ori.r, !ori.r, !ori.p) -> !ori.r"
        ))
    };
    assert_eq!(select(1, "%c"), "argument 0");
    assert_eq!(select(0, "%c"), "argument 1");
    assert_eq!(select(1, "not %c"), "argument 1");
    assert_eq!(select(0, "not %c"), "argument 0");
    assert_eq!(select(0, "%p"), "another");
    for (lut, expected) in [
        (0xf0, "argument 0"),
        (0xcc, "argument 1"),
        (0xaa, "another"),
        (0x0f, "another"),
    ] {
        let table = format!("%y = ori.lop3 <lut = {lut}> %r, %x, %four : {TYPES}");
        assert_eq!(propagated(&table), expected, "{lut:#x}");
    }
    for (word, expected) in [(0, "argument 0"), (1, "argument 1")] {
        let part = format!(
            "%w = ori.concat %r, %x : (!ori.r, !ori.r) -> !ori.r64\n\
             %y = ori.extract %w[{word}] : (!ori.r64) -> !ori.r"
        );
        assert_eq!(propagated(&part), expected, "word {word}");
    }
    let guarded = "%y = ori.mov %r if %p else %x : (!ori.r, !ori.p, !ori.r) -> !ori.r";
    assert_eq!(propagated(guarded), "another");
    assert_eq!(
        propagated("%y = ori.mov %r : (!ori.r) -> !ori.r"),
        "argument 0"
    );
}
