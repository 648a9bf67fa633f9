//! `nv_tileas.async.pipeline.*`: rings of stages, ownership, agents (TileAS reference 1.4).
//!
//! The lifetime of a stage: acquire grants it to a producer, write fills it, commit publishes it,
//! wait observes it, read uses it, release returns it; `inc_iter` steps once per logical stage.

mod agents;
mod iterators;
mod result_names;
mod verify;

use orison_ir::declare::constraints::ANY_TYPE;
use orison_ir::declare::{
    Assembly, BoolArrayAttr, BoolAttr, Effects, I8Attr, I32ArrayAttr, I32Attr, RegionConstraint,
    StrAttr, Trait, TypeArrayAttr,
};

use super::traits::{
    FIRST_OPERAND_IS_NON_ALIASING_QUEUE, MEMORY_MODEL_READ, MEMORY_MODEL_WRITE, PIPELINE_ACQUIRE,
    PIPELINE_RELEASE,
};
use super::types::{
    A_CONSUMER_TOKEN, A_PIPELINE, A_PRODUCER_TOKEN, AN_ASYNC_TOKEN, AN_ITERATOR, CONSUMER_ITERATOR,
    OWNERSHIP_TOKEN, PRODUCER_ITERATOR, TILE_OR_VIEW,
};

pub use agents::register_budget;
pub use iterators::verify_iterator_agreement;

