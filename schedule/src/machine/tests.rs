//! Tests that the embedded models are complete and that errors in malformed models are located.

use super::*;

fn models() -> [&'static MachineModel; 4] {
    MachineModel::EMBEDDED.map(|name| MachineModel::by_name(name).unwrap())
}

fn page() -> &'static MachineModel {
    MachineModel::blackwell().page()
}

fn query(operation: &str) -> OperationQuery<'_> {
    OperationQuery {
        operation,
        ..OperationQuery::default()
    }
}

#[test]
fn every_tile_operation_has_its_own_row() {
    for model in models() {
        for operation in orison_tileas::NV_TILEAS.operations {
            let name = operation.name;
            assert_eq!(model.row(&query(name)).operation, name, "{}", model.name());
        }
    }
}

#[test]
fn the_24_slots_are_named() {
    for model in models() {
        assert_eq!(model.slots().len(), 24);
        assert!(
            model
                .slots()
                .iter()
                .enumerate()
                .all(|(i, slot)| slot.number as usize == i + 1)
        );
        let of_kind = |kind| {
            model
                .slots()
                .iter()
                .filter(|slot| slot.kind == kind)
                .count()
        };
        // The page counts 8 coarse, 15 fine and 1 test slot.
        assert_eq!(
            [SlotKind::Coarse, SlotKind::Fine, SlotKind::Test].map(of_kind),
            [8, 15, 1]
        );
        assert_eq!(
            model
                .slot("tp_smem_wr")
                .map(|slot| (slot.number, slot.anchor)),
            Some((16, 900))
        );
        assert!(model.slot("nothing").is_none());
    }
}

#[test]
fn selectors_pick_the_most_specific_row() {
    let model = page();
    let plain = model.cost_of(&query("nv_tileas.tiled_load"));
    assert_eq!(
        plain.uses,
        [ResourceUse::new(13, 7), ResourceUse::new(8, 1)]
    );
    let tma = OperationQuery {
        atom: Some("tma_load_2d"),
        ..query("nv_tileas.tiled_load")
    };
    let cost = model.cost_of(&tma);
    assert_eq!(
        cost.uses,
        [ResourceUse::new(12, 8), ResourceUse::new(16, 8)]
    );
    assert_eq!(cost.latency, 8);
    let write = OperationQuery {
        from: Some("reg"),
        to: Some("smem"),
        ..query("nv_tileas.async.copy")
    };
    assert_eq!(model.cost_of(&write).uses, [ResourceUse::new(16, 7)]);
    let dot = model.cost_of(&query("nv_tileas.dot"));
    assert_eq!((dot.latency, dot.uses.len()), (16, 2));
    let columns = OperationQuery {
        from: Some("smem"),
        to: Some("tmem"),
        ..query("nv_tileas.copy")
    };
    assert_eq!(model.cost_of(&columns).uses, [ResourceUse::new(18, 7)]);
}

#[test]
fn nothing_is_without_a_row() {
    let model = page();
    assert_eq!(model.row(&query("test.op")).operation, "*");
    assert_eq!(
        model.row(&query("arith.new_operation")).operation,
        "arith.*"
    );
    assert_eq!(model.row(&query("")).operation, "*");
    assert_eq!(
        model.cost_of(&query("math.exp2")).uses,
        [ResourceUse::new(2, 8)]
    );
}

fn reduction(combined: u64) -> OperationQuery<'static> {
    let mut query = query("nv_tileas.reduce");
    query.quantities.set(Variable::Combined, combined);
    query
}

#[test]
fn reductions_grow_with_the_logarithm() {
    let model = page();
    let cost = |combined| model.cost_of(&reduction(combined)).latency;
    assert_eq!([0, 1, 2, 3, 128].map(cost), [4, 4, 4, 8, 28]);
    assert_eq!(cost(u64::MAX), 256);
    // The units are held for as many steps: 128 elements are combined in seven.
    let uses = |combined| model.cost_of(&reduction(combined)).uses;
    let (one, seven) = (uses(2), uses(128));
    assert!(!one.is_empty() && one.len() == seven.len());
    for (one, seven) in one.iter().zip(&seven) {
        assert_eq!((one.slot, one.duration * 7), (seven.slot, seven.duration));
    }
}

#[test]
fn budgets_and_caps_have_names() {
    let model = MachineModel::blackwell();
    assert_eq!(model.budget("smem"), Some(232_448));
    assert_eq!(model.budget("tmem"), Some(262_144));
    assert_eq!(model.budget("nothing"), None);
    let lifted = model.clone().with_unlimited_smem(true);
    assert_eq!(
        (lifted.budget("smem"), lifted.budget("tmem")),
        (Some(u64::MAX), Some(262_144))
    );
    let caps = model.evaluator_caps();
    assert_eq!((caps.tmem_in_iteration, caps.named_barrier_carry), (4, 3));
    assert_eq!(POOL_CAPACITY_VECTOR[1], caps.tmem_in_iteration);
    assert_eq!(POOL_CAPACITY_VECTOR[6], caps.named_barrier_carry);
    assert_eq!(
        MachineModel::for_compute_capability(103).map(MachineModel::name),
        Some("blackwell")
    );
    assert_eq!(
        MachineModel::for_compute_capability(90).map(MachineModel::name),
        Some("hopper")
    );
    assert!(MachineModel::for_compute_capability(89).is_none());
    assert!(MachineModel::by_name("hopper").is_some());
}

