//! Checks that problem, tile, cluster and product shapes are compatible, as scheduling assumes.
//!
//! Source: TileAS reference section 8 (`verify_shapes`), cluster and tile limits.

use std::fmt::{self, Display, Formatter};

/// The shapes of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shapes {
    /// Extents M, N, K and number of batches L of the problem, in elements.
    pub problem: [i64; 4],
    /// Extents M, N, K of a tile, in elements.
    pub tile: [i64; 3],
    /// Blocks of a cluster along each axis.
    pub cluster: [i64; 3],
    /// Blocks that work together on a tile.
    pub ctas: i64,
    /// Tiles beyond the problem are masked, so that clusters may exceed the problem.
    pub masked: bool,
}

/// Exclusive upper limit of the elements of a tile.
pub const TILE_ELEMENT_LIMIT: i64 = 1 << 24;
/// Maximum number of blocks of a cluster.
pub const CLUSTER_LIMIT: i64 = 16;
/// M of every warp-group product.
pub const WARP_GROUP_M: i64 = 64;

/// An incompatibility of shapes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeError {
    /// The description of the incompatibility.
    pub reason: String,
}

impl Display for ShapeError {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "tile shape does not match problem/cluster shape: {}",
            self.reason
        )
    }
}

impl std::error::Error for ShapeError {}

fn ensure(holds: bool, reason: impl FnOnce() -> String) -> Result<(), ShapeError> {
    if holds {
        Ok(())
    } else {
        Err(ShapeError { reason: reason() })
    }
}

const AXES: [&str; 4] = ["M", "N", "K", "L"];

/// Checks that the shapes are compatible; returns the tile count along M, N and L, and the K steps.
///
/// # Errors
/// The first incompatibility.
pub fn verify_shapes(shapes: &Shapes) -> Result<[i64; 4], ShapeError> {
    for (axis, extent) in AXES.iter().zip(shapes.tile) {
        ensure(extent > 0 && extent & (extent - 1) == 0, || {
            format!("{axis} of the tile must be a positive power of two, got {extent}")
        })?;
    }
    let elements = shapes
        .tile
        .iter()
        .try_fold(1i64, |count, extent| count.checked_mul(*extent));
    ensure(
        elements.is_some_and(|count| count < TILE_ELEMENT_LIMIT),
        || format!("M x N x K of the tile must be less than {TILE_ELEMENT_LIMIT}"),
    )?;
    for (axis, extent) in AXES.iter().zip(shapes.problem) {
        ensure(extent >= 0, || {
            format!("{axis} of the problem must not be negative, got {extent}")
        })?;
    }
    verify_cluster(shapes)?;
    let tiles = |axis: usize| {
        let (extent, tile) = (shapes.problem[axis], shapes.tile[axis]);
        extent / tile + i64::from(extent % tile != 0)
    };
    let counts = [tiles(0), tiles(1), tiles(2), shapes.problem[3]];
    for (axis, name) in [(0, "M"), (1, "N")] {
        let (count, cluster) = (counts[axis], shapes.cluster[axis]);
        ensure(shapes.masked || count % cluster == 0, || {
            format!(
                "{count} tiles along {name} are not a multiple of {cluster} blocks of a cluster, \
                 and the tail is not masked"
            )
        })?;
    }
    Ok(counts)
}

fn verify_cluster(shapes: &Shapes) -> Result<(), ShapeError> {
    for extent in shapes.cluster {
        ensure(matches!(extent, 1 | 2 | 4 | 8), || {
            format!("expected 1, 2, 4 or 8 blocks of a cluster along an axis, got {extent}")
        })?;
    }
    let blocks: i64 = shapes.cluster.iter().product();
    ensure(blocks <= CLUSTER_LIMIT, || {
        format!("expected at most {CLUSTER_LIMIT} blocks in a cluster, got {blocks}")
    })?;
    ensure(blocks == shapes.ctas, || {
        format!(
            "a cluster has {blocks} blocks, but a tile requires {}",
            shapes.ctas
        )
    })
}

/// Checks that a product of the shape `atom` (M, N, K) divides the tile without remainder.
///
/// # Errors
/// The first axis along which it does not.
pub fn verify_atom(tile: [i64; 3], atom: [i64; 3]) -> Result<(), ShapeError> {
    for ((axis, extent), part) in AXES.iter().zip(tile).zip(atom) {
        ensure(part > 0 && extent % part == 0, || {
            format!("{axis} {extent} of the tile is not a multiple of {part} of the product")
        })?;
    }
    Ok(())
}

