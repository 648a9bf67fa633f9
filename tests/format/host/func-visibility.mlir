// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Visibilities.
// CHECK:      func.func private @a()
// CHECK-NEXT: func.func public @b() {
// CHECK: func.func nested @c() {
func.func private @a()
func.func public @b() { return }
func.func nested @c() { return }
