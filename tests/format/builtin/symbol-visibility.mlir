// RUN: orison-opt --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: orison-opt --allow-unregistered-dialect --split-input-file --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Public is the default and is printed only if it is explicit.
// CHECK:      func.func @a() {
// CHECK: func.func public @b() {
// CHECK: func.func nested @c() {
// CHECK: func.func private @d()
// GENERIC: sym_name = "a"}> ({
// GENERIC: sym_name = "b", sym_visibility = "public"}> ({
// GENERIC: sym_name = "c", sym_visibility = "nested"}> ({
// GENERIC: sym_name = "d", sym_visibility = "private"}> ({
func.func @a() { return }
func.func public @b() { return }
func.func nested @c() { return }
func.func private @d()
