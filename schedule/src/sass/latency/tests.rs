use super::*;

fn model(capability: u32) -> &'static LatencyModel {
    LatencyModel::for_machine(capability).expect("an embedded model")
}

/// Cycles from the first register of the result of one instruction to a source of another.
fn source(capability: u32, writer: &str, reader: &str, slot: u8) -> u32 {
    result_source(capability, (writer, 0), reader, slot)
}

/// Cycles from a register of the result of one instruction to a source of another.
fn result_source(capability: u32, writer: (&str, usize), reader: &str, slot: u8) -> u32 {
    let model = model(capability);
    let file = TableFile::General;
    let (writer, register) = writer;
    let column = model
        .class(model.class_of(writer))
        .write_column(file, register);
    let row = model
        .class(model.class_of(reader))
        .read_row(file, classes::Position::Source(slot, 0));
    model.read_after_write(file, column, row)
}

#[test]
fn all_embedded_models_parse() {
    for (capability, file, text) in MACHINES {
        let model = LatencyModel::parse(file, text).expect(file);
        assert_eq!(model.compute_capability(), capability);
        assert_eq!(model.name(), file.trim_end_matches(".toml"));
    }
    for target in ["sm_90a", "sm_90", "sm_100f", "sm_120a"] {
        assert!(LatencyModel::for_target(target).is_some(), "{target}");
    }
    for target in ["sm_", "sm_91", "sm_111", "90", "sm_9a0"] {
        assert!(LatencyModel::for_target(target).is_none(), "{target}");
    }
}

/// Machines whose code ptxas makes equal have one model; each has a single one.
#[test]
fn variants_have_the_model_of_their_machine() {
    for (variant, machine) in [
        ("sm_52", 50),
        ("sm_87", 86),
        ("sm_88", 86),
        ("sm_121a", 120),
    ] {
        let found = LatencyModel::for_target(variant).map(LatencyModel::compute_capability);
        assert_eq!(found, Some(machine), "{variant}");
    }
    let targets = LatencyModel::targets();
    let mut distinct = targets.clone();
    distinct.dedup();
    assert_eq!(targets, distinct);
    assert_eq!(targets.len(), MACHINES.len() + 4);
}

/// A machine with a base has what it does not state from there.
#[test]
fn a_machine_states_what_differs_from_its_base() {
    let text = "name = \"own\"\ncompute_capability = 81\nbase = \"sm_80\"\n\
                units = [{ name = \"special\", lanes = 4, source = \"test\" }]\n\
                [profile]\nwarps = 3\n";
    let own = LatencyModel::parse("own.toml", text).expect("a model");
    let base = model(80);
    let lanes = |model: &LatencyModel, name: &str| {
        let unit = model.units().iter().find(|unit| unit.name == name);
        unit.map(|unit| unit.lanes)
    };
    assert_eq!(lanes(&own, "special"), Some(4));
    assert_eq!(lanes(&own, "fp64"), lanes(base, "fp64"));
    assert_eq!(own.units().len(), base.units().len());
    assert_eq!(own.warp(), base.warp());
    assert_eq!(own.scoreboards(), base.scoreboards());
    assert_eq!(own.issue_minimum(Opcode::named("BRA")), 5);
    assert_eq!(own.profile().warps, 3);
    assert_eq!(own.profile().weights, base.profile().weights);

    // The exception of sm_80 for the low half of a wide product is inherited with its table, and not
    // by a machine that names another table.
    let low = |model: &LatencyModel| {
        let general = TableFile::General;
        let column = model
            .class(model.class_of("IMAD.WIDE"))
            .write_column(general, 0);
        let class = model.class(model.class_of("IADD3"));
        let row = class.read_row(general, classes::Position::Source(0, 0));
        model.read_after_write(general, column, row)
    };
    assert_eq!(low(&own), 5);
    let other = text.replace("units", "latencies = \"ampere\"\nunits");
    let other = LatencyModel::parse("other.toml", &other).expect("a model");
    assert_eq!(low(&other), 3);
}

