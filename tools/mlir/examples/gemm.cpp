// A compiler in C++ that has MLIR: it builds a GEMM loop, lets orison schedule it and make agents
// and a pipeline of it, and prints the module with MLIR's printer. tests/c_interface.rs has the
// command line that compiles it.
#include "orison.h"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "mlir-c/IR.h"
#include "mlir-c/RegisterEverything.h"

static MlirStringRef string_ref(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

namespace {
// Appends operations to a block; types and attributes are written as text.
struct Builder {
  MlirContext context;

  MlirType type(const std::string &text) const { return mlirTypeParseGet(context, string_ref(text)); }

  MlirOperation
  append(MlirBlock block, const std::string &name, std::vector<MlirValue> operands,
         std::vector<std::pair<std::string, std::string>> attributes = {},
         std::vector<std::string> results = {}, std::vector<MlirRegion> regions = {}) const {
    MlirOperationState state = mlirOperationStateGet(string_ref(name), mlirLocationUnknownGet(context));
    mlirOperationStateAddOperands(&state, operands.size(), operands.data());
    std::vector<MlirNamedAttribute> named;
    for (auto &[key, value] : attributes)
      named.push_back(mlirNamedAttributeGet(mlirIdentifierGet(context, string_ref(key)),
                                            mlirAttributeParseGet(context, string_ref(value))));
    mlirOperationStateAddAttributes(&state, named.size(), named.data());
    std::vector<MlirType> types;
    for (auto &result : results)
      types.push_back(type(result));
    mlirOperationStateAddResults(&state, types.size(), types.data());
    mlirOperationStateAddOwnedRegions(&state, regions.size(), regions.data());
    MlirOperation operation = mlirOperationCreate(&state);
    mlirBlockAppendOwnedOperation(block, operation);
    return operation;
  }

  MlirBlock block(MlirRegion region, std::vector<std::string> arguments) const {
    std::vector<MlirType> types;
    for (auto &argument : arguments)
      types.push_back(type(argument));
    std::vector<MlirLocation> places(types.size(), mlirLocationUnknownGet(context));
    MlirBlock block = mlirBlockCreate(types.size(), types.data(), places.data());
    mlirRegionAppendOwnedBlock(region, block);
    return block;
  }
};
} // namespace

static MlirValue result(MlirOperation operation) { return mlirOperationGetResult(operation, 0); }

// acc = a * b + acc, over tiles of 64 of K.
static MlirModule build(MlirContext context) {
  Builder to{context};
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  const std::string half = "!nv_tileaa.memref<?x?xf16>", single = "!nv_tileaa.memref<?x?xf32>",
                    view = "!nv_tileaa.tiled_view<128x64xf16, gmem>",
                    sum = "tensor<128x128xf32>", token = "!nv_tileaa.mem_token";
  MlirRegion body = mlirRegionCreate();
  MlirBlock entry = to.block(body, {half, half, single, "index"});
  auto argument = [&](int number) { return mlirBlockGetArgument(entry, number); };
  auto constant = [&](std::string value, std::string type) {
    return result(to.append(entry, "arith.constant", {}, {{"value", value}}, {type}));
  };
  MlirValue zero = constant("0 : index", "index"), one = constant("1 : index", "index");
  MlirValue none = constant("dense<0.0> : " + sum, sum);
  auto id = [&](std::string axis) {
    return result(to.append(entry, "nv_tileaa.get_program_id", {}, {{"axis", axis}}, {"index"}));
  };
  MlirValue m = id("0 : i32"), n = id("1 : i32");
  MlirValue order = result(to.append(entry, "nv_tileaa.create_mem_token", {}, {}, {token}));
  auto tiles = [&](int number, std::string type) {
    return result(to.append(entry, "nv_tileaa.block_tile", {argument(number)}, {}, {type}));
  };
  MlirValue a = tiles(0, view), b = tiles(1, view);
  MlirValue out = tiles(2, "!nv_tileaa.tiled_view<128x128xf32, gmem>");

  MlirRegion inside = mlirRegionCreate();
  MlirBlock loop = to.block(inside, {"index", sum});
  MlirValue k = mlirBlockGetArgument(loop, 0), so_far = mlirBlockGetArgument(loop, 1);
  auto load = [&](MlirValue tile, MlirValue row, std::string group) {
    return result(to.append(loop, "nv_tileas.tiled_load", {tile, row, k, order},
                            {{"atom", "#nv_tileas.atom<\"tma_load_2d\", box = [128, 64]>"},
                             {"in_bounds", "array<i1: true, true>"},
                             {"mem_semantic", "\"weak\""},
                             {"operandSegmentSizes", "array<i32: 1, 2, 0, 1>"},
                             {"tileas.schedule.constraint.gid", group},
                             {"tileas.schedule.constraint.leader_gid", "1 : i32"}},
                            {"tensor<128x64xf16>", token}));
  };
  MlirValue left = load(a, m, "1 : i32"), right = load(b, n, "2 : i32");
  MlirValue next = result(to.append(loop, "nv_tileas.dot", {left, right, so_far},
                                    {{"atom", "#nv_tileas.atom<\"wgmma_m64n128k16_f32_f16_f16\">"},
                                     {"tileas.schedule.constraint.gid", "3 : i32"},
                                     {"tileas.schedule.constraint.leader_gid", "3 : i32"}},
                                    {sum}));
  to.append(loop, "scf.yield", {next});
  MlirValue total =
      result(to.append(entry, "scf.for", {zero, argument(3), one, none}, {}, {sum}, {inside}));
  to.append(entry, "nv_tileas.tiled_store", {out, total, m, n, order},
            {{"atom", "#nv_tileas.atom<\"stg_128\">"},
             {"in_bounds", "array<i1: true, true>"},
             {"mem_semantic", "\"weak\""},
             {"operandSegmentSizes", "array<i32: 1, 1, 2, 0, 1>"}},
            {token});
  to.append(entry, "nv_tileaa.return", {});
  to.append(mlirModuleGetBody(module), "nv_tileaa.func", {},
            {{"sym_name", "\"gemm\""},
             {"function_type", "(" + half + ", " + half + ", " + single + ", index) -> ()"},
             {"nv_tileaa.kernel_spec", "{clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}"}},
            {}, {body});
  return module;
}

static void report(OrisonSeverity, const char *file, uint32_t line, uint32_t column,
                   const char *message, void *) {
  std::fprintf(stderr, "%s:%u:%u: %s\n", file ? file : "-", line, column, message);
}

static void write(MlirStringRef part, void *) { std::fwrite(part.data, 1, part.length, stdout); }

int main() {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, true);
  mlirContextLoadAllAvailableDialects(context);
  mlirContextSetAllowUnregisteredDialects(context, true);
  MlirModule module = build(context);

  OrisonSession *session = orison_session_create(report, nullptr);
  OrisonStatus status = orison_run_pipeline(
      session, module,
      "builtin.module(tileas-generate-schedule,tileas-materialize-schedule,canonicalize)");
  if (status == ORISON_SUCCESS)
    mlirOperationPrint(mlirModuleGetOperation(module), write, nullptr);

  orison_session_destroy(session);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return status == ORISON_SUCCESS ? 0 : 1;
}
