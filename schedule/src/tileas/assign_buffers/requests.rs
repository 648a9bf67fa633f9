//! Derives the buffer requests of a function's pipelines from the IR.

use std::collections::{BTreeMap, BTreeSet};

use orison_host::scf;
use orison_ir::declare::{Effects, Trait};
use orison_ir::printer::type_to_string;
use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Operation, Type, Value};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas::types::{
    CONSUMER_TOKEN_TYPE, IteratorType, PRODUCER_TOKEN_TYPE, Role,
};
use orison_tileas::nv_tileas::{AgentSwitch, CreatePipeline};
use orison_tileas::views::{ShapedView, byte_size, memory_space, shape_and_element};

use super::super::attributes::{CYCLE, SUMMARY, read_schedule};
use super::super::classify::{is_tma_load, node_cost};
use super::super::loop_body::LoopBody;
use super::super::solve::PlannedItem;
use super::super::tensor_memory;
use crate::buffers::{Access, Alignment, BufferRequest, Phase, RequestKind, Ring, Storage, Timing};
use crate::machine::MachineModel;

/// The bytes after which the 128-byte swizzle repeats in a row.
const SWIZZLE_ROW_BYTES: u64 = 128;

/// The subject of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// An existing `create_pipeline`, or an allocation in tensor memory that is not of a pipeline.
    Pipeline(Operation),
    /// A pipeline that materialization will create.
    Planned {
        /// The loop, branch or function it is used in, which carries its binding.
        holder: Operation,
        /// Its position among those of the holder.
        position: usize,
        /// Index of the region's plan.
        region: usize,
        /// Index of the frame in the region.
        frame: usize,
        /// The item of the frame.
        item: PlannedItem,
    },
}

impl Subject {
    /// The operation at which diagnostics are reported.
    pub const fn operation(&self) -> Operation {
        match self {
            Subject::Pipeline(op) => *op,
            Subject::Planned { holder, .. } => *holder,
        }
    }
}

/// The requests of one function.
#[derive(Clone, Debug)]
pub struct FunctionRequests {
    /// The function.
    pub function: Operation,
    /// The requests; ids are positions.
    pub requests: Vec<BufferRequest>,
    /// The subject of each request.
    pub subjects: Vec<Subject>,
}

impl FunctionRequests {
    /// A function without requests.
    pub const fn new(function: Operation) -> Self {
        FunctionRequests {
            function,
            requests: Vec::new(),
            subjects: Vec::new(),
        }
    }

    /// Adds a request with the next id and name: `Pipe_0`, `Pipe_1`, …, `Mutex_0`, … for mutexes.
    pub(super) fn push(&mut self, request: BufferRequest, subject: Subject, is_mutex: bool) {
        let prefix = if is_mutex { "Mutex_" } else { "Pipe_" };
        self.push_named(request, subject, prefix);
    }

    fn push_named(&mut self, mut request: BufferRequest, subject: Subject, prefix: &str) {
        let earlier = self
            .requests
            .iter()
            .filter(|other| other.name.starts_with(prefix));
        request.name = format!("{prefix}{}", earlier.count());
        request.id = u32::try_from(self.requests.len()).unwrap_or(u32::MAX);
        self.requests.push(request);
        self.subjects.push(subject);
    }

    /// The number of planned pipelines of an operation so far.
    pub(super) fn held_by(&self, op: Operation) -> usize {
        let holds = |subject: &&Subject| matches!(subject, Subject::Planned { holder, .. } if *holder == op);
        self.subjects.iter().filter(holds).count()
    }
}

/// The operations with a separate body that contain pipelines or scheduled loops.
pub fn functions(context: &Context, root: Operation) -> Vec<Operation> {
    let mut functions = Vec::new();
    for op in collect(context, root) {
        let scheduled = scf::For::matches(context, op) && op.attribute(context, SUMMARY).is_some();
        if CreatePipeline::of(context, op).is_none() && !scheduled {
            continue;
        }
        let holder = op
            .ancestors(context)
            .find(|op| op.has_trait(context, Trait::IsolatedFromAbove));
        let holder = holder.unwrap_or(root);
        if !functions.contains(&holder) {
            functions.push(holder);
        }
    }
    functions
}

/// The schedules of the loops of a function, by loop.
struct Schedules<'m> {
    machine: &'m MachineModel,
    loops: BTreeMap<Operation, Timing>,
}

