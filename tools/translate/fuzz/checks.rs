// Properties of any PTX and of any text of machine code. The fuzz targets and the test that replays the corpus share them.

use orison_ir::{Context, Palette, PrintFlags, Source, parse_source, print_to_string};
use orison_sass::listing::{self, Listing};
use orison_translate::{check, import, ptx, sass};

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

/// Any text is a listing or has an error; a listing prints as one that is the same, and its program
/// becomes a valid module from which the same program is read.
pub fn listing(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut context = Context::new();
    sass::register_dialects(&mut context);
    let module = match sass::import(&mut context, "input", &text) {
        Ok(module) => module,
        Err(message) => {
            assert!(!message.is_empty(), "rejected silently");
            return;
        }
    };
    let Ok(read) = listing::parse(&text) else {
        panic!("imported what is no listing");
    };
    let printed = read.to_string();
    match listing::parse(&printed) {
        Ok(again) => assert_eq!(
            again.without_places(),
            read.clone().without_places(),
            "{printed}"
        ),
        Err(error) => panic!("rejected: {error:?}\n{printed}"),
    }
    if context.verify(module).is_err() {
        assert!(!context.diagnostics.take().is_empty(), "invalid silently");
        return;
    }
    let printed = print_to_string(&context, module, &PrintFlags::default());
    assert_eq!(
        comparable(listing_of(&printed)),
        comparable(read),
        "{printed}"
    );
}

/// A listing without what a module does not keep: addresses follow from the order.
fn comparable(listing: Listing) -> Listing {
    let mut listing = listing.without_places();
    for line in listing
        .sections
        .iter_mut()
        .flat_map(|section| &mut section.lines)
    {
        if let listing::Item::Instruction(instruction) = &mut line.item {
            instruction.address = 0;
        }
    }
    listing
}

fn listing_of(text: &str) -> Listing {
    let mut context = Context::new();
    sass::register_dialects(&mut context);
    match sass::read_module(&mut context, "printed", text) {
        Ok(listing) => listing,
        Err(message) => panic!("rejected: {message}\n{text}"),
    }
}

/// Any text is a module of `sass` with a listing, or has an error; the listing's module prints as
/// text from which the same listing is read, if the listing states a machine.
pub fn sass_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut context = Context::new();
    sass::register_dialects(&mut context);
    let listing = match sass::read_module(&mut context, "input", &text) {
        Ok(listing) => listing,
        Err(message) => {
            assert!(!message.is_empty(), "rejected silently");
            return;
        }
    };
    let mut context = Context::new();
    sass::register_dialects(&mut context);
    // The header of a module, and the titles of its sections, may be any text.
    let known = orison_machine::sm_number(listing.target()).is_some();
    let module = orison_sass::dialect::module(&mut context, listing.clone(), "input");
    let Some(module) = module.ok().filter(|_| known) else {
        return;
    };
    assert!(
        context.verify(module).is_ok(),
        "{:?}",
        context.diagnostics.take().first()
    );
    let printed = print_to_string(&context, module, &PrintFlags::default());
    assert_eq!(
        comparable(listing_of(&printed)),
        comparable(listing),
        "{printed}"
    );
}
