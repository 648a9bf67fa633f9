//! The pass `convert-ori-to-sass`: machine instructions of an allocated function.

mod control;
mod frame;
mod kept_registers;
mod matrix;
mod operands;
mod resources;
mod sections;
mod special;

use std::rc::Rc;

use orison_ir::declare::VerifyResult;
use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ir::{Context, Location, Operation};
use orison_machine::sm_number;
use orison_ori::analyses::properties;
use orison_ori::operations as ori;
use orison_ori::operations::structure::Func;
use orison_sass::dialect::function_operation;
use orison_sass::function::{Block, Function};
use orison_sass::instruction::{Guard, Instruction, Mnemonic, Operand, flow};
use orison_sass::listing::Note;
use orison_sass::registers::Register;
use orison_sass::scheduled::Scheduled;
use rustc_hash::FxHashMap;

use crate::ori::calling_convention::CallingConvention;
use crate::ori::functions::functions;
use crate::ori::instruction_forms::{self as forms, Source, Template};
use operands::{Operands, register};

/// Bytes of an instruction.
const INSTRUCTION: usize = 16;

/// The pass `convert-ori-to-sass`.
#[derive(Clone, Debug)]
pub struct ConvertOriToSass;

impl Pass for ConvertOriToSass {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<ConvertOriToSass>(
        "convert-ori-to-sass",
        "Writes functions with physical registers as machine instructions.\n\
         \n\
         Every value that is not a constant has a physical register in its type. Operations are \
         those that the machine has: `ori-enforce-argument-restrictions` makes them so. Control \
         words are those of instructions without dependences.",
        source_position!(),
    );

    fn create((): ()) -> Self {
        ConvertOriToSass
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut labels = 0;
        let mut written = Vec::new();
        let convention = Rc::new(CallingConvention::of(pass.context, pass.op()));
        for function in functions(pass.context, pass.op()) {
            let code = Code::of(pass.context, function.op, &convention, &mut labels)?;
            written.push((function.op, code));
        }
        let status = IRStatus::changed_if(!written.is_empty());
        let module = pass.op();
        if status == IRStatus::Changed && ori::Func::of(pass.context, module).is_none() {
            sections::write(pass.context, module, &written);
        }
        let resources = resources::of(pass.context, &written);
        for ((op, code), resources) in written.into_iter().zip(resources) {
            let parameters = Func(op).parameters(pass.context);
            let new = code.replace(pass.context, op)?;
            if let Some(parameters) = parameters {
                new.set_attribute(pass.context, "parameters", parameters);
            }
            let resources = resources.attribute(pass.context);
            new.set_attribute(pass.context, "resources", resources);
        }
        Ok(status)
    }
}

/// The instructions of a function, under construction.
pub(crate) struct Code {
    function: Function<'static>,
    /// The location of each instruction, by its address.
    locations: Vec<Location>,
    /// The location of the operation that is written.
    location: Location,
    machine: u16,
    /// Size of the stack frame in bytes.
    frame: u32,
    /// The registers that the function keeps for its callers, with their offsets in the frame.
    kept: Vec<(Register, u32)>,
    /// The conventions of the functions of the module.
    convention: Rc<CallingConvention>,
    /// Whether the function is a kernel.
    kernel: bool,
    /// Number of labels in the module so far.
    labels: usize,
    /// The labels of the places after barriers at which threads reconverge.
    ends: FxHashMap<Operation, String>,
}

impl Code {
    fn of(
        context: &Context,
        op: Operation,
        convention: &Rc<CallingConvention>,
        labels: &mut usize,
    ) -> Result<Code, Box<orison_ir::Diagnostic>> {
        let mut code = Code::empty(context, op, Rc::clone(convention), *labels)?;
        code.keep_registers(context, op)?;
        code.write(context, op)?;
        *labels = code.labels;
        Ok(code)
    }

    /// A function without instructions.
    fn empty(
        context: &Context,
        op: Operation,
        convention: Rc<CallingConvention>,
        labels: usize,
    ) -> Result<Code, Box<orison_ir::Diagnostic>> {
        let function = Func(op);
        let target = function.target(context).unwrap_or_default();
        let Some(machine) = sm_number(target).filter(|machine| *machine >= 75) else {
            let message =
                format!("instructions for '{target}' are not known: expected sm_75 or later");
            return Err(op.op_error(context, message));
        };
        let name = function.sym_name(context).unwrap_or_default();
        let code = Code {
            function: Function {
                name: name.into(),
                target: target.into(),
                blocks: vec![Block::default()],
                trailing: Vec::new(),
                entries: Vec::new(),
            },
            locations: Vec::new(),
            location: op.location(context),
            machine,
            frame: frame::frame_size(context, function),
            kept: Vec::new(),
            convention,
            kernel: operands::has(context, op, "kernel"),
            labels,
            ends: FxHashMap::default(),
        };
        Ok(code)
    }

    /// The distances of the targets of indexed branches from the start, in the order of the text.
    fn table_entries(&self) -> Vec<usize> {
        let mut places = FxHashMap::default();
        let mut at = 0;
        for block in &self.function.blocks {
            for label in block.labels() {
                places.insert(label, at);
            }
            at += INSTRUCTION * block.instructions.len();
        }
        let all = self.function.blocks.iter();
        let all = all.flat_map(|block| &block.instructions);
        let branches = all.filter(|found| found.instruction.mnemonic.base() == "BRX");
        let targets = branches.flat_map(|found| found.instruction.targets.iter());
        targets
            .filter_map(|label| places.get(&**label).copied())
            .collect()
    }

