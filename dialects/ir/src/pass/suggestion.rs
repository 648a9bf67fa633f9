//! Suggestions for misspelled names.

/// The known name with the smallest edit distance, if it is small in proportion; the first one if
/// there are several.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and exchanges of adjacent characters.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut before_previous = vec![0; to.len() + 1];
    let mut previous: Vec<usize> = (0..=to.len()).collect();
    for i in 1..=from.len() {
        let mut current = vec![i; to.len() + 1];
        for j in 1..=to.len() {
            let replaced = previous[j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut best = replaced.min(previous[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                best = best.min(before_previous[j - 2] + 1);
            }
            current[j] = best;
        }
        before_previous = std::mem::replace(&mut previous, current);
    }
    previous[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let known = ["cse", "canonicalize", "symbol-dce"];
        assert_eq!(nearest("canonicalise", known), Some("canonicalize"));
        assert_eq!(nearest("ces", known), Some("cse"));
        assert_eq!(nearest("inline", known), None);
        assert_eq!(distance("", "abc"), 3);
    }
}
