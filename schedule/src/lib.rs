//! Schedulers of orison: machine models, modulo scheduling, materialization, checkers.
