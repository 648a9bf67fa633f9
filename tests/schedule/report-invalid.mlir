// RUN: not orison-opt %s --tileas-schedule-report='file=picture.png' 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not orison-opt %s --tileas-schedule-report='file=%t.dir/none/x.html' 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not orison-opt %s --tileas-schedule-report='file=%t.svg' 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not orison-opt %s --tileas-schedule-report='widht=3' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: orison-opt %s --tileas-schedule-report='file=%t.html' | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --check-prefix=EMPTY --input-file=%t.html
//
// FORM: error: {{.*}}cannot determine the format of report 'picture.png': use the extension .html, .svg or .txt, or option 'format'
// PLACE: error: {{.*}}cannot write report '{{.*}}none/x.html': No such file or directory
// LOOPS: error: {{.*}}an SVG report shows one scheduled loop, but there are 0; use format=html
// OPTION: no such option 'widht'; did you mean 'width'?
// NONE: func.func @nothing
// EMPTY: No loop has a schedule
func.func @nothing() {
  return
}
