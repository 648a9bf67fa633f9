//! Host dialects of orison: builtin, func, arith, scf, cf.