const SMALL: &str = r#"name = "small"
compute_capability = 1
source = "test"
evaluator = { tmem_in_iteration = 4, named_barrier_carry = 3, source = "test" }
[[slots]]
number = 1
name = "issue"
kind = "coarse"
anchor = 1
source = "test"
[[pools]]
name = "wide"
capacity = 2
source = "test"
[[rows]]
ops = ["*"]
uses = [["issue", 1, 1]]
latency = 4
pools = [["wide", 1]]
source = "test"
"#;

#[test]
fn malformed_models_are_located() {
    assert!(MachineModel::parse("m.toml", SMALL).is_ok());
    // A row may use the whole pool.
    let whole = SMALL.replace("[[\"wide\", 1]]", "[[\"wide\", 2]]");
    assert!(MachineModel::parse("m.toml", &whole).is_ok());
    let cases = [
        (
            "number = 1",
            "number = 64",
            "m.toml:6:10: error: slot number 64 is outside 1..63",
        ),
        (
            "number = 1",
            "number = -1",
            "m.toml:6:10: error: invalid value: integer `-1`, expected u8",
        ),
        (
            "\"coarse\"",
            "\"odd\"",
            "m.toml:8:8: error: unknown variant `odd`, expected one of `coarse`, `fine`, `test`",
        ),
        (
            "[[\"issue\", 1, 1]]",
            "[[\"issu\", 1, 1]]",
            "m.toml:17:10: error: unknown slot `issu`",
        ),
        (
            "[[\"issue\", 1, 1]]",
            "[[\"issue\", 0, 1]]",
            "m.toml:17:19: error: duration 0 is outside 1..8192",
        ),
        (
            "[[\"issue\", 1, 1]]",
            "[[\"issue\", 1, 2]]",
            "m.toml:17:22: error: occupancy 2 exceeds the one unit of a slot",
        ),
        (
            "[[\"wide\", 1]]",
            "[[\"wide\", 3]]",
            "m.toml:19:19: error: 3 units exceed the pool's capacity of 2",
        ),
        (
            "[[\"wide\", 1]]",
            "[[\"deep\", 1]]",
            "m.toml:19:11: error: unknown pool `deep`",
        ),
        // A row for some atoms or bodies is not the default of all operations.
        (
            "latency = 4",
            "latency = 4\natom = \"tma\"",
            "error: missing row `*`, the default of operations without a row",
        ),
        (
            "latency = 4",
            "latency = 4\nbody = [\"arith.addf\"]",
            "error: missing row `*`, the default of operations without a row",
        ),
        (
            "latency = 4",
            "latency = 4\natom = 3",
            "expected a string or a list of strings",
        ),
        (
            "capacity = 2",
            "capacity = 0",
            "m.toml:13:12: error: capacity is 0",
        ),
        (
            "latency = 4",
            "latency = 9000",
            "m.toml:18:11: error: latency 9000 is outside 0..8192",
        ),
        (
            "latency = 4",
            "latency = 4\nextra = 1",
            "m.toml:19:1: error: unknown field `extra`",
        ),
        ("latency = 4\n", "", "error: missing field `latency`"),
        (
            "latency = 4",
            "latency = true",
            "m.toml:18:11: error: invalid type: boolean `true`, expected cycles or a formula",
        ),
        (
            "latency = 4",
            "latency = -4",
            "m.toml:18:11: error: invalid value: integer `-4`, expected cycles or a formula",
        ),
        (
            "latency = 4",
            "latency = \"4 + bites\"",
            "m.toml:18:16: error: unknown rate or variable 'bites'; did you mean 'bytes'?",
        ),
        (
            "latency = 4",
            "latency = \"4 +\"",
            "m.toml:18:15: error: expected a number or a name",
        ),
        (
            "[[\"issue\", 1, 1]]",
            "[[\"issue\", \"2 * busy\", 1]]",
            "m.toml:17:19: error: `busy`, the longest duration of the row, is only known in its latency",
        ),
        (
            "[[rows]]",
            "[[rates]]\nname = \"fma\"\nvalue = 0.0\nsource = \"test\"\n[[rows]]",
            "m.toml:17:9: error: rate 0 is not a positive number",
        ),
        (
            "[[rows]]",
            "[[rates]]\nname = \"bytes\"\nvalue = 1.0\nsource = \"test\"\n[[rows]]",
            "m.toml:16:8: error: `bytes` is a variable and cannot be a rate",
        ),
        (
            "compute_capability = 1\n",
            "compute_capability = 1\nbase = \"hoper\"\n",
            "m.toml:3:8: error: unknown base `hoper`, expected one of blackwell, hopper,",
        ),
        (
            "compute_capability = 1\n",
            "compute_capability = 1\nbase = \"hopper\"\n",
            "m.toml:7:10: error: the slots are those of the base `hopper`",
        ),
        (
            "evaluator = { tmem_in_iteration = 4, named_barrier_carry = 3, source = \"test\" }\n",
            "",
            "error: missing field `evaluator`",
        ),
        ("ops = [\"*\"]", "ops = [\"x\"]", "error: missing row `*`"),
        (
            "latency = 4",
            "latency = 4\nfrom = \"disk\"",
            "m.toml:19:8: error: unknown memory space `disk`",
        ),
        ("name = \"small\"", "name = \"small", "m.toml:1:"),
        (
            "[[pools]]",
            "[[slots]]\nnumber = 1\nname = \"other\"\nkind = \"fine\"\nanchor = 1\nsource = \"test\"\n[[pools]]",
            "m.toml:12:10: error: duplicate slot number 1",
        ),
        (
            "[[pools]]",
            "[[slots]]\nnumber = 2\nname = \"issue\"\nkind = \"fine\"\nanchor = 1\nsource = \"test\"\n[[pools]]",
            "m.toml:13:8: error: duplicate slot `issue`",
        ),
        (
            "name = \"wide\"",
            "name = \" \"",
            "m.toml:12:8: error: expected a non-empty string",
        ),
        (
            "[[rows]]",
            "[[budgets]]\nname = \"smem\"\nlimit = 1\nunit = \"words\"\nsource = \"test\"\n[[rows]]",
            "m.toml:18:8: error: unit `words` is neither bytes nor units",
        ),
        (
            "latency = 4",
            "latency = 4\nto = \"cache\"",
            "m.toml:19:6: error: unknown memory space `cache`, expected one of gmem, smem, tmem, reg",
        ),
        (
            "[[rows]]",
            "[[budgets]]\nname = \"smen\"\nlimit = 1\nunit = \"bytes\"\nsource = \"test\"\n[[rows]]",
            "m.toml:16:8: error: unknown budget `smen`, expected one of smem, tmem,",
        ),
        (
            "[[rows]]",
            "[[anchors]]\nname = \"farmemory\"\ncycles = 1\nsource = \"test\"\n[[rows]]",
            "m.toml:16:8: error: unknown anchor `farmemory`, expected one of near_sm_spill,",
        ),
    ];
    for (from, to, expected) in cases {
        let error = MachineModel::parse("m.toml", &SMALL.replacen(from, to, 1)).unwrap_err();
        assert!(
            error.to_string().contains(expected),
            "{error}\nexpected {expected}"
        );
    }
    let doubled = format!("{SMALL}{}", &SMALL[SMALL.find("[[rows]]").unwrap()..]);
    let error = MachineModel::parse("m.toml", &doubled).unwrap_err();
    assert_eq!((error.line, error.column), (22, 8));
    let words = "duplicate row of `*` with the same selectors";
    assert_eq!(error.message, words);
    assert!(MachineModel::parse("m.toml", "").is_err());
}

