// What must hold for any input. The fuzz targets and the test that replays the corpus share it.

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

/// Any bytes end in IR or in an error that can be shown, and IR can be erased.
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

/// What is printed of valid IR is read again as the same IR, in generic and in custom form.
pub fn round_trip(bytes: &[u8]) {
    let mut first = context();
    let Some(module) = read(&mut first, bytes) else {
        return;
    };
    // Custom forms have no place for the locations of terminators that they leave out.
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
