// Properties that hold for any input, shared by the fuzz targets and the test that replays the
// corpus.

use orison_ir::bytecode::{BytecodeOptions, read_bytecode, write_bytecode};
use orison_ir::parser::check_utf8;
use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};

fn context() -> Context {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_tileas::register(&mut context);
    orison_ori::register(&mut context);
    orison_sass::register(&mut context);
    context.allow_unregistered_dialects(true);
    context
}

fn read(context: &mut Context, bytes: &[u8]) -> Option<Operation> {
    let text = check_utf8(context, "input", bytes, 1).ok()?;
    let source = Source {
        name: "input",
        text,
        first_line: 1,
    };
    let module = parse_source(context, source).ok()?;
    context.verify(module).ok().map(|()| module)
}

/// Any bytes result in IR or in an error that can be displayed, and the IR can be erased.
pub fn parse(bytes: &[u8]) {
    let mut context = context();
    let module = read(&mut context, bytes);
    let diagnostics = context.diagnostics.take();
    assert!(
        module.is_some() || !diagnostics.is_empty(),
        "rejected silently"
    );
    for diagnostic in diagnostics.iter().take(10) {
        let _ = diagnostic.render(&context);
    }
    if let Some(module) = module {
        module.erase(&mut context);
    }
}

/// Valid IR survives a round trip through text, in generic and in custom form.
pub fn round_trip(bytes: &[u8]) {
    let mut first = context();
    let Some(module) = read(&mut first, bytes) else {
        return;
    };
    // Custom forms cannot represent the locations of elided terminators.
    for (debug_info, forms) in [(false, &[true, false][..]), (true, &[true])] {
        let flags = |generic| PrintFlags {
            generic,
            debug_info,
            ..PrintFlags::default()
        };
        let expected = print_to_string(&first, module, &flags(true));
        for &generic in forms {
            let text = print_to_string(&first, module, &flags(generic));
            let mut second = context();
            let Some(again) = read(&mut second, text.as_bytes()) else {
                let diagnostics = second.diagnostics.take();
                panic!("rejected: {:?}\n{text}", diagnostics.first());
            };
            let found = print_to_string(&second, again, &flags(true));
            assert!(
                found == expected,
                "read from:\n{text}\nexpected:\n{expected}\nfound:\n{found}"
            );
        }
    }
}

fn read_bytes(context: &mut Context, bytes: &[u8]) -> Option<Operation> {
    let module = read_bytecode(context, "input", bytes, true).ok()?;
    context.verify(module).ok().map(|()| module)
}

/// Any bytes result in IR or in a displayable error, and the IR can be printed and erased.
pub fn bytecode(bytes: &[u8]) {
    let mut context = context();
    let read = read_bytecode(&mut context, "input", bytes, true);
    let diagnostics = context.diagnostics.take();
    assert!(read.is_ok() || !diagnostics.is_empty(), "rejected silently");
    for diagnostic in diagnostics.iter().take(10) {
        let _ = diagnostic.render(&context);
    }
    if let Ok(module) = read {
        print_to_string(&context, module, &PrintFlags::generic());
        module.erase(&mut context);
    }
}

/// Valid IR survives a round trip through bytecode, and is written as the same bytes again.
pub fn bytecode_round_trip(bytes: &[u8]) {
    let mut first = context();
    let Some(module) = read_bytes(&mut first, bytes) else {
        return;
    };
    let options = BytecodeOptions::default();
    let Ok(written) = write_bytecode(&mut first, module, &options) else {
        panic!("valid IR can be written");
    };
    let mut second = context();
    let Some(again) = read_bytes(&mut second, &written) else {
        panic!("rejected: {:?}", second.diagnostics.take().first());
    };
    let exact = PrintFlags {
        debug_info: true,
        ..PrintFlags::generic()
    };
    let expected = print_to_string(&first, module, &exact);
    assert_eq!(print_to_string(&second, again, &exact), expected);
}