#[test]
fn a_base_is_an_older_machine_and_without_one_nothing_is_left_out() {
    let error = |text: &str| {
        let parsed = LatencyModel::parse("own.toml", text);
        parsed.expect_err("an error").to_string()
    };
    for name in ["sm_81", "sm_90"] {
        let text = format!("name = \"own\"\ncompute_capability = 81\nbase = \"{name}\"\n");
        assert_eq!(
            error(&text),
            format!(
                "own.toml:3:8: error: unknown base `{name}`, expected a machine before sm_81: sm_50, \
                 sm_70, sm_75, sm_80"
            )
        );
    }
    let text = "name = \"own\"\ncompute_capability = 81\n";
    assert_eq!(
        error(text),
        "own.toml:1:1: error: missing field `latencies`, and no `base`"
    );
}

/// The measured table of ptxas 13.0.88.
#[test]
fn measured_latencies() {
    for capability in [80, 90, 100] {
        assert_eq!(source(capability, "IADD3", "LOP3.LUT", 0), 4);
        assert_eq!(source(capability, "IADD3", "FFMA", 0), 5);
        assert_eq!(source(capability, "IADD3", "STG.E", 1), 5);
        assert_eq!(source(capability, "FFMA", "FFMA", 2), 4);
        assert_eq!(source(capability, "FMUL", "IADD3", 0), 5);
        assert_eq!(source(capability, "IMAD.HI.U32", "IMAD.HI.U32", 0), 6);
        // The low half is available to the ALU later before sm_90.
        let low = if capability < 90 { 5 } else { 3 };
        assert_eq!(source(capability, "IMAD.WIDE", "IADD3", 0), low);
        let high = result_source(capability, ("IMAD.WIDE", 1), "IADD3", 0);
        assert_eq!(high, 5);
    }
    assert_eq!(source(90, "HFMA2.MMA", "MUFU.EX2", 0), 6);
    assert_eq!(source(90, "HFMA2.MMA", "STG.E", 1), 7);
    assert_eq!(source(90, "HFMA2.MMA", "FADD", 1), 10);
    assert_eq!(source(90, "DFMA", "DADD", 0), 8);
    assert_eq!(source(90, "VIADD", "IMAD", 0), 4);
    assert_eq!(source(80, "HMMA.16816.F32", "FADD", 0), 24);
    assert_eq!(source(100, "HMMA.16816.F32", "HMMA.16816.F32", 2), 20);
    assert_eq!(source(100, "HMMA.16816.F32", "FADD", 0), 19);
}

/// The published figures of Maxwell, and its pairs: arithmetic, then memory or the quarter-rate unit.
#[test]
fn maxwell_has_pairs() {
    for capability in [50, 52] {
        assert_eq!(source(capability, "FADD", "FFMA", 0), 6);
        assert_eq!(source(capability, "SHF.L.U32", "LOP3.LUT", 0), 6);
        assert_eq!(source(capability, "FADD", "STS", 1), 4);
        assert_eq!(source(capability, "FADD", "STG.E", 1), 2);
        assert_eq!(source(capability, "IADD3", "MUFU.RCP", 0), 2);
    }
    let model = model(50);
    let pairs = |first: (&str, bool), second: (&str, bool)| {
        let side = |(name, constant)| (model.class_of(name), constant);
        model.pairs(side(first), side(second))
    };
    for (first, second, may) in [
        ("FFMA", "LDS", true),
        ("MOV", "STS", true),
        ("IADD3", "BAR.SYNC", true),
        ("ISETP.GE.AND", "LDG.E", true),
        ("FADD", "MUFU.RCP", true),
        ("LDS", "FFMA", false),
        ("FFMA", "FADD", false),
        ("P2R", "LDS", false),
        ("FADD", "S2R", false),
        ("FADD", "POPC", false),
        ("FADD", "DFMA", false),
        ("LDS", "LDS", false),
    ] {
        assert_eq!(
            pairs((first, false), (second, false)),
            may,
            "{first} {second}"
        );
    }
    for (first, second) in [(true, false), (false, true)] {
        assert!(pairs(("FADD", first), ("LDC", second)));
    }
    assert!(!pairs(("FADD", true), ("LDC", true)));
    assert!(LatencyModel::targets().iter().all(|target| {
        let model = LatencyModel::for_target(target).expect("a model");
        model.has_pairs() == (model.warp().issue_slots == 2)
    }));
}

