//! The part of a problem that a program works on: one record for all divisions of the work.
//!
//! * data parallel: one program per tile;
//! * static persistent: fewer programs than tiles, each advances by the number of programs;
//! * Stream-K: the K steps of all tiles in sequence, cut into equal parts at any step.
//!
//! Units: coordinates and counts are tiles, K is counted in steps of the tile's K extent.
//!
//! Source: TileAS reference section 8.

use std::fmt::{self, Display, Formatter};

/// Alignment of workspaces, in bytes.
const WORKSPACE_ALIGN: u64 = 128;
/// Bytes of the counter of a tile whose sum is shared by several programs.
const COUNTER_BYTES: u64 = 4;

/// The next part of the problem that a program works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkTile {
    /// Coordinate along M, in tiles.
    pub m: u64,
    /// Coordinate along N, in tiles.
    pub n: u64,
    /// Index of the batch.
    pub l: u64,
    /// First K step.
    pub k_start: u64,
    /// Number of K steps.
    pub k_count: u64,
    /// Index of the tile.
    pub linear_id: u64,
    /// Whether there is such work. If false, the other fields are meaningless.
    pub valid: bool,
    /// Other programs work on the same tile: partial sums must be reduced.
    pub separate_reduction: bool,
}

impl WorkTile {
    /// No work.
    pub const NONE: WorkTile = WorkTile {
        m: 0,
        n: 0,
        l: 0,
        k_start: 0,
        k_count: 0,
        linear_id: 0,
        valid: false,
        separate_reduction: false,
    };
}

/// Which coordinate varies fastest when tiles are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Raster {
    /// M varies fastest.
    #[default]
    AlongM,
    /// N varies fastest.
    AlongN,
}

/// The reason that work cannot be divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GridError {
    /// There are more than 2^64 - 1 K steps.
    TooLarge,
    /// A number of programs, steps or swizzled tiles that must be positive is 0.
    Zero(&'static str),
}

impl Display for GridError {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            GridError::TooLarge => write!(out, "the number of tiles of the problem overflows"),
            GridError::Zero(what) => write!(out, "the number of {what} must be positive"),
        }
    }
}

impl std::error::Error for GridError {}

/// The tiles of a problem and their indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileGrid {
    tiles: [u64; 3],
    k_steps: u64,
    raster: Raster,
    swizzle: u64,
}

impl TileGrid {
    /// A grid of `[m, n, l]` tiles of `k_steps` steps each, numbered along `raster`. `swizzle` rows
    /// (or columns) of tiles are numbered together, so that tiles processed at about the same time
    /// share operands; 1 is plain order.
    ///
    /// # Errors
    /// If there are no steps, no swizzle, or more steps than can be counted.
    pub fn new(
        tiles: [u64; 3],
        k_steps: u64,
        raster: Raster,
        swizzle: u64,
    ) -> Result<Self, GridError> {
        if k_steps == 0 {
            return Err(GridError::Zero("K steps"));
        }
        if swizzle == 0 {
            return Err(GridError::Zero("swizzled tiles"));
        }
        let total = tiles
            .iter()
            .filter(|extent| **extent > 0)
            .try_fold(k_steps, |count, extent| count.checked_mul(*extent));
        total.ok_or(GridError::TooLarge)?;
        Ok(TileGrid {
            tiles,
            k_steps,
            raster,
            swizzle,
        })
    }

    /// Number of tiles.
    pub const fn count(&self) -> u64 {
        self.tiles[0] * self.tiles[1] * self.tiles[2]
    }

    /// K steps of one tile.
    pub const fn k_steps(&self) -> u64 {
        self.k_steps
    }

    /// The coordinates `[m, n, l]` of a tile; `None` if there is no such tile.
    ///
    /// In a batch, a band of `swizzle` minor coordinates is numbered as a whole: across the band
    /// first, then along the major coordinate. The last band may be narrower.
    pub fn unpack(&self, linear: u64) -> Option<[u64; 3]> {
        if linear >= self.count() {
            return None;
        }
        let [m, n, _] = self.tiles;
        let (l, rest) = (linear / (m * n), linear % (m * n));
        let (long, wide) = match self.raster {
            Raster::AlongM => (m, n),
            Raster::AlongN => (n, m),
        };
        let width = self.swizzle.min(wide);
        let band = rest / (long * width);
        let within = rest - band * long * width;
        let band_width = width.min(wide - band * width);
        let (major, minor) = (within / band_width, band * width + within % band_width);
        Some(match self.raster {
            Raster::AlongM => [major, minor, l],
            Raster::AlongN => [minor, major, l],
        })
    }

