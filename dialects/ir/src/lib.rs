//! IR core of orison: types, attributes, operations, textual format, verifier, passes.
