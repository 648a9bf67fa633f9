//! Rewrites of orison: the greedy pattern driver, canonicalization, CSE.