impl Schedules<'_> {
    /// The cycles in which an operation is active, and the loop in which they are counted.
    fn access(&self, context: &Context, op: Operation) -> (Access, Option<Timing>) {
        let whole = (Access { start: 0, end: 1 }, None);
        let mut inner = op;
        for ancestor in op.ancestors(context) {
            if let Some(timing) = self.loops.get(&ancestor) {
                let start = inner.attribute(context, CYCLE);
                let Some(start) = start.and_then(|start| start.as_i64(context)) else {
                    return whole;
                };
                let Ok(cost) = node_cost(context, inner, self.machine) else {
                    return whole;
                };
                let end = start.saturating_add(i64::from(cost.latency.max(1)));
                return (Access { start, end }, Some(*timing));
            }
            inner = ancestor;
        }
        whole
    }
}

/// The requests of the pipelines in a function.
///
/// # Errors
/// A located error for a payload of unknown size and for malformed schedules.
pub fn of_pipelines(
    context: &Context,
    function: Operation,
    machine: &MachineModel,
) -> Result<FunctionRequests, Box<Diagnostic>> {
    let mut found = FunctionRequests::new(function);
    let schedules = schedules(context, function, machine)?;
    let mut storage: BTreeMap<Operation, usize> = BTreeMap::new();
    for op in collect(context, function) {
        let Some(create) = CreatePipeline::of(context, op) else {
            continue;
        };
        let users = Users::of(context, create);
        let mut request = users.request(context, &schedules);
        request.kind = kind(context, create, &users)?;
        if let Some(buffer) = create.buffer(context) {
            let root = root(context, op, buffer)?;
            let at = found.requests.len();
            let first = *storage.entry(root).or_insert(at);
            if first != at {
                mergeable(context, &found, first, op, &request)?;
                request.alias_of = Some(found.requests[first].id);
            }
        }
        let is_mutex = create.kind(context) == Some("mutex");
        found.push(request, Subject::Pipeline(op), is_mutex);
    }
    let has_tensor_memory = machine.budget("tmem").is_some_and(|bytes| bytes > 0);
    for (op, _) in tensor_memory::allocations(context, function) {
        if has_tensor_memory && !storage.contains_key(&op) {
            let request = allocation_request(context, op)?;
            found.push_named(request, Subject::Pipeline(op), "Tensor_");
        }
    }
    Ok(found)
}

/// The request of an allocation in tensor memory: one slot, which is always in use.
fn allocation_request(context: &Context, op: Operation) -> Result<BufferRequest, Box<Diagnostic>> {
    let tile = shape_and_element(context, op.result(context, 0).ty(context));
    let ring = tile.and_then(|tile| ring_of(context, &[tile], 1));
    let mut ring = ring.ok_or_else(|| {
        let phase = Phase::TensorMemory.text();
        op.op_error(context, format!("{phase}: its size is unknown"))
    })?;
    ring.storage = Storage::Tensor;
    let whole = Access { start: 0, end: 1 };
    Ok(BufferRequest {
        id: 0,
        name: String::new(),
        kind: RequestKind::Ring(ring),
        timing: None,
        producers: vec![whole],
        consumers: vec![whole],
        alias_of: None,
        has_waits: false,
    })
}

fn schedules<'m>(
    context: &Context,
    function: Operation,
    machine: &'m MachineModel,
) -> Result<Schedules<'m>, Box<Diagnostic>> {
    let mut loops = BTreeMap::new();
    for body in LoopBody::targets(context, function) {
        if let Some(schedule) = read_schedule(context, body.op, &body.operations)? {
            let timing = Timing {
                region: u32::try_from(loops.len()).unwrap_or(u32::MAX),
                interval: schedule.interval,
                stages: schedule.stage_count,
            };
            loops.insert(body.op, timing);
        }
    }
    Ok(Schedules { machine, loops })
}

/// The users of a pipeline.
struct Users {
    producers: Vec<Operation>,
    consumers: Vec<Operation>,
}

impl Users {
    /// An operation that takes a cursor or token of one side belongs to that side.
    fn of(context: &Context, create: CreatePipeline) -> Self {
        let pipeline = create.pipeline(context);
        let users: BTreeSet<Operation> = pipeline.users(context).collect();
        let mut found = Users {
            producers: Vec::new(),
            consumers: Vec::new(),
        };
        let mut users: Vec<Operation> = users
            .into_iter()
            // A switch only passes pipelines on; the uses are in its regions.
            .filter(|user| AgentSwitch::of(context, *user).is_none())
            .collect();
        users.sort();
        for user in users {
            let roles: Vec<Role> = user
                .operands(context)
                .filter_map(|operand| role(context, operand.ty(context)))
                .collect();
            if roles.contains(&Role::Producer) {
                found.producers.push(user);
            }
            if roles.contains(&Role::Consumer) {
                found.consumers.push(user);
            }
        }
        found
    }

