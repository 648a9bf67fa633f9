// Properties of any PTX. The fuzz targets and the test that replays the corpus share them.

use orison_ir::{Context, Palette, PrintFlags, Source, parse_source, print_to_string};
use orison_translate::{check, import, ptx};

/// Any input results in a tree or in a printable error; a tree prints as text that parses to the
/// same tree.
pub fn parse(bytes: &[u8]) {
    let text = match ptx::check_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let _ = error.render("input", "");
            return;
        }
    };
    match ptx::parse(text) {
        Ok(module) => {
            // Errors in names and instructions are printable.
            let _ = check::check_text("input", text, &module, Palette::PLAIN);
            let printed = module.to_string();
            let again = ptx::parse(&printed);
            let Ok(again) = again else {
                panic!("rejected:\n{printed}\n{again:?}");
            };
            assert_eq!(again.to_string(), printed);
        }
        Err(error) => assert!(!error.render("input", text).is_empty()),
    }
}

/// PTX that parses is rejected with an error, or becomes valid IR that parses to the same IR, in
/// generic and in custom form.
pub fn import(bytes: &[u8]) {
    let Ok(text) = ptx::check_utf8(bytes) else {
        return;
    };
    let Ok(parsed) = ptx::parse(text) else {
        return;
    };
    let mut context = Context::new();
    import::register_dialects(&mut context);
    let module = match import::import(&mut context, "input", text, &parsed) {
        Ok((module, _)) => module,
        Err(error) => {
            assert!(!error.render("input", text).is_empty());
            return;
        }
    };
    let valid = context.verify(module).is_ok();
    for diagnostic in context.diagnostics.take() {
        let shown = diagnostic.render(&context);
        assert!(valid || !shown.contains("error:"), "{shown}\n{text}");
    }
    assert!(valid, "invalid without a word: {text}");
    for flags in [PrintFlags::default(), PrintFlags::generic()] {
        let printed = print_to_string(&context, module, &flags);
        let mut other = Context::new();
        import::register_dialects(&mut other);
        let source = Source {
            name: "printed",
            text: &printed,
            first_line: 1,
        };
        let again = parse_source(&mut other, source);
        let Ok(again) = again else {
            let diagnostics = other.diagnostics.take();
            panic!("rejected: {:?}\n{printed}", diagnostics.first());
        };
        assert_eq!(print_to_string(&other, again, &flags), printed);
    }
}
