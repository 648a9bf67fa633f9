//! Tests that real machine code is parsed, printed and analysed as by nvdisasm.

mod common;

use std::path::Path;

#[test]
fn real_code_is_what_nvdisasm_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real");
    let mut report = common::Report::default();
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "sass")
        })
        .collect();
    files.sort();
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(path).expect("a listing");
        let json = std::fs::read_to_string(path.with_extension("json")).expect("its JSON");
        let json = serde_json::from_str(&json).expect("JSON");
        let functions = common::read(&name, &text, &mut report);
        if let Some(functions) = functions {
            common::compare(&name, &functions, &json, &mut report);
        }
    }
    for (kind, found) in &report.differences {
        println!("{kind}: {}, for example {}", found.len(), found[0]);
    }
    assert_eq!(report.unexplained(), 0);
    // The corpus is unchanged, so the test cannot pass with nothing compared.
    let counts = [
        files.len(),
        report.instructions,
        report.blocks,
        report.register_uses,
    ];
    assert_eq!(counts, [17, 8655, 861, 20887]);
}