#[test]
fn a_pair_is_of_classes_that_the_machine_has() {
    let text = "name = \"own\"\ncompute_capability = 81\nbase = \"sm_80\"\n\
                dual_issue = [{ first = [\"alu\"], second = [\"half-rate\"], constants = 1, source = \"test\" }]\n";
    let error = LatencyModel::parse("own.toml", text).expect_err("no class");
    assert_eq!(error.message, "the machine has no class `half-rate`");
    assert_eq!(error.line, 4);
    let text = text.replace("half-rate", "special");
    let own = LatencyModel::parse("own.toml", &text).expect("a model");
    let (alu, special) = (own.class_of("IADD3"), own.class_of("F2I"));
    assert!(own.pairs((alu, false), (special, false)));
    assert_eq!(own.sides(alu), (true, false));
    assert_eq!(own.sides(special), (false, true));
}

/// Least distances in libraries for sm_107, 120 and 121, whose integer unit has parts.
#[test]
fn parts_of_the_integer_unit() {
    for capability in [107, 120, 121] {
        let cycles = |writer: &str, reader: &str| source(capability, writer, reader, 0);
        assert_eq!(cycles("LOP3.LUT", "SHF.R.U32.HI"), 4);
        assert_eq!(cycles("LOP3.LUT", "IADD"), 5);
        assert_eq!(cycles("IADD", "LOP3.LUT"), 5);
        assert_eq!(cycles("IADD", "ISETP.NE.AND"), 5);
        assert_eq!(cycles("SEL.64", "IADD.64"), 4);
        assert_eq!(cycles("IADD.64", "LOP3.LUT"), 5);
        assert_eq!(cycles("IADD.64", "ISETP.GE.U64.AND"), 6);
        assert_eq!(cycles("IADD.64", "IMAD"), 6);
        assert_eq!(cycles("IADD.64", "SHFL.DOWN"), 6);
        assert_eq!(cycles("IMAD", "IADD.64"), 5);
        let model = model(capability);
        let predicate = TableFile::Predicate;
        let wide = model.class(model.class_of("ISETP.GE.U64.AND"));
        let column = wide.write_column(predicate, 0);
        let guard = model.class(model.class_of("BRA")).guard_row(false);
        assert_eq!(model.read_after_write(predicate, column, guard), 14);
        let select = model.class(model.class_of("SEL.64"));
        let row = select.read_row(predicate, classes::Position::Source(2, 0));
        assert_eq!(model.read_after_write(predicate, column, row), 6);
    }
    assert_eq!(source(110, "LOP3.LUT", "IADD3", 0), 4);
}

/// A cell is a number that an instruction of the machine looks up.
#[test]
fn cells_are_of_classes_that_the_machine_has() {
    let names = |capability| -> Vec<String> {
        let model = model(capability);
        let cells = Cell::all(model).into_iter();
        cells.map(|cell| cell.name(model)).collect()
    };
    let (with, without) = (names(120), names(110));
    for name in [
        "general: add64 -> compare64",
        "predicate: compare64 -> guard",
    ] {
        assert!(with.iter().any(|found| found == name), "{name}");
        assert!(!without.iter().any(|found| found == name), "{name}");
    }
    let common = "general: alu -> fma".to_owned();
    assert!(with.contains(&common) && without.contains(&common));
}

