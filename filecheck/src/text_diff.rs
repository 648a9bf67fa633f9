//! The difference of two lists of lines.

/// What happened to a run of lines: `(from, to)` in each list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    left: (usize, usize),
    right: (usize, usize),
}

/// How far apart two lists may be before all that differs is shown as one change.
const MAXIMUM_DISTANCE: usize = 2_000;

/// The changes between two lists, in order, by Myers' greedy algorithm.
fn changes(left: &[Vec<u8>], right: &[Vec<u8>]) -> Vec<Change> {
    let prefix = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left_rest, right_rest) = (&left[prefix..], &right[prefix..]);
    let suffix = left_rest
        .iter()
        .rev()
        .zip(right_rest.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let left_middle = &left_rest[..left_rest.len() - suffix];
    let right_middle = &right_rest[..right_rest.len() - suffix];
    if left_middle.is_empty() && right_middle.is_empty() {
        return Vec::new();
    }
    let Some(trace) = shortest_edits(left_middle, right_middle) else {
        return vec![Change {
            left: (prefix, prefix + left_middle.len()),
            right: (prefix, prefix + right_middle.len()),
        }];
    };
    merged(&trace, (left_middle.len(), right_middle.len()), prefix)
}

/// The furthest points reached with each number of edits, up to the end.
fn shortest_edits(left: &[Vec<u8>], right: &[Vec<u8>]) -> Option<Vec<Vec<isize>>> {
    let (n, m) = (left.len() as isize, right.len() as isize);
    let limit = (left.len() + right.len()).min(MAXIMUM_DISTANCE) as isize;
    let offset = limit + 1;
    let mut furthest = vec![0isize; 2 * offset as usize + 1];
    let mut trace = Vec::new();
    for edits in 0..=limit {
        trace
            .push(furthest[(offset - edits - 1) as usize..=(offset + edits + 1) as usize].to_vec());
        for diagonal in (-edits..=edits).step_by(2) {
            let at = (diagonal + offset) as usize;
            let goes_down =
                diagonal == -edits || (diagonal != edits && furthest[at - 1] < furthest[at + 1]);
            let mut x = if goes_down {
                furthest[at + 1]
            } else {
                furthest[at - 1] + 1
            };
            let mut y = x - diagonal;
            while x < n && y < m && left[x as usize] == right[y as usize] {
                x += 1;
                y += 1;
            }
            furthest[at] = x;
            if x >= n && y >= m {
                return Some(trace);
            }
        }
    }
    None
}

/// Walks back through the trace and joins neighbouring edits.
fn merged(trace: &[Vec<isize>], (n, m): (usize, usize), prefix: usize) -> Vec<Change> {
    let (mut x, mut y) = (n as isize, m as isize);
    let mut out: Vec<Change> = Vec::new();
    for (edits, furthest) in trace.iter().enumerate().skip(1).rev() {
        let edits = edits as isize;
        let get = |diagonal: isize| furthest[(diagonal + edits + 1) as usize];
        let diagonal = x - y;
        let goes_down =
            diagonal == -edits || (diagonal != edits && get(diagonal - 1) < get(diagonal + 1));
        let from_diagonal = if goes_down {
            diagonal + 1
        } else {
            diagonal - 1
        };
        let from_x = get(from_diagonal);
        let from_y = from_x - from_diagonal;
        let at = |value: isize| prefix + value as usize;
        let edit = if goes_down {
            Change {
                left: (at(from_x), at(from_x)),
                right: (at(from_y), at(from_y + 1)),
            }
        } else {
            Change {
                left: (at(from_x), at(from_x + 1)),
                right: (at(from_y), at(from_y)),
            }
        };
        match out.last_mut() {
            Some(next) if next.left.0 == edit.left.1 && next.right.0 == edit.right.1 => {
                next.left.0 = edit.left.0;
                next.right.0 = edit.right.0;
            }
            _ => out.push(edit),
        }
        (x, y) = (from_x, from_y);
    }
    out.reverse();
    out
}

