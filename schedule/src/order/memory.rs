//! The order of accesses to memory.

use std::fmt;
use std::hash::Hash;

use orison_machine::Space;
use rustc_hash::FxHashMap;

use super::Placed;

/// Memory that accesses of two different windows cannot share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Window {
    /// Per-thread memory.
    Local,
    /// Shared memory, also of other CTAs of the cluster.
    Shared,
    /// Global memory.
    Global,
    /// Textures and surfaces.
    Texture,
    /// Tensor memory.
    Tensor,
}

impl Window {
    /// All windows.
    pub const ALL: &'static [Window] = &[
        Window::Local,
        Window::Shared,
        Window::Global,
        Window::Texture,
        Window::Tensor,
    ];

    /// The windows of a space. Constant banks are never written.
    pub(crate) fn of(space: Space) -> &'static [Window] {
        match space {
            Space::Generic => &[Window::Local, Window::Shared, Window::Global],
            Space::Local => &[Window::Local],
            Space::Shared | Space::SharedCluster => &[Window::Shared],
            Space::Global => &[Window::Global],
            Space::Surface | Space::Texture => &[Window::Texture],
            Space::Tensor => &[Window::Tensor],
            Space::Constant => &[],
        }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Window::Local => "local memory",
            Window::Shared => "shared memory",
            Window::Global => "global memory",
            Window::Texture => "textures or surfaces",
            Window::Tensor => "tensor memory",
        })
    }
}

/// The bytes of an access: `count` from `first` on, counted from a base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bytes<B> {
    pub(crate) base: B,
    /// Whether the base is a named object, of which two never share memory.
    pub(crate) named: bool,
    pub(crate) first: i64,
    pub(crate) count: u8,
}

/// An access to memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Use<B> {
    pub(crate) windows: &'static [Window],
    pub(crate) writes: bool,
    /// `None` if it may be any.
    pub(crate) bytes: Option<Bytes<B>>,
}

/// The number of a base.
type BaseNumber = u32;

/// The accesses of one kind to a window: the one that stands last in the new order, and the last of those with
/// another base.
#[derive(Clone, Copy, Default, Debug)]
struct Lasts {
    last: Option<Placed>,
    base: Option<BaseNumber>,
    elsewhere: Option<Placed>,
}

impl Lasts {
    fn add(&mut self, placed: Placed, base: Option<BaseNumber>) {
        if base.is_some() && base == self.base {
            placed.keep_last(&mut self.last);
        } else if Some(placed) > self.last {
            self.elsewhere = self.last;
            self.last = Some(placed);
            self.base = base;
        } else {
            placed.keep_last(&mut self.elsewhere);
        }
    }

    /// The last one with another base, or with any if it has none.
    fn beside(&self, base: Option<BaseNumber>) -> Option<Placed> {
        match base.is_some() && base == self.base {
            true => self.elsewhere,
            false => self.last,
        }
    }
}

/// Accesses with bases that are not named, or may be any, and those with named ones.
#[derive(Clone, Copy, Default, Debug)]
struct Sorted {
    any: Lasts,
    named: Lasts,
}

impl Sorted {
    /// The last one of those that may share memory with an access, without those with the same base.
    fn beside(&self, base: Option<(BaseNumber, bool)>) -> Option<Placed> {
        let number = base.map(|(number, _)| number);
        let any = self.any.beside(number);
        match base {
            Some((_, true)) => any,
            _ => any.max(self.named.beside(number)),
        }
    }

    fn add(&mut self, placed: Placed, base: Option<(BaseNumber, bool)>) {
        match base {
            Some((number, true)) => self.named.add(placed, Some(number)),
            _ => self.any.add(placed, base.map(|(number, _)| number)),
        }
    }
}

/// The last reads and writes.
#[derive(Clone, Copy, Default, Debug)]
struct Sides<T> {
    read: T,
    written: T,
}

/// The accesses to memory of a block so far.
#[derive(Debug)]
pub(crate) struct Accesses<B> {
    bases: FxHashMap<B, BaseNumber>,
    windows: FxHashMap<Window, Sides<Sorted>>,
    /// By base and byte.
    bytes: FxHashMap<(BaseNumber, i64), Sides<Option<Placed>>>,
}

impl<B> Default for Accesses<B> {
    fn default() -> Self {
        Accesses {
            bases: FxHashMap::default(),
            windows: FxHashMap::default(),
            bytes: FxHashMap::default(),
        }
    }
}

impl<B: Eq + Hash> Accesses<B> {
    /// Adds an access, and calls `passed` for accesses before it that may share memory with it, one of both writes,
    /// and that the new order has behind it.
    pub(crate) fn check(
        &mut self,
        found: Use<B>,
        placed: Placed,
        mut passed: impl FnMut(usize, Window),
    ) {
        let Some(window) = found.windows.first().copied() else {
            return;
        };
        let (places, base) = match found.bytes {
            Some(bytes) => {
                let new = BaseNumber::try_from(self.bases.len()).unwrap_or(BaseNumber::MAX);
                let number = *self.bases.entry(bytes.base).or_insert(new);
                let places = (0..i64::from(bytes.count))
                    .map(move |step| (number, bytes.first.wrapping_add(step)));
                (Some(places), Some((number, bytes.named)))
            }
            None => (None, None),
        };
        let mut compare = |earlier: Option<Placed>, window| {
            if let Some(earlier) = earlier.filter(|earlier| *earlier > placed) {
                passed(earlier.number, window);
            }
        };
        for window in found.windows {
            let sides = self.windows.entry(*window).or_default();
            compare(sides.written.beside(base), *window);
            if found.writes {
                compare(sides.read.beside(base), *window);
                sides.written.add(placed, base);
            } else {
                sides.read.add(placed, base);
            }
        }
        for key in places.into_iter().flatten() {
            let sides = self.bytes.entry(key).or_default();
            compare(sides.written, window);
            if found.writes {
                compare(sides.read, window);
                placed.keep_last(&mut sides.written);
            } else {
                placed.keep_last(&mut sides.read);
            }
        }
    }
}
