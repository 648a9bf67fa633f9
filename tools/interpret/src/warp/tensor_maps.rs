//! Tensor maps: the tensor description of a tensor copy.
//!
//! A map has 128 bytes. Its fields are where `tensormap.replace` puts them in the output of ptxas
//! 13.0 (`orison-translate` imports those instructions as loads and stores), so that a kernel may
//! write its own maps. Properties those instructions do not cover, the corners of im2col boxes, are
//! in bytes that they do not touch; their location in hardware is unknown.

/// Bytes of a map.
pub const TENSOR_MAP_SIZE: usize = 128;

/// The maximum number of dimensions.
const MAX_RANK: usize = 5;

/// The maximum size of a box in bytes: no CTA has more shared memory.
const LARGEST_BOX: u64 = 1 << 18;

/// Element types of a tensor, in the order of their encoding in a map (PTX ISA,
/// `tensormap.replace`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorElement {
    /// Unsigned bytes.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    S32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 64 bits.
    S64,
    /// Half precision.
    F16,
    /// Single precision.
    F32,
    /// Single precision, denormals are flushed to zero.
    F32Ftz,
    /// Double precision.
    F64,
    /// `bf16`.
    Bf16,
    /// `tf32` in 32 bits.
    Tf32,
    /// `tf32`, denormals are flushed to zero.
    Tf32Ftz,
}

impl TensorElement {
    const ALL: [TensorElement; 13] = [
        TensorElement::U8,
        TensorElement::U16,
        TensorElement::U32,
        TensorElement::S32,
        TensorElement::U64,
        TensorElement::S64,
        TensorElement::F16,
        TensorElement::F32,
        TensorElement::F32Ftz,
        TensorElement::F64,
        TensorElement::Bf16,
        TensorElement::Tf32,
        TensorElement::Tf32Ftz,
    ];

    /// Bytes of an element.
    pub const fn bytes(self) -> usize {
        match self {
            TensorElement::U8 => 1,
            TensorElement::U16 | TensorElement::F16 | TensorElement::Bf16 => 2,
            TensorElement::U64 | TensorElement::S64 | TensorElement::F64 => 8,
            _ => 4,
        }
    }

    /// NaN, as eight bytes; `None` for integers.
    fn no_number(self) -> Option<[u8; 8]> {
        let bits: u64 = match self {
            TensorElement::F16 | TensorElement::Bf16 => 0x7FFF_7FFF_7FFF_7FFF,
            TensorElement::F32
            | TensorElement::F32Ftz
            | TensorElement::Tf32
            | TensorElement::Tf32Ftz => 0x7FFF_FFFF_7FFF_FFFF,
            TensorElement::F64 => 0x7FFF_FFFF_FFFF_FFFF,
            _ => return None,
        };
        Some(bits.to_le_bytes())
    }
}

/// The boxes of an im2col copy: consecutive pixels, over rows, images and so on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PixelBox {
    /// The lower corner: the minimum position of the first pixel, for each dimension between
    /// channels and images.
    pub lower: Vec<i32>,
    /// The upper corner: the offset of the maximum position from the last pixel of the tensor;
    /// negative before it.
    pub upper: Vec<i32>,
    /// Channels of a pixel, from 1 to 256.
    pub channels: u32,
    /// Pixels of a box, from 1 to 1024.
    pub pixels: u32,
}

/// A tensor in global memory, and the boxes that copies move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorMap {
    /// The element type.
    pub element: TensorElement,
    /// Address of the first element, a multiple of 16.
    pub address: u64,
    /// Elements along each dimension, innermost first: one to five.
    pub dimensions: Vec<u32>,
    /// Byte strides of each dimension except the innermost, multiples of 16.
    pub strides: Vec<u64>,
    /// Extent of a box along each dimension, from 1 to 256.
    pub box_extents: Vec<u32>,
    /// The element stride of a box along each dimension, from 1 to 8.
    pub element_strides: Vec<u32>,
    /// Width in bytes of the swizzled rows in shared memory: 0, 32, 64 or 128.
    pub swizzle: u32,
    /// Out-of-bounds floats are NaN, otherwise zero.
    pub nan_outside: bool,
    /// Boxes of im2col copies.
    pub pixels: Option<PixelBox>,
}

