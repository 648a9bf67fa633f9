//! Reads cubins and writes them again, directly and by their text: `cargo run --example check_cubins -- FILE…` names
//! those whose bytes change.

use orison_sass::cubin::Cubin;
use orison_sass::listing;

fn main() {
    let (mut total, mut wrong) = (0, 0);
    for name in std::env::args().skip(1) {
        total += 1;
        let bytes = std::fs::read(&name).unwrap_or_default();
        if let Err(message) = check(&bytes) {
            println!("{name}: {message}");
            wrong += 1;
        }
    }
    println!("{total} cubins, {wrong} other");
    if wrong > 0 {
        std::process::exit(1);
    }
}

fn check(bytes: &[u8]) -> Result<(), String> {
    let cubin = Cubin::read(bytes).map_err(|error| error.to_string())?;
    compare("written", &cubin.clone().write(), bytes)?;
    let text = cubin.listing().map_err(|error| error.to_string())?;
    let text = text.to_string();
    let read = listing::parse_edited(&text).map_err(|error| error.to_string())?;
    let again = Cubin::of_listing(&read).map_err(|error| error.to_string())?;
    compare("assembled", &again.write(), bytes)
}

fn compare(how: &str, found: &[u8], expected: &[u8]) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    let place = found.iter().zip(expected).position(|(a, b)| a != b);
    let (size, before) = (found.len(), expected.len());
    Err(format!(
        "{how}: other bytes from {place:?} on, {size} for {before}"
    ))
}