/// What a result may overwrite without a wait.
#[test]
fn operands_read_in_order() {
    let in_order = |capability, earlier: &str, later: &str| {
        let model = model(capability);
        model.is_read_in_order(model.class_of(earlier), model.class_of(later))
    };
    for capability in [75, 80, 90, 120] {
        assert!(in_order(capability, "STG.E", "LDS"));
        assert!(in_order(capability, "LDS", "LDS"));
        assert!(!in_order(capability, "STL", "LDL"));
        assert!(!in_order(capability, "STS", "MATCH.ANY"));
        assert!(!in_order(capability, "LDS", "LDG.E"));
        assert!(!in_order(capability, "LDG.E", "LDS"));
        assert!(!in_order(capability, "LDC", "LDC"));
        assert!(!in_order(capability, "MUFU.RCP", "LDS"));
    }
    assert!(in_order(90, "LDL", "LDL"));
    assert!(in_order(90, "LDG.E", "LD.E"));
    for capability in [75, 80, 86, 89] {
        assert!(!in_order(capability, "LDL", "LDL"));
    }
}

/// Code for sm_100 runs on sm_103, where doubles and integer products take scoreboards; code for sm_100a does not.
#[test]
fn code_without_a_letter_takes_the_scoreboards_of_both_machines() {
    let of = |target: &str| LatencyModel::for_code(target).expect("a model");
    let class = |target: &str, mnemonic: &str| {
        let model = of(target);
        model.class(model.class_of(mnemonic)).name.as_str()
    };
    for target in ["sm_100", "sm_100f"] {
        assert_eq!(class(target, "DFMA"), "double-scoreboard");
        assert_eq!(class(target, "IMMA.16832.S8"), "tensor-scoreboard");
        // Slower on sm_100, without a scoreboard on either.
        assert_eq!(class(target, "HSETP2.GT"), "half");
        let cells = Cell::all(of(target)).into_iter();
        for cell in cells {
            let higher = cell.value(of("sm_100a")).max(cell.value(of("sm_103")));
            assert_eq!(cell.value(of(target)), higher, "{}", cell.name(of(target)));
        }
    }
    let double = |target: &str| {
        let model = of(target);
        let class = model.class(model.class_of("DFMA"));
        (class.result_queue.is_some(), class.operand_queue.is_some())
    };
    assert_eq!(
        double("sm_100"),
        (false, false),
        "no order that sm_100 is not known to have"
    );
    assert_eq!(double("sm_103"), (true, true));
    assert_eq!(class("sm_100a", "DFMA"), "double");
    assert_eq!(class("sm_100a", "IMMA.16832.S8"), "tensor-twofold");
    for target in ["sm_90", "sm_90a", "sm_103", "sm_100a"] {
        let machine = LatencyModel::for_target(target).expect("a model");
        assert!(std::ptr::eq(of(target), machine), "{target}");
    }
    // The rules of the doubles' group are those of sm_103.
    let overwrite = Cell::Overwrite(Group::Coupled, Group::Double, false);
    let overwrites = ["sm_100", "sm_100a"].map(|target| overwrite.value(of(target)));
    assert_eq!(overwrites, [6, 1]);
    assert!(
        of("sm_100")
            .to_string()
            .contains("code that runs on sm_103, too")
    );
    assert!(!of("sm_100a").to_string().contains("too ["));
}

#[test]
fn a_machine_that_runs_the_code_of_another_is_known() {
    let text = "name = \"own\"\ncompute_capability = 101\nbase = \"sm_100\"\n\
                portable = { machine = \"sm_104\", source = \"test\" }\n";
    let error = LatencyModel::parse("own.toml", text).expect_err("no machine");
    assert!(
        error.message.starts_with("unknown machine `sm_104`"),
        "{}",
        error.message
    );
    assert_eq!((error.line, error.column), (4, 24));
}

