//! Tensor memory.

use super::decode::{Decoded, Decoder, Line};

impl Decoder<'_> {
    /// An instruction on tensor memory, if it is one.
    pub(super) fn tensor_memory(&mut self, _: &Line<'_>) -> Option<Decoded> {
        None
    }
}
