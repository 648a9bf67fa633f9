//! Attributes of `nv_tileas`: atoms and layouts.

use orison_ir::declare::{AttributeDefinition, AttributeForm, ParameterDefinition};
use orison_ir::parser::{ParseResult, Parser, TokenKind};
use orison_ir::printer::Printer;
use orison_ir::{Attribute, Context, DialectValue, Identifier, Parameter, Parameterized};

/// Name of the atom attribute.
pub const ATOM: &str = "nv_tileas.atom";
/// Key of the extents of a TMA box in the details of an atom.
const BOX: &str = "box";

/// `#nv_tileas.atom<"tma_load_2d", box = [128, 64]>`.
pub static ATOM_ATTRIBUTE: AttributeDefinition = AttributeDefinition::parameterized::<Atom>(
    ATOM,
    "The hardware instruction chosen for an operation.\n\n\
     A name and details: `#nv_tileas.atom<\"tma_load_2d\", box = [128, 64]>`. The name determines \
     the family; `box` holds the box of a TMA atom in elements, innermost extent last; \
     `leading_offset` marks coordinates that start with an offset of the descriptor. Rewrites \
     keep it.",
    &[
        ParameterDefinition {
            name: "name",
            documentation: "name of the instruction shape",
        },
        ParameterDefinition {
            name: "details",
            documentation: "named details",
        },
    ],
);

/// `#nv_tileas.layout<"(128,64),(64,1),swizzle<3,4,3>">`.
pub static LAYOUT_ATTRIBUTE: AttributeDefinition = AttributeDefinition::parameterized::<Layout>(
    "nv_tileas.layout",
    "A layout literal: shape and strides as nested tuples, an optional swizzle, an optional \
     element name.\n\n`#nv_tileas.layout<\"(128,64),(64,1),swizzle<3,4,3>,elem=nvfp4\">`. Used as \
     encoding of tiles and as `nv_tileas.layout` of loads and stores; compared as text.",
    &[ParameterDefinition {
        name: "literal",
        documentation: "the literal",
    }],
);

/// The function of an atom, which determines the unit that executes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomFamily {
    /// `tma_load…`: global to shared memory by TMA.
    TmaLoad,
    /// `tma_store…`: shared to global memory by TMA.
    TmaStore,
    /// `tma_reduce…`: shared to global memory by TMA with an operation.
    TmaReduce,
    /// `tma_gather…`.
    TmaGather,
    /// `tma_scatter…`.
    TmaScatter,
    /// `wgmma…`: warp-group matrix product.
    Wgmma,
    /// `tcgen05_mma…`, `umma…`: matrix product into tensor memory.
    TensorMma,
    /// `mma…`, `hmma…`, `imma…`: warp matrix product.
    Mma,
    /// `tcgen05_ld…`: tensor memory to registers.
    TensorLoad,
    /// `tcgen05_st…`: registers to tensor memory.
    TensorStore,
    /// `tcgen05_cp…`: shared to tensor memory.
    TensorCopy,
    /// `ldmatrix…`, `ldsm…`: shared memory to matrix fragments.
    LoadMatrix,
    /// `stmatrix…`, `stsm…`: matrix fragments to shared memory.
    StoreMatrix,
    /// `cp_async…`: global to shared memory without registers.
    CopyAsync,
    /// `ldg…`, `ld_global…`.
    LoadGlobal,
    /// `stg…`, `st_global…`.
    StoreGlobal,
    /// `lds…`, `ld_shared…`.
    LoadShared,
    /// `sts…`, `st_shared…`.
    StoreShared,
    /// `red…`, `atom…`: atomic operation on memory.
    Atomic,
    /// `shfl…`: exchange between lanes.
    Shuffle,
    /// `mov…`, `fma…`, `simt…`: ordinary instructions.
    Simt,
    /// An unknown name.
    Unknown,
}

