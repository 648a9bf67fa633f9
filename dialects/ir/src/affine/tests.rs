use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

fn d(position: u32) -> AffineExpr {
    AffineExpr::dim(position)
}

fn s(position: u32) -> AffineExpr {
    AffineExpr::symbol(position)
}

fn c(value: i64) -> AffineExpr {
    AffineExpr::constant(value)
}

fn text(expression: &AffineExpr) -> String {
    expression.to_string()
}

#[test]
fn an_expression_is_a_small_handle() {
    assert_eq!(size_of::<AffineExpr>(), 16);
}

#[test]
fn constants_and_symbols_move_right() {
    assert_eq!(text(&(c(4) + d(0))), "d0 + 4");
    assert_eq!(text(&(s(0) + d(0))), "d0 + s0");
    assert_eq!(text(&(s(0) * d(0))), "d0 * s0");
    assert_eq!(text(&(c(3) * s(0))), "s0 * 3");
    assert_eq!(text(&(d(2) + d(1))), "d1 + d2");
    assert_eq!(text(&(s(1) * s(0))), "s0 * s1");
    assert_eq!(text(&(d(0) + 2 + d(1))), "d0 + d1 + 2");
    assert_eq!(text(&(s(0) * 2 * d(1))), "d1 * (s0 * 2)");
    assert_eq!(text(&(d(1) * 2 * s(0))), "(d1 * s0) * 2");
}

#[test]
fn neutral_and_absorbing_constants_vanish() {
    assert_eq!(d(0) + 0, d(0));
    assert_eq!(d(0) * 1, d(0));
    assert_eq!(d(0) * c(0), c(0));
    assert_eq!(d(0).floor_div(1), d(0));
    assert_eq!(d(0).ceil_div(1), d(0));
    assert_eq!(d(0).modulo(1), c(0));
    assert_eq!(d(0) - d(0), c(0));
}

#[test]
fn nested_constants_fold() {
    assert_eq!(d(0) + 2 + 3, d(0) + 5);
    assert_eq!(d(0) * 2 * 3, d(0) * 6);
    assert_eq!(d(0) * 3 + d(0), d(0) * 4);
    assert_eq!((d(0) * 128).floor_div(64), d(0) * 2);
    assert_eq!((d(0) * 128).ceil_div(64), d(0) * 2);
    assert_eq!(
        (d(0) * 64 + d(1)).floor_div(8),
        d(0) * 8 + d(1).floor_div(8)
    );
    // 2 divides neither summand: 1 + 1 is 2, and the quotients of both are 0.
    assert_eq!(text(&(d(0) + d(1)).floor_div(2)), "(d0 + d1) floordiv 2");
    assert_eq!((d(0) * 64 + d(1)).modulo(8), d(1).modulo(8));
    assert_eq!(d(0).modulo(64).modulo(8), d(0).modulo(8));
}

#[test]
fn folding_never_panics_on_overflow() {
    assert_eq!(text(&(c(i64::MAX) + 1)), "9223372036854775807 + 1");
    assert_eq!(text(&(c(1 << 62) * 4)), "4611686018427387904 * 4");
    assert_eq!(text(&(d(0) + i64::MAX + 1)), "d0 - -9223372036854775808");
    assert_eq!(text(&(d(0) * i64::MAX * 2)), "d0 * -2");
    assert_eq!(
        text(&(c(i64::MIN).floor_div(-1))),
        "-9223372036854775808 floordiv -1"
    );
    assert_eq!((d(0) * i64::MIN).floor_div(-1), d(0) * i64::MIN);
    let _ = c(i64::MIN).modulo(i64::MIN);
    let _ = (d(0) * i64::MIN + s(0) * i64::MIN).modulo(3);
}

#[test]
fn division_by_zero_and_negative_moduli_stay() {
    assert_eq!(text(&d(0).floor_div(0)), "d0 floordiv 0");
    assert_eq!(text(&c(7).modulo(0)), "7 mod 0");
    assert_eq!(text(&c(7).modulo(-2)), "7 mod -2");
    assert_eq!(c(7).floor_div(-2), c(-4));
    assert_eq!(c(7).ceil_div(-2), c(-3));
}

#[test]
fn remainders_are_recognized() {
    let quotient = d(0).floor_div(4);
    assert_eq!(d(0) - quotient.clone() * 4, d(0).modulo(4));
    assert_eq!(d(0) - d(0).floor_div(s(0)) * s(0), d(0).modulo(s(0)));
    // Only the right summand is tried.
    assert_eq!(
        text(&(s(0) * 64 + d(0) - quotient * 4)),
        "d0 + (d0 floordiv 4) * -4 + s0 * 64"
    );
    assert_eq!(
        text(&((s(0) * 64 + s(1)) + s(1).floor_div(4) * -4)),
        "s0 * 64 + s1 mod 4"
    );
}

