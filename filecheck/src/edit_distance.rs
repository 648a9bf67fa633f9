//! The edit distance of texts.

/// The Levenshtein distance, or `limit` if it is not below that.
pub(crate) fn edit_distance(left: &[u8], right: &[u8], limit: usize) -> usize {
    // No distance is larger than the longer text.
    let limit = limit.min(left.len().max(right.len()) + 1);
    if left.len().abs_diff(right.len()) >= limit {
        return limit;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, &byte) in left.iter().enumerate() {
        // Only cells near the diagonal can stay below the limit. Those right of them have their
        // first value, the column, which is not below it either.
        let from = (index + 1).saturating_sub(limit);
        let to = right.len().min(index + limit);
        let mut diagonal = row[from];
        row[from] = if from == 0 { index + 1 } else { limit };
        let mut smallest = row[from];
        for column in from + 1..=to {
            let replaced = diagonal + usize::from(right[column - 1] != byte);
            diagonal = row[column];
            row[column] = replaced.min(diagonal + 1).min(row[column - 1] + 1);
            smallest = smallest.min(row[column]);
        }
        if smallest >= limit {
            return limit;
        }
    }
    row[right.len()].min(limit)
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    /// The distance by its definition.
    fn distance(left: &[u8], right: &[u8]) -> usize {
        let (Some((a, left_rest)), Some((b, right_rest))) =
            (left.split_first(), right.split_first())
        else {
            return left.len().max(right.len());
        };
        if a == b {
            return distance(left_rest, right_rest);
        }
        let removed = distance(left_rest, right);
        let added = distance(left, right_rest);
        1 + removed.min(added).min(distance(left_rest, right_rest))
    }

    #[test]
    fn edit_distances_of_all_short_words() {
        let mut words: Vec<Vec<u8>> = vec![Vec::new()];
        let mut start = 0;
        for _ in 0..5 {
            let end = words.len();
            for index in start..end {
                words.extend([b'a', b'b'].map(|byte| [words[index].as_slice(), &[byte]].concat()));
            }
            start = end;
        }
        for left in &words {
            for right in &words {
                let known = distance(left, right);
                for limit in 0..=6 {
                    let found = edit_distance(left, right, limit);
                    assert_eq!(found, known.min(limit), "{left:?} {right:?} {limit}");
                }
            }
        }
    }
}