/// The shape in the name of a product, such as `wgmma_m64n128k16_f32_f16_f16`.
pub fn atom_shape(name: &str) -> Option<[i64; 3]> {
    name.split('_').find_map(|part| {
        let (m, rest) = part.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GOOD: Shapes = Shapes {
        problem: [4096, 4096, 4096, 1],
        tile: [128, 128, 64],
        cluster: [2, 1, 1],
        ctas: 2,
        masked: false,
    };

    #[test]
    fn tiles_are_counted() {
        assert_eq!(verify_shapes(&GOOD), Ok([32, 32, 64, 1]));
        let odd = Shapes {
            problem: [129, 0, 1, 3],
            cluster: [1, 1, 1],
            ctas: 1,
            ..GOOD
        };
        assert_eq!(verify_shapes(&odd), Ok([2, 0, 1, 3]));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let cases = [
            (
                Shapes {
                    tile: [96, 128, 64],
                    ..GOOD
                },
                "M of the tile must be a positive power of two, got 96",
            ),
            (
                Shapes {
                    tile: [128, 0, 64],
                    ..GOOD
                },
                "N of the tile must be a positive power of two, got 0",
            ),
            (
                Shapes {
                    tile: [128, 128, i64::MIN],
                    ..GOOD
                },
                "K of the tile must be a positive power of two, got -9223372036854775808",
            ),
            (
                Shapes {
                    tile: [4096, 4096, 1],
                    ..GOOD
                },
                "M x N x K of the tile must be less than 16777216",
            ),
            (
                Shapes {
                    tile: [1 << 40, 1 << 40, 1],
                    ..GOOD
                },
                "M x N x K of the tile must be less than 16777216",
            ),
            (
                Shapes {
                    problem: [1, 1, -1, 1],
                    ..GOOD
                },
                "K of the problem must not be negative, got -1",
            ),
            (
                Shapes {
                    cluster: [3, 1, 1],
                    ..GOOD
                },
                "expected 1, 2, 4 or 8 blocks of a cluster along an axis, got 3",
            ),
            (
                Shapes {
                    cluster: [8, 4, 1],
                    ctas: 32,
                    ..GOOD
                },
                "expected at most 16 blocks in a cluster, got 32",
            ),
            (
                Shapes { ctas: 4, ..GOOD },
                "a cluster has 2 blocks, but a tile requires 4",
            ),
            (
                Shapes {
                    problem: [128 * 3, 128, 64, 1],
                    ..GOOD
                },
                "3 tiles along M are not a multiple of 2 blocks of a cluster, and the tail is not masked",
            ),
        ];
        for (shapes, reason) in cases {
            let error = verify_shapes(&shapes).expect_err(reason);
            assert_eq!(error.reason, reason);
        }
        let masked = Shapes {
            problem: [128 * 3, 128, 64, 1],
            masked: true,
            ..GOOD
        };
        assert_eq!(verify_shapes(&masked), Ok([3, 1, 1, 1]));
    }

    #[test]
    fn products_cut_tiles() {
        let atom = atom_shape("wgmma_m64n128k16_f32_f16_f16").expect("a shape");
        assert_eq!(atom, [64, 128, 16]);
        assert_eq!(verify_atom([128, 128, 64], atom), Ok(()));
        let error = verify_atom([128, 64, 64], atom).expect_err("N");
        assert_eq!(
            error.reason,
            "N 64 of the tile is not a multiple of 128 of the product"
        );
        assert_eq!(atom_shape("stg_128"), None);
        assert_eq!(atom_shape("mnk"), None);
        assert!(verify_atom([128, 64, 64], [0, 1, 1]).is_err());
    }

    proptest! {
        /// Tiles cover the problem, and no smaller number of tiles does.
        #[test]
        fn tiles_cover_the_problem(m in 0i64..100_000, n in 0i64..100_000, k in 0i64..100_000, log in 0u32..8) {
            let shapes = Shapes {
                problem: [m, n, k, 1],
                tile: [1 << log, 64, 32],
                cluster: [1, 1, 1],
                ctas: 1,
                masked: false,
            };
            let counts = verify_shapes(&shapes).expect("fits");
            for ((count, extent), tile) in counts.iter().zip(shapes.problem).zip(shapes.tile) {
                prop_assert!(count * tile >= extent);
                prop_assert!(*count == 0 || (count - 1) * tile < extent);
            }
        }
    }
}