#[test]
fn negative_terms_print_as_subtractions() {
    assert_eq!(text(&(d(0) - s(0))), "d0 - s0");
    assert_eq!(text(&(d(0) - s(0) * 4)), "d0 - s0 * 4");
    assert_eq!(text(&(d(0) * -4)), "d0 * -4");
    assert_eq!(text(&(d(0) - 7)), "d0 - 7");
    assert_eq!(text(&-d(0)), "-d0");
    assert_eq!(text(&-(d(0) + 1)), "-(d0 + 1)");
    assert_eq!(text(&(d(0) - (d(1) + s(0)))), "d0 - (d1 + s0)");
    assert_eq!(text(&(c(3) - d(0))), "-d0 + 3");
}

#[test]
fn tight_operators_get_parentheses() {
    assert_eq!(text(&(d(0) + d(1)).floor_div(4)), "(d0 + d1) floordiv 4");
    assert_eq!(text(&(d(0).floor_div(4) * s(0))), "(d0 floordiv 4) * s0");
    assert_eq!(text(&(d(0) + d(1).modulo(3))), "d0 + d1 mod 3");
}

#[test]
fn leaves_print_as_told() {
    let mut out = String::new();
    (d(0) + s(1) * 4)
        .write_with(&mut out, |out, leaf| {
            std::fmt::Write::write_str(
                out,
                if matches!(leaf, AffineLeaf::Dim(_)) {
                    "%i"
                } else {
                    "symbol(%n)"
                },
            )
        })
        .unwrap();
    assert_eq!(out, "%i + symbol(%n) * 4");
}

#[test]
fn maps_and_sets_print() {
    let map = AffineMap::new(2, 1, [d(0) + s(0), d(1).floor_div(4)]);
    assert_eq!(map.to_string(), "(d0, d1)[s0] -> (d0 + s0, d1 floordiv 4)");
    assert_eq!(AffineMap::new(0, 0, []).to_string(), "() -> ()");
    let set = IntegerSet::new(
        1,
        1,
        [
            AffineConstraint::equal(&d(0), &s(0)),
            AffineConstraint::at_most(&d(0), &c(3)),
        ],
    );
    assert_eq!(set.to_string(), "(d0)[s0] : (d0 - s0 == 0, -d0 + 3 >= 0)");
    assert_eq!(IntegerSet::new(0, 0, []).to_string(), "() : (0 == 0)");
    assert_eq!(IntegerSet::empty(1, 0).to_string(), "(d0) : (1 == 0)");
    assert!(IntegerSet::empty(1, 0).is_empty_set());
    assert_eq!(set.contains(&[2], &[2]), Some(true));
    assert_eq!(set.contains(&[4], &[4]), Some(false));
    assert_eq!(set.contains(&[4], &[]), None);
}

#[test]
fn map_predicates() {
    assert!(AffineMap::identity(3).is_identity());
    assert!(AffineMap::identity(0).is_permutation());
    let swap = AffineMap::permutation(&[1, 0]).unwrap();
    assert!(swap.is_permutation() && !swap.is_identity());
    assert_eq!(AffineMap::permutation(&[1, 1]), None);
    assert_eq!(AffineMap::permutation(&[0, 2]), None);
    let minor = AffineMap::minor_identity(3, 2).unwrap();
    assert_eq!(minor.to_string(), "(d0, d1, d2) -> (d1, d2)");
    assert!(minor.is_minor_identity() && minor.is_projected_permutation());
    assert_eq!(AffineMap::minor_identity(1, 2), None);
    assert_eq!(AffineMap::constant(5).single_constant(), Some(5));
    assert!(!AffineMap::new(1, 0, [d(1)]).is_well_formed());
    let rotate = AffineMap::permutation(&[2, 0, 1]).unwrap();
    let inverse = rotate.inverse_permutation().unwrap();
    assert!(rotate.compose(&inverse).unwrap().is_identity());
}

#[test]
fn composition_keeps_the_symbols_apart() {
    let outer = AffineMap::new(1, 1, [d(0) * 2 + s(0)]);
    let inner = AffineMap::new(2, 1, [d(0) + d(1) * 3 + s(0)]);
    let both = outer.compose(&inner).unwrap();
    assert_eq!(
        both.to_string(),
        "(d0, d1)[s0, s1] -> ((d0 + d1 * 3 + s1) * 2 + s0)"
    );
    assert_eq!(both.evaluate(&[1, 2], &[10, 100]), Some(vec![224]));
    assert_eq!(outer.compose(&AffineMap::identity(2)), None);
}

#[test]
fn strided_layouts_round_trip() {
    let layout = StridedLayout {
        offset: None,
        strides: vec![Some(64), None, Some(1)],
    };
    let map = layout.to_map();
    assert_eq!(
        map.to_string(),
        "(d0, d1, d2)[s0, s1] -> (d0 * 64 + s0 + d1 * s1 + d2)"
    );
    assert_eq!(map.strided_layout(), Some(layout));
    let dense = StridedLayout::row_major(&[None, Some(4), Some(8)]);
    assert_eq!(dense.strides, [Some(32), Some(8), Some(1)]);
    assert_eq!(
        dense.to_map().to_string(),
        "(d0, d1, d2) -> (d0 * 32 + d1 * 8 + d2)"
    );
    assert_eq!(
        AffineMap::new(1, 0, [d(0).modulo(4)]).strided_layout(),
        None
    );
    let unit = AffineMap::new(2, 0, [d(0)]).strided_layout().unwrap();
    assert_eq!(unit.strides, [Some(1), Some(0)]);
}