#[test]
fn classes_by_modifiers_and_machine() {
    let named = |capability: u32, mnemonic: &str| {
        let model = model(capability);
        model.class(model.class_of(mnemonic)).name.clone()
    };
    assert_eq!(named(90, "IMAD.MOV.U32"), "fma");
    assert_eq!(named(90, "IMAD.WIDE.U32.X"), "wide");
    assert_eq!(named(90, "HFMA2"), "half");
    assert_eq!(named(90, "HFMA2.MMA.BF16_V2"), "half-multiply");
    assert_eq!(named(80, "DFMA"), "double-scoreboard");
    assert_eq!(named(90, "DFMA"), "double");
    assert_eq!(named(86, "VIADD"), "alu");
    assert_eq!(named(100, "VIADD"), "fma");
    // The last machine before another class.
    assert_eq!(named(89, "VIADD"), "alu");
    assert_eq!(named(89, "R2UR"), "register-read");
    assert_eq!(named(90, "R2UR"), "to-uniform");
    // A narrower range of machines takes precedence, whatever the order of the rows.
    assert_eq!(named(100, "HSETP2.GT"), "half");
    assert_eq!(named(103, "HSETP2.GT"), "half-compare");
    // Apart from packed numbers where they have a cycle less among themselves.
    for capability in [100, 103, 107, 110, 120, 121] {
        assert_eq!(named(capability, "HADD2.F32"), "half-to-single");
        assert_eq!(named(capability, "HADD2.BF16_V2"), "half");
    }
    assert_eq!(named(90, "HADD2.F32"), "half");
    assert_eq!(named(90, "SYNCS.EXCH.64"), "barrier-object-exchange");
    assert_eq!(named(90, "SYNCS.ARRIVE.TRANS64"), "barrier-object");
    assert_eq!(named(103, "IMMA.16832.S8"), "tensor-scoreboard");
    assert_eq!(named(90, "IMMA.16832.S8"), "tensor-twofold");
    // The parts of the integer unit of sm_107, 120 and 121.
    assert_eq!(named(107, "LOP3.LUT"), "alu");
    assert_eq!(named(120, "IADD.X"), "add");
    assert_eq!(named(121, "IADD.64"), "add64");
    assert_eq!(named(120, "ISETP.GE.U64.AND"), "compare64");
    assert_eq!(named(120, "ISETP.GE.U32.AND"), "add");
    assert_eq!(named(110, "IADD.64"), "alu");
    assert_eq!(named(80, "LDG.E"), "sequential-load");
    assert_eq!(named(86, "LDG.E"), "memory-load");
    assert_eq!(named(89, "LDG.E"), "memory-load");
    assert_eq!(named(90, "LDG.E"), "ordered-load");
    // What the instruction table does not have.
    assert_eq!(named(90, "NEVERHEARD.OF"), "unknown");
}

/// Modifiers may have classes of another mechanism.
#[test]
fn the_classes_agree_with_the_instruction_table() {
    use orison_machine::{Latency, Row};
    for known in CAPABILITIES.iter() {
        for sm in known.iter().copied() {
            let model = model(sm);
            let sm_number = u16::try_from(sm).expect("a number");
            let exists = |row: &&Row| row.entries().any(|entry| entry.since <= sm_number);
            for row in Row::all().iter().filter(exists) {
                let class = model.class(model.class_of(row.name));
                let agrees = match row.latency(sm_number) {
                    Latency::Fixed => class.mechanism == Mechanism::Fixed,
                    // Without a result there is nothing to signal.
                    Latency::Variable => {
                        matches!(class.mechanism, Mechanism::Variable | Mechanism::None)
                    }
                    Latency::Control => {
                        matches!(class.mechanism, Mechanism::None | Mechanism::Fixed)
                    }
                    Latency::Asynchronous => class.mechanism == Mechanism::TensorGroup,
                };
                assert!(agrees, "{} on sm_{sm}: {}", row.name, class.name);
            }
        }
    }
}

