// Included by the tests that compare with programs that may be missing (`#[path]`).

/// Says what a test leaves out, and why. Fails if `ORISON_CI` is set: there nothing may be left out
/// (`docs/testing.md`).
///
/// # Panics
/// If `ORISON_CI` is set, to anything but an empty text or 0.
pub fn skipped(what: &str) {
    let in_ci = std::env::var("ORISON_CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0"));
    assert!(!in_ci, "skipped, which ORISON_CI forbids: {what}");
    println!("skipped: {what}");
}
