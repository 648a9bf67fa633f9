#!/usr/bin/env python3
"""Writes kernels.jsonl: tile loops of GEMM and attention in several shapes, each with the cycles that
one iteration takes at least by public rates. Shares no table or code with the machine models.

    python3 kernels.py > kernels.jsonl
"""
import json
from math import ceil

# FLOP per SM and cycle: data sheets, divided by SMs and clock. B200: 2.25 PFLOP/s / 148 / 1.85 GHz.
PEAK = {"hopper": {"bf16": 4096, "f8E4M3FN": 8192, "f32": 2048},
        "blackwell": {"bf16": 8192, "f8E4M3FN": 16384, "f32": 4096}}
ROWS = {"hopper": 64, "blackwell": 128}  # of one instruction: wgmma, tcgen05.mma
BYTES = {"bf16": 2, "f8E4M3FN": 1, "f32": 4}
L2_PORT = 64  # bytes per cycle
SHARED = 128  # bytes per cycle
EXPONENTIALS = 16
MULTIPLY_ADDS = 128
COMPARISONS = 64  # and conversions
ISSUED = 128  # lanes: four warps
CAPABILITY = {"hopper": 90, "blackwell": 100}
ATOM = {"hopper": "wgmma_m64n{}k{}", "blackwell": "tcgen05_mma_m128n{}k{}"}


