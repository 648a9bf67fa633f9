//! FileCheck and lit, as LLVM has them and stricter.