/// The bytes of a map.
type Bytes = [u8; TENSOR_MAP_SIZE];

fn word(bytes: &Bytes, place: usize) -> u32 {
    let all = bytes[place..place + 4].iter().rev();
    all.fold(0, |word, byte| word << 8 | u32::from(*byte))
}

fn field(bytes: &Bytes, place: usize, bit: u32, width: u32) -> u32 {
    word(bytes, place) >> bit & ((1 << width) - 1)
}

fn set_word(bytes: &mut Bytes, place: usize, value: u32) {
    bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
}

fn add_bits(bytes: &mut Bytes, place: usize, bit: u32, value: u32) {
    let value = word(bytes, place) | value << bit;
    set_word(bytes, place, value);
}

/// Offsets of fields, in bytes.
mod place {
    pub(super) const FORMAT: usize = 0x8;
    pub(super) const STRIDES: usize = 0xc;
    pub(super) const HIGH_STRIDES: usize = 0x1c;
    pub(super) const DIMENSIONS: usize = 0x20;
    pub(super) const ELEMENT_STRIDES: usize = 0x34;
    pub(super) const OUTER_BOX: usize = 0x38;
    /// Fields specific to orison: whether there are pixels, channels and pixels minus one, corners.
    pub(super) const PIXELS: usize = 0x40;
    pub(super) const CORNERS: usize = 0x48;
}

impl TensorMap {
    /// Checks the hardware's requirements on a map.
    ///
    /// # Errors
    /// The violated requirement.
    pub fn check(&self) -> Result<(), String> {
        let rank = self.dimensions.len();
        let fail = |what: String| Err(format!("invalid tensor map: {what}"));
        if !(1..=MAX_RANK).contains(&rank) {
            return fail(format!(
                "the number of dimensions must be from 1 to {MAX_RANK}, found \
                                 {rank}"
            ));
        }
        let counts = [
            ("strides", self.strides.len() + 1),
            ("box extents", self.box_extents.len()),
            ("element strides", self.element_strides.len()),
        ];
        if let Some((what, _)) = counts.iter().find(|(_, count)| *count != rank) {
            return fail(format!(
                "the number of {what} does not match its {rank} dimensions"
            ));
        }
        if !self.address.is_multiple_of(16) {
            return fail(format!(
                "the address must be a multiple of 16, found {:#x}",
                self.address
            ));
        }
        if let Some(stride) = self
            .strides
            .iter()
            .find(|stride| !stride.is_multiple_of(16) || **stride >= 1 << 40)
        {
            return fail(format!(
                "the strides must be multiples of 16 bytes below 2^40, found {stride}"
            ));
        }
        if self.dimensions.contains(&0) {
            return fail("the dimensions must not be zero".to_owned());
        }
        if let Some(extent) = self
            .box_extents
            .iter()
            .find(|extent| !(1..=256).contains(*extent))
        {
            return fail(format!(
                "the box extents must be from 1 to 256, found {extent}"
            ));
        }
        if let Some(stride) = self
            .element_strides
            .iter()
            .find(|stride| !(1..=8).contains(*stride))
        {
            return fail(format!(
                "the element strides must be from 1 to 8, found {stride}"
            ));
        }
        if ![0, 32, 64, 128].contains(&self.swizzle) {
            return fail(format!(
                "the swizzle must be 0, 32, 64 or 128 bytes, found {}",
                self.swizzle
            ));
        }
        if self.nan_outside && self.element.no_number().is_none() {
            return fail("integer elements require a zero fill".to_owned());
        }
        self.check_rows()?;
        let elements = match &self.pixels {
            Some(pixels) => u64::from(pixels.channels).saturating_mul(pixels.pixels.into()),
            None => self.box_extents.iter().fold(1, |elements: u64, extent| {
                elements.saturating_mul((*extent).into())
            }),
        };
        if elements.saturating_mul(self.element.bytes() as u64) > LARGEST_BOX {
            return fail(format!("the box must not exceed {LARGEST_BOX} bytes"));
        }
        match &self.pixels {
            Some(pixels) => pixels.check(rank),
            None => Ok(()),
        }
    }

