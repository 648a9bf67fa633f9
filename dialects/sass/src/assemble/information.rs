//! What the driver needs to know, from the facts and the instructions of functions.

use super::{Code, Facts};
use crate::cubin::information::{Record, Value, compatibility};
use crate::encoding::Encoding;
use crate::function::Function;

/// The first machine with clusters: records have another order from there on.
pub(super) const CLUSTERS: u16 = 90;
/// The first machine whose kernels say which virtual CTAs they use.
const VIRTUAL_CTAS: u16 = 100;
/// The version of the interface to the driver: that of CUDA 13.0.
const INTERFACE: u32 = 130;
/// The most registers of a thread.
const REGISTERS: u16 = 255;
/// Version 1.1 of the second form of code, which cubins have that do not have it.
const SECOND_FORM: u16 = 0x101;
/// Errors of machines since sm_90 that code of ptxas 13.0 avoids, by the first machine.
const AVOIDED_ERRORS: [(u16, u32); 2] = [(120, 0), (90, 8)];
/// The last machine whose functions have an attribute without name.
const UNNAMED: u16 = 86;
/// What kernels with tensor memory say of virtual CTAs.
const TENSOR_CTAS: u8 = 0x80;

/// The offset of parameters in constant bank 0, in bytes (observed in the output of ptxas 13.0).
pub fn parameter_start(machine: u16) -> u32 {
    match machine {
        ..90 => 0x160,
        90..100 => 0x210,
        100.. => 0x380,
    }
}

impl Facts {
    /// The bytes of the parameters.
    pub fn parameter_bytes(&self) -> u32 {
        let ends = self.parameters.iter();
        let ends = ends.map(|found| found.offset.saturating_add(found.size));
        ends.max().unwrap_or(0)
    }
}

/// Where the parameters of a kernel are.
pub(super) struct Bank {
    /// The symbol of the section.
    pub(super) symbol: u32,
}

/// The records of `.nv.info.k`.
pub(super) fn of_function(
    function: &Function<'_>,
    code: &Code,
    facts: &Facts,
    bank: Option<&Bank>,
    externals: &[u32],
    machine: u16,
) -> Vec<Record> {
    let since_clusters = machine >= CLUSTERS;
    let mut records = vec![Record::words("CUDA_API_VERSION", &[INTERFACE])];
    if machine <= UNNAMED {
        records.push(Record::flag("UNNAMED_35"));
    }
    let parameters = bank.map(|bank| parameters(facts, bank, machine));
    let (place, layout) = parameters.unwrap_or_default();
    if since_clusters {
        records.extend(layout.clone());
        records.push(Record::half("SPARSE_MMA_MASK", 0));
        records.extend(of_features(function));
    } else {
        records.extend(place.clone());
        records.extend(layout.clone());
    }
    if bank.is_some() {
        let most = facts.resources.max_registers;
        let most = u16::try_from(most).ok().filter(|most| *most > 0);
        records.push(Record::half("MAXREG_COUNT", most.unwrap_or(REGISTERS)));
        if facts.resources.barriers > 0 {
            let barriers = u8::try_from(facts.resources.barriers).unwrap_or(u8::MAX);
            records.push(Record::byte("NUM_BARRIERS", barriers));
        }
    }
    if !externals.is_empty() {
        records.push(Record::words("EXTERNS", externals));
    }
    let version = if since_clusters { SECOND_FORM } else { 0 };
    records.push(Record::half("MERCURY_ISA_VERSION", version));
    records.extend(of_instructions(function, machine, bank.is_some()));
    records.extend(of_tables(function, code));
    if bank.is_some() {
        records.extend(of_launch(facts));
        if uses(function, |base| base == "CALL") {
            records.push(Record::words("CRS_STACK_SIZE", &[0]));
        }
    }
    if since_clusters {
        let mut place = place;
        place.reverse();
        records.extend(place);
        let avoided = AVOIDED_ERRORS.iter().find(|(first, _)| machine >= *first);
        records.push(Record::words(
            "SW_WAR",
            &[avoided.map_or(0, |found| found.1)],
        ));
    }
    records
}