    /// All K steps of a tile; no work beyond the last tile.
    pub fn whole_tile(&self, linear: u64) -> WorkTile {
        self.part(linear, 0, self.k_steps)
    }

    fn part(&self, linear: u64, k_start: u64, k_count: u64) -> WorkTile {
        let Some([m, n, l]) = self.unpack(linear) else {
            return WorkTile::NONE;
        };
        WorkTile {
            m,
            n,
            l,
            k_start,
            k_count,
            linear_id: linear,
            valid: true,
            separate_reduction: k_count < self.k_steps,
        }
    }
}

/// A program of a static persistent kernel: works on every `programs`-th tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaticPersistent {
    grid: TileGrid,
    programs: u64,
    next: u64,
}

impl StaticPersistent {
    /// The work of one program of `programs`.
    ///
    /// # Errors
    /// If there are no programs.
    pub const fn new(grid: TileGrid, program: u64, programs: u64) -> Result<Self, GridError> {
        if programs == 0 {
            return Err(GridError::Zero("programs"));
        }
        Ok(StaticPersistent {
            grid,
            programs,
            next: program,
        })
    }
}

impl Iterator for StaticPersistent {
    type Item = WorkTile;

    fn next(&mut self) -> Option<WorkTile> {
        let tile = self.grid.whole_tile(self.next);
        // Tile indices fit in 64 bits; the index after the last one may not.
        self.next = self.next.saturating_add(self.programs);
        tile.valid.then_some(tile)
    }
}

/// Stream-K: the K steps of all tiles, cut into parts that differ by at most one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamK {
    grid: TileGrid,
    units: u64,
}

impl StreamK {
    /// Divides the work among the given number of units.
    ///
    /// # Errors
    /// If there are no units.
    pub const fn new(grid: TileGrid, units: u64) -> Result<Self, GridError> {
        if units == 0 {
            return Err(GridError::Zero("units"));
        }
        Ok(StreamK { grid, units })
    }

    /// K steps of all tiles.
    const fn steps(&self) -> u64 {
        self.grid.count() * self.grid.k_steps
    }

    /// The steps `[start, end)` of a unit: the first `steps % units` units have one more.
    pub fn steps_of(&self, unit: u64) -> (u64, u64) {
        let (small, big) = (self.steps() / self.units, self.steps() % self.units);
        let start = |unit: u64| small * unit + unit.min(big);
        let unit = unit.min(self.units);
        let next = unit.saturating_add(1).min(self.units);
        (start(unit), start(next))
    }