const DERIVED: &str = r#"name = "half"
compute_capability = 90
source = "test"
base = "hopper"
[[rates]]
name = "mufu"
value = 8.0
source = "test"
[[rows]]
ops = ["nv_tileas.reduce"]
uses = []
latency = 1
source = "test"
"#;

#[test]
fn a_model_takes_from_its_base_what_it_does_not_state() {
    let model = MachineModel::parse("half.toml", DERIVED).unwrap();
    let hopper = MachineModel::hopper();
    assert_eq!(model.slots(), hopper.slots());
    assert_eq!(model.budgets(), hopper.budgets());
    assert_eq!(
        (model.rate("mufu"), model.rate("fma")),
        (Some(8.0), Some(128.0))
    );
    // The formula is that of the base, with this model's rate: 8,192 / 8.
    let mut exponential = query("math.exp2");
    exponential.quantities.set(Variable::Elements, 8_192);
    assert_eq!(model.cost_of(&exponential).uses[0].duration, 1_024);
    // A row replaces the one with the same selectors only.
    let sum = query("nv_tileas.reduce");
    assert_eq!(model.cost_of(&sum).latency, 1);
    let maximum = OperationQuery {
        body: Some("arith.maximumf"),
        ..sum
    };
    assert_eq!(model.cost_of(&maximum), hopper.cost_of(&maximum));
}

#[test]
fn rows_of_shaped_models_depend_on_extents_unless_they_hold_nothing() {
    // A row that came unchanged from the page would mix its abstract cycles with real ones. A
    // descriptor has a fixed size.
    for model in [MachineModel::hopper(), MachineModel::blackwell()] {
        for row in model.rows() {
            let has_extent = |held: &RowUse| {
                let mut variables = Variable::ALL.iter();
                variables.any(|(_, variable)| held.duration.mentions(*variable))
            };
            let is_shaped = !row.uses.is_empty() && row.uses.iter().all(has_extent);
            let is_exempt = row.operation == "nv_tileas.make_tiled_tma_desc" || row.uses.is_empty();
            assert!(is_shaped || is_exempt, "{}: {row:?}", model.name());
        }
    }
}