/// Addresses are read earlier than data: of an unknown operation after 5 cycles instead of 4.
#[test]
fn addresses_have_a_row_of_their_own() {
    let model = model(90);
    let general = TableFile::General;
    let alu = model
        .class(model.class_of("IADD3"))
        .write_column(general, 0);
    let unknown = model.class(model.class_of("NEVERHEARD.OF"));
    let cycles = |position| {
        let row = unknown.read_row(general, position);
        model.read_after_write(general, alu, row)
    };
    assert_eq!(cycles(classes::Position::Address), 5);
    assert_eq!(cycles(classes::Position::Source(1, 0)), 4);
}

#[test]
fn predicates_and_uniform_registers() {
    let model = model(90);
    let class = |mnemonic: &str| model.class(model.class_of(mnemonic));
    let predicate = TableFile::Predicate;
    let column = class("ISETP.NE.AND").write_column(predicate, 0);
    let guard = class("FFMA").guard_row(false);
    assert_eq!(model.read_after_write(predicate, column, guard), 13);
    let operand = class("SEL").read_row(predicate, classes::Position::Source(2, 0));
    assert_eq!(model.read_after_write(predicate, column, operand), 4);
    let uniform = TableFile::Uniform;
    let column = class("R2UR").write_column(uniform, 0);
    let row = class("UIADD3").read_row(uniform, classes::Position::Source(0, 0));
    assert_eq!(model.read_after_write(uniform, column, row), 13);
    let first = model.class_of("R2UR");
    let second = model.class_of("UMOV");
    let columns = (
        model.class(first).write_column(uniform, 0),
        model.class(second).write_column(uniform, 0),
    );
    let cycles = model.write_after_write(uniform, (first, columns.0), false, (second, columns.1));
    assert_eq!(cycles, 11);
}

#[test]
fn overwriting() {
    let model = model(80);
    let column = |mnemonic: &str| {
        let class = model.class_of(mnemonic);
        (
            class,
            model.class(class).write_column(TableFile::General, 0),
        )
    };
    let cycles = |first: &str, guarded: bool, second: &str| {
        model.write_after_write(TableFile::General, column(first), guarded, column(second))
    };
    assert_eq!(cycles("FADD", false, "IADD3"), 1);
    assert_eq!(cycles("FADD", false, "LDG.E"), 6);
    assert_eq!(cycles("FADD", true, "LDG.E"), 6);
    assert_eq!(cycles("HFMA2.MMA", false, "LDG.E"), 9);
    assert_eq!(cycles("HFMA2.MMA", true, "LDG.E"), 10);
    let (hmma, add) = (model.class_of("HMMA.16816.F32"), model.class_of("IADD3"));
    let load = model.class_of("LDSM.16.M88.4");
    assert_eq!(model.write_after_read(add, load), 2);
    assert_eq!(model.write_after_read(hmma, load), 1);
    assert_eq!(model.write_after_read(add, add), 1);
}

#[test]
fn units_and_minimum() {
    let model = model(90);
    assert_eq!(model.issue_interval(model.class_of("MUFU.RCP")), 8);
    assert_eq!(model.issue_interval(model.class_of("FFMA")), 1);
    assert_eq!(model.issue_minimum(Opcode::named("EXIT")), 5);
    assert_eq!(model.issue_minimum(Opcode::named("FFMA")), 1);
    assert_eq!(model.scoreboards().arm_cycles, 2);
}

