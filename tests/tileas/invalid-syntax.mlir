// RUN: orison-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected '<' and a role}}
nv_tileaa.func @iterator_without_role(%i: !nv_tileas.iter) {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected '=' after 'stride'}}
nv_tileaa.func @stride_without_value(%i: !nv_tileas.iter<producer, stride 2>) {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected the stride in stages}}
nv_tileaa.func @stride_of_a_type(%i: !nv_tileas.iter<producer, stride = f16>) {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected '>' to close the iterator type}}
nv_tileaa.func @open_iterator(%i: !nv_tileas.iter<producer 2>) {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected '<' and the pointee type}}
nv_tileaa.func @pointer_to_nothing(%p: !nv_tileaa.ptr) {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected '>' to close the pointer type}}
nv_tileaa.func @open_pointer(%p: !nv_tileaa.ptr<f16, 3>) {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected '<' and the name of an atom}}
nv_tileaa.func @atom_without_name() attributes {a = #nv_tileas.atom} {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected the name of a detail}}
nv_tileaa.func @detail_without_name() attributes {a = #nv_tileas.atom<"ldg", = 3>} {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected '>' to close the atom}}
nv_tileaa.func @open_atom() attributes {a = #nv_tileas.atom<"ldg" 3>} {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected '<' and a layout literal}}
nv_tileaa.func @layout_without_literal() attributes {a = #nv_tileas.layout} {
  nv_tileaa.return
}

// -----

// expected-error @+1 {{expected '>' to close the layout}}
nv_tileaa.func @open_layout() attributes {a = #nv_tileas.layout<"8,1", 3>} {
  nv_tileaa.return
}

// -----

nv_tileaa.func @bound_of_a_slice(%x: tensor<8xf16>) {
  // expected-error @+1 {{expected an integer or SSA operand}}
  %0 = nv_tileas.extract_slice %x[f16] [4] [1] : tensor<8xf16> to tensor<4xf16>
  nv_tileaa.return
}

// -----

nv_tileaa.func @unknown_attribute() {
  // expected-error @+1 {{unknown attribute `nothing` in dialect `nv_tileas`}}
  nv_tileaa.return {a = #nv_tileas.nothing<1>}
}

// -----

// expected-error @+1 {{expected a UTF-8 string}}
"\FF"() : () -> ()
