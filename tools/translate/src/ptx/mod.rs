//! PTX: its syntax tree, a parser with located errors, and a printer.
//!
//! The parser knows the grammar of the PTX ISA manual, versions 1.0 to 9.0: directives,
//! declarations, statements, constant expressions, operands. It has no table of instructions: any
//! name with modifiers and operands is an instruction, so that instructions of newer manuals are
//! parsed as well. The semantics of instructions are handled by the import.
//!
//! ```
//! use orison_translate::ptx;
//! let text = ".version 8.8\n.target sm_90a\n.visible .entry k()\n{\n\tret;\n}\n";
//! let module = ptx::parse(text).expect("well-formed");
//! assert_eq!(ptx::parse(&module.to_string()).expect("printed").to_string(), module.to_string());
//!
//! let error = ptx::parse("mov.u32 %r1, 0;").expect_err("outside a function");
//! assert_eq!((error.place.line, error.place.column), (1, 1));
//! assert_eq!(error.message, "expected a directive, found 'mov'");
//! ```

pub mod ast;
mod error;
mod lexer;
mod parser;
mod printer;

pub use error::{Error, Place, check_utf8};
pub use parser::{MAX_DEPTH, parse};
