"""A compiler in Python: orison and MLIR through ctypes.

MLIR reads a GEMM loop, orison schedules it and makes agents and a pipeline of it in place, and
MLIR's printer prints the module.

    python3 gemm.py path/to/liborison_mlir.so path/to/libMLIR-C.so
"""

import ctypes
import sys

GEMM = b"""
"nv_tileaa.func"() <{
    function_type = (!nv_tileaa.memref<?x?xf16>, !nv_tileaa.memref<?x?xf16>, !nv_tileaa.memref<?x?xf32>, index) -> (),
    sym_name = "gemm"}> ({
^bb0(%A: !nv_tileaa.memref<?x?xf16>, %B: !nv_tileaa.memref<?x?xf16>, %D: !nv_tileaa.memref<?x?xf32>, %n: index):
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %row = "nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> index
  %column = "nv_tileaa.get_program_id"() <{axis = 1 : i32}> : () -> index
  %order = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
  %a_tiles = "nv_tileaa.block_tile"(%A) : (!nv_tileaa.memref<?x?xf16>) -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %b_tiles = "nv_tileaa.block_tile"(%B) : (!nv_tileaa.memref<?x?xf16>) -> !nv_tileaa.tiled_view<128x64xf16, gmem>
  %d_tiles = "nv_tileaa.block_tile"(%D) : (!nv_tileaa.memref<?x?xf32>) -> !nv_tileaa.tiled_view<128x128xf32, gmem>
  %sum = scf.for %k = %zero to %n step %one iter_args(%acc = %none) -> (tensor<128x128xf32>) {
    %a:2 = "nv_tileas.tiled_load"(%a_tiles, %row, %k, %order) <{
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak", operandSegmentSizes = array<i32: 1, 2, 0, 1>}>
        {tileas.schedule.constraint.gid = 1 : i32, tileas.schedule.constraint.leader_gid = 1 : i32}
        : (!nv_tileaa.tiled_view<128x64xf16, gmem>, index, index, !nv_tileaa.mem_token) -> (tensor<128x64xf16>, !nv_tileaa.mem_token)
    %b:2 = "nv_tileas.tiled_load"(%b_tiles, %column, %k, %order) <{
        atom = #nv_tileas.atom<"tma_load_2d", box = [128, 64]>, in_bounds = array<i1: true, true>,
        mem_semantic = "weak", operandSegmentSizes = array<i32: 1, 2, 0, 1>}>
        {tileas.schedule.constraint.gid = 2 : i32, tileas.schedule.constraint.leader_gid = 1 : i32}
        : (!nv_tileaa.tiled_view<128x64xf16, gmem>, index, index, !nv_tileaa.mem_token) -> (tensor<128x64xf16>, !nv_tileaa.mem_token)
    %next = "nv_tileas.dot"(%a#0, %b#0, %acc) <{atom = #nv_tileas.atom<"wgmma_m64n128k16_f32_f16_f16">}>
        {tileas.schedule.constraint.gid = 3 : i32, tileas.schedule.constraint.leader_gid = 3 : i32}
        : (tensor<128x64xf16>, tensor<128x64xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %stored = "nv_tileas.tiled_store"(%d_tiles, %sum, %row, %column, %order) <{
      atom = #nv_tileas.atom<"stg_128">, in_bounds = array<i1: true, true>, mem_semantic = "weak",
      operandSegmentSizes = array<i32: 1, 1, 2, 0, 1>}>
      : (!nv_tileaa.tiled_view<128x128xf32, gmem>, tensor<128x128xf32>, index, index, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
  "nv_tileaa.return"() : () -> ()
}) {nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, numWarps = 8 : i32}} : () -> ()
"""

PIPELINE = b"builtin.module(tileas-generate-schedule,tileas-materialize-schedule,canonicalize)"


class Handle(ctypes.Structure):
    """An object of MLIR's C interface: a pointer in a structure."""

    _fields_ = [("ptr", ctypes.c_void_p)]


class StringRef(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


OnDiagnostic = ctypes.CFUNCTYPE(
    None,
    ctypes.c_int,
    ctypes.c_char_p,
    ctypes.c_uint32,
    ctypes.c_uint32,
    ctypes.c_char_p,
    ctypes.c_void_p,
)
Write = ctypes.CFUNCTYPE(None, StringRef, ctypes.c_void_p)


def main() -> int:
    orison, mlir = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(sys.argv[2])
    for name in ["mlirDialectRegistryCreate", "mlirContextCreateWithRegistry", "mlirModuleCreateParse", "mlirModuleGetOperation"]:
        getattr(mlir, name).restype = Handle
    orison.orison_session_create.restype = ctypes.c_void_p

    registry = mlir.mlirDialectRegistryCreate()
    mlir.mlirRegisterAllDialects(registry)
    context = mlir.mlirContextCreateWithRegistry(registry, True)
    mlir.mlirContextLoadAllAvailableDialects(context)
    mlir.mlirContextSetAllowUnregisteredDialects(context, True)
    module = mlir.mlirModuleCreateParse(context, StringRef(GEMM, len(GEMM)))

    def on_diagnostic(severity, file, line, column, message, _):
        print(f"{(file or b'-').decode()}:{line}:{column}: {message.decode()}", file=sys.stderr)

    def write(part, _):
        sys.stdout.write(ctypes.string_at(part.data, part.length).decode())

    on_diagnostic, write = OnDiagnostic(on_diagnostic), Write(write)
    session = ctypes.c_void_p(orison.orison_session_create(on_diagnostic, None))
    status = orison.orison_run_pipeline(session, module, PIPELINE)
    if status == 0:
        mlir.mlirOperationPrint(mlir.mlirModuleGetOperation(module), write, None)

    orison.orison_session_destroy(session)
    mlir.mlirModuleDestroy(module)
    mlir.mlirContextDestroy(context)
    mlir.mlirDialectRegistryDestroy(registry)
    return status


if __name__ == "__main__":
    sys.exit(main())