/// Introduces an error into a file and checks its location and message.
#[test]
fn malformed_files_have_located_errors() {
    // The machine has exceptions.
    let (machine, tables, classes) = (MACHINES[3].2, TABLES[2].2, CLASSES.1);
    let cases: [(usize, &str, &str, &str); 22] = [
        (
            0,
            "writer = \"wide-low\"",
            "writer = \"wide-los\"",
            "missing `wide-los` in the table",
        ),
        (
            0,
            "reader = \"alu\", writer",
            "reader = \"alx\", writer",
            "missing `alx` in the table",
        ),
        (
            1,
            "file = \"predicate\"",
            "file = \"general\"",
            "expected a table for each of general, predicate, uniform, uniform-predicate",
        ),
        (1, "cycles = [4, 6,", "cycles = [101, 6,", "outside 1..100"),
        (1, "cycles = [4, 6,", "cycles = [4, 6, 6,", "found 14"),
        (
            2,
            "predicate_writes = \"alu\"",
            "predicate_writes = \"alx\"",
            "no column `alx` in the predicate table",
        ),
        (0, "count = 6", "count = 7", "7 scoreboards"),
        (0, "\"ampere\"", "\"amper\"", "unknown latencies `amper`"),
        (0, "warps = 64", "warps = \"many\"", "invalid type"),
        (1, "cycles = [4, 6,", "cycles = [6,", "expected 13 cycles"),
        (1, "cycles = [4, 6,", "cycles = [0, 6,", "outside 1..100"),
        (
            1,
            "reader = \"fma\"",
            "reader = \"alu\"",
            "duplicate row `alu`",
        ),
        (2, "reads = \"alu\"", "reads = \"alx\"", "no row `alx`"),
        (
            2,
            "name = \"alu\"",
            "name = \"fma\"",
            "duplicate class `fma`",
        ),
        (
            2,
            "class = \"alu\"",
            "class = \"nothing\"",
            "no class `nothing`",
        ),
        (
            2,
            "name = \"fma\"",
            "name = \"fma\"\nmachines = [90]",
            "sm_80 has no class `fma`",
        ),
        (
            2,
            "drains = \"memory\"",
            "drains = \"memories\"",
            "no class has the operand queue `memories`",
        ),
        (2, "\"NOP\", ", "", "`NOP` has no class on sm_80"),
        (
            2,
            "[\"CS2R\"]",
            "[\"CS2R.64\"]",
            "`CS2R` has no class on sm_80",
        ),
        (
            2,
            "\"VIADD\"]\nuntil = 89",
            "\"VIADD\"]\nuntil = 79",
            "`VIADD` has no class on sm_80",
        ),
        (
            2,
            "\"NOP\"",
            "\"NOPE\"",
            "`NOPE` is not an instruction of the table",
        ),
        (
            2,
            "\"LDC\", ",
            "\"LDC\", \"LDS\", ",
            "`LDS` has two classes on one machine",
        ),
    ];
    for (which, from, to, message) in cases {
        let mut texts = [machine, tables, classes].map(str::to_owned);
        assert!(texts[which].contains(from), "{from}");
        texts[which] = texts[which].replacen(from, to, 1);
        let [machine, tables, classes] = &texts;
        let error = match LatencyModel::parse("machine.toml", machine) {
            Err(error) => error,
            Ok(_) => LatencyModel::parse_all(
                ("machine.toml", machine),
                ("tables.toml", tables),
                ("classes.toml", classes),
            )
            .expect_err(message),
        };
        assert!(error.message.contains(message), "{error}");
        assert!(error.line > 1, "{error}");
    }
}

#[test]
fn the_dump_names_every_value_and_its_source() {
    let text = model(90).to_string();
    for part in [
        "machine sm_90 [",
        "scoreboards 6, visible after 2 cycles",
        "general registers, read after write: reader <- alu, dispatch64",
        "class wide-upper: Fixed",
        "IMAD.HI",
        "special (class 52): latency 48, inverse throughput 19",
    ] {
        assert!(text.contains(part), "{part}");
    }
    for line in text.lines().filter(|line| line.contains(" -> ")) {
        assert!(line.ends_with(']'), "{line}");
    }
}
