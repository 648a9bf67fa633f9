use proptest::prelude::*;

use super::lay_out;

fn laid_out(line: &str, width: usize) -> String {
    lay_out(line, &[], width)
}

#[test]
fn attributes_and_types_are_below_the_operation() {
    let line = "  %0 = d.load %a, %b to %c {first = [1, 2], second = \"x y\"} : i32, i64 -> i8";
    assert_eq!(laid_out(line, line.len()), line);
    let expected = "  %0 = d.load %a, %b to %c
      {first = [1, 2], second = \"x y\"} : i32, i64 -> i8";
    assert_eq!(laid_out(line, line.len() - 1), expected);
    let expected = "  %0 = d.load %a, %b to %c
      {first = [1, 2], second = \"x y\"}
      : i32, i64 -> i8";
    assert_eq!(laid_out(line, 40), expected);
    let expected = "  %0 = d.load %a, %b
      to %c
      {first = [1, 2],
       second = \"x y\"}
      : i32, i64 -> i8";
    assert_eq!(laid_out(line, 25), expected);
}

#[test]
fn lists_fill_lines_and_items_stay_whole() {
    let line = "d.op {a = 1 : i32, b = [10, 20, 30], c = 2}";
    let expected = "d.op {a = 1 : i32,
      b = [10, 20, 30],
      c = 2}";
    assert_eq!(laid_out(line, 24), expected);
}

#[test]
fn what_is_in_brackets_is_aligned_with_them_where_there_is_room() {
    let line = "d.func @f(%a: tensor<4xf32>, %b: tensor<8xf32>) -> i32 {";
    let expected = "d.func @f(%a: tensor<4xf32>,
          %b: tensor<8xf32>)
    -> i32 {";
    assert_eq!(laid_out(line, 30), expected);
    let line = "d.func @a_long_name_of_a_function(%a: i32, %b: i64) {";
    let expected = "d.func @a_long_name_of_a_function(
      %a: i32, %b: i64) {";
    assert_eq!(laid_out(line, 40), expected);
}

#[test]
fn what_starts_a_region_is_not_divided_from_what_is_before_it() {
    let line = "  d.for %i iter_args(%a = %b) -> (i32) {";
    let expected = "  d.for %i iter_args(%a = %b)
      -> (i32) {";
    assert_eq!(laid_out(line, 39), expected);
    // Unless it does not fit otherwise.
    assert_eq!(
        laid_out("  d.for %a_name {", 14),
        "  d.for\n      %a_name\n      {"
    );
}

#[test]
fn each_line_of_a_comment_is_one() {
    let line = "^bb1:  // 3 preds: ^bb0, ^bb1, ^bb2";
    assert_eq!(laid_out(line, 35), line);
    let expected = "^bb1:
// 3 preds: ^bb0,
// ^bb1, ^bb2";
    assert_eq!(laid_out(line, 18), expected);
}

#[test]
fn tokens_stay_whole_however_long_they_are() {
    let line = "d.op @a_name_that_is_long \"a string that is long\" : i32";
    let expected = "d.op
    @a_name_that_is_long
    \"a string that is long\"
    : i32";
    assert_eq!(laid_out(line, 9), expected);
}

#[test]
fn verbatim_text_stays_as_it_is() {
    let text = "d.operation : !d<a,  b\n c>, i32\nd.operation : !d<a,  b>, i32";
    let expected = "d.operation
    : !d<a,  b\n c>,
      i32
d.operation
    : !d<a,  b>,
      i32";
    assert_eq!(lay_out(text, &[16..26, 48..55], 19), expected);
}

#[test]
fn the_time_is_proportional_to_the_text() {
    // A quadratic algorithm would take minutes.
    let list = vec!["[0, 1, 2, 3]"; 100_000].join(", ");
    let line = format!("d.op dense<[{list}]> : i32");
    assert!(laid_out(&line, 80).lines().all(|line| line.len() <= 80));
    // Indentation is bounded by the line width.
    let deep = format!("d.op {}{}", "[a, ".repeat(20_000), "]".repeat(20_000));
    let all: String = laid_out(&deep, 80).split_whitespace().collect();
    assert_eq!(all, deep.replace(' ', ""));
}

#[test]
fn white_space_at_the_end_of_a_line_is_dropped() {
    assert_eq!(
        laid_out("d.switch %a -> i32 ", 14),
        "d.switch %a\n    -> i32"
    );
}

proptest! {
    #[test]
    fn only_white_space_changes(
        words in prop::collection::vec("[a-c%:,=(){}<>\\[\\]\"\\\\-]{1,6}", 0..40),
        indent in 0usize..8,
        width in 1usize..60,
    ) {
        let line = " ".repeat(indent) + &words.join(" ");
        let without_space = |text: &str| text.replace([' ', '\n'], "");
        prop_assert_eq!(without_space(&laid_out(&line, width)), without_space(&line));
    }
}