/// Alternates operators so that nothing is folded.
fn deep(levels: u32) -> AffineExpr {
    (0..levels).fold(d(0), |inner, level| match level % 3 {
        0 => inner + d(1).modulo(7),
        1 => inner * s(0),
        _ => c(5).floor_div(inner),
    })
}

#[test]
fn deep_expressions_need_little_stack() {
    let work = || {
        let (left, right) = (deep(100_000), deep(100_000));
        assert_eq!(left, right);
        assert_ne!(left, deep(99_999));
        assert_eq!(HashSet::from([left.clone(), right]).len(), 1);
        assert!(left.to_string().len() > 100_000);
        assert_eq!(left.shift_symbols(0, 0), left);
        assert_eq!(left.required_dims_and_symbols(), (2, 1));
        let _ = left.evaluate(&[1, 2], &[3]);
        let sum = (0..100_000).fold(c(0), |sum, index| sum + d(index % 2) * s(index % 3) * 6);
        let quotient = sum.floor_div(2);
        assert!(quotient.is_multiple_of(3));
        let nested = (0..100_000).fold(s(0), |sum, index| d(index) + sum * s(1) + 1);
        let right_heavy = (0..100_000).fold(s(0) * s(1), |sum, _| s(0) + (s(1) + sum));
        let _ = (
            right_heavy + d(0).floor_div(3) * 2,
            nested + d(0).floor_div(3) * 2,
        );
    };
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn shared_expressions_compare_and_rewrite_in_reasonable_time() {
    let build = || (0..200).fold(d(0), |inner, _| inner.modulo(s(0)) + inner.floor_div(s(1)));
    let (left, right) = (build(), build());
    assert_eq!(left, right);
    assert_eq!(left.replace_dims(&[d(0)]), right);
    assert_eq!(left.evaluate(&[5], &[3, 2]), right.evaluate(&[5], &[3, 2]));
}

/// An unsimplified formula, the reference for the simplified one.
#[derive(Clone, Debug)]
enum Formula {
    Leaf(AffineLeaf),
    Apply(AffineBinaryOp, Box<Formula>, Box<Formula>),
}

impl Formula {
    fn evaluate(&self, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        match self {
            Self::Leaf(leaf) => AffineExpr::from(*leaf).evaluate(dims, symbols),
            Self::Apply(operator, lhs, rhs) => {
                operator.evaluate(lhs.evaluate(dims, symbols)?, rhs.evaluate(dims, symbols)?)
            }
        }
    }

    fn simplified(&self) -> AffineExpr {
        match self {
            Self::Leaf(leaf) => AffineExpr::from(*leaf),
            Self::Apply(operator, lhs, rhs) => {
                AffineExpr::binary(*operator, &lhs.simplified(), &rhs.simplified())
            }
        }
    }
}

fn formula() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        (0_u32..3).prop_map(AffineLeaf::Dim),
        (0_u32..2).prop_map(AffineLeaf::Symbol),
        (-16_i64..64).prop_map(AffineLeaf::Constant),
    ];
    leaf.prop_map(Formula::Leaf)
        .prop_recursive(6, 48, 2, |inner| {
            let operator = prop_oneof![
                Just(AffineBinaryOp::Add),
                Just(AffineBinaryOp::Mul),
                Just(AffineBinaryOp::Mod),
                Just(AffineBinaryOp::FloorDiv),
                Just(AffineBinaryOp::CeilDiv),
            ];
            (operator, inner.clone(), inner)
                .prop_map(|(operator, lhs, rhs)| Formula::Apply(operator, lhs.into(), rhs.into()))
        })
}

proptest! {
    #[test]
    fn simplification_keeps_the_value(
        formula in formula(),
        dims in prop::array::uniform3(-40_i64..40),
        symbols in prop::array::uniform2(1_i64..20),
    ) {
        if let Some(expected) = formula.evaluate(&dims, &symbols) {
            prop_assert_eq!(formula.simplified().evaluate(&dims, &symbols), Some(expected));
        }
    }

    #[test]
    fn the_known_divisor_divides(
        formula in formula(),
        dims in prop::array::uniform3(-40_i64..40),
        symbols in prop::array::uniform2(1_i64..20),
    ) {
        let expression = formula.simplified();
        if let Some(value) = expression.evaluate(&dims, &symbols) {
            let divisor = expression.largest_known_divisor();
            prop_assert_eq!(if divisor == 0 { value } else { value % divisor }, 0);
        }
    }
}
