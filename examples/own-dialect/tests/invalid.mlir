// RUN: poly-opt %s --verify-diagnostics

// expected-error @+1 {{'poly.constant' op needs at least one coefficient}}
%0 = poly.constant #poly.coefficients<>
