//! The operands of real code have the roles of the instruction table.

use std::path::Path;

use orison_machine::OperandKind;
use orison_sass::effects;
use orison_sass::instruction::parse;

/// The text of an instruction in a line of a listing: `/*0010*/  MOV R1, c[0x0][0x28] ;  /* … */`.
fn instruction(line: &str) -> Option<&str> {
    let (address, rest) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let is_address = address.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (text, _) = rest.split_once(';')?;
    is_address.then_some(text.trim())
}

/// Roles and the rule for results agree on the operands that are written.
#[test]
fn operands_of_real_code_have_their_roles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real");
    let files = std::fs::read_dir(folder).expect("the folder");
    let mut files: Vec<_> = files.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "sass"));
    files.sort();
    let (mut checked, mut different) = (0, Vec::new());
    for path in files {
        let listing = std::fs::read_to_string(&path).expect("a listing");
        for text in listing.lines().filter_map(instruction) {
            let found = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            let row = effects::row(&found.mnemonic);
            let Some((row, roles)) = row.and_then(|row| Some((row, row.roles?))) else {
                continue;
            };
            let kinds: Vec<OperandKind> = found.operands.iter().map(effects::kind).collect();
            let written = effects::destination_count(Some(row), &found.operands);
            if roles.written(&kinds) != Some(written) {
                different.push(format!("{text}: {:?}, {written}", roles.written(&kinds)));
            }
            checked += 1;
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    // The listings have as many instructions with roles: the test does not pass with none.
    assert!(checked > 8_000, "{checked}");
}