    fn check_rows(&self) -> Result<(), String> {
        let row = self.row_bytes();
        if !row.is_multiple_of(16) {
            return Err(format!(
                "invalid tensor map: the box rows must be multiples of 16 bytes, found {row}"
            ));
        }
        let swizzle = self.swizzle as usize;
        if swizzle == 0 || swizzle == row {
            return Ok(());
        }
        if row > swizzle {
            return Err(format!(
                "invalid tensor map: the box rows must not exceed the swizzle of {swizzle} bytes, \
                 found {row}"
            ));
        }
        // The distance of such rows is undocumented.
        Err(format!(
            "box rows of {row} bytes with a swizzle of {swizzle} bytes are not modelled"
        ))
    }

    /// Elements of the innermost row of a box.
    fn row_elements(&self) -> usize {
        match &self.pixels {
            Some(pixels) => pixels.channels as usize,
            None => self
                .box_extents
                .first()
                .map_or(0, |extent| *extent as usize),
        }
    }

    fn row_bytes(&self) -> usize {
        self.row_elements() * self.element.bytes()
    }

    /// The bytes of the map, as read by copies.
    pub fn encode(&self) -> [u8; TENSOR_MAP_SIZE] {
        let mut bytes = [0; TENSOR_MAP_SIZE];
        bytes[..8].copy_from_slice(&self.address.to_le_bytes());
        let element = TensorElement::ALL
            .iter()
            .position(|known| *known == self.element);
        let swizzle = [0, 32, 64, 128]
            .iter()
            .position(|known| *known == self.swizzle);
        let number = |position: Option<usize>| position.unwrap_or(0) as u32;
        let rank = self.dimensions.len().saturating_sub(1) as u32;
        add_bits(&mut bytes, place::FORMAT, 4, rank);
        add_bits(&mut bytes, place::FORMAT, 7, number(element));
        add_bits(&mut bytes, place::FORMAT, 13, number(swizzle));
        add_bits(&mut bytes, place::FORMAT, 15, u32::from(self.nan_outside));
        for (number, stride) in self.strides.iter().take(MAX_RANK - 1).enumerate() {
            let scaled = stride >> 4;
            set_word(&mut bytes, place::STRIDES + 4 * number, scaled as u32);
            let high = (scaled >> 32) as u32 & 15;
            add_bits(&mut bytes, place::HIGH_STRIDES, 4 * number as u32, high);
        }
        for (number, extent) in self.dimensions.iter().take(MAX_RANK).enumerate() {
            set_word(
                &mut bytes,
                place::DIMENSIONS + 4 * number,
                extent.wrapping_sub(1),
            );
        }
        for (number, extent) in self.box_extents.iter().take(MAX_RANK).enumerate() {
            let less = extent.wrapping_sub(1) & 0xFF;
            match number {
                0 => add_bits(&mut bytes, place::ELEMENT_STRIDES, 24, less),
                number => add_bits(&mut bytes, place::OUTER_BOX, 8 * (number as u32 - 1), less),
            }
        }
        for (number, stride) in self.element_strides.iter().take(MAX_RANK).enumerate() {
            let less = stride.wrapping_sub(1) & 7;
            add_bits(&mut bytes, place::ELEMENT_STRIDES, 3 * number as u32, less);
        }
        if let Some(pixels) = &self.pixels {
            pixels.encode(&mut bytes);
        }
        bytes
    }

