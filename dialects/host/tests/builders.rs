//! Builders and typed views.

use orison_host::{arith, builtin, func, scf};
use orison_ir::walk::collect;
use orison_ir::{
    Attribute, Builder, Context, InsertionPoint, Location, PrintFlags, Source, Type, Value,
    parse_source, print_to_string,
};

const EXPECTED: &str = "\
module {
  func.func @sum(%arg0: index, %arg1: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %cst) -> (f32) {
      %1 = arith.addf %arg3, %arg1 fastmath<contract> : f32
      scf.yield %1 : f32
    }
    return %0 : f32
  }
}
";

/// Adds the product of the bound and the second parameter, in a loop.
fn build_sum(builder: &mut Builder<'_>, bound: Value, value: Value) -> scf::For {
    let location = Location::UNKNOWN;
    let zero = arith::constant_index(builder, location, 0);
    let one = arith::constant_index(builder, location, 1);
    let start = arith::constant_float(builder, location, Type::F32, 0.0);
    let start = start.expect("f32 is a float type");
    let bounds = (zero, bound, one);
    scf::build_for(
        builder,
        location,
        bounds,
        &[start],
        |builder, _, carried| {
            let sum = arith::AddF::build(builder, location, carried[0], value);
            sum.set_fastmath(builder.context(), arith::FastMath::CONTRACT);
            vec![sum.result(builder.ir())]
        },
    )
}

#[test]
fn a_function_with_a_loop_is_built_and_looked_at() {
    let mut context = Context::new();
    orison_host::register(&mut context);
    let module = builtin::Module::new(&mut context, Location::UNKNOWN);
    let body = module.body(&context).expect("a new module has a block");
    let ty = Type::function(&mut context, &[Type::INDEX, Type::F32], &[Type::F32]);
    let mut builder = Builder::at(&mut context, InsertionPoint::End(body));
    let function = func::Func::define(&mut builder, Location::UNKNOWN, "sum", ty);
    let entry = function
        .entry(builder.ir())
        .expect("a defined function has a block");
    builder.set_insertion_point(InsertionPoint::End(entry));
    let (bound, value) = (
        entry.argument(builder.ir(), 0),
        entry.argument(builder.ir(), 1),
    );
    let loop_op = build_sum(&mut builder, bound, value);
    let results = loop_op.outputs(builder.ir());
    func::Return::build(&mut builder, Location::UNKNOWN, &results);

    assert!(context.verify(module.0).is_ok());
    assert_eq!(
        print_to_string(&context, module.0, &PrintFlags::default()),
        EXPECTED
    );
    assert_eq!(loop_op.upper_bound(&context), bound);
    assert_eq!(loop_op.iteration_arguments(&context).len(), 1);
    let variable = loop_op.induction_variable(&context);
    assert_eq!(
        variable.map(|variable| variable.ty(&context)),
        Some(Type::INDEX)
    );
    let yielded = loop_op
        .yield_op(&context)
        .map(|yield_op| yield_op.results(&context).len());
    assert_eq!(yielded, Some(1));
    let step = arith::constant_integer_of(&context, loop_op.step(&context));
    assert_eq!(step.and_then(orison_ir::numbers::ApInt::as_i64), Some(1));
    assert_eq!(function.outputs(&context), [Type::F32]);
}

#[test]
fn attributes_that_an_operation_declares_are_properties_and_others_are_not() {
    let mut context = Context::new();
    orison_host::register(&mut context);
    let module = builtin::Module::new(&mut context, Location::UNKNOWN).0;
    let name = Attribute::string(&mut context, "private");
    module.set_attribute(&mut context, "sym_visibility", name);
    module.set_attribute(&mut context, "t.note", name);
    let (properties, others) = (module.properties(&context), module.attributes(&context));
    assert_eq!(properties.get(&context, "sym_visibility"), Some(name));
    assert_eq!(properties.get(&context, "t.note"), None);
    assert_eq!(others.get(&context, "sym_visibility"), None);
    assert_eq!(others.get(&context, "t.note"), Some(name));
}

#[test]
fn lists_of_passed_operands_are_one_for_each_successor() {
    let mut context = Context::new();
    orison_host::register(&mut context);
    let text = "func.func @f(%c: i1, %a: i32, %b: i32) {
        cf.cond_br %c, ^x(%a : i32), ^y(%a, %b : i32, i32)
      ^x(%p: i32):
        return
      ^y(%q: i32, %r: i32):
        return
      }";
    let source = Source {
        name: "input",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("a module");
    let print = |context: &Context| print_to_string(context, module, &PrintFlags::default());
    let before = print(&context);
    let operations = collect(&context, module);
    let branch = operations.iter().find(|op| op.is(&context, "cf.cond_br"));
    let branch = *branch.expect("a branch");
    let (a, b) = (branch.operand(&context, 1), branch.operand(&context, 3));
    // Fewer or more lists than successors change nothing.
    branch.set_all_passed_operands(&mut context, &[vec![b]]);
    branch.set_all_passed_operands(&mut context, &[vec![b], vec![b, a], vec![a]]);
    assert_eq!(print(&context), before);
    branch.set_all_passed_operands(&mut context, &[vec![b], vec![b, a]]);
    let after = print(&context);
    assert!(
        after.contains("^bb1(%arg2 : i32), ^bb2(%arg2, %arg1 : i32, i32)"),
        "{after}"
    );
    assert!(context.verify(module).is_ok());
}
