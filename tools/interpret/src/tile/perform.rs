//! Execution of the work of operations.

use orison_ir::Operation;

use super::compute;
use super::element::Element;
use super::handles::Handle;
use super::memory::View;
use super::state::{TileState, refused};
use super::values::{Tile, TileData, require_defined};
use super::window::Window;
use super::work::{Combine, Source, Work};
use crate::{Datum, Trap};

impl TileState {
    /// Executes the work item; returns the value it produces, if any.
    ///
    /// # Errors
    /// Undefined behaviour.
    pub(super) fn perform(&mut self, op: Operation, work: &Work) -> Result<Option<Datum>, Trap> {
        let tile = match work {
            Work::Move {
                from,
                to: None,
                fill,
            } => self.source(op, from, *fill)?,
            Work::Move {
                from,
                to: Some(to),
                fill,
            } => {
                let tile = self.source(op, from, *fill)?;
                self.store_unchecked(op, to, &tile.reshaped(&to.view.shape))?;
                return Ok(None);
            }
            Work::MoveRows {
                rows,
                dense,
                load,
                fill,
            } => {
                return self.move_rows(op, rows, dense, *load, *fill).map(|()| None);
            }
            Work::Gather { places, other } => self.gather(op, places, other)?,
            Work::Scatter { places, tile } => {
                return self.scatter(op, places, tile).map(|()| None);
            }
            Work::Atomic {
                window,
                combine,
                values,
            } => self.combine(op, window, *combine, values)?,
            Work::Slice { from, slice, shape } => {
                slice.cut(&self.source(op, from, None)?).reshaped(shape)
            }
            Work::Insert { part, whole, slice } => {
                let part = self.source(op, part, None)?;
                slice.replaced(&self.source(op, whole, None)?, &part)
            }
            Work::Value(value) => return Ok(Some(value.clone())),
            Work::Product { product, to } => {
                let operand = |source: &Source| self.source(op, source, None);
                let tile = compute::multiply(op, product, operand)?;
                let Some(to) = to else {
                    return Ok(Some(Datum::payload(tile)));
                };
                self.store_unchecked(op, &Window::all(to.clone()), &tile)?;
                return Ok(Some(Handle::Memory(to.clone()).datum()));
            }
            Work::Publish(owner) => {
                let ring = &mut self.rings[owner.pipeline];
                let published = ring.commit(owner.step, None, true);
                return published
                    .map_err(|refusal| refused(op, refusal))
                    .map(|()| None);
            }
            Work::Return(owner) => {
                let ring = &mut self.rings[owner.pipeline];
                let returned = ring.release(owner.step, owner.consumer);
                return returned
                    .map_err(|refusal| refused(op, refusal))
                    .map(|()| None);
            }
        };
        Ok(Some(Datum::payload(tile)))
    }

    fn source(&self, op: Operation, source: &Source, fill: Option<Element>) -> Result<Tile, Trap> {
        match source {
            Source::Tile(tile) => Ok(tile.clone()),
            Source::Memory(window) => self.load_unchecked(op, window, fill),
            Source::Future(name) => {
                let value = self
                    .effects
                    .get(name)
                    .and_then(|effect| effect.value.as_ref());
                match value.and_then(Datum::as_payload::<Tile>) {
                    Some(tile) => Ok(tile.clone()),
                    None => Err(Trap::malformed(op, "the value has no definition")),
                }
            }
        }
    }

    fn move_rows(
        &mut self,
        op: Operation,
        rows: &[Window],
        dense: &View,
        load: bool,
        fill: Element,
    ) -> Result<(), Trap> {
        let mut shape = dense.shape.clone();
        shape[0] = 1;
        for (number, row) in rows.iter().enumerate() {
            let mut offset = vec![0; shape.len()];
            offset[0] = number as i64;
            let line = Window::all(dense.part(&offset, &shape, &vec![1; shape.len()]));
            if load {
                let tile = self.load_unchecked(op, row, Some(fill))?;
                self.store_unchecked(op, &line, &tile.reshaped(&shape))?;
            } else {
                let tile = self.load_unchecked(op, &line, None)?;
                self.store_unchecked(op, row, &tile.reshaped(&row.view.shape))?;
            }
        }
        Ok(())
    }

    fn gather(&self, op: Operation, places: &[Option<View>], other: &Tile) -> Result<Tile, Trap> {
        let mut data = TileData::clone(&other.data);
        let mut undefined = vec![false; places.len()];
        for (number, place) in places.iter().enumerate() {
            match place {
                Some(place) => {
                    let tile = self.load_unchecked(op, &Window::all(place.clone()), None)?;
                    data.set(number, tile.data.get(0));
                }
                None => undefined[number] = !other.is_defined(number),
            }
        }
        Ok(Tile::new(&other.shape, other.kind, data).with_undefined(undefined))
    }

    fn scatter(&mut self, op: Operation, places: &[Option<View>], tile: &Tile) -> Result<(), Trap> {
        for (number, place) in places.iter().enumerate() {
            let Some(place) = place else { continue };
            let element = tile.gathered(&[1], |_| number);
            self.store_unchecked(op, &Window::all(place.clone()), &element)?;
        }
        Ok(())
    }

    fn combine(
        &mut self,
        op: Operation,
        window: &Window,
        combine: Combine,
        values: &[Tile],
    ) -> Result<Tile, Trap> {
        let old = self.load_unchecked(op, window, None)?;
        for value in values {
            require_defined(op, value)?;
        }
        let mut data = TileData::clone(&old.data);
        for number in 0..old.element_count() {
            if !old.is_defined(number) {
                continue;
            }
            let given: Vec<Element> = values.iter().map(|value| value.data.get(number)).collect();
            data.set(
                number,
                combine.apply(old.kind, old.data.get(number), &given),
            );
        }
        let new = Tile::new(&old.shape, old.kind, data);
        self.store_unchecked(op, window, &new)?;
        Ok(old)
    }
}
