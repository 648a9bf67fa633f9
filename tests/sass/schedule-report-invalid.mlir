// RUN: not orison-opt %s --sass-schedule-report='file=picture.svg' 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not orison-opt %s --sass-schedule-report='file=%t.dir/none/x.html' 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not orison-opt %s --sass-schedule-report='other=%t.none' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not orison-opt %s --sass-schedule-report='other=%s' 2>&1 | FileCheck %s --check-prefix=LISTING
// RUN: not orison-opt %s --sass-schedule-report='budget=256' 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not orison-opt %s --sass-schedule-report='widht=80' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: orison-opt %s --sass-schedule-report='file=%t.html' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --check-prefix=EMPTY --input-file=%t.html
//
// FORM: error: {{.*}}the report of machine code has no form 'svg'; use format=html
// PLACE: error: {{.*}}cannot write report '{{.*}}none/x.html': No such file or directory
// OTHER: error: {{.*}}cannot read listing '{{.*}}.none': No such file or directory
// LISTING: error: {{.*}}'{{.*}}schedule-report-invalid.mlir' is not a listing:
// BUDGET: option 'budget': 256 is out of range: must be from 1 to 255
// OPTION: no such option 'widht'; did you mean 'width'?
// NONE: warning: pass 'sass-schedule-report' found nothing to do: there is no function of machine code; import a listing with orison-translate --nvdisasm-to-sass
// EMPTY: There is no function
module {
}
