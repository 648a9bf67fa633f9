//! Operations across the lanes of a warp: segments, masks, lanes that do not take part.

use super::check_warp;

/// The lane that another reads in a segment of `width` lanes, as the manual's pseudocode has it.
fn source(mode: &str, lane: usize, other: usize, width: usize) -> usize {
    let (first, last) = (lane / width * width, lane / width * width + width - 1);
    match mode {
        "up" if lane >= first + other => lane - other,
        "down" if lane + other <= last => lane + other,
        "bfly" if lane ^ other <= last => lane ^ other,
        "idx" => first + other % width,
        _ => lane,
    }
}

/// The bounds operand for segments of `width` lanes.
fn bounds(mode: &str, width: usize) -> usize {
    let mask = 32 - width;
    mask << 8 | if mode == "up" { 0 } else { 31 }
}

fn shuffles(mode: &str) {
    for width in [1, 2, 4, 8, 16, 32] {
        let bounds = bounds(mode, width);
        for other in [0, 1, 3, 5, 8, 17, 31] {
            let text = format!("shfl.sync.{mode}.b32 %d32, %a32, {other}, {bounds}, -1");
            check_warp(&text, |lane, all| all[source(mode, lane, other, width)]);
            if mode == "idx" || other == 0 {
                continue;
            }
            let text = format!(
                "shfl.sync.{mode}.b32 %d32|%q, %t, {other}, {bounds}, -1; selp.b32 %d32, 1, 0, %q"
            );
            check_warp(&text, |lane, _| {
                u32::from(source(mode, lane, other, width) != lane)
            });
        }
    }
}

#[test]
fn shfl_up_stays_in_its_segment() {
    shuffles("up");
}

#[test]
fn shfl_down_stays_in_its_segment() {
    shuffles("down");
}

#[test]
fn shfl_bfly_stays_in_its_segment() {
    shuffles("bfly");
}

#[test]
fn shfl_idx_stays_in_its_segment() {
    shuffles("idx");
}

/// A clamp below the end of the segment: lanes that would read behind it keep their value.
#[test]
fn shfl_clamps_inside_a_segment() {
    let text = "shfl.sync.down.b32 %d32, %a32, 1, 6149, -1";
    // Segments of 8 lanes (24 << 8), whose last lane is 5.
    check_warp(text, |lane, all| {
        all[if lane % 8 < 5 { lane + 1 } else { lane }]
    });
    // The first lane is 2.
    check_warp("shfl.sync.up.b32 %d32, %a32, 1, 6146, -1", |lane, all| {
        all[if lane % 8 > 2 { lane - 1 } else { lane }]
    });
}

/// Statements that only lanes below 10 execute; `%d32` is 77 in others.
fn below_ten(text: &str) -> String {
    format!(
        "mov.u32 %d32, 77; setp.ge.u32 %q, %t, 10; @%q bra L;\n{text};\nL:\nadd.u32 %d32, %d32, 0"
    )
}

#[test]
fn votes_count_only_the_lanes_that_take_part() {
    let odd = "and.b32 %x32, %t, 1; setp.ne.u32 %p, %x32, 0;";
    let all = "setp.lt.u32 %p, %t, 10;";
    let none = "setp.gt.u32 %p, %t, 10;";
    let of = |setting: &str, how: &str| {
        below_ten(&format!(
            "{setting} vote.sync.{how}.pred %p, %p, 0x3ff; selp.b32 %d32, 1, 0, %p"
        ))
    };
    let expected = |value: u32| move |lane: usize, _: &[u32]| if lane < 10 { value } else { 77 };
    for (how, values) in [("any", [1, 1, 0]), ("all", [0, 1, 0]), ("uni", [0, 1, 1])] {
        for (setting, value) in [odd, all, none].into_iter().zip(values) {
            check_warp(&of(setting, how), expected(value));
        }
    }
    let ballot = below_ten(&format!("{odd} vote.sync.ballot.b32 %d32, %p, 0x3ff"));
    check_warp(&ballot, expected(0x2AA));
    let ballot = below_ten(&format!("{odd} vote.sync.ballot.b32 %d32, !%p, 0x3ff"));
    check_warp(&ballot, expected(0x155));
}