/// Where the parameters are, and what each one is. The last one is first.
fn parameters(facts: &Facts, bank: &Bank, machine: u16) -> (Vec<Record>, Vec<Record>) {
    let size = facts.parameter_bytes();
    let short = u16::try_from(size).unwrap_or(u16::MAX);
    let place = parameter_start(machine) | size << 16;
    let place = vec![
        Record::words("PARAM_CBANK", &[bank.symbol, place]),
        Record::half("CBANK_PARAM_SIZE", short),
    ];
    // The alignment and the space of what a parameter points to, the bank and the size.
    const BANK: u32 = 0x1f << 12;
    const SIZE: u32 = 18;
    let layout = facts.parameters.iter().zip(0u32..);
    let layout = layout.map(|(found, ordinal)| {
        let words = [0, ordinal | found.offset << 16, BANK | found.size << SIZE];
        Record::words("KPARAM_INFO", &words)
    });
    let mut layout: Vec<_> = layout.collect();
    layout.reverse();
    (place, layout)
}

/// The addresses of instructions that the driver and debuggers need to know.
fn of_instructions(function: &Function<'_>, machine: u16, is_kernel: bool) -> Vec<Record> {
    let addresses = |belongs: &dyn Fn(&str, bool) -> bool| {
        let numbered = function.instructions().zip(0u32..);
        let found = numbered.filter(|(found, _)| {
            let mnemonic = &found.mnemonic;
            belongs(mnemonic.base(), mnemonic.has("ALL") || mnemonic.has("ANY"))
        });
        let size = u32::try_from(Encoding::BYTES).unwrap_or(0);
        found.map(|(_, number)| number * size).collect::<Vec<u32>>()
    };
    let mut records = Vec::new();
    let of_warp = addresses(&|base, _| matches!(base, "VOTEU" | "REDUX" | "MATCH"));
    if !of_warp.is_empty() {
        records.push(Record::words("INT_WARP_WIDE_INSTR_OFFSETS", &of_warp));
    }
    let together = addresses(&|base, votes| match base {
        "SHFL" | "CREDUX" => true,
        "VOTE" => votes,
        _ => false,
    });
    if !together.is_empty() {
        // Their masks are in no register.
        let masks = vec![u32::MAX; together.len()];
        records.push(Record::words("COOP_GROUP_MASK_REGIDS", &masks));
        records.push(Record::words("COOP_GROUP_INSTR_OFFSETS", &together));
    }
    if machine >= VIRTUAL_CTAS && is_kernel {
        let has_tensor_memory = uses(function, |base| base.starts_with("UTC"));
        let count = if has_tensor_memory { TENSOR_CTAS } else { 0 };
        records.push(Record::byte("VRC_CTA_INIT_COUNT", count));
    }
    let exits = addresses(&|base, _| base == "EXIT");
    if !exits.is_empty() {
        records.push(Record::words("EXIT_INSTR_OFFSETS", &exits));
    }
    records
}

/// The jumps through tables, with their targets.
fn of_tables(function: &Function<'_>, code: &Code) -> Option<Record> {
    let mut words = Vec::new();
    let size = u32::try_from(Encoding::BYTES).unwrap_or(0);
    let number = |label: &str| u32::try_from(*code.labels.get(label)?).ok();
    for (found, index) in function.instructions().zip(0u32..) {
        let targets: Option<Vec<u32>> = found.targets.iter().map(|label| number(label)).collect();
        if let Some(targets) = targets.filter(|targets| !targets.is_empty()) {
            words.extend([index * size, 0]);
            words.push(u32::try_from(targets.len()).unwrap_or(0));
            words.extend(targets);
        }
    }
    (!words.is_empty()).then(|| Record::words("INDIRECT_BRANCH_TARGETS", &words))
}