    /// Reads the bytes of a map.
    ///
    /// # Errors
    /// What is invalid or unsupported: interleaved layouts, narrow elements, the swizzle of 96
    /// bytes.
    pub fn decode(bytes: &[u8; TENSOR_MAP_SIZE]) -> Result<Self, String> {
        let rank = field(bytes, place::FORMAT, 4, 3) as usize + 1;
        let number = field(bytes, place::FORMAT, 7, 4) as usize;
        let Some(element) = TensorElement::ALL.get(number) else {
            return Err(format!(
                "a tensor map with element type {number} is not modelled"
            ));
        };
        if field(bytes, place::FORMAT, 11, 2) != 0 {
            return Err("a tensor map with an interleaved layout is not modelled".to_owned());
        }
        let mut low = [0; 8];
        low.copy_from_slice(&bytes[..8]);
        let all = 0..rank.min(MAX_RANK);
        let stride = |number: usize| {
            let low = u64::from(word(bytes, place::STRIDES + 4 * number));
            let high = field(bytes, place::HIGH_STRIDES, 4 * number as u32, 4);
            (u64::from(high) << 32 | low) << 4
        };
        let extent = |number: usize| match number {
            0 => field(bytes, place::ELEMENT_STRIDES, 24, 8) + 1,
            number => field(bytes, place::OUTER_BOX, 8 * (number as u32 - 1), 8) + 1,
        };
        let dimension = |number: usize| word(bytes, place::DIMENSIONS + 4 * number).wrapping_add(1);
        let map = TensorMap {
            element: *element,
            address: u64::from_le_bytes(low),
            dimensions: all.clone().map(dimension).collect(),
            strides: all
                .clone()
                .skip(1)
                .map(|number| stride(number - 1))
                .collect(),
            box_extents: all.clone().map(extent).collect(),
            element_strides: all
                .map(|number| field(bytes, place::ELEMENT_STRIDES, 3 * number as u32, 3) + 1)
                .collect(),
            swizzle: [0, 32, 64, 128][field(bytes, place::FORMAT, 13, 2) as usize],
            nan_outside: field(bytes, place::FORMAT, 15, 1) == 1,
            pixels: PixelBox::decode(bytes, rank),
        };
        if rank > MAX_RANK {
            return Err(format!(
                "invalid tensor map: the number of dimensions must be from 1 to {MAX_RANK}, found \
                 {rank}"
            ));
        }
        map.check()?;
        Ok(map)
    }

    /// The value of out-of-bounds elements.
    pub(super) fn outside(&self) -> [u8; 8] {
        let none = self.element.no_number().filter(|_| self.nan_outside);
        none.unwrap_or_default()
    }

    /// The swizzled address of a byte of a box in shared memory, for a box that begins at an
    /// address: 16-byte chunks are permuted by the index of their 128-byte line.
    pub(super) fn swizzled(&self, address: u64) -> u64 {
        let chunks = u64::from(self.swizzle / 16).saturating_sub(1);
        address ^ (address >> 7 & chunks) << 4
    }

    /// The address of the element at coordinates; `None` if out of bounds.
    fn element_address(&self, coordinates: &[i64]) -> Option<u64> {
        let mut address = self.address;
        for (number, coordinate) in coordinates.iter().enumerate() {
            let coordinate = u64::try_from(*coordinate).ok()?;
            if coordinate >= u64::from(*self.dimensions.get(number)?) {
                return None;
            }
            let stride = match number.checked_sub(1) {
                None => self.element.bytes() as u64,
                Some(outer) => *self.strides.get(outer)?,
            };
            address = address.wrapping_add(coordinate.wrapping_mul(stride));
        }
        Some(address)
    }

    /// The addresses of the elements of a box, in shared-memory order; `None` for those out of
    /// bounds.
    pub(super) fn tile(&self, first: &[i32]) -> Vec<Option<u64>> {
        let rank = self.dimensions.len();
        let counts: Vec<u32> = (0..rank)
            .map(|number| match number {
                // Rows are never truncated.
                0 => self.box_extents[0],
                number => self.box_extents[number].div_ceil(self.element_strides[number]),
            })
            .collect();
        let mut places = vec![0; rank];
        let mut addresses = Vec::new();
        loop {
            let coordinates = (0..rank).map(|number| {
                let stride = if number == 0 {
                    1
                } else {
                    self.element_strides[number]
                };
                i64::from(first[number]) + i64::from(places[number]) * i64::from(stride)
            });
            addresses.push(self.element_address(&coordinates.collect::<Vec<_>>()));
            let mut number = 0;
            while number < rank && places[number] + 1 == counts[number] {
                places[number] = 0;
                number += 1;
            }
            if number == rank {
                return addresses;
            }
            places[number] += 1;
        }
    }