/// Name prefixes and their families; the first match decides, so longer prefixes come first.
const PREFIXES: &[(&str, AtomFamily)] = &[
    ("tma_gather", AtomFamily::TmaGather),
    ("gather_tma", AtomFamily::TmaGather),
    ("tma_scatter", AtomFamily::TmaScatter),
    ("scatter_tma", AtomFamily::TmaScatter),
    ("tma_load", AtomFamily::TmaLoad),
    ("tma_store", AtomFamily::TmaStore),
    ("tma_reduce", AtomFamily::TmaReduce),
    ("cp_async_bulk_tensor", AtomFamily::TmaLoad),
    ("cp_reduce_async_bulk", AtomFamily::TmaReduce),
    ("wgmma", AtomFamily::Wgmma),
    ("gmma", AtomFamily::Wgmma),
    ("tcgen05_mma", AtomFamily::TensorMma),
    ("umma", AtomFamily::TensorMma),
    ("tcgen05_ld", AtomFamily::TensorLoad),
    ("tcgen05_st", AtomFamily::TensorStore),
    ("tcgen05_cp", AtomFamily::TensorCopy),
    ("mma", AtomFamily::Mma),
    ("hmma", AtomFamily::Mma),
    ("imma", AtomFamily::Mma),
    ("dmma", AtomFamily::Mma),
    ("ldmatrix", AtomFamily::LoadMatrix),
    ("ldsm", AtomFamily::LoadMatrix),
    ("stmatrix", AtomFamily::StoreMatrix),
    ("stsm", AtomFamily::StoreMatrix),
    ("cp_async", AtomFamily::CopyAsync),
    ("ldgsts", AtomFamily::CopyAsync),
    ("ldg", AtomFamily::LoadGlobal),
    ("ld_global", AtomFamily::LoadGlobal),
    ("stg", AtomFamily::StoreGlobal),
    ("st_global", AtomFamily::StoreGlobal),
    ("lds", AtomFamily::LoadShared),
    ("ld_shared", AtomFamily::LoadShared),
    ("sts", AtomFamily::StoreShared),
    ("st_shared", AtomFamily::StoreShared),
    ("red", AtomFamily::Atomic),
    ("atom", AtomFamily::Atomic),
    ("shfl", AtomFamily::Shuffle),
    ("mov", AtomFamily::Simt),
    ("fma", AtomFamily::Simt),
    ("simt", AtomFamily::Simt),
];

impl AtomFamily {
    /// The family of a name; letter case, `.` and `::` are insignificant (`tcgen05.ld` is
    /// `tcgen05_ld`).
    pub fn of_name(name: &str) -> Self {
        let name = name
            .to_ascii_lowercase()
            .replace("::", "_")
            .replace(['.', '-'], "_");
        PREFIXES
            .iter()
            .find(|(prefix, _)| name.starts_with(prefix))
            .map_or(AtomFamily::Unknown, |(_, family)| *family)
    }

    /// True for the families of the TMA unit.
    pub fn is_tma(self) -> bool {
        matches!(
            self,
            AtomFamily::TmaLoad
                | AtomFamily::TmaStore
                | AtomFamily::TmaReduce
                | AtomFamily::TmaGather
                | AtomFamily::TmaScatter
        )
    }

    /// True for the families that only load tiles from memory.
    pub fn is_load(self) -> bool {
        matches!(
            self,
            AtomFamily::TmaLoad
                | AtomFamily::TmaGather
                | AtomFamily::TensorLoad
                | AtomFamily::LoadMatrix
                | AtomFamily::LoadGlobal
                | AtomFamily::LoadShared
        )
    }

    /// True for the families that only store tiles to memory.
    pub fn is_store(self) -> bool {
        matches!(
            self,
            AtomFamily::TmaStore
                | AtomFamily::TmaReduce
                | AtomFamily::TmaScatter
                | AtomFamily::TensorStore
                | AtomFamily::StoreMatrix
                | AtomFamily::StoreGlobal
                | AtomFamily::StoreShared
        )
    }

    /// The prefixes of the names of known atoms.
    pub fn known_names() -> impl Iterator<Item = &'static str> {
        PREFIXES.iter().map(|(prefix, _)| *prefix)
    }

    /// The prefix most similar to a misspelled name; the longest of several.
    pub fn nearest_name(name: &str) -> Option<&'static str> {
        let name = name.to_ascii_lowercase();
        let is_near = |prefix: &&'static str| {
            let start: String = name.chars().take(prefix.len()).collect();
            orison_ir::pass::nearest(&start, [*prefix]).is_some()
        };
        AtomFamily::known_names()
            .filter(is_near)
            .max_by_key(|prefix| prefix.len())
    }

    /// True for the families that the hardware performs asynchronously: a synchronous operation waits
    /// for its completion.
    pub fn is_asynchronous(self) -> bool {
        self.is_tma()
            || matches!(
                self,
                AtomFamily::Wgmma
                    | AtomFamily::TensorMma
                    | AtomFamily::TensorCopy
                    | AtomFamily::CopyAsync
            )
    }

    /// True for the families that multiply matrices.
    pub fn is_matrix_product(self) -> bool {
        matches!(
            self,
            AtomFamily::Wgmma | AtomFamily::TensorMma | AtomFamily::Mma
        )
    }
}

/// The value of an atom attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The name.
    pub name: Box<str>,
    /// The details: a dictionary.
    pub details: Attribute,
}

