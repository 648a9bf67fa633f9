//! Reduction of a kernel that a pass breaks.

/// Removes lines, and replaces values by zero, as long as the text `fails`.
///
/// Each round tries each line a bounded number of times, and rounds end when nothing changes.
pub fn reduce(text: &str, fails: &dyn Fn(&str) -> bool) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    loop {
        let before = lines.clone();
        let mut length = 32;
        while length > 0 {
            leave_away(&mut lines, length, fails);
            length /= 2;
        }
        simplify(&mut lines, fails);
        if lines == before {
            return lines.join("\n");
        }
    }
}

fn leave_away(lines: &mut Vec<String>, length: usize, fails: &dyn Fn(&str) -> bool) {
    let mut end = lines.len();
    while end > 0 {
        let start = end.saturating_sub(length);
        let mut fewer = lines.clone();
        fewer.drain(start..end);
        if fails(&fewer.join("\n")) {
            *lines = fewer;
        }
        end = start;
    }
}

fn simplify(lines: &mut [String], fails: &dyn Fn(&str) -> bool) {
    for at in 0..lines.len() {
        let Some((name, _)) = lines[at].split_once(" = ") else {
            continue;
        };
        let zero = format!("{name} = ori.imm 0 : !ori.r");
        if name.contains(',') || lines[at].contains("ori.imm") {
            continue;
        }
        let old = std::mem::replace(&mut lines[at], zero);
        if !fails(&lines.join("\n")) {
            lines[at] = old;
        }
    }
}

#[test]
fn what_does_not_matter_goes() {
    let text = "  %a = ori.mov %b\n  x\n  %c = ori.mov %d\n  %e = y";
    let fails = |text: &str| text.contains("%c") && text.contains('y');
    assert_eq!(reduce(text, &fails), "  %c = ori.imm 0 : !ori.r\n  %e = y");
}
