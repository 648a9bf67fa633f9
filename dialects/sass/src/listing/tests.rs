use super::*;

const SMALL: &str = include_str!("small.sass");

fn listing(text: &str) -> Listing {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn everything_is_kept() {
    let listing = listing(SMALL);
    assert_eq!(listing.target(), "sm_90a");
    assert_eq!(listing.header_value(".elftype"), Some("ET_EXEC"));
    let names: Vec<&str> = listing
        .sections
        .iter()
        .map(|section| &*section.name)
        .collect();
    assert_eq!(names, [".text.call_wait_in_callee", "SYMBOLS"]);
    let code = &listing.sections[0];
    assert!(code.is_code() && !listing.sections[1].is_code());
    assert_eq!(code.instructions().count(), 64);
    let call = code
        .instructions()
        .find(|found| found.mnemonic.base() == "CALL");
    let call = call.unwrap();
    assert_eq!(call.address, 0x110);
    assert_eq!(
        call.labels().collect::<Vec<_>>(),
        ["$call_wait_in_callee$waiter"]
    );
    assert_eq!(call.control.to_string(), "B------:R-:W-:-:S05");
    let label = |line: &Line| matches!(&line.item, Item::Note(Note::Label(_)));
    assert_eq!(code.lines.iter().filter(|line| label(line)).count(), 5);
}

#[test]
fn printing_and_reading_is_a_fixpoint() {
    let first = listing(SMALL);
    let printed = first.to_string();
    assert!(printed.contains("/* B0-----:R-:W-:Y:S03 */ /* 0x0000000405047291 */"));
    let second = listing(&printed);
    assert_eq!(second.to_string(), printed);
    assert_eq!(first.without_places(), second.without_places());
}

/// Only the last colon of a line is not part of the label.
#[test]
fn labels_may_contain_colons() {
    let text =
        ".target sm_90\n//---- .text.k ----\n.a:::\n::\n/*0000*/ NOP ; /* B------:R-:W-:Y:S07 */\n";
    let first = listing(text);
    let labels: Vec<&Item> = first.sections[0].lines[..2]
        .iter()
        .map(|line| &line.item)
        .collect();
    let label = |name: &str| Item::Note(Note::Label(name.into()));
    assert_eq!(labels, [&label(".a::"), &label(":")]);
    let second = listing(&first.to_string());
    assert_eq!(first.without_places(), second.without_places());
}

#[test]
fn readable_words_may_stand_alone_and_win() {
    let header = ".target sm_90\n//---- .text.k ----\n";
    let alone = listing(&format!(
        "{header}/*0000*/ NOP ; /* B------:R-:W-:Y:S07 */\n"
    ));
    let found = alone.sections[0].instructions().next().unwrap().clone();
    assert_eq!((found.control.stall.cycles(), found.encoding()), (7, None));
    let both = listing(&format!(
        "{header}/*0000*/ NOP ; /* B------:R-:W-:Y:S07 */ /* 0x0000000000007918 */\n\
         /* 0x000fc00000000000 */\n"
    ));
    let found = both.sections[0].instructions().next().unwrap();
    assert_eq!(found.control.stall.cycles(), 7);
    assert!(found.encoding().is_some());
}

/// Files of toolkits before 13 have no `.target`. The last text names no machine.
#[test]
fn the_machine_may_be_in_the_flags() {
    let text = |flags: &str| {
        format!(
            "\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS {flags}\"\n//---- .text.k ----\n\
             /*0000*/ NOP ; /* B------:R-:W-:Y:S07 */\n"
        )
    };
    let of_86 = listing(&text("EF_CUDA_SM86 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)"));
    assert_eq!(of_86.target(), "sm_86");
    let again = listing(&of_86.to_string());
    assert_eq!(again.without_places(), of_86.without_places());
    let of_90 = listing(&text("EF_CUDA_ACCELERATORS EF_CUDA_SM90"));
    assert_eq!(of_90.target(), "sm_90a");
    let error = parse(&text("EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)")).unwrap_err();
    assert_eq!(error.message, "the listing has no '.target'");
}