/// The threads of a CTA and the CTAs of a cluster.
fn of_launch(facts: &Facts) -> Vec<Record> {
    let resources = &facts.resources;
    let mut records = Vec::new();
    if let Some(threads) = &resources.required_threads {
        records.push(Record::words("REQNTID", threads));
    } else if let Some(threads) = &resources.max_threads {
        records.push(Record::words("MAX_THREADS", threads));
    }
    if let Some(cluster) = &resources.cluster {
        records.push(Record::words("CTA_PER_CLUSTER", cluster));
        records.push(Record::flag("EXPLICIT_CLUSTER"));
    }
    records
}

/// Whether a function has an instruction.
fn uses(function: &Function<'_>, belongs: impl Fn(&str) -> bool) -> bool {
    let mut instructions = function.instructions();
    instructions.any(|found| belongs(found.mnemonic.base()))
}

/// What the code needs that a launch has to prepare.
fn of_features(function: &Function<'_>) -> Vec<Record> {
    let mut records = Vec::new();
    let pairs = |wanted: bool| {
        let mut instructions = function.instructions();
        instructions.any(|found| {
            let mnemonic = &found.mnemonic;
            mnemonic.base().starts_with("UTC") && mnemonic.has("2CTA") == wanted
        })
    };
    for (name, has) in [
        ("TCGEN05_1CTA_USED", pairs(false)),
        ("TCGEN05_2CTA_USED", pairs(true)),
        ("REG_RECONFIG", uses(function, |base| base == "USETMAXREG")),
        (
            "CLUSTER_LAUNCH_CONTROL_USED",
            uses(function, |base| base == "UGETNEXTWORKID"),
        ),
    ] {
        if has {
            records.push(Record::flag(name));
        }
    }
    records
}

/// The records of `.nv.info`: each symbol of a function, with what is known of it.
pub(super) fn of_file(functions: &[(u32, &Facts)]) -> Vec<Record> {
    let mut records = Vec::new();
    for (symbol, facts) in functions {
        let resources = &facts.resources;
        records.push(Record::words("REGCOUNT", &[*symbol, resources.registers]));
        records.push(Record::words("FRAME_SIZE", &[*symbol, resources.frame]));
        let stack = match resources.kernel {
            true => "MIN_STACK_SIZE",
            false => "MAX_STACK_SIZE",
        };
        records.push(Record::words(stack, &[*symbol, resources.stack]));
    }
    records
}

/// The records of `.nv.compat`, as ptxas 13.0 writes them for code in this form only. What the matrices and tensor maps
/// of the code are says which later machines may execute it.
pub(super) fn compatibility(machine: &str, functions: &[Function<'_>]) -> Vec<Record> {
    let has = |belongs: &dyn Fn(&str) -> bool| {
        let mut instructions = functions.iter().flat_map(Function::instructions);
        instructions.any(|found| belongs(found.mnemonic.base()))
    };
    let number = orison_machine::sm_number(machine).unwrap_or(0);
    let matrices = has(&|base| {
        matches!(base, "LDSM" | "STSM" | "CREDUX" | "FMNMX3") || base.starts_with("UTMA")
    });
    let class = match (matrices, number) {
        (false, _) => 1,
        (true, ..100) => 4,
        (true, 100..) => 2,
    };
    let maps = if has(&|base| base.starts_with("UTMA")) {
        3
    } else {
        0
    };
    let record = |attribute, value| Record { attribute, value };
    let only = u8::from(machine.ends_with('a'));
    vec![
        record(compatibility::ONLY_THIS_MACHINE, Value::Byte(only)),
        record(compatibility::ISA_CLASS, Value::Byte(class)),
        record(compatibility::TCGEN05_MMA, Value::Byte(5)),
        record(compatibility::MERCURY_ISA_VERSION, Value::Half(SECOND_FORM)),
        record(compatibility::TENSOR_MAP, Value::Byte(maps)),
        record(compatibility::FINALIZATION, Value::Byte(1)),
        record(compatibility::FAST_FINALIZATION, Value::Data(vec![0; 8])),
    ]
}
