//! What every use of MLIR's C interface needs.

use std::ffi::c_void;

use mlir_sys::{MlirStringCallback, MlirStringRef};

/// A text for MLIR. It must live as long as what is returned is used.
pub(crate) fn text(text: &str) -> MlirStringRef {
    bytes(text.as_bytes())
}

/// Bytes for MLIR. They must live as long as what is returned is used.
pub(crate) fn bytes(bytes: &[u8]) -> MlirStringRef {
    MlirStringRef {
        data: bytes.as_ptr().cast(),
        length: bytes.len(),
    }
}

/// The bytes of a string of MLIR.
///
/// # Safety
/// The string is alive for `'a`: strings of attributes, types and identifiers live as long as the
/// context.
pub(crate) unsafe fn bytes_of<'a>(string: MlirStringRef) -> &'a [u8] {
    if string.length == 0 {
        return &[];
    }
    // SAFETY: a non-empty string points at `length` bytes, alive as the caller says.
    unsafe { std::slice::from_raw_parts(string.data.cast(), string.length) }
}

/// What a printing function of MLIR writes.
pub(crate) fn printed(print: impl FnOnce(MlirStringCallback, *mut c_void)) -> Vec<u8> {
    unsafe extern "C" fn append(part: MlirStringRef, to: *mut c_void) {
        // SAFETY: `to` is the vector below, which nobody else uses while MLIR prints, and the part
        // is alive during the call.
        unsafe { (*to.cast::<Vec<u8>>()).extend_from_slice(bytes_of(part)) };
    }
    let mut written: Vec<u8> = Vec::new();
    print(Some(append), (&raw mut written).cast());
    written
}
