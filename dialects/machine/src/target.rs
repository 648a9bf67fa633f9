//! Names of machines.

/// The name of a machine in PTX 9.0, which calls sm_101 sm_110.
pub fn current_name(target: &str) -> &str {
    match target {
        "sm_101" => "sm_110",
        "sm_101a" => "sm_110a",
        "sm_101f" => "sm_110f",
        _ => target,
    }
}

/// The number after `sm_`, 90 for `sm_90a`; `None` for any other text.
pub fn sm_number(target: &str) -> Option<u16> {
    let rest = target.strip_prefix("sm_")?;
    let digits = rest.trim_end_matches(['a', 'f']);
    let letter = rest.len() - digits.len() <= 1;
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| letter && plain)
}