impl Atom {
    /// The value of an atom attribute.
    #[inline]
    pub fn of(context: &Context, attribute: Attribute) -> Option<&Self> {
        attribute.downcast(context)
    }

    /// The family of the name.
    pub fn family(&self) -> AtomFamily {
        AtomFamily::of_name(&self.name)
    }

    /// The box in elements, innermost extent last; `None` if absent.
    pub fn box_extents(&self, context: &Context) -> Option<Vec<i64>> {
        let extents = self.details.get(context, BOX)?;
        if let Some((_, extents)) = extents.as_integer_array(context) {
            return Some(extents);
        }
        let extents = extents.as_array(context)?;
        extents
            .iter()
            .map(|extent| extent.as_i64(context))
            .collect()
    }

    /// Whether the coordinates start with an offset of the descriptor.
    pub fn has_leading_offset(&self, context: &Context) -> bool {
        self.details
            .get(context, "leading_offset")
            .is_some_and(|value| value != Attribute::FALSE)
    }

    /// M and N of the instruction, as in `m64n128k16`; `None` where the name does not say.
    pub fn instruction_extents(&self) -> (Option<u64>, Option<u64>) {
        let digits = |text: &str| {
            let end = text.find(|found: char| !found.is_ascii_digit());
            text[..end.unwrap_or(text.len())].parse().ok()
        };
        let mut parts = self.name.split(['_', '.']);
        parts
            .find_map(|part| {
                let rest = part.strip_prefix('m')?;
                let columns = rest.split_once('n').and_then(|(_, rest)| digits(rest));
                Some((Some(digits(rest)?), columns))
            })
            .unwrap_or_default()
    }

    /// The access width in bits of a plain load or store atom: the numeric suffix of its name
    /// (`stg_128`).
    pub fn access_bits(&self) -> Option<u32> {
        self.name.rsplit(['_', '.']).next()?.parse().ok()
    }
}

/// The atom attribute of a name and details.
pub fn atom(context: &mut Context, name: &str, details: &[(&str, Attribute)]) -> Attribute {
    let details = Attribute::dictionary_of(context, details);
    atom_of_dictionary(context, name, details)
}

/// The atom attribute of a name and a dictionary of details.
pub fn atom_of_dictionary(context: &mut Context, name: &str, details: Attribute) -> Attribute {
    let name = name.into();
    Attribute::typed(context, Atom { name, details })
}

/// The atom attribute of a TMA instruction with a box of these extents, in elements.
pub fn tma_atom(context: &mut Context, name: &str, extents: &[i64]) -> Attribute {
    let extents = box_attribute(context, extents);
    atom(context, name, &[(BOX, extents)])
}

/// An atom with a box of other extents, in elements; `None` if the attribute is no atom with a box.
pub fn with_box(context: &mut Context, attribute: Attribute, extents: &[i64]) -> Option<Attribute> {
    let atom = Atom::of(context, attribute)?;
    atom.details.get(context, BOX)?;
    let mut atom = atom.clone();
    let extents = box_attribute(context, extents);
    atom.details = atom.details.with(context, BOX, extents);
    Some(Attribute::typed(context, atom))
}

fn box_attribute(context: &mut Context, extents: &[i64]) -> Attribute {
    let extents: Vec<_> = extents
        .iter()
        .map(|extent| Attribute::i64(context, *extent))
        .collect();
    Attribute::array(context, &extents)
}

/// Form of the inherent attribute `atom`.
#[derive(Debug)]
pub struct AtomAttr;

impl AttributeForm for AtomAttr {
    type Value<'c> = Attribute;
    const CONSTRAINT: &'static orison_ir::declare::AttributeConstraint =
        &orison_ir::declare::AttributeConstraint::new("atom attribute", |context, attribute| {
            Atom::of(context, attribute).is_some()
        })
        .named(ATOM);
    fn read(context: &Context, attribute: Attribute) -> Option<Attribute> {
        Atom::of(context, attribute).map(|_| attribute)
    }
    fn write(_: &mut Context, value: Attribute) -> Attribute {
        value
    }
}

