//! Why programs stop.

use std::fmt;

use orison_ir::Operation;

/// Why a program stops.
#[derive(Clone, Debug, PartialEq)]
pub enum Trap {
    /// The program has undefined behaviour.
    Undefined {
        /// The operation.
        operation: Operation,
        /// The cause.
        reason: String,
        /// A related operation, and the relation.
        note: Option<Box<(Operation, String)>>,
    },
    /// The program aborted: an assertion does not hold.
    Aborted {
        /// The operation.
        operation: Operation,
        /// The message of the assertion.
        message: String,
    },
    /// The interpreter does not support the operation.
    Unsupported {
        /// The operation.
        operation: Operation,
        /// What is missing.
        reason: String,
    },
    /// The IR is not valid.
    Malformed {
        /// The operation.
        operation: Operation,
        /// What is wrong.
        reason: String,
    },
    /// Frames are nested deeper than [`MAX_FRAMES`](crate::Interpreter::MAX_FRAMES).
    TooDeep,
}

impl Trap {
    /// Undefined behaviour.
    pub fn undefined(operation: Operation, reason: &str) -> Trap {
        Trap::Undefined {
            operation,
            reason: reason.to_owned(),
            note: None,
        }
    }

    /// The same undefined behaviour with a related operation.
    #[must_use]
    pub fn with_note(mut self, other: Operation, how: &str) -> Trap {
        if let Trap::Undefined { note, .. } = &mut self {
            *note = Some(Box::new((other, how.to_owned())));
        }
        self
    }

    /// An operation, or a form of it, that the interpreter does not support.
    pub fn unsupported(operation: Operation, reason: &str) -> Trap {
        let reason = reason.to_owned();
        Trap::Unsupported { operation, reason }
    }

    /// Invalid IR.
    pub fn malformed(operation: Operation, reason: &str) -> Trap {
        let reason = reason.to_owned();
        Trap::Malformed { operation, reason }
    }

    /// The operation at which the program stopped.
    pub fn operation(&self) -> Option<Operation> {
        match self {
            Trap::Undefined { operation, .. }
            | Trap::Aborted { operation, .. }
            | Trap::Unsupported { operation, .. }
            | Trap::Malformed { operation, .. } => Some(*operation),
            Trap::TooDeep => None,
        }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::Undefined { reason, .. } => write!(f, "undefined behaviour: {reason}"),
            Trap::Aborted { message, .. } => write!(f, "assertion failed: {message}"),
            Trap::Unsupported { reason, .. } => {
                write!(f, "unsupported by the interpreter: {reason}")
            }
            Trap::Malformed { reason, .. } => write!(f, "invalid IR: {reason}"),
            Trap::TooDeep => f.write_str("calls and regions are nested too deeply"),
        }
    }
}

impl std::error::Error for Trap {}
