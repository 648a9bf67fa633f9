//! Search for the smallest argument that satisfies a monotone predicate.
//!
//! Source: tileas reference 5.5 (recommendation). Never used for the initiation interval:
//! feasibility of a heuristic, and even of the exact problem, is not monotone in it (C3).

/// The smallest value in `lower..=upper` for which `probe` is true, by doubling steps and then
/// bisection; `None` if there is none.
///
/// `probe` must be monotone: once true, true for everything larger. Each value is probed at most
/// once, and the number of probes is at most about twice the logarithm of the distance.
///
/// ```
/// use orison_schedule::modulo::search::smallest;
/// assert_eq!(smallest(0, 1000, |value| value * value >= 500), Some(23));
/// assert_eq!(smallest(0, 10, |_| false), None);
/// ```
pub fn smallest(lower: u32, upper: u32, mut probe: impl FnMut(u32) -> bool) -> Option<u32> {
    if lower > upper {
        return None;
    }
    if probe(lower) {
        return Some(lower);
    }
    let mut bad = lower;
    let mut step = 1_u32;
    let mut good = loop {
        if bad == upper {
            return None;
        }
        let next = bad.saturating_add(step).min(upper);
        if probe(next) {
            break next;
        }
        bad = next;
        step = step.saturating_mul(2);
    };
    while good - bad > 1 {
        let middle = bad + (good - bad) / 2;
        if probe(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_threshold_is_found_and_no_value_is_probed_twice() {
        for (lower, upper) in [(0, 0), (0, 40), (7, 64), (u32::MAX - 9, u32::MAX)] {
            for threshold in lower..=upper {
                let mut probed = Vec::new();
                let found = smallest(lower, upper, |value| {
                    probed.push(value);
                    value >= threshold
                });
                assert_eq!(found, Some(threshold));
                let probes = probed.len();
                assert!(probed.iter().all(|value| (lower..=upper).contains(value)));
                probed.sort_unstable();
                probed.dedup();
                assert_eq!(probed.len(), probes);
            }
            assert_eq!(smallest(lower, upper, |_| false), None);
        }
        assert_eq!(smallest(3, 2, |_| true), None);
    }

    #[test]
    fn a_large_range_takes_few_probes() {
        let mut probes = 0;
        let found = smallest(0, u32::MAX, |value| {
            probes += 1;
            value >= 3_000_000_000
        });
        assert_eq!(found, Some(3_000_000_000));
        assert!(probes <= 66, "{probes}");
    }
}