    /// As [`Self::tile`], for the pixels of an im2col box: from the first one on, within the
    /// corners, over rows and images in order; each is moved by offsets.
    pub(super) fn convolution(&self, first: &[i32], offsets: &[u32]) -> Option<Vec<Option<u64>>> {
        let pixels = self.pixels.as_ref()?;
        let spatial = self.dimensions.len().checked_sub(2)?;
        let mut pixel: Vec<i64> = first
            .iter()
            .skip(1)
            .map(|place| i64::from(*place))
            .collect();
        let mut addresses = Vec::new();
        for _ in 0..pixels.pixels {
            for channel in 0..pixels.channels {
                let mut coordinates = vec![i64::from(first[0]) + i64::from(channel)];
                for (number, place) in pixel.iter().enumerate() {
                    let offset = offsets.get(number).filter(|_| number < spatial);
                    coordinates.push(place + i64::from(offset.copied().unwrap_or(0)));
                }
                addresses.push(self.element_address(&coordinates));
            }
            for number in 0..=spatial {
                if number == spatial {
                    pixel[spatial] += 1;
                    break;
                }
                pixel[number] += i64::from(self.element_strides[number + 1]);
                let end = i64::from(self.dimensions[number + 1]) + i64::from(pixels.upper[number]);
                if pixel[number] < end {
                    break;
                }
                pixel[number] = pixels.lower[number].into();
            }
        }
        Some(addresses)
    }
}

impl PixelBox {
    fn check(&self, rank: usize) -> Result<(), String> {
        let fail = |what: String| Err(format!("invalid im2col tensor map: {what}"));
        let spatial = rank.saturating_sub(2);
        if !(1..=3).contains(&spatial) {
            return fail(format!(
                "the number of dimensions must be from 3 to 5, found {rank}"
            ));
        }
        if self.lower.len() != spatial || self.upper.len() != spatial {
            return fail(format!("the corners must have {spatial} dimensions"));
        }
        let mut corners = self.lower.iter().chain(&self.upper);
        if let Some(corner) = corners.find(|corner| i16::try_from(**corner).is_err()) {
            return fail(format!(
                "the corners must be 16-bit integers, found {corner}"
            ));
        }
        if !(1..=256).contains(&self.channels) || !(1..=1024).contains(&self.pixels) {
            return fail(format!(
                "a box must have 1 to 256 channels and 1 to 1024 pixels, found {} and {}",
                self.channels, self.pixels
            ));
        }
        Ok(())
    }

    fn encode(&self, bytes: &mut Bytes) {
        let sizes = self.channels.wrapping_sub(1) << 16 | self.pixels.wrapping_sub(1) & 0xFFFF;
        set_word(bytes, place::PIXELS, 1);
        set_word(bytes, place::PIXELS + 4, sizes);
        for (number, corner) in self.lower.iter().chain(&self.upper).take(6).enumerate() {
            set_word(bytes, place::CORNERS + 4 * number, corner.cast_unsigned());
        }
    }

