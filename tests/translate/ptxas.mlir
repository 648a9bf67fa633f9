// The command line, the messages and the exit codes of ptxas.
//
// RUN: orison-ptxas -v -O1 -arch=sm_90 %S/ptx/compiled.ptx -o %t.cubin 2>&1 | FileCheck --check-prefix=VERBOSE %s
// RUN: orison-translate --cubin-to-sass %t.cubin | FileCheck %s
// RUN: echo '-arch sm_90 -O 1' >%t.options
// RUN: orison-ptxas --options-file %t.options --output-file=%t.options.cubin %S/ptx/compiled.ptx
// RUN: orison-translate --cubin-to-sass %t.options.cubin | FileCheck %s
// RUN: orison-ptxas -c --gpu-name sm_90 %S/ptx/compiled.ptx -o %t.object
// RUN: orison-translate --disassemble %t.object | FileCheck --check-prefix=OBJECT %s
// RUN: orison-ptxas --version | FileCheck --check-prefix=VERSION %s
// RUN: orison-ptxas --help | FileCheck --check-prefix=HELP %s
// RUN: not orison-ptxas -verbos %S/ptx/compiled.ptx 2>&1 | FileCheck --check-prefix=NEAREST %s
// RUN: not orison-ptxas -arch=sm_9 %S/ptx/compiled.ptx 2>&1 | FileCheck --check-prefix=MACHINE %s
// RUN: not orison-ptxas -O7 -arch=sm_90 %S/ptx/compiled.ptx 2>&1 | FileCheck --check-prefix=LEVEL %s
// RUN: not orison-ptxas %t.none 2>&1 | FileCheck --check-prefix=FILE %s
// RUN: not orison-ptxas -v 2>&1 | FileCheck --check-prefix=INPUTS %s
// RUN: not orison-ptxas --options-file=%t.none 2>&1 | FileCheck --check-prefix=OPTIONS %s
// RUN: not orison-ptxas -arch=sm_90 %S/ptx/compiled.ptx %S/ptx/compiled.ptx -o %t.twice 2>&1 | FileCheck --check-prefix=TWICE %s
// RUN: not orison-ptxas -arch=sm_90 --maxrregcount=10 -Werror %S/ptx/compiled.ptx 2>&1 | FileCheck --check-prefix=WERROR %s
// RUN: orison-ptxas -arch=sm_90 --maxrregcount=10 -warn-lmem-usage %S/ptx/compiled.ptx -o %t.few 2>&1 | FileCheck --check-prefix=FEW %s
// RUN: orison-ptxas -w -arch=sm_90 --maxrregcount=10 %S/ptx/compiled.ptx -o %t.few 2>&1 | FileCheck --check-prefix=QUIET --allow-empty %s

// VERBOSE: ptxas info    : 40 bytes gmem, 20 bytes cmem[3]
// VERBOSE-NEXT: ptxas info    : Compiling entry function 'store' for 'sm_90'

// CHECK: sass.func @store target "sm_90"

// OBJECT: .elftype{{[[:space:]]}}@"ET_REL"

// VERSION: release 13.0
// HELP: Usage  : orison-ptxas [options] <ptx file>,...
// HELP: --gpu-name (-arch) <value>

// NEAREST: ptxas fatal   : Unknown option 'verbos'; did you mean 'verbose'?
// MACHINE: ptxas fatal   : Value 'sm_9' is not defined for option 'gpu-name'
// LEVEL: ptxas fatal   : Value '7' is not defined for option 'opt-level'
// FILE: ptxas fatal   : Input file '{{.*}}' could not be opened
// INPUTS: ptxas fatal   : No input file specified
// OPTIONS: ptxas fatal   : Options file '{{.*}}' could not be opened
// TWICE: ptxas {{.*}}compiled.ptx, line {{[0-9]+}}; error   :
// TWICE: ptxas fatal   : Ptx assembly aborted due to errors
// WERROR: ptxas error   : For profile sm_90 adjusting per thread register count of 10 to lower bound of 24
// WERROR-NEXT: ptxas fatal   : Ptx assembly aborted due to errors
// FEW: ptxas warning : For profile sm_90 adjusting per thread register count of 10 to lower bound of 24
// FEW: ptxas warning : Local memory used for function 'store', size of stack frame: 40 bytes
// QUIET-NOT: ptxas
