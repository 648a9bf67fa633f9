//! Sizes, memory spaces and shapes of views and tiles.

use orison_ir::types::DYNAMIC;
use orison_ir::{Context, Type};
use orison_tileas::MemorySpace;
use orison_tileas::views::{
    ShapedKind, ShapedView, byte_size, element_count, is_static, memory_space, shapes_compatible,
};

#[test]
fn a_byte_used_in_part_counts() {
    let mut context = Context::new();
    let bits = |context: &mut Context, width| Type::integer(context, width);
    let [one, four, twelve] = [1, 4, 12].map(|width| bits(&mut context, width));
    assert_eq!(byte_size(&context, &[8], one), Some(1));
    assert_eq!(byte_size(&context, &[9], one), Some(2));
    assert_eq!(byte_size(&context, &[3, 5], four), Some(8));
    assert_eq!(byte_size(&context, &[3], twelve), Some(5));
    assert_eq!(byte_size(&context, &[128, 64], Type::F32), Some(32_768));
    assert_eq!(byte_size(&context, &[], Type::F32), Some(4));
}

#[test]
fn sizes_that_are_not_known_are_none() {
    let context = Context::new();
    assert_eq!(element_count(&[4, DYNAMIC]), None);
    assert_eq!(element_count(&[i64::MAX, i64::MAX]), None);
    assert_eq!(element_count(&[4, 0]), Some(0));
    assert_eq!(byte_size(&context, &[DYNAMIC], Type::F32), None);
    assert_eq!(byte_size(&context, &[i64::MAX], Type::F64), None);
    assert!(is_static(&[4, 0]) && !is_static(&[4, DYNAMIC]));
}

#[test]
fn memory_without_a_space_is_global() {
    let mut context = Context::new();
    let mut view = ShapedView::tileas(&[8], Type::F32, MemorySpace::Shared);
    let ty = view.clone().ty(&mut context);
    assert_eq!(memory_space(&context, ty), Some(MemorySpace::Shared));
    (view.kind, view.space) = (ShapedKind::TileaaMemref, None);
    let ty = view.ty(&mut context);
    assert_eq!(memory_space(&context, ty), Some(MemorySpace::Global));
    assert_eq!(memory_space(&context, Type::F32), None);
}

#[test]
fn an_unknown_extent_fits_every_extent() {
    for (a, b, fit) in [
        (&[8, 4][..], &[8, 4][..], true),
        (&[8, DYNAMIC], &[8, 4], true),
        (&[8, 4], &[DYNAMIC, 4], true),
        (&[8, DYNAMIC], &[4, DYNAMIC], false),
        (&[8, 4], &[4, 8], false),
        (&[8, 4], &[8], false),
    ] {
        assert_eq!(shapes_compatible(a, b), fit, "{a:?} {b:?}");
    }
}