orison_ir::operations! {
    /// Creates a ring of stages.
    ///
    /// With `kind = "mutex"` it is a lock without payload on a named barrier: it has one stage, and
    /// acquire and release serialise.
    op CreatePipeline = "nv_tileas.async.pipeline.create_pipeline" {
        operands {
            /// Storage of the stages; the leading extent is the number of slots.
            buffer: optional(TILE_OR_VIEW),
        }
        results {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
        }
        attributes {
            /// Depth of the ring, in stages.
            num_stages = "numStages": required(I32Attr),
            /// Group of the producer agents.
            producer_group_id = "producerGroupId": required(I8Attr),
            /// Group of the consumer agents.
            consumer_group_id = "consumerGroupId": required(I8Attr),
            /// Whether the stages are in shared memory.
            shared_memory = "sharedMem": optional(BoolAttr),
            /// Whether the number of iterations is known only at run time.
            dynamic = "dynamic": optional(BoolAttr),
            /// Types of the values in a stage.
            payload = "payload": optional(TypeArrayAttr),
            /// `pipe` (default) or `mutex`.
            kind = "kind": optional(StrAttr),
            /// Named barrier of a mutex, from 1; up to 15 on NVIDIA hardware.
            barrier = "barrier": optional(I32Attr),
            /// Number of agents in the consumer group; bounds `consumer_idx`.
            num_consumers = "numConsumers": optional(I32Attr),
        }
        with {
            effects: Effects::Allocate,
            assembly: Assembly::Format("($buffer^ `:` type($buffer))? attr-dict"),
            verify: Some(verify::create_pipeline),
            result_name: Some(result_names::pipeline),
        }
    }

    /// Creates an iterator at the first stage of a pipeline.
    ///
    /// A pipeline may have several, one for each agent.
    op CreateIterator = "nv_tileas.async.pipeline.create_iterator" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
        }
        results {
            /// The iterator.
            iterator: one(AN_ITERATOR),
        }
        attributes {
            /// `producer` or `consumer`; the role of the result type.
            role = "role": required(StrAttr),
        }
        with {
            traits: &[Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE)],
            effects: Effects::None,
            assembly: Assembly::Format("$pipeline `as` $role attr-dict `:` type($iterator)"),
            verify: Some(verify::create_iterator),
            result_name: Some(result_names::iterator),
        }
    }

    /// Advances an iterator to the next stage; flips the phase when the ring wraps.
    op IncIter = "nv_tileas.async.pipeline.inc_iter" {
        operands {
            /// The iterator.
            iterator: one(AN_ITERATOR),
        }
        results {
            /// The iterator at the next stage, of the same type.
            next: one(AN_ITERATOR),
        }
        with {
            traits: &[Trait::SameOperandsAndResultType],
            effects: Effects::None,
            assembly: Assembly::Format("$iterator attr-dict `:` type($iterator)"),
            verify: Some(verify::iterator_merge),
        }
    }

    /// A token of no stage, for paths on which no stage was acquired.
    op CreateNullToken = "nv_tileas.async.pipeline.create_null_token" {
        results {
            /// The token.
            token: one(OWNERSHIP_TOKEN),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("attr-dict `:` type($token)"),
        }
    }

    /// Acquires, fills and publishes one stage.
    ///
    /// Shorthand for acquire, write and commit around the region. The region has the buffers of
    /// the stage as arguments and yields the additional results.
    op ProduceOne = "nv_tileas.async.pipeline.produce_one" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// The stage.
            iterator: one(PRODUCER_ITERATOR),
        }
        results {
            /// Ownership of the published stage.
            token: one(A_PRODUCER_TOKEN),
            /// The yielded values of the region.
            values: variadic(ANY_TYPE),
        }
        attributes {
            /// Types of the values in a stage.
            producer_types = "producer_types": required(TypeArrayAttr),
        }
        regions {
            /// Fills the stage; its arguments are the buffers of the stage.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&MEMORY_MODEL_WRITE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $iterator `payload` $producer_types `:` type($iterator) (`->` type($values)^)? attr-dict-with-keyword $body"),
            verify: Some(verify::iterator_merge),
            verify_regions: Some(verify::region_template),
        }
    }

    /// Acquires and fills one stage asynchronously.
    ///
    /// Like `produce_one`; the stage is published when the async token completes.
    op ProduceOneAsync = "nv_tileas.async.pipeline.produce_one_async" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// The stage.
            iterator: one(PRODUCER_ITERATOR),
        }
        results {
            /// Ownership of the stage to be published.
            token: one(A_PRODUCER_TOKEN),
            /// The yielded values of the region.
            values: variadic(ANY_TYPE),
            /// Completion of the work.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Types of the values in a stage.
            producer_types = "producer_types": required(TypeArrayAttr),
        }
        regions {
            /// Fills the stage; its arguments are the buffers of the stage.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&MEMORY_MODEL_WRITE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $iterator `payload` $producer_types `:` type($iterator) (`->` type($values)^)? attr-dict-with-keyword $body"),
            verify: Some(verify::iterator_merge),
            verify_regions: Some(verify::region_template),
        }
    }

    /// Waits for, uses and releases one stage.
    ///
    /// Shorthand for wait, read and release around the region.
    op ConsumeOne = "nv_tileas.async.pipeline.consume_one" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// The stage.
            iterator: one(CONSUMER_ITERATOR),
        }
        results {
            /// Ownership of the released stage.
            token: one(A_CONSUMER_TOKEN),
            /// The yielded values of the region.
            values: variadic(ANY_TYPE),
        }
        attributes {
            /// Index of the consumer in its group, from 0.
            consumer_idx = "consumer_idx": optional(I32Attr),
            /// Types of the values in a stage.
            consumer_types = "consumer_types": required(TypeArrayAttr),
        }
        regions {
            /// Uses the stage; its arguments are the values of the stage.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&MEMORY_MODEL_READ),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $iterator (`consumer` $consumer_idx^)? `payload` $consumer_types `:` type($iterator) (`->` type($values)^)? attr-dict-with-keyword $body"),
            verify: Some(verify::consumer),
            verify_regions: Some(verify::region_template),
        }
    }

    /// Waits for and uses one stage asynchronously.
    ///
    /// Like `consume_one`; the stage is released when the async token completes.
    op ConsumeOneAsync = "nv_tileas.async.pipeline.consume_one_async" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// The stage.
            iterator: one(CONSUMER_ITERATOR),
        }
        results {
            /// Ownership of the stage to be released.
            token: one(A_CONSUMER_TOKEN),
            /// The yielded values of the region.
            values: variadic(ANY_TYPE),
            /// Completion of the work.
            done: one(AN_ASYNC_TOKEN),
        }
        attributes {
            /// Index of the consumer in its group, from 0.
            consumer_idx = "consumer_idx": optional(I32Attr),
            /// Types of the values in a stage.
            consumer_types = "consumer_types": required(TypeArrayAttr),
        }
        regions {
            /// Uses the stage; its arguments are the values of the stage.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&MEMORY_MODEL_READ),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $iterator (`consumer` $consumer_idx^)? `payload` $consumer_types `:` type($iterator) (`->` type($values)^)? attr-dict-with-keyword $body"),
            verify: Some(verify::consumer),
            verify_regions: Some(verify::region_template),
        }
    }

    /// Waits until the stage is empty and acquires it for a producer.
    op ProducerAcquire = "nv_tileas.async.pipeline.producer_acquire" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// The stage.
            iterator: one(PRODUCER_ITERATOR),
        }
        results {
            /// Ownership of the stage.
            token: one(A_PRODUCER_TOKEN),
        }
        with {
            traits: &[
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&PIPELINE_ACQUIRE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $iterator attr-dict `:` type($iterator)"),
            result_name: Some(|_, _| Some("owned".to_owned())),
            verify: Some(verify::iterator_merge),
        }
    }

    /// Fills an acquired stage.
    op ProducerWrite = "nv_tileas.async.pipeline.producer_write" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// Ownership of the stage.
            token: one(A_PRODUCER_TOKEN),
        }
        results {
            /// Ownership of the filled stage.
            written: one(A_PRODUCER_TOKEN),
            /// The yielded values of the region.
            values: variadic(ANY_TYPE),
        }
        attributes {
            /// Types of the values in a stage.
            producer_types = "producer_types": required(TypeArrayAttr),
        }
        regions {
            /// Fills the stage; its arguments are the buffers of the stage.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&MEMORY_MODEL_WRITE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $token `payload` $producer_types (`->` type($values)^)? attr-dict-with-keyword $body"),
            verify: Some(verify::producer_write),
            verify_regions: Some(verify::region_template),
        }
    }

    /// Publishes a filled stage to the consumers.
    op ProducerCommit = "nv_tileas.async.pipeline.producer_commit" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// Ownership of the filled stage.
            token: one(A_PRODUCER_TOKEN),
        }
        attributes {
            /// Bytes of asynchronous copies to the stage that are still in flight.
            transaction_bytes = "transaction_bytes": optional(I32Attr),
        }
        with {
            traits: &[
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&PIPELINE_RELEASE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $token (`bytes` $transaction_bytes^)? attr-dict"),
            verify: Some(verify::producer_commit),
        }
    }

    /// Waits until the stage is published.
    op ConsumerWait = "nv_tileas.async.pipeline.consumer_wait" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// The stage.
            iterator: one(CONSUMER_ITERATOR),
        }
        results {
            /// Ownership of the stage.
            token: one(A_CONSUMER_TOKEN),
        }
        attributes {
            /// Index of the consumer in its group, from 0.
            consumer_idx = "consumer_idx": optional(I32Attr),
        }
        with {
            traits: &[
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&PIPELINE_ACQUIRE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $iterator (`consumer` $consumer_idx^)? attr-dict `:` type($iterator)"),
            result_name: Some(|_, _| Some("ready".to_owned())),
            verify: Some(verify::consumer),
        }
    }

    /// Uses a published stage.
    ///
    /// The region receives the values of the stage; its yielded values are the additional results.
    op ConsumerRead = "nv_tileas.async.pipeline.consumer_read" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// Ownership of the stage.
            token: one(A_CONSUMER_TOKEN),
        }
        results {
            /// Ownership of the stage that was read.
            read: one(A_CONSUMER_TOKEN),
            /// The yielded values of the region.
            values: variadic(ANY_TYPE),
        }
        attributes {
            /// Index of the consumer in its group, from 0.
            consumer_idx = "consumer_idx": optional(I32Attr),
            /// Types of the values in a stage.
            producer_types = "producer_types": required(TypeArrayAttr),
        }
        regions {
            /// Uses the stage; its arguments are the values of the stage.
            body: one(RegionConstraint::OneBlock),
        }
        with {
            traits: &[
                Trait::SingleBlock,
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&MEMORY_MODEL_READ),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $token (`consumer` $consumer_idx^)? `payload` $producer_types (`->` type($values)^)? attr-dict-with-keyword $body"),
            verify: Some(verify::consumer_read),
            verify_regions: Some(verify::region_template),
        }
    }

    /// Releases a stage to the producers.
    op ConsumerRelease = "nv_tileas.async.pipeline.consumer_release" {
        operands {
            /// The pipeline.
            pipeline: one(A_PIPELINE),
            /// Ownership of the stage.
            token: one(A_CONSUMER_TOKEN),
        }
        with {
            traits: &[
                Trait::Custom(&FIRST_OPERAND_IS_NON_ALIASING_QUEUE),
                Trait::Custom(&PIPELINE_RELEASE),
            ],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("$pipeline `,` $token attr-dict"),
            verify: Some(verify::consumer_release),
        }
    }

    /// Runs one region in each agent.
    ///
    /// An agent is a group of warps. The captured values are those used by the regions; regions may
    /// use other values unless `isolated` is set.
    op AgentSwitch = "nv_tileas.async.pipeline.agent_switch" {
        operands {
            /// Pipelines, iterators and other values used by the agents.
            captures: variadic(ANY_TYPE),
        }
        attributes {
            /// Number of agents in each group.
            num_agents_per_group = "num_agents_per_group": required(I32Attr),
            /// Register budget of a thread of each agent, in registers; 0 inherits.
            max_regs = "max_regs": optional(I32ArrayAttr),
            /// Warps of each agent; 0 inherits.
            num_warps = "num_warps": optional(I32ArrayAttr),
            /// First warp of each agent.
            warp_id = "warp_id": optional(I32ArrayAttr),
            /// Distance in agents to the next agent of the same group.
            agent_strides = "agent_strides": optional(I32ArrayAttr),
            /// Which agents only pad the warp numbering.
            holes = "holes": optional(BoolArrayAttr),
            /// Whether the regions use only captured values.
            isolated = "isolated": optional(BoolAttr),
        }
        regions {
            /// One region for each agent.
            agents: variadic(RegionConstraint::OneBlock),
        }
        with {
            traits: &[Trait::SingleBlock],
            effects: Effects::ReadWrite,
            assembly: Assembly::Format("(`(` $captures^ `:` type($captures) `)`)? attr-dict-with-keyword $agents"),
            verify: Some(agents::agent_switch),
            verify_regions: Some(agents::agent_regions),
        }
    }

    /// Terminates the region of a pipeline operation.
    op PipelineYield = "nv_tileas.async.pipeline.yield" {
        operands {
            /// The additional results of the parent operation.
            values: variadic(ANY_TYPE),
        }
        with {
            traits: &[
                Trait::Terminator,
                Trait::ReturnLike,
                Trait::HasParent(&[
                    ProduceOne::NAME,
                    ProduceOneAsync::NAME,
                    ConsumeOne::NAME,
                    ConsumeOneAsync::NAME,
                    ProducerWrite::NAME,
                    ConsumerRead::NAME,
                    AgentSwitch::NAME,
                ]),
            ],
            effects: Effects::None,
            assembly: Assembly::Format("($values^ `:` type($values))? attr-dict"),
        }
    }
}