    /// Replaces the function of `ori` by one of `sass`, which is returned.
    fn replace(
        self,
        context: &mut Context,
        op: Operation,
    ) -> Result<Operation, Box<orison_ir::Diagnostic>> {
        let Code {
            mut function,
            locations,
            ..
        } = self;
        if let Err(error) = function.connect() {
            return Err(op.op_error(context, error.message));
        }
        let start = op.location(context);
        let mut locate = |_: &mut Context, found: &Scheduled<'_>| {
            let index = usize::try_from(found.address).unwrap_or(usize::MAX);
            locations.get(index).copied().unwrap_or(start)
        };
        let new = function_operation(context, function, start, &mut locate);
        if let Some(block) = op.block(context) {
            block.insert_before(context, Some(op), new);
        }
        op.erase(context);
        Ok(new)
    }

    /// Appends an instruction; one that ends blocks is followed by a new block.
    fn push(&mut self, instruction: Instruction) {
        let ends = flow(&instruction).ends_block();
        let mut found = Scheduled::new(instruction);
        found.address = u64::try_from(self.locations.len()).unwrap_or(u64::MAX);
        self.locations.push(self.location);
        self.block().instructions.push(found);
        if ends {
            self.function.blocks.push(Block::default());
        }
    }

    /// The block to which instructions are appended.
    fn block(&mut self) -> &mut Block<'static> {
        if self.function.blocks.is_empty() {
            self.function.blocks.push(Block::default());
        }
        let last = self.function.blocks.len() - 1;
        &mut self.function.blocks[last]
    }

    /// Starts a block with a label, which the one under construction becomes if it is empty.
    fn start_block(&mut self, label: Option<&str>) {
        let open = self.block();
        if !open.instructions.is_empty() {
            self.function.blocks.push(Block::default());
        }
        let notes = label.map(|label| Note::Label(label.into()));
        self.block().notes.extend(notes);
    }

    /// A label that no block has yet.
    fn new_label(&mut self) -> String {
        let label = format!(".L_x_{}", self.labels);
        self.labels += 1;
        label
    }

    /// The label of the place after an operation.
    fn label_after(&mut self, op: Operation) -> String {
        if let Some(label) = self.ends.get(&op) {
            return label.clone();
        }
        let label = self.new_label();
        self.ends.insert(op, label.clone());
        label
    }

    /// Writes an operation that is not a terminator.
    fn operation(&mut self, context: &Context, op: Operation) -> VerifyResult {
        self.location = op.location(context);
        if special::write(self, context, op)? || matrix::write(self, context, op)? {
            return Ok(());
        }
        let Some(form) = forms::select(context, op, self.machine) else {
            let message = match forms::of(context, op) {
                [] => "has no instruction".to_owned(),
                _ => format!("does not exist on sm_{}", self.machine),
            };
            return Err(op.op_error(context, message));
        };
        for template in &form.instructions {
            let instruction = self.instruction(context, op, template)?;
            self.push(instruction);
        }
        if ori::Bsync::of(context, op).is_some() {
            let label = self.label_after(op);
            self.start_block(Some(&label));
        }
        Ok(())
    }

    fn instruction(
        &self,
        context: &Context,
        op: Operation,
        template: &Template,
    ) -> Result<Instruction, Box<orison_ir::Diagnostic>> {
        let text = forms::mnemonic(context, op, template);
        let mut instruction = Instruction {
            mnemonic: Mnemonic::new(&text),
            ..guarded(context, op)?
        };
        let operands = Operands {
            context,
            op,
            machine: self.machine,
        };
        for slot in &template.operands {
            operands.slot(slot, &mut instruction.operands)?;
        }
        Ok(instruction)
    }

    /// Appends an instruction with the guard of an operation.
    fn emit(
        &mut self,
        context: &Context,
        op: Operation,
        mnemonic: &str,
        operands: Vec<Operand>,
    ) -> VerifyResult {
        self.push(Instruction {
            mnemonic: Mnemonic::new(mnemonic),
            operands,
            ..guarded(context, op)?
        });
        Ok(())
    }
}

/// The instructions of an operation in a function, without those that the function needs around
/// them.
///
/// # Errors
/// If the operation has no instruction on the machine of the function, or lacks a register.
pub fn instructions(
    context: &Context,
    op: Operation,
) -> Result<Vec<Instruction>, Box<orison_ir::Diagnostic>> {
    let Some(function) = op
        .parent_op(context)
        .filter(|op| Func::of(context, *op).is_some())
    else {
        return Err(op.op_error(context, "is not in a function"));
    };
    let mut code = Code::empty(context, function, Rc::default(), 0)?;
    code.operation(context, op)?;
    let instructions = code
        .function
        .blocks
        .into_iter()
        .flat_map(|block| block.instructions);
    Ok(instructions
        .map(|found| found.instruction.into_owned())
        .collect())
}

/// An instruction without mnemonic, with the guard of an operation.
fn guarded(context: &Context, op: Operation) -> Result<Instruction, Box<orison_ir::Diagnostic>> {
    let mut instruction = Instruction::new("");
    let Some(guard) = properties::guard(context, op) else {
        return Ok(instruction);
    };
    instruction.guard = match Source::of(context, guard.predicate) {
        Source::Number(bits) if (bits & 1 != 0) != guard.inverted => None,
        Source::Number(_) => Some(Guard {
            predicate: Register::PT,
            negated: true,
        }),
        _ => {
            let Some(predicate) = register(context, guard.predicate) else {
                return Err(op.op_error(context, "the guard has no physical register"));
            };
            Some(Guard {
                predicate,
                negated: guard.inverted,
            })
        }
    };
    Ok(instruction)
}
