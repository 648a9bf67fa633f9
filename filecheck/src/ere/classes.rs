//! Sets of bytes and the names that brackets may use for them.

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(super) fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    pub(super) fn remove(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] &= !(1 << (byte & 63));
    }

    #[inline]
    pub(super) fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] & (1 << (byte & 63)) != 0
    }

    pub(super) fn invert(&mut self) {
        for word in &mut self.0 {
            *word = !*word;
        }
    }

    pub(super) fn add_all(&mut self, other: &ByteSet) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// The only byte of the set, if it has exactly one.
    pub(super) fn single(&self) -> Option<u8> {
        let count: u32 = self.0.iter().map(|word| word.count_ones()).sum();
        if count != 1 {
            return None;
        }
        let index = self.0.iter().position(|&word| word != 0)?;
        Some((index as u8) * 64 + self.0[index].trailing_zeros() as u8)
    }

    /// Adds the other case of every ASCII letter in the set.
    pub(super) fn fold_case(&mut self) {
        for letter in b'a'..=b'z' {
            let upper = letter.to_ascii_uppercase();
            if self.contains(letter) || self.contains(upper) {
                self.insert(letter);
                self.insert(upper);
            }
        }
    }
}

/// The predicate of the class `[[:name:]]`, for ASCII as in the C locale.
///
/// `cntrl` leaves out NUL and the bytes 11 to 13 but keeps their neighbours, `print` and `graph`
/// are ASCII only: these are the tables LLVM has.
pub(super) fn class(name: &[u8]) -> Option<fn(u8) -> bool> {
    Some(match name {
        b"alnum" => |byte| byte.is_ascii_alphanumeric(),
        b"alpha" => |byte| byte.is_ascii_alphabetic(),
        b"blank" => |byte| byte == b' ' || byte == b'\t',
        b"cntrl" => |byte| matches!(byte, 1..=31 | 127),
        b"digit" => |byte| byte.is_ascii_digit(),
        b"graph" => |byte| byte.is_ascii_graphic(),
        b"lower" => |byte| byte.is_ascii_lowercase(),
        b"print" => |byte| byte.is_ascii_graphic() || byte == b' ',
        b"punct" => |byte| byte.is_ascii_punctuation(),
        b"space" => |byte| matches!(byte, b'\t'..=b'\r' | b' '),
        b"upper" => |byte| byte.is_ascii_uppercase(),
        b"xdigit" => |byte| byte.is_ascii_hexdigit(),
        _ => return None,
    })
}

/// Names of the control characters, by code.
const CONTROL: [&[&str]; 32] = [
    &["NUL"],
    &["SOH"],
    &["STX"],
    &["ETX"],
    &["EOT"],
    &["ENQ"],
    &["ACK"],
    &["BEL", "alert"],
    &["BS", "backspace"],
    &["HT", "tab"],
    &["LF", "newline"],
    &["VT", "vertical-tab"],
    &["FF", "form-feed"],
    &["CR", "carriage-return"],
    &["SO"],
    &["SI"],
    &["DLE"],
    &["DC1"],
    &["DC2"],
    &["DC3"],
    &["DC4"],
    &["NAK"],
    &["SYN"],
    &["ETB"],
    &["CAN"],
    &["EM"],
    &["SUB"],
    &["ESC"],
    &["IS4", "FS"],
    &["IS3", "GS"],
    &["IS2", "RS"],
    &["IS1", "US"],
];

/// Names of other characters.
const PRINTABLE: [(&str, u8); 52] = [
    ("space", b' '),
    ("exclamation-mark", b'!'),
    ("quotation-mark", b'"'),
    ("number-sign", b'#'),
    ("dollar-sign", b'$'),
    ("percent-sign", b'%'),
    ("ampersand", b'&'),
    ("apostrophe", b'\''),
    ("left-parenthesis", b'('),
    ("right-parenthesis", b')'),
    ("asterisk", b'*'),
    ("plus-sign", b'+'),
    ("comma", b','),
    ("hyphen", b'-'),
    ("hyphen-minus", b'-'),
    ("period", b'.'),
    ("full-stop", b'.'),
    ("slash", b'/'),
    ("solidus", b'/'),
    ("zero", b'0'),
    ("one", b'1'),
    ("two", b'2'),
    ("three", b'3'),
    ("four", b'4'),
    ("five", b'5'),
    ("six", b'6'),
    ("seven", b'7'),
    ("eight", b'8'),
    ("nine", b'9'),
    ("colon", b':'),
    ("semicolon", b';'),
    ("less-than-sign", b'<'),
    ("equals-sign", b'='),
    ("greater-than-sign", b'>'),
    ("question-mark", b'?'),
    ("commercial-at", b'@'),
    ("left-square-bracket", b'['),
    ("backslash", b'\\'),
    ("reverse-solidus", b'\\'),
    ("right-square-bracket", b']'),
    ("circumflex", b'^'),
    ("circumflex-accent", b'^'),
    ("underscore", b'_'),
    ("low-line", b'_'),
    ("grave-accent", b'`'),
    ("left-brace", b'{'),
    ("left-curly-bracket", b'{'),
    ("vertical-line", b'|'),
    ("right-brace", b'}'),
    ("right-curly-bracket", b'}'),
    ("tilde", b'~'),
    ("DEL", 127),
];

/// The byte denoted by the POSIX collating element `name`.
pub(super) fn collating_element(name: &[u8]) -> Option<u8> {
    if let [byte] = name {
        return Some(*byte);
    }
    let name = std::str::from_utf8(name).ok()?;
    if let Some(code) = CONTROL.iter().position(|names| names.contains(&name)) {
        return Some(code as u8);
    }
    PRINTABLE
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, code)| code)
}