#[test]
fn activemask_has_the_lanes_that_are_here() {
    check_warp(&below_ten("activemask.b32 %d32"), |lane, _| {
        if lane < 10 { 0x3FF } else { 77 }
    });
}

#[test]
fn match_finds_equal_values_among_the_lanes_that_take_part() {
    let low = "and.b32 %x32, %t, 3;";
    check_warp(
        &format!("{low} match.any.sync.b32 %d32, %x32, -1"),
        |lane, _| 0x1111_1111 << (lane % 4),
    );
    let part = below_ten(&format!("{low} match.any.sync.b32 %d32, %x32, 0x3ff"));
    check_warp(&part, |lane, _| match lane {
        0..10 => (0x1111_1111 << (lane % 4)) & 0x3FF,
        _ => 77,
    });
    let same = "mov.u32 %x32, 5;";
    let all = |setting: &str| {
        below_ten(&format!(
            "{setting} match.all.sync.b32 %d32|%p, %x32, 0x3ff"
        ))
    };
    check_warp(&all(same), |lane, _| if lane < 10 { 0x3FF } else { 77 });
    check_warp(&all(low), |lane, _| if lane < 10 { 0 } else { 77 });
    let pairs = "cvt.u64.u32 %x64, %t; shl.b64 %x64, %x64, 40; match.any.sync.b64 %d32, %x64, -1";
    check_warp(pairs, |lane, _| 1 << lane);
}

#[test]
fn redux_reduces_the_lanes_that_take_part() {
    type Host = fn(u32, u32) -> u32;
    let cases: [(&str, Host); 8] = [
        ("add.s32", u32::wrapping_add),
        ("min.s32", |a, b| (a as i32).min(b as i32) as u32),
        ("max.s32", |a, b| (a as i32).max(b as i32) as u32),
        ("min.u32", u32::min),
        ("max.u32", u32::max),
        ("and.b32", |a, b| a & b),
        ("or.b32", |a, b| a | b),
        ("xor.b32", |a, b| a ^ b),
    ];
    for (name, host) in cases {
        check_warp(&format!("redux.sync.{name} %d32, %a32, -1"), |_, all| {
            all.iter().copied().reduce(host).unwrap()
        });
        let part = below_ten(&format!("redux.sync.{name} %d32, %a32, 0x3ff"));
        check_warp(&part, |lane, all| match lane {
            0..10 => all[..10].iter().copied().reduce(host).unwrap(),
            _ => 77,
        });
    }
}

#[test]
fn elect_chooses_one_lane_of_those_that_take_part() {
    let text = "mov.u32 %d32, 77; setp.lt.u32 %q, %t, 6; @%q bra L;\n\
                elect.sync %x32|%p, 0xffffffc0; selp.b32 %d32, 1, 0, %p; shl.b32 %x32, %x32, 8;\
                or.b32 %d32, %d32, %x32;\nL:\nadd.u32 %d32, %d32, 0";
    check_warp(text, |lane, _| match lane {
        0..6 => 77,
        6 => 6 << 8 | 1,
        _ => 6 << 8,
    });
}

#[test]
fn special_registers_tell_the_lane() {
    check_warp("mov.u32 %d32, %laneid", |lane, _| lane as u32);
    check_warp("mov.u32 %d32, %lanemask_lt", |lane, _| (1 << lane) - 1);
    check_warp("mov.u32 %d32, %lanemask_le", |lane, _| {
        (((1_u64 << lane) << 1) - 1) as u32
    });
    check_warp("mov.u32 %d32, %lanemask_eq", |lane, _| 1 << lane);
    check_warp("mov.u32 %d32, %lanemask_ge", |lane, _| u32::MAX << lane);
    check_warp("mov.u32 %d32, %lanemask_gt", |lane, _| {
        (u64::from(u32::MAX) << lane << 1) as u32
    });
}
