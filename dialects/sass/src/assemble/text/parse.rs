//! The parts of directives.

use rustc_hash::FxHashMap;

/// The labels of the code that a directive may refer to.
pub(super) type Labels = FxHashMap<Box<str>, u64>;

/// The arguments of a directive, separated by commas outside of quotes and parentheses.
pub(super) fn arguments(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth, mut quoted, mut escaped) =
        (Vec::new(), 0, 0, false, false);
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth -= 1,
            b',' if !quoted && depth == 0 => {
                found.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found
}

/// A number: decimal, or hexadecimal behind `0x`; with its sign.
pub(super) fn number(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i128::from(u64::from_str_radix(digits, 16).ok()?),
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    Some(if negative { -value } else { value })
}

/// A number, a label, or the sum or difference of two: `(.L_x_3 - k)`.
pub(super) fn value(text: &str, labels: &Labels) -> Result<i128, String> {
    let one = |text: &str| {
        let known = number(text).or_else(|| labels.get(text).map(|place| i128::from(*place)));
        known.ok_or_else(|| format!("'{text}' is no number, and no label of the code"))
    };
    let inside = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let Some(inside) = inside else {
        return one(text);
    };
    if let Some((first, second)) = inside.split_once(" - ") {
        return Ok(one(first.trim())? - one(second.trim())?);
    }
    let (first, second) = inside
        .split_once(" + ")
        .ok_or_else(|| format!("'{text}' is no sum or difference"))?;
    Ok(one(first.trim())? + one(second.trim())?)
}

/// The text within quotes, as Rust writes it.
pub(super) fn quoted(text: &str) -> Option<String> {
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut found = String::with_capacity(inside.len());
    let mut rest = inside.chars();
    while let Some(next) = rest.next() {
        match next {
            '"' => return None,
            '\\' => found.push(match rest.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                'u' => unicode(&mut rest)?,
                other @ ('\\' | '"' | '\'') => other,
                _ => return None,
            }),
            other => found.push(other),
        }
    }
    Some(found)
}

/// `{1f}` of `\u{1f}`.
fn unicode(rest: &mut std::str::Chars<'_>) -> Option<char> {
    if rest.next() != Some('{') {
        return None;
    }
    let digits: String = rest.by_ref().take_while(|next| *next != '}').collect();
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}
