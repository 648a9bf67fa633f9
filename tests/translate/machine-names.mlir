// PTX 9.0 calls sm_101 sm_110: programs for the old names are compiled for the machine, whose instructions it has.
//
// RUN: orison-translate --ptx-to-ori --quiet %s | FileCheck %s
// RUN: sed 's/sm_101a/sm_101/' %s | orison-translate --ptx-to-ori --quiet | FileCheck %s --check-prefix=PLAIN
// RUN: sed 's/sm_101a/sm_101f/; s/version 8.6/version 8.8/' %s | orison-translate --ptx-to-ori --quiet | FileCheck %s --check-prefix=FAMILY
// RUN: orison-translate --ptx-to-sass --quiet %s | FileCheck %s --check-prefix=SASS

.version 8.6
.target sm_101a
.address_size 64

// CHECK: ori.func kernel @empty() target "sm_110a"
// PLAIN: ori.func kernel @empty() target "sm_110"
// FAMILY: ori.func kernel @empty() target "sm_110f"
// SASS: sass.func {{.*}}target "sm_110a"
// SASS: sass.exit
.visible .entry empty() {
  ret;
}