    fn decode(bytes: &Bytes, rank: usize) -> Option<Self> {
        if word(bytes, place::PIXELS) != 1 {
            return None;
        }
        let spatial = rank.saturating_sub(2).min(3);
        let corner = |number: usize| word(bytes, place::CORNERS + 4 * number).cast_signed();
        Some(PixelBox {
            lower: (0..spatial).map(corner).collect(),
            upper: (spatial..2 * spatial).map(corner).collect(),
            channels: field(bytes, place::PIXELS + 4, 16, 16) + 1,
            pixels: field(bytes, place::PIXELS + 4, 0, 16) + 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> TensorMap {
        TensorMap {
            element: TensorElement::Bf16,
            address: 0x7_0000_0010,
            dimensions: vec![100, 7, 3],
            strides: vec![208, 1 << 36],
            box_extents: vec![64, 5, 2],
            element_strides: vec![1, 2, 1],
            swizzle: 128,
            nan_outside: true,
            pixels: None,
        }
    }

    #[test]
    fn maps_survive_as_bytes() {
        assert_eq!(TensorMap::decode(&map().encode()), Ok(map()));
        let mut pixels = map();
        pixels.pixels = Some(PixelBox {
            lower: vec![-1],
            upper: vec![-2],
            channels: 64,
            pixels: 256,
        });
        assert_eq!(TensorMap::decode(&pixels.encode()), Ok(pixels));
    }

    #[test]
    fn what_no_machine_takes_is_told() {
        type Case = (fn(&mut TensorMap), &'static str);
        let cases: [Case; 19] = [
            (|map| map.dimensions.clear(), "from 1 to 5, found 0"),
            (|map| map.dimensions = vec![8; 6], "from 1 to 5, found 6"),
            (
                |map| map.box_extents.truncate(2),
                "the number of box extents",
            ),
            (
                |map| map.element_strides.push(1),
                "the number of element strides",
            ),
            (|map| map.strides[1] = 1 << 40, "found 1099511627776"),
            (|map| map.dimensions[2] = 0, "must not be zero"),
            (|map| map.box_extents[2] = 0, "from 1 to 256, found 0"),
            (|map| map.element_strides[0] = 0, "from 1 to 8, found 0"),
            (|map| map.swizzle = 96, "128 bytes, found 96"),
            (|map| map.address += 1, "must be a multiple of 16"),
            (|map| map.strides[0] = 8, "multiples of 16 bytes"),
            (|map| map.box_extents[1] = 257, "from 1 to 256, found 257"),
            (|map| map.element_strides[2] = 9, "from 1 to 8, found 9"),
            (
                |map| map.box_extents[0] = 128,
                "swizzle of 128 bytes, found 256",
            ),
            (|map| map.box_extents[0] = 32, "not modelled"),
            (|map| map.box_extents[0] = 60, "found 120"),
            (|map| map.dimensions.truncate(2), "strides"),
            (|map| map.element = TensorElement::U16, "zero fill"),
            (
                |map| map.box_extents = vec![64, 256, 16],
                "must not exceed 262144",
            ),
        ];
        for (change, words) in cases {
            let mut changed = map();
            change(&mut changed);
            let error = changed.check().unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn what_is_at_a_limit_is_taken() {
        let changes: [fn(&mut TensorMap); 5] = [
            |map| map.strides[1] = (1 << 40) - 16,
            |map| map.element_strides[2] = 8,
            |map| map.dimensions[0] = 1,
            |map| map.box_extents = vec![64, 256, 8],
            |map| {
                map.element = TensorElement::U16;
                map.nan_outside = false;
            },
        ];
        for change in changes {
            let mut changed = map();
            change(&mut changed);
            assert_eq!(changed.check(), Ok(()), "{changed:?}");
        }
    }

    #[test]
    fn boxes_of_pixels_have_limits() {
        type Case = (fn(&mut PixelBox), &'static str);
        let cases: [Case; 9] = [
            (|_| (), ""),
            (|pixels| (pixels.channels, pixels.pixels) = (64, 1024), ""),
            (
                |pixels| (pixels.lower[0], pixels.upper[0]) = (-32768, 32767),
                "",
            ),
            (|pixels| pixels.lower.push(0), "must have 1 dimensions"),
            (|pixels| pixels.upper.clear(), "must have 1 dimensions"),
            (|pixels| pixels.lower[0] = -32769, "found -32769"),
            (|pixels| pixels.upper[0] = 32768, "found 32768"),
            (|pixels| pixels.pixels = 0, "found 64 and 0"),
            (|pixels| pixels.pixels = 1025, "found 64 and 1025"),
        ];
        for (change, words) in cases {
            let mut pixels = PixelBox {
                lower: vec![-1],
                upper: vec![-2],
                channels: 64,
                pixels: 256,
            };
            change(&mut pixels);
            let mut map = map();
            map.pixels = Some(pixels);
            match map.check() {
                Ok(()) => assert_eq!(words, "", "{map:?}"),
                Err(error) => assert!(!words.is_empty() && error.contains(words), "{error}"),
            }
        }
        let mut flat = map();
        flat.dimensions.truncate(2);
        flat.strides.truncate(1);
        flat.box_extents.truncate(2);
        flat.element_strides.truncate(2);
        assert_eq!(flat.check(), Ok(()));
        flat.pixels = Some(PixelBox {
            lower: Vec::new(),
            upper: Vec::new(),
            channels: 64,
            pixels: 256,
        });
        let error = flat.check().unwrap_err();
        assert!(error.contains("from 3 to 5, found 2"), "{error}");
        // The row of 260 floats is not the reason.
        let mut wide = map();
        wide.element_strides[1] = 1;
        wide.pixels = Some(PixelBox {
            lower: vec![0],
            upper: vec![0],
            channels: 260,
            pixels: 1,
        });
        wide.swizzle = 0;
        wide.element = TensorElement::F32;
        let error = wide.check().unwrap_err();
        assert!(error.contains("found 260 and 1"), "{error}");
    }

    #[test]
    fn unsupported_bytes_of_maps_are_told() {
        let decode = |bit: u32, value: u32| {
            // Rows of 32 elements of four bytes.
            let mut map = map();
            map.box_extents[0] = 32;
            let mut bytes = map.encode();
            let rest = word(&bytes, place::FORMAT) & !(0xF << bit);
            set_word(&mut bytes, place::FORMAT, rest | value << bit);
            TensorMap::decode(&bytes)
        };
        assert_eq!(
            decode(7, 12).map(|map| map.element),
            Ok(TensorElement::Tf32Ftz)
        );
        let error = decode(7, 13).unwrap_err();
        assert!(error.contains("element type 13"), "{error}");
        let error = decode(11, 1).unwrap_err();
        assert!(error.contains("interleaved"), "{error}");
    }

    #[test]
    fn boxes_reach_over_the_edges_of_the_tensor() {
        let mut map = map();
        map.box_extents = vec![8, 3, 1];
        map.swizzle = 0;
        // Rows -1 and 1 of the second dimension: every second one of three.
        let found = map.tile(&[96, -1, 2]);
        assert_eq!(found.len(), 16);
        assert!(found[..8].iter().all(Option::is_none));
        let base = 0x7_0000_0010 + (2 << 36) + 208 + 96 * 2;
        let inside: Vec<_> = (0..4).map(|number| Some(base + 2 * number)).collect();
        assert_eq!(found[8..12], inside);
        assert!(found[12..].iter().all(Option::is_none));
    }

    /// The position of a chunk in a row is its index, exclusive or the row index modulo the number
    /// of chunks.
    #[test]
    fn chunks_change_places_by_their_row() {
        for (swizzle, row) in [(128_u32, 128_u64), (64, 64), (32, 32)] {
            let mut map = map();
            map.swizzle = swizzle;
            for line in 0..16_u64 {
                for chunk in 0..row / 16 {
                    let address = line * row + chunk * 16;
                    let mixed = chunk ^ (line * row / 128 % (row / 16));
                    assert_eq!(map.swizzled(address), line * row + mixed * 16);
                }
            }
        }
    }

    /// Pixels of a row end at the corner, and continue in the next row.
    #[test]
    fn pixels_follow_each_other_over_rows_and_images() {
        let map = TensorMap {
            element: TensorElement::U32,
            address: 0x1000,
            dimensions: vec![4, 3, 2, 2],
            strides: vec![16, 48, 96],
            box_extents: vec![1; 4],
            element_strides: vec![1; 4],
            swizzle: 0,
            nan_outside: false,
            pixels: Some(PixelBox {
                lower: vec![-1, 0],
                upper: vec![-1, 0],
                channels: 4,
                pixels: 5,
            }),
        };
        map.check().unwrap();
        let all = map.convolution(&[0, 0, 1, 0], &[1, 0]).unwrap();
        let firsts: Vec<_> = all.chunks(4).map(|pixel| pixel[0]).collect();
        // Columns 0 and 1 of row 1, then columns -1 to 1 of row 0 of the next image, each moved by
        // 1.
        let place =
            |image: u64, row: u64, column: u64| Some(0x1000 + 96 * image + 48 * row + 16 * column);
        assert_eq!(
            firsts,
            [
                place(0, 1, 1),
                place(0, 1, 2),
                place(1, 0, 0),
                place(1, 0, 1),
                place(1, 0, 2)
            ]
        );
    }
}