impl DialectValue for Atom {
    fn definition(&self) -> &'static AttributeDefinition {
        &ATOM_ATTRIBUTE
    }

    fn parse(parser: &mut Parser<'_>, _: &'static AttributeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<' and the name of an atom")?;
        let name = parser.parse_string()?.into();
        let mut entries = Vec::new();
        while parser.eat(TokenKind::Comma)? {
            let token = parser.token();
            let key = parser.parse_keyword_or_string("expected the name of a detail")?;
            let value = if parser.eat(TokenKind::Equal)? {
                parser.parse_attribute()?
            } else {
                Attribute::UNIT
            };
            let key = Identifier::new(parser.context, &key);
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(parser.error_at(token, "duplicate detail of an atom"));
            }
            entries.push((key, value));
        }
        parser.expect(TokenKind::Greater, "expected '>' to close the atom")?;
        let details = Attribute::dictionary(parser.context, &entries);
        Ok(Atom { name, details })
    }

    fn print(&self, printer: &mut Printer<'_>) {
        let context = printer.context;
        printer.write("<");
        printer.string(self.name.as_bytes());
        for (key, value) in self.details.entries(context) {
            printer.write(", ");
            printer.keyword_or_string(key.text(context));
            if *value != Attribute::UNIT {
                printer.write(" = ");
                printer.attribute(*value);
            }
        }
        printer.write(">");
    }

    fn verify(&self, context: &Context) -> Result<(), String> {
        if self.name.is_empty() {
            return Err("the name of an atom must not be empty".to_owned());
        }
        if self.details.get(context, BOX).is_none() {
            return Ok(());
        }
        match self.box_extents(context) {
            Some(extents) if extents.iter().all(|extent| *extent > 0) => Ok(()),
            _ => Err("the box of an atom must be an array of positive integers".to_owned()),
        }
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        visit(Parameter::Text(&self.name));
        visit(Parameter::Attribute(self.details));
    }
}

impl Parameterized for Atom {
    fn from_parameters(
        context: &Context,
        _: &'static AttributeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [name, details] = parameters else {
            return None;
        };
        Some(Atom {
            name: name.as_str(context)?.into(),
            details: *details,
        })
    }
}

/// The value of a layout attribute: the literal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout(pub Box<str>);

impl DialectValue for Layout {
    fn definition(&self) -> &'static AttributeDefinition {
        &LAYOUT_ATTRIBUTE
    }

    fn parse(parser: &mut Parser<'_>, _: &'static AttributeDefinition) -> ParseResult<Self> {
        parser.expect(TokenKind::Less, "expected '<' and a layout literal")?;
        let literal = parser.parse_string()?;
        parser.expect(TokenKind::Greater, "expected '>' to close the layout")?;
        Ok(Layout(literal.into()))
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.string(self.0.as_bytes());
        printer.write(">");
    }

    fn parameters(&self, visit: &mut dyn FnMut(Parameter<'_>)) {
        visit(Parameter::Text(&self.0));
    }
}

impl Parameterized for Layout {
    fn from_parameters(
        context: &Context,
        _: &'static AttributeDefinition,
        parameters: &[Attribute],
    ) -> Option<Self> {
        let [literal] = parameters else { return None };
        literal
            .as_str(context)
            .map(|literal| Layout(literal.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_follow_from_names() {
        for (name, family) in [
            ("tma_load_2d", AtomFamily::TmaLoad),
            ("SM90_TMA_STORE", AtomFamily::Unknown),
            ("TMA_STORE_2D", AtomFamily::TmaStore),
            ("wgmma_m64n128k16_f32_f16_f16", AtomFamily::Wgmma),
            ("tcgen05.mma", AtomFamily::TensorMma),
            ("tcgen05.ld.32x32b", AtomFamily::TensorLoad),
            ("mma_m16n8k16", AtomFamily::Mma),
            ("cp_async_16", AtomFamily::CopyAsync),
            ("cp.async.bulk.tensor.2d", AtomFamily::TmaLoad),
            ("LDSM_M88", AtomFamily::LoadMatrix),
            ("stg_128", AtomFamily::StoreGlobal),
            ("", AtomFamily::Unknown),
        ] {
            assert_eq!(AtomFamily::of_name(name), family, "{name}");
        }
    }

    #[test]
    fn misspelled_names_are_near_known_ones() {
        for (name, known) in [
            ("tma_laod_2d", Some("tma_load")),
            ("TMA-LOAD", Some("tma_load")),
            ("wgmm_m64n8k16", Some("wgmma")),
            ("xyzzy", None),
            ("", None),
        ] {
            assert_eq!(AtomFamily::nearest_name(name), known, "{name}");
        }
    }

    #[test]
    fn an_atom_comes_apart() {
        let mut context = Context::new();
        let attribute = tma_atom(&mut context, "tma_load_2d", &[128, 64]);
        let atom = Atom::of(&context, attribute).expect("an atom");
        assert_eq!(atom.family(), AtomFamily::TmaLoad);
        assert_eq!(atom.box_extents(&context), Some(vec![128, 64]));
        assert!(!atom.has_leading_offset(&context));
        let plain = super::atom(&mut context, "stg_128", &[]);
        let plain = Atom::of(&context, plain).expect("an atom");
        assert_eq!(plain.access_bits(), Some(128));
        assert_eq!(plain.box_extents(&context), None);
    }
}