    /// A request without name, id and kind.
    fn request(&self, context: &Context, schedules: &Schedules<'_>) -> BufferRequest {
        let mut timings = Vec::new();
        let mut accesses = |users: &[Operation]| -> Vec<Access> {
            users
                .iter()
                .map(|user| {
                    let (access, timing) = schedules.access(context, *user);
                    timings.push(timing);
                    access
                })
                .collect()
        };
        let producers = accesses(&self.producers);
        let consumers = accesses(&self.consumers);
        let timing = timings.first().copied().flatten();
        let agree = timings.iter().all(|other| *other == timing);
        BufferRequest {
            id: 0,
            name: String::new(),
            kind: RequestKind::Barrier,
            timing: timing.filter(|_| agree),
            producers,
            consumers,
            alias_of: None,
            has_waits: self.has_waits(context),
        }
    }

    /// Whether an operation contains an implicit wait: one that takes a cursor and yields a token.
    fn has_waits(&self, context: &Context) -> bool {
        let mut users = self.producers.iter().chain(&self.consumers);
        users.any(|user| {
            let takes_cursor = user
                .operands(context)
                .any(|operand| IteratorType::of(context, operand.ty(context)).is_some());
            takes_cursor && user.region_count(context) == 0
        })
    }

    /// The loads by TMA that fill the stages.
    fn tma_loads(&self, context: &Context) -> Vec<Operation> {
        let inside = self.producers.iter().flat_map(|op| collect(context, *op));
        inside.filter(|op| is_tma_load(context, *op)).collect()
    }
}

/// The side to which a cursor or token belongs.
fn role(context: &Context, ty: Type) -> Option<Role> {
    if ty.is_declared_by(context, &PRODUCER_TOKEN_TYPE) {
        Some(Role::Producer)
    } else if ty.is_declared_by(context, &CONSUMER_TOKEN_TYPE) {
        Some(Role::Consumer)
    } else {
        IteratorType::of(context, ty).map(|iterator| iterator.role)
    }
}

/// Ring or barrier, and the contents of a ring.
fn kind(
    context: &Context,
    create: CreatePipeline,
    users: &Users,
) -> Result<RequestKind, Box<Diagnostic>> {
    let payload = create.payload(context).unwrap_or_default();
    let stages = create.num_stages(context).unwrap_or(1);
    let stages = u32::try_from(stages).unwrap_or(1);
    let buffer = create.buffer(context).map(|buffer| buffer.ty(context));
    let mutex = create.kind(context) == Some("mutex");
    let in_memory = create.shared_memory(context) == Some(true);
    if mutex || (payload.is_empty() && buffer.is_none() && stages == 1 && !in_memory) {
        return Ok(RequestKind::Barrier);
    }
    let mut tiles = Vec::new();
    for ty in &payload {
        tiles.push(shape_and_element(context, *ty).unwrap_or((Vec::new(), *ty)));
    }
    if payload.is_empty()
        && let Some(view) = buffer.and_then(|ty| ShapedView::of(context, ty))
    {
        tiles.push((
            view.shape.get(1..).unwrap_or_default().to_vec(),
            view.element,
        ));
    }
    let mut ring = ring_of(context, &tiles, stages).ok_or_else(|| {
        let phase = Phase::SharedMemory.text();
        let message = format!("{phase}: the size of its payload is unknown");
        create.operation().op_error(context, message)
    })?;
    let loads = users.tma_loads(context);
    ring.alignment = alignment(&tiles, ring.element_bits, !loads.is_empty());
    let space = buffer.and_then(|ty| memory_space(context, ty));
    let is_shared = in_memory || !loads.is_empty();
    let fits = match space {
        None | Some(MemorySpace::Shared) => true,
        Some(MemorySpace::Tensor) => !is_shared,
        Some(_) => false,
    };
    if let (Some(space), false) = (space, fits) {
        let message = "can not find common memKind among pipeline alias group";
        let error = create.operation().op_error(context, message);
        let (place, reason) = match loads.first() {
            Some(load) => (load.location(context), "which a load by TMA fills"),
            None if in_memory => (create.operation().location(context), "and sharedMem is set"),
            None => (
                create.operation().location(context),
                "which holds no stages",
            ),
        };
        let note = format!("its storage is in {space}, {reason}");
        return Err(Box::new(error.with_note(place, note)));
    }
    ring.storage = match space {
        Some(MemorySpace::Tensor) => Storage::Tensor,
        Some(_) => Storage::Shared,
        None if in_memory || !loads.is_empty() || tiles.is_empty() => Storage::Shared,
        None => Storage::Any,
    };
    Ok(RequestKind::Ring(ring))
}