/// The difference in unified form; empty if there is none.
pub(crate) fn unified(
    left: &[Vec<u8>],
    right: &[Vec<u8>],
    (left_name, right_name): (&str, &str),
    context: usize,
) -> Vec<u8> {
    let changes = changes(left, right);
    let mut out = Vec::new();
    if changes.is_empty() {
        return out;
    }
    out.extend_from_slice(format!("--- {left_name}\n+++ {right_name}\n").as_bytes());
    let mut rest = changes.as_slice();
    while !rest.is_empty() {
        // Changes whose contexts touch share a hunk.
        let mut count = 1;
        while count < rest.len()
            && rest[count].left.0 - rest[count - 1].left.1 <= context.saturating_mul(2)
        {
            count += 1;
        }
        let (hunk, later) = rest.split_at(count);
        rest = later;
        print_hunk(&mut out, left, right, hunk, context);
    }
    out
}

fn print_hunk(
    out: &mut Vec<u8>,
    left: &[Vec<u8>],
    right: &[Vec<u8>],
    hunk: &[Change],
    context: usize,
) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let before = context.min(first.left.0);
    let after = context.min(left.len() - last.left.1);
    let left_range = (first.left.0 - before, last.left.1 + after);
    let right_range = (first.right.0 - before, last.right.1 + after);
    let range = |(from, to): (usize, usize)| match to - from {
        0 => format!("{from},0"),
        1 => format!("{}", from + 1),
        length => format!("{},{length}", from + 1),
    };
    out.extend_from_slice(
        format!("@@ -{} +{} @@\n", range(left_range), range(right_range)).as_bytes(),
    );
    let mut position = left_range.0;
    for change in hunk {
        print_lines(out, b' ', &left[position..change.left.0]);
        print_lines(out, b'-', &left[change.left.0..change.left.1]);
        print_lines(out, b'+', &right[change.right.0..change.right.1]);
        position = change.left.1;
    }
    print_lines(out, b' ', &left[position..left_range.1]);
}

fn print_lines(out: &mut Vec<u8>, sign: u8, lines: &[Vec<u8>]) {
    for line in lines {
        out.push(sign);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unified;

    fn diff(left: &str, right: &str) -> String {
        let lines = |text: &str| -> Vec<Vec<u8>> {
            text.split_inclusive('\n')
                .map(|line| line.as_bytes().to_vec())
                .collect()
        };
        let out = unified(&lines(left), &lines(right), ("a", "b"), 1);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn equal_texts_do_not_differ() {
        assert_eq!(diff("", ""), "");
        assert_eq!(diff("x\ny\n", "x\ny\n"), "");
    }

    #[test]
    fn changes_are_shown_with_context() {
        assert_eq!(
            diff("1\n2\n3\n4\n5\n6\n7\n", "1\n2\nX\n4\n5\n6\n7\n8\n"),
            "--- a\n+++ b\n@@ -2,3 +2,3 @@\n 2\n-3\n+X\n 4\n@@ -7 +7,2 @@\n 7\n+8\n"
        );
        assert_eq!(diff("a\n", ""), "--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n");
        let text = diff("a", "a\n");
        assert_eq!(
            text,
            "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
        );
    }

    #[test]
    fn applying_the_changes_gives_the_other_text() {
        // A small generator is enough to visit many shapes.
        let mut state = 12_345u64;
        let mut next = |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % bound
        };
        for _ in 0..500 {
            let mut text = |length| -> Vec<Vec<u8>> {
                (0..length)
                    .map(|_| vec![b'a' + next(3) as u8, b'\n'])
                    .collect()
            };
            let (left, right) = (text(9), text(8));
            let changes = super::changes(&left, &right);
            let mut built = Vec::new();
            let mut position = 0;
            for change in &changes {
                built.extend_from_slice(&left[position..change.left.0]);
                built.extend_from_slice(&right[change.right.0..change.right.1]);
                position = change.left.1;
            }
            built.extend_from_slice(&left[position..]);
            assert_eq!(built, right);
        }
    }
}