def product(machine, m, n, k, element, left_in_shared=True):
    """Cycles of the tensor core and of shared memory. An instruction has all n columns."""
    tensor = 2 * m * n * k / PEAK[machine][element]
    left = m * k * BYTES[element] if left_in_shared else 0
    right = n * k * BYTES[element] * (m // ROWS[machine])
    return ceil(tensor), ceil((left + right) / SHARED)


def kernel(machine, arguments, before, results, body, yielded):
    lines = [f"nv_tileaa.func @kernel({', '.join(arguments)}, %n: index) attributes "
             "{nv_tileaa.kernel_spec = {clusterDim = array<i32: 1, 1, 1>, "
             f"computeCapability = {CAPABILITY[machine]} : i32, numWarps = 8 : i32}}}} {{",
             "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index",
             "%t = nv_tileaa.create_mem_token", *before]
    carried = ", ".join(f"%{name} = %{start}" for name, start, _ in results)
    types = ", ".join(ty for _, _, ty in results)
    lines += [f"%end:{len(results)} = scf.for %i = %c0 to %n step %c1 iter_args({carried}) -> ({types}) {{",
              *body, f"scf.yield {', '.join('%' + name for name in yielded)} : {types}", "}",
              "nv_tileaa.return", "}"]
    return "\n".join(lines)


def load(name, rows, columns, element, tma=True):
    atom = f'"tma_load_2d", box = [{rows}, {columns}]' if tma else '"ldg_128"'
    return (f"%{name}, %{name}_t = nv_tileas.tiled_load %{name}_tiles[%i, %c0] token %t : "
            f"!nv_tileaa.mem_token {{atom = #nv_tileas.atom<{atom}>, in_bounds = array<i1: true, true>, "
            f'mem_semantic = "weak"}} : !nv_tileaa.tiled_view<{rows}x{columns}x{element}, gmem> -> '
            f"tensor<{rows}x{columns}x{element}>, !nv_tileaa.mem_token")


def view(name, rows, columns, element):
    return (f"%{name}_tiles = nv_tileaa.block_tile %{name}_memory : !nv_tileaa.memref<?x?x{element}> -> "
            f"!nv_tileaa.tiled_view<{rows}x{columns}x{element}, gmem>")


def dot(result, a, b, c, m, n, k, element, atom, transposed=True):
    right = f"tensor<{n}x{k}x{element}>" if transposed else f"tensor<{k}x{n}x{element}>"
    detail = "" if transposed else ', b = "kn"'
    return (f'%{result} = nv_tileas.dot %{a}, %{b}, %{c} {{atom = #nv_tileas.atom<"{atom}"{detail}>}} : '
            f"tensor<{m}x{k}x{element}>, {right}, tensor<{m}x{n}xf32> -> tensor<{m}x{n}xf32>")


def gemm(machine, m, n, k, element, form="tensor"):
    size = BYTES[element]
    atom = ATOM[machine].format(n, 32 // size) if form != "fma" else "fma"
    tma = form != "plain loads"
    body = [load("A", m, k, element, tma), load("B", n, k, element, tma),
            dot("next", "A", "B", "acc", m, n, k, element, atom)]
    before = [view("A", m, k, element), view("B", n, k, element),
              f"%zero = arith.constant dense<0.000000e+00> : tensor<{m}x{n}xf32>"]
    arguments = [f"%{x}_memory: !nv_tileaa.memref<?x?x{element}>" for x in "AB"]
    loads = ceil(m * k * size / L2_PORT) + ceil(n * k * size / L2_PORT)
    tensor, shared = product(machine, m, n, k, element)
    if form == "fma":
        tensor, shared = ceil(m * n * k / MULTIPLY_ADDS), 0
    unit = {"tensor": "tensor core", "fma": "FMA", "plain loads": "tensor core"}[form]
    suffix = "" if form == "tensor" else f" {form}"
    return {"name": f"{machine} gemm {m}x{n}x{k} {element}{suffix}", "machine": machine,
            "cycles": {"L2": loads, unit: tensor, "shared memory": shared},
            "mlir": kernel(machine, arguments, before, [("acc", "zero", f"tensor<{m}x{n}xf32>")], body, ["next"])}


def attention(machine, m, n, d):
    """One block of n keys for m queries, head dimension d: online softmax in base 2."""
    rows, scores, output = f"tensor<{m}xf32>", f"tensor<{m}x{n}xf32>", f"tensor<{m}x{d}xf32>"
    free, exponential = (f'{{tileas.schedule.cost_of = "{name}"}}' for name in ("nv_tileas.view", "math.exp2"))

    def exp2(result, of, ty):
        return f'%{result} = "cuda_tile.exp2"(%{of}) {exponential} : ({ty}) -> {ty}'

    def reduce(result, of, operation):
        return (f"%{result} = nv_tileas.reduce %{of} axis 1 : {scores} -> {rows} {{\n^bb0(%x: f32, %y: f32):\n"
                f"%both = arith.{operation} %x, %y : f32\nnv_tileas.yield %both : f32\n}}")

    body = [load("K", n, d, "bf16"), load("V", n, d, "bf16"),
            dot("s", "q", "K", "none", m, n, d, "bf16", ATOM[machine].format(n, 16)),
            f"%scaled = arith.mulf %s, %scale : {scores}", reduce("block_max", "scaled", "maximumf"),
            f"%next_max = arith.maximumf %max, %block_max : {rows}",
            f'%max_tile = "cuda_tile.broadcast"(%next_max) {free} : ({rows}) -> {scores}',
            f"%centered = arith.subf %scaled, %max_tile : {scores}", exp2("p", "centered", scores),
            f"%shift = arith.subf %max, %next_max : {rows}", exp2("alpha", "shift", rows),
            reduce("block_sum", "p", "addf"), f"%sum_scaled = arith.mulf %sum, %alpha : {rows}",
            f"%next_sum = arith.addf %sum_scaled, %block_sum : {rows}",
            f'%alpha_tile = "cuda_tile.broadcast"(%alpha) {free} : ({rows}) -> {output}',
            f"%rescaled = arith.mulf %out, %alpha_tile : {output}",
            f"%half = arith.truncf %p : {scores} to tensor<{m}x{n}xbf16>",
            dot("next_out", "half", "V", "rescaled", m, d, n, "bf16", ATOM[machine].format(d, 16), False)]
    before = [view("K", n, d, "bf16"), view("V", n, d, "bf16"), view("Q", m, d, "bf16"),
              f"%none = arith.constant dense<0.0> : {scores}", f"%scale = arith.constant dense<0.18> : {scores}",
              f"%low = arith.constant dense<0xFF800000> : {rows}", f"%nothing = arith.constant dense<0.0> : {rows}",
              f"%empty = arith.constant dense<0.0> : {output}",
              load("Q", m, d, "bf16").replace("%i, ", "%c0, ").replace("%Q, ", "%q, ")]
    arguments = [f"%{x}_memory: !nv_tileaa.memref<?x?xbf16>" for x in "KVQ"]
    first, second = product(machine, m, n, d, "bf16"), product(machine, m, d, n, "bf16", left_in_shared=False)
    tile, row, out = m * n, m, m * d
    cycles = {
        "L2": 2 * ceil(n * d * 2 / L2_PORT), "tensor core": first[0] + second[0],
        "shared memory": first[1] + second[1],
        "MUFU": tile // EXPONENTIALS + ceil(row / EXPONENTIALS),
        # scale, subtract, sum, rescale; and of rows: shift, two for the sum
        "FMA": 3 * tile // MULTIPLY_ADDS + out // MULTIPLY_ADDS + 3 * ceil(row / MULTIPLY_ADDS),
        # maximum, conversion; and the maximum of rows
        "ALU": 2 * tile // COMPARISONS + ceil(row / COMPARISONS),
        # each of the above once, an exponential twice: it is scaled first
        "issue": (3 + 2 + 2) * tile // ISSUED + out // ISSUED + (3 + 1) * ceil(row / ISSUED) + ceil(2 * row / ISSUED),
    }
    results = [("max", "low", rows), ("sum", "nothing", rows), ("out", "empty", output)]
    return {"name": f"{machine} attention {m}x{n}x{d} bf16", "machine": machine, "cycles": cycles,
            "mlir": kernel(machine, arguments, before, results, body, ["next_max", "next_sum", "next_out"])}


for entry in [
        gemm("hopper", 64, 32, 16, "bf16"), gemm("hopper", 128, 128, 64, "bf16"),
        gemm("hopper", 128, 256, 64, "bf16"), gemm("hopper", 256, 128, 128, "bf16"),
        gemm("hopper", 128, 256, 128, "f8E4M3FN"), gemm("hopper", 128, 256, 32, "f32"),
        gemm("hopper", 64, 64, 32, "f32", "fma"), gemm("hopper", 128, 128, 64, "bf16", "plain loads"),
        gemm("blackwell", 128, 128, 64, "bf16"), gemm("blackwell", 128, 256, 64, "bf16"),
        gemm("blackwell", 256, 256, 64, "bf16"), gemm("blackwell", 128, 256, 128, "f8E4M3FN"),
        gemm("blackwell", 128, 256, 32, "f32"),
        attention("hopper", 64, 128, 64), attention("hopper", 128, 128, 128),
        attention("hopper", 128, 128, 64), attention("blackwell", 128, 128, 64),
        attention("blackwell", 128, 128, 128)]:
    print(json.dumps(entry))