/// A ring of tiles of these shapes and elements; `None` if a size is not known.
pub fn ring_of(context: &Context, tiles: &[(Vec<i64>, Type)], depth: u32) -> Option<Ring> {
    let bytes: Option<Vec<u64>> = tiles
        .iter()
        .map(|(shape, element)| byte_size(context, shape, *element))
        .collect();
    let bits = tiles
        .iter()
        .filter_map(|(_, element)| element.bit_width(context));
    let element = tiles.first().map(|(_, element)| *element);
    let alike = tiles.iter().all(|(_, other)| Some(*other) == element);
    let element = element.filter(|_| alike);
    Some(Ring {
        tiles: bytes?,
        element: element.map_or_else(|| "i8".to_owned(), |ty| type_to_string(context, ty)),
        element_bits: bits.min().unwrap_or(8),
        rank: tiles
            .iter()
            .filter_map(|(shape, _)| u32::try_from(shape.len()).ok())
            .min()
            .unwrap_or(0),
        needed: depth,
        wanted: depth,
        requested: depth,
        alignment: Alignment::Plain,
        storage: Storage::Shared,
    })
}

/// Rows of 128 bytes take the widest swizzle.
pub fn alignment(tiles: &[(Vec<i64>, Type)], element_bits: u32, by_tma: bool) -> Alignment {
    let row_bytes = |shape: &[i64]| {
        let extent = shape.last().and_then(|extent| u64::try_from(*extent).ok());
        extent.unwrap_or(0).saturating_mul(u64::from(element_bits)) / 8
    };
    let swizzled = tiles.iter().any(|(shape, _)| {
        let bytes = row_bytes(shape);
        bytes > 0 && bytes.is_multiple_of(SWIZZLE_ROW_BYTES)
    });
    match (by_tma, swizzled) {
        (false, _) => Alignment::Plain,
        (true, false) => Alignment::Tma,
        (true, true) => Alignment::Swizzle128,
    }
}

/// Pipelines over one allocation are one ring: their slots must agree.
fn mergeable(
    context: &Context,
    found: &FunctionRequests,
    first: usize,
    op: Operation,
    request: &BufferRequest,
) -> Result<(), Box<Diagnostic>> {
    let slots = |request: &BufferRequest| match &request.kind {
        RequestKind::Ring(ring) => (ring.needed, ring.slot_stride()),
        RequestKind::Barrier | RequestKind::Lock => (1, 0),
    };
    let (ours, theirs) = (slots(request), slots(&found.requests[first]));
    if ours == theirs {
        return Ok(());
    }
    let message = format!(
        "unable to merge two different pipelines: {} slots of {} bytes, and {} slots of {} bytes, \
         over one allocation",
        theirs.0, theirs.1, ours.0, ours.1
    );
    let error = op.op_error(context, message);
    let place = found.subjects[first].operation().location(context);
    Err(Box::new(error.with_note(place, "the other one is here")))
}

/// The allocation of a buffer, through views and slices.
fn root(context: &Context, create: Operation, buffer: Value) -> Result<Operation, Box<Diagnostic>> {
    let mut value = buffer;
    loop {
        let definition = value.defining_op(context);
        let effects = definition
            .and_then(|op| op.definition(context))
            .map(|definition| definition.effects);
        match (definition, effects) {
            (Some(op), Some(Effects::Allocate)) => return Ok(op),
            (Some(op), Some(Effects::None)) if op.operand_count(context) > 0 => {
                value = op.operand(context, 0);
            }
            _ => {
                let message = format!("{}: its storage is not allocated", Phase::Lifetime.text());
                let error = create.op_error(context, message);
                let place = value.location(context);
                return Err(Box::new(
                    error.with_note(place, "the storage is defined here"),
                ));
            }
        }
    }
}
