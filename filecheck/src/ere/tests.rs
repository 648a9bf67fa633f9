//! Tests of the regular expressions.

use super::{Regex, RegexError, count_groups};

fn groups(pattern: &str, text: &str) -> Option<Vec<Option<String>>> {
    let regex = Regex::new(pattern.as_bytes(), false).expect("a valid pattern");
    let captures = regex.captures(text.as_bytes())?;
    Some(
        captures
            .into_iter()
            .map(|span| span.map(|(start, end)| text[start..end].to_owned()))
            .collect(),
    )
}

fn whole(pattern: &str, text: &str) -> Option<String> {
    groups(pattern, text)?.swap_remove(0)
}

#[test]
fn matches_are_leftmost_and_longest() {
    assert_eq!(whole("a|ab|abc", "xabcd").as_deref(), Some("abc"));
    assert_eq!(whole("b|abcd|abc", "abcx").as_deref(), Some("abc"));
    assert_eq!(whole("(a|ab)(c|bcd)(d*)", "abcd").as_deref(), Some("abcd"));
    assert_eq!(whole("x*", "aaa").as_deref(), Some(""));
    assert_eq!(whole("a.*b|c", "aaaac").as_deref(), Some("c"));
}

#[test]
fn groups_take_what_they_can_from_left_to_right() {
    let strings = |list: &[&str]| {
        Some(
            list.iter()
                .map(|text| Some((*text).to_owned()))
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        groups("(a|ab)(c|bcd)(d*)", "abcd"),
        strings(&["abcd", "ab", "c", "d"])
    );
    assert_eq!(groups("(a*)(a*)", "aaa"), strings(&["aaa", "aaa", ""]));
    assert_eq!(groups("(.*)b(.*)", "abab"), strings(&["abab", "aba", ""]));
    assert_eq!(groups("(a|b)*", "abab"), strings(&["abab", "b"]));
    assert_eq!(
        groups("(x)?(y)", "y"),
        Some(vec![Some("y".into()), None, Some("y".into())])
    );
}

#[test]
fn lines_and_words_have_ends() {
    assert_eq!(whole("^b$", "a\nb\nc").as_deref(), Some("b"));
    assert_eq!(whole("a.b", "a\nb"), None);
    assert_eq!(whole("a[^x]b", "a\nb"), None);
    assert_eq!(whole("a[[:space:]]b", "a\nb").as_deref(), Some("a\nb"));
    assert_eq!(whole("[[:<:]]is[[:>:]]", "this is").as_deref(), Some("is"));
}

#[test]
fn counted_repetition() {
    assert_eq!(whole("a{2,3}", "aaaa").as_deref(), Some("aaa"));
    assert_eq!(whole("(ab){2}", "ababab").as_deref(), Some("abab"));
    assert_eq!(whole("a{2,}", "xaaaa").as_deref(), Some("aaaa"));
    assert_eq!(whole("ba{0,1}c", "bc").as_deref(), Some("bc"));
    assert_eq!(whole("a{,2}", "a{,2}").as_deref(), Some("a{,2}"));
}

#[test]
fn back_references() {
    assert_eq!(whole("(a+)-\\1", "aa-aaa").as_deref(), Some("aa-aa"));
    assert_eq!(whole("(a*)b\\1c", "aabac").as_deref(), Some("abac"));
    assert_eq!(whole("([a-z])\\1", "abccd").as_deref(), Some("cc"));
    assert_eq!(whole("((a)|b)*\\2", "abaa").as_deref(), Some("abaa"));
    assert_eq!(whole("(a)\\1", "ab"), None);
}

#[test]
fn letters_after_a_backslash_are_letters() {
    assert_eq!(whole("\\d", "5d").as_deref(), Some("d"));
    assert_eq!(whole("[\\d]", "\\").as_deref(), Some("\\"));
}

#[test]
fn case_can_be_ignored() {
    let regex = Regex::new(b"ab[c]\\1?"[..5].as_ref(), true).expect("a valid pattern");
    assert_eq!(regex.find(b"xABCx"), Some((1, 4)));
    let regex = Regex::new(b"[^a]", true).expect("a valid pattern");
    assert_eq!(regex.find(b"aAb"), Some((2, 3)));
}

#[test]
fn errors_are_named_as_llvm_names_them() {
    let cases = [
        ("", RegexError::Empty),
        ("(", RegexError::Parenthesis),
        (")", RegexError::Parenthesis),
        ("(|a)", RegexError::Empty),
        ("a||b", RegexError::Empty),
        ("a**", RegexError::Repetition),
        ("^*", RegexError::Repetition),
        ("a|*b", RegexError::Repetition),
        ("{1}", RegexError::Repetition),
        ("a{2", RegexError::Brace),
        ("a{2,1}", RegexError::RepetitionCount),
        ("a{256}", RegexError::RepetitionCount),
        ("a{1x}", RegexError::RepetitionCount),
        ("[a", RegexError::Bracket),
        ("[[:foo:]]", RegexError::CharacterClass),
        ("[z-a]", RegexError::Range),
        ("[[.foo.]]", RegexError::CollatingElement),
        ("\\", RegexError::TrailingBackslash),
        ("(a)\\2", RegexError::BackReference),
        ("a{0}", RegexError::Empty),
    ];
    for (pattern, error) in cases {
        assert_eq!(
            Regex::new(pattern.as_bytes(), false).err(),
            Some(error),
            "{pattern}"
        );
    }
}

#[test]
fn hostile_patterns_are_refused_or_answered_in_time() {
    let deep = "(".repeat(100_000) + "a" + &")".repeat(100_000);
    assert_eq!(count_groups(deep.as_bytes()), Err(RegexError::Space));
    let wide = Regex::new(b"(((a{255}){255}){255})", false);
    assert_eq!(wide.err(), Some(RegexError::Space));
    let text = "a".repeat(20_000);
    assert_eq!(whole("a.*a.*b", &text), None);
    assert_eq!(whole("(a*)*b", &text), None);
    assert_eq!(whole("(a|aa)*\\1b", &text[..2_000]), None);
    let captured = groups("(.*)(.*)(.*)", &text).expect("a match");
    assert_eq!(captured[1].as_ref().map(String::len), Some(20_000));
}
