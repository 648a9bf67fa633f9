//! Every mnemonic of the TileAS reference, section 1.1, is registered, documented, and has a form
//! that can be parsed.

mod common;

use orison_ir::OperationName;
use orison_ir::declare::Assembly;

const MNEMONICS: &str = "
    async.pipeline.create_pipeline async.pipeline.create_iterator async.pipeline.inc_iter
    async.pipeline.create_null_token async.pipeline.produce_one async.pipeline.produce_one_async
    async.pipeline.consume_one async.pipeline.consume_one_async async.pipeline.producer_acquire
    async.pipeline.producer_write async.pipeline.producer_commit async.pipeline.consumer_wait
    async.pipeline.consumer_read async.pipeline.consumer_release async.pipeline.agent_switch
    async.pipeline.yield
    async.wait async.future_wait async.to_async async.token_to_async create_none
    load store copy gather_load scatter_store tiled_load tiled_store tiled_atomic_rmw
    async.load async.store async.copy async.tiled_load async.tiled_atomic_rmw
    make_tiled_tma_desc async.tiled_tma_load async.tiled_tma_store async.gather_tma_load
    async.scatter_tma_store
    alloc_tensor extract_slice insert_slice async.extract_slice async.insert_slice
    convert_layout view expand_dims reinterpret shuffle generate
    dot async.dot reduce scan
    yield pragma cancel_next_program_id async.cancel_next_program_id
";

const SURROUNDING: [&str; 8] = [
    "func",
    "return",
    "get_program_id",
    "is_valid_program_id",
    "create_mem_token",
    "block_tile",
    "make_memref",
    "addptr",
];

#[test]
fn every_mnemonic_is_registered() {
    let mut context = common::context();
    let mnemonics: Vec<_> = MNEMONICS.split_whitespace().collect();
    assert_eq!(mnemonics.len(), 58);
    let mut names: Vec<_> = mnemonics
        .iter()
        .map(|name| format!("nv_tileas.{name}"))
        .collect();
    names.extend(SURROUNDING.map(|name| format!("nv_tileaa.{name}")));
    for name in &names {
        let found = OperationName::new(&mut context, name).definition(&context);
        assert!(found.is_some(), "{name} is not registered");
    }
}

#[test]
fn everything_is_documented_and_has_a_custom_form() {
    for dialect in [&orison_tileas::NV_TILEAS, &orison_tileas::NV_TILEAA] {
        for definition in dialect.operations {
            let name = definition.name;
            assert!(!definition.summary().is_empty(), "{name}");
            assert!(!matches!(definition.assembly, Assembly::Generic), "{name}");
            for value in definition.operands.iter().chain(definition.results) {
                assert!(
                    !value.documentation.trim().is_empty(),
                    "{name} {}",
                    value.name
                );
            }
            for attribute in definition.attributes {
                assert!(
                    !attribute.documentation.trim().is_empty(),
                    "{name} {}",
                    attribute.name
                );
            }
        }
        let page = orison_ir::declare::dialect_page(dialect);
        assert!(page.contains("## Operations"));
    }
}

#[test]
fn the_23_traits_are_used() {
    let mut names: Vec<_> = orison_tileas::NV_TILEAS
        .operations
        .iter()
        .flat_map(|definition| definition.traits)
        .filter_map(|used| match used {
            orison_ir::declare::Trait::Custom(custom) => Some(custom.name),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    // The memory-consistency set.
    assert_eq!(names.len(), 24, "{names:?}");
}
