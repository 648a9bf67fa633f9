// Every numeric option has a range, and a value out of range is an error with the option's name.

// RUN: not orison-opt %s --tileas-generate-schedule='max-ii=0' 2>&1 | FileCheck %s --check-prefix=MAX-II
// RUN: not orison-opt %s --tileas-generate-schedule='max-ii=5000000' 2>&1 | FileCheck %s --check-prefix=MAX-II-MOST
// RUN: not orison-opt %s --tileas-generate-schedule='max-stages=0' 2>&1 | FileCheck %s --check-prefix=MAX-STAGES
// RUN: not orison-opt %s --tileas-generate-schedule='max-stages=-1' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not orison-opt %s --tileas-generate-schedule='max-stages=many' 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not orison-opt %s --tileas-generate-schedule='placements=0' 2>&1 | FileCheck %s --check-prefix=PLACEMENTS
// RUN: not orison-opt %s --tileas-generate-schedule='max-constraint-iterations=0' 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: not orison-opt %s --tileas-generate-schedule='rrt-size-threshold=5000000' 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: not orison-opt %s --tileas-generate-schedule='serial-threshold=2000000' 2>&1 | FileCheck %s --check-prefix=SERIAL
// RUN: not orison-opt %s --tileas-generate-schedule='exact-work=99999999999999999999' 2>&1 | FileCheck %s --check-prefix=WORK
// RUN: not orison-opt %s --tileas-generate-schedule='ejection-work=1000000000001' 2>&1 | FileCheck %s --check-prefix=EJECTION
// RUN: not orison-opt %s --tileas-generate-schedule='ejection-work=-1' 2>&1 | FileCheck %s --check-prefix=EJECTION-NEGATIVE
// RUN: not orison-opt %s --tileas-generate-schedule='trace=%t.a schedule-trace-file=%t.b' 2>&1 | FileCheck %s --check-prefix=TRACES
// RUN: not orison-opt %s --tileas-materialize-schedule='depth=0' 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not orison-opt %s --tileas-materialize-schedule='depth=1000' 2>&1 | FileCheck %s --check-prefix=DEPTH-MOST
// RUN: not orison-opt %s --tileas-materialize-schedule='unspecialized-pipeline-num-stages=0' 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not orison-opt %s --tileas-assign-buffers='depth=65' 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: not orison-opt %s --tileas-assign-buffers='smem-bytes=4294967296' 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not orison-opt %s --tileas-schedule-report='width=19' 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not orison-opt %s --tileas-schedule-report='depth=0' 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not orison-opt %s --tileas-static-persistent='programs=0' 2>&1 | FileCheck %s --check-prefix=PROGRAMS
// RUN: not orison-opt %s --tileas-static-persistent='swizzle=0' 2>&1 | FileCheck %s --check-prefix=SWIZZLE
// RUN: orison-opt --help | FileCheck %s --check-prefix=HELP

// MAX-II: pass 'tileas-generate-schedule': option 'max-ii': 0 is out of range: must be from 1 to 4194304
// MAX-II-MOST: option 'max-ii': 5000000 is out of range: must be from 1 to 4194304
// MAX-STAGES: option 'max-stages': 0 is out of range: must be from 1 to 1048576
// NEGATIVE: option 'max-stages': -1 is out of range: must be from 1 to 1048576
// TEXT: option 'max-stages': 'many' value invalid for unsigned integer argument!
// PLACEMENTS: option 'placements': 0 is out of range: must be from 1 to 16385
// ROUNDS: option 'max-constraint-iterations': 0 is out of range: must be from 1 to 1000
// TABLE: option 'rrt-size-threshold': 5000000 is out of range: must be from 0 to 4194304
// SERIAL: option 'serial-threshold': 2000000 is out of range: must be from 0 to 1048576
// WORK: option 'exact-work': 99999999999999999999 is out of range: must be from 0 to 1000000000000000
// EJECTION: option 'ejection-work': 1000000000001 is out of range: must be from 0 to 1000000000000
// EJECTION-NEGATIVE: option 'ejection-work': -1
// TRACES: error: {{.*}} options 'trace' and 'schedule-trace-file' name different files
// DEPTH: pass 'tileas-materialize-schedule': option 'depth': 0 is out of range: must be from 1 to 64
// DEPTH-MOST: option 'depth': 1000 is out of range: must be from 1 to 64
// STAGES: option 'unspecialized-pipeline-num-stages': 0 is out of range: must be from 1 to 64
// BUFFERS: pass 'tileas-assign-buffers': option 'depth': 65 is out of range: must be from 1 to 64
// BYTES: option 'smem-bytes': 4294967296 is out of range: must be from 0 to 4294967295
// WIDTH: option 'width': 19 is out of range: must be from 20 to 1000
// REPORT: pass 'tileas-schedule-report': option 'depth': 0 is out of range: must be from 1 to 64
// PROGRAMS: option 'programs': 0 is out of range: must be from 1 to 2147483647
// SWIZZLE: option 'swizzle': 0 is out of range: must be from 1 to 2147483647

// The help shows ranges.
// HELP: --tileas-generate-schedule
// HELP: max-stages=<uint 1..1048576>:
// HELP: --tileas-materialize-schedule
// HELP: depth=<uint 1..64 = 2>:
func.func @empty() {
  return
}
