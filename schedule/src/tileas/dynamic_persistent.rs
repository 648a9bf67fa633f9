//! `tileas-dynamic-persistent`: a program that has finished takes the work of one that has not
//! started.

use orison_host::scf::{Condition, While, Yield};
use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult};
use orison_ir::{
    Attribute, Block, Builder, Context, InsertionPoint, Location, Operation, Region, Type, Value,
    source_position,
};
use orison_tileas::nv_tileaa::{GetProgramId, IsValidProgramId};
use orison_tileas::nv_tileas::CancelNextProgramId;

use super::persistent_loop::{Kernel, PERSISTENT};

/// The pass.
#[derive(Clone, Debug)]
pub struct DynamicPersistent;

impl Pass for DynamicPersistent {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-dynamic-persistent",
        "Make kernels dynamic persistent: a finished program takes over the work of a pending \
         one.\n\n\
         The body of a kernel becomes an `scf.while` that iterates while its program id is valid; \
         the body processes that id, and `cancel_next_program_id` returns the next one. A kernel \
         that is already persistent is left unchanged with a warning.\n\n\
         Source: TileAS reference section 8 (D16).",
        source_position!(),
    );

    fn create((): ()) -> Self {
        DynamicPersistent
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let kernels = Kernel::all_to_make_persistent(pass, "dynamic-persistent")?;
        for kernel in &kernels {
            rewrite(pass.context, kernel);
        }
        Ok(IRStatus::changed_if(!kernels.is_empty()))
    }
}

fn rewrite(context: &mut Context, kernel: &Kernel) {
    let Some(&first) = kernel.body.first() else {
        return;
    };
    let location = kernel.function.location(context);
    let mut builder = Builder::at(context, InsertionPoint::Before(first));
    let ids: Vec<Value> = (0..3)
        .map(|axis| {
            let id = GetProgramId::build(&mut builder, location, axis, Type::INDEX);
            id.id(builder.ir())
        })
        .collect();
    let types = [Type::INDEX; 3];
    let looped = While::build(&mut builder, location, &ids, &types).operation();
    let before = block_of(&mut builder, looped, 0, location);
    builder.set_insertion_point(InsertionPoint::End(before));
    let coordinates: Vec<Value> = before.arguments(builder.ir()).collect();
    let valid = IsValidProgramId::build(&mut builder, location, &coordinates, Type::I1);
    let valid = valid.valid(builder.ir());
    Condition::build(&mut builder, location, valid, &coordinates);
    let after = block_of(&mut builder, looped, 1, location);
    builder.set_insertion_point(InsertionPoint::End(after));
    let arguments: Vec<Value> = after.arguments(builder.ir()).collect();
    let next = CancelNextProgramId::build(&mut builder, location, Type::I1, &types);
    let next_ids = next.ids(builder.ir());
    Yield::build(&mut builder, location, &next_ids);
    let (Some(&x), Some(&y), Some(&z)) = (arguments.first(), arguments.get(1), arguments.get(2))
    else {
        return;
    };
    // The body is moved before the query for the next program.
    kernel.move_before(context, next.operation(), [x, y, z]);
    let how = Attribute::string(context, "dynamic");
    kernel.function.set_attribute(context, PERSISTENT, how);
}

/// Adds a block with three coordinates to a region of the loop.
fn block_of(builder: &mut Builder<'_>, looped: Operation, region: usize, place: Location) -> Block {
    let arguments = [(Type::INDEX, place); 3];
    let block = Block::new(builder.context(), &arguments);
    let region: Region = looped.region(builder.ir(), region);
    region.append_block(builder.context(), block);
    block
}