    /// The work of a unit, in order: the end of a tile, whole tiles, the start of a tile.
    pub fn work_of(&self, unit: u64) -> impl Iterator<Item = WorkTile> + use<> {
        let (mut at, end) = self.steps_of(unit);
        let grid = self.grid;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let (tile, k_start) = (at / grid.k_steps, at % grid.k_steps);
            let k_count = (grid.k_steps - k_start).min(end - at);
            at += k_count;
            Some(grid.part(tile, k_start, k_count))
        })
    }

    /// The number of units that work on a tile.
    pub fn splits(&self, tile: u64) -> u64 {
        if tile >= self.grid.count() {
            return 0;
        }
        let first = self.unit_of(tile * self.grid.k_steps);
        let last = self.unit_of((tile + 1) * self.grid.k_steps - 1);
        last - first + 1
    }

    /// The unit that executes a step.
    fn unit_of(&self, step: u64) -> u64 {
        let (small, big) = (self.steps() / self.units, self.steps() % self.units);
        let in_big = (small + 1) * big;
        if step < in_big {
            step / (small + 1)
        } else {
            big + (step - in_big) / small.max(1)
        }
    }

    /// Bytes of the workspace: for every tile that several units share, a partial sum for each but
    /// the last, and a counter. `None` on overflow. Takes time proportional to the units.
    pub fn workspace_bytes(&self, accumulator_bytes: u64) -> Option<u64> {
        // Only tiles in which a unit ends are shared; a tile may hold the ends of several.
        let mut bytes = 0u64;
        let mut counted = None;
        for unit in 0..self.units.min(self.steps()) {
            let (start, end) = self.steps_of(unit);
            if start == end || end.is_multiple_of(self.grid.k_steps) {
                continue;
            }
            bytes = bytes.checked_add(accumulator_bytes)?;
            let tile = end / self.grid.k_steps;
            if counted != Some(tile) {
                bytes = bytes.checked_add(COUNTER_BYTES)?;
                counted = Some(tile);
            }
        }
        bytes.checked_next_multiple_of(WORKSPACE_ALIGN)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn grid(m: u64, n: u64, l: u64, k: u64) -> TileGrid {
        TileGrid::new([m, n, l], k, Raster::AlongM, 1).expect("small")
    }

    /// How often each (tile, K step) is executed.
    fn coverage(work: impl Iterator<Item = WorkTile>) -> BTreeMap<(u64, u64), u32> {
        let mut done = BTreeMap::new();
        for tile in work {
            assert!(tile.valid && tile.k_count > 0);
            for k in tile.k_start..tile.k_start + tile.k_count {
                *done.entry((tile.linear_id, k)).or_insert(0) += 1;
            }
        }
        done
    }

    fn covers_once(grid: &TileGrid, done: &BTreeMap<(u64, u64), u32>) -> bool {
        let steps = usize::try_from(grid.count() * grid.k_steps()).expect("small");
        done.len() == steps && done.values().all(|times| *times == 1)
    }

    /// Every division of small problems: each step of each tile is executed once, parts differ by
    /// at most one step, and units that share a tile are marked as such.
    #[test]
    fn stream_k_does_every_step_once() {
        for tiles in 0..=7 {
            for k in 1..=9 {
                for units in 1..=20 {
                    let grid = grid(tiles, 1, 1, k);
                    let cut = StreamK::new(grid, units).expect("positive");
                    let work: Vec<_> = (0..units).flat_map(|unit| cut.work_of(unit)).collect();
                    let done = coverage(work.iter().copied());
                    assert!(
                        covers_once(&grid, &done),
                        "{tiles} tiles, {k} steps, {units} units"
                    );
                    let sizes = (0..units).map(|unit| cut.steps_of(unit));
                    let sizes: BTreeSet<u64> = sizes.map(|(start, end)| end - start).collect();
                    assert!(sizes.last().expect("units") - sizes.first().expect("units") <= 1);
                    let mut sharers: BTreeMap<u64, u64> = BTreeMap::new();
                    for tile in &work {
                        *sharers.entry(tile.linear_id).or_insert(0) += 1;
                        assert_eq!(tile.separate_reduction, cut.splits(tile.linear_id) > 1);
                    }
                    let shared = sharers.values().filter(|sharers| **sharers > 1);
                    let bytes: u64 = shared.map(|sharers| (sharers - 1) * 1000 + 4).sum();
                    assert_eq!(cut.workspace_bytes(1000), Some(bytes.next_multiple_of(128)));
                    for tile in 0..tiles {
                        assert_eq!(cut.splits(tile), sharers[&tile]);
                    }
                    assert_eq!(cut.splits(tiles), 0);
                }
            }
        }
    }

    #[test]
    fn workspace_holds_partial_sums_and_counters() {
        // 3 tiles of 4 steps for 2 units of 6: tile 1 is shared by both.
        let cut = StreamK::new(grid(3, 1, 1, 4), 2).expect("positive");
        assert_eq!(cut.workspace_bytes(65_536), Some(65_536 + 128));
        let whole = StreamK::new(grid(3, 1, 1, 4), 3).expect("positive");
        assert_eq!(whole.workspace_bytes(65_536), Some(0), "no tile is shared");
        assert_eq!(cut.workspace_bytes(u64::MAX), None);
    }

    #[test]
    fn static_persistence_does_every_tile_once() {
        for tiles in 0..=12 {
            for programs in 1..=15 {
                let grid = grid(tiles, 1, 1, 2);
                let work = (0..programs).flat_map(|program| {
                    StaticPersistent::new(grid, program, programs).expect("positive")
                });
                assert!(covers_once(&grid, &coverage(work)), "{tiles} by {programs}");
            }
        }
    }

    #[test]
    fn the_last_tile_number_does_not_wrap() {
        let grid = grid(u64::MAX, 1, 1, 1);
        let mut work = StaticPersistent::new(grid, u64::MAX - 1, 5).expect("positive");
        assert_eq!(work.next().map(|tile| tile.m), Some(u64::MAX - 1));
        assert_eq!(work.next(), None);
    }

    #[test]
    fn broken_grids_are_refused() {
        let new = |tiles, k, swizzle| TileGrid::new(tiles, k, Raster::AlongM, swizzle);
        assert_eq!(new([1, 1, 1], 0, 1), Err(GridError::Zero("K steps")));
        assert_eq!(new([1, 1, 1], 1, 0), Err(GridError::Zero("swizzled tiles")));
        assert_eq!(new([1 << 32, 1 << 31, 2], 1, 1), Err(GridError::TooLarge));
        assert_eq!(new([0, u64::MAX, 2], 1, 1), Err(GridError::TooLarge));
        assert_eq!(
            GridError::TooLarge.to_string(),
            "the number of tiles of the problem overflows"
        );
        assert_eq!(
            GridError::Zero("K steps").to_string(),
            "the number of K steps must be positive"
        );
        let grid = grid(1, 1, 1, 1);
        assert_eq!(StreamK::new(grid, 0), Err(GridError::Zero("units")));
        assert_eq!(
            StaticPersistent::new(grid, 0, 0),
            Err(GridError::Zero("programs"))
        );
        assert_eq!(grid.whole_tile(1), WorkTile::NONE);
    }

    /// A band of two columns is traversed completely before the next one.
    #[test]
    fn bands_of_a_swizzle() {
        let walk = |swizzle| -> Vec<[u64; 2]> {
            let grid = TileGrid::new([2, 3, 1], 1, Raster::AlongM, swizzle).expect("small");
            let places = (0..6).filter_map(|linear| grid.unpack(linear));
            places.map(|[m, n, _]| [m, n]).collect()
        };
        assert_eq!(walk(1), [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [1, 2]]);
        assert_eq!(walk(2), [[0, 0], [0, 1], [1, 0], [1, 1], [0, 2], [1, 2]]);
        assert_eq!(walk(9), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    }

    proptest! {
        /// Indices and coordinates correspond one to one.
        #[test]
        fn unpacking_is_a_bijection(
            m in 1u64..9, n in 1u64..9, l in 1u64..4, swizzle in 1u64..12, along_n in any::<bool>(),
        ) {
            let raster = if along_n { Raster::AlongN } else { Raster::AlongM };
            let grid = TileGrid::new([m, n, l], 1, raster, swizzle).expect("small");
            let mut seen = BTreeSet::new();
            for linear in 0..grid.count() {
                let place = grid.unpack(linear).expect("a tile");
                prop_assert!(place[0] < m && place[1] < n && place[2] < l);
                prop_assert!(seen.insert(place));
            }
            prop_assert_eq!(grid.unpack(grid.count()), None);
        }

        /// Stream-K on large problems: the parts are contiguous and agree with the tiles.
        #[test]
        fn stream_k_parts_meet(
            tiles in 1u64..1_000_000, k in 1u64..1_000_000, units in 1u64..1_000, unit in 0u64..1_000,
        ) {
            let cut = StreamK::new(grid(tiles, 1, 1, k), units).expect("positive");
            let (start, end) = cut.steps_of(unit);
            prop_assert_eq!(cut.steps_of(0).0, 0);
            prop_assert_eq!(cut.steps_of(units - 1).1, tiles * k);
            if unit + 1 < units {
                prop_assert_eq!(end, cut.steps_of(unit + 1).0);
            }
            let first = cut.work_of(unit).next();
            let first = first.map(|tile| tile.linear_id * k + tile.k_start);
            prop_assert_eq!(first, (start < end).then_some(start));
        }
    }
}
