//! The writes that reach a read, and the states of memory that reads see.

use orison_ir::Operation;

use super::{Program, function};
use crate::analyses::memory::{self, Access};
use crate::analyses::memory_flow::Reaching;
use crate::analyses::{MemoryFlow, MemoryState};

impl Program {
    fn states(&self) -> MemoryFlow {
        MemoryFlow::of(&self.context, self.flow())
    }

    fn access(&self, op: Operation) -> Access {
        memory::accesses(&self.context, op)[0].clone()
    }

    fn reaching(&self, op: Operation) -> Reaching {
        self.states().reaching(&self.context, op, &self.access(op))
    }

    fn source(&self, op: Operation) -> Option<MemoryState> {
        self.states().source(&self.context, op, &self.access(op))
    }
}

/// The indices among the stores of the function of the writers that reach its only load from
/// global memory, in order, and whether memory at the entry does.
fn reaching(body: &str) -> (Vec<usize>, bool) {
    let program = function(body);
    let load = program.named("ori.ldg")[0];
    let stores = program.named("ori.stg");
    let found = program.reaching(load);
    assert!(!found.incomplete);
    let place = |writer: &Operation| stores.iter().position(|store| store == writer);
    let mut writers: Vec<usize> = found.writers.iter().filter_map(place).collect();
    writers.sort_unstable();
    (writers, found.from_entry)
}

#[test]
fn only_a_store_of_exactly_the_memory_read_hides_those_before_it() {
    let store = |offset: u32, rest: &str| format!("ori.stg <b32> [%d + {offset}], %x{rest}\n");
    let plain = " : (!ori.r64, !ori.r) -> ()";
    let guarded = " if %p : (!ori.r64, !ori.r, !ori.p) -> ()";
    let load = "%l = ori.ldg <b32> [%d + 4] : (!ori.r64) -> !ori.r\nori.ret";
    let found = |second: String| reaching(&(store(4, plain) + &second + load));
    assert_eq!(found(store(4, plain)), (vec![1], false));
    assert_eq!(found(store(4, guarded)), (vec![0, 1], false));
    assert_eq!(found(store(6, plain)), (vec![0, 1], false), "in part");
    assert_eq!(found(store(8, plain)), (vec![0], false), "elsewhere");
    let other = "ori.stg <b32> [%e], %x : (!ori.r64, !ori.r) -> ()\n".to_owned();
    assert_eq!(found(other), (vec![0, 1], false), "another base");
    let narrower = "ori.stg <u8> [%d + 4], %x : (!ori.r64, !ori.r) -> ()\n".to_owned();
    assert_eq!(found(narrower), (vec![0, 1], false), "a byte of it");
}

#[test]
fn writers_on_all_paths_reach_a_join() {
    let diamond = |then: &str, other: &str| {
        format!(
            "ori.cond_bra %p, ^then, ^else : !ori.p\n\
             ^then:\n{then}ori.bra ^join\n^else:\n{other}ori.bra ^join\n\
             ^join:\n%l = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r\nori.ret"
        )
    };
    let store = "ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()\n";
    assert_eq!(reaching(&diamond(store, store)), (vec![0, 1], false));
    assert_eq!(reaching(&diamond(store, "")), (vec![0], true));
    assert_eq!(reaching(&diamond("", store)), (vec![0], true));
    assert_eq!(reaching(&diamond("", "")), (vec![], true));
}

/// A loop whose body runs between the load and the branch back.
fn turn(start: &str, body: &str, passed: &str) -> String {
    format!(
        "%end = ori.imm 64 : !ori.r\n{start}ori.bra ^head(%r, %d : !ori.r, !ori.r64)\n\
         ^head(%i: !ori.r, %k: !ori.r64):\n{body}\
         %n = ori.iadd3 %i, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %q = ori.concat %n, %i : (!ori.r, !ori.r) -> !ori.r64\n\
         %c = ori.isetp <lt, s32, and> %n, %end : (!ori.r, !ori.r) -> !ori.p\n\
         ori.cond_bra %c, ^head(%n, {passed} : !ori.r, !ori.r64), ^out : !ori.p\n\
         ^out:\nori.ret"
    )
}

#[test]
fn a_store_later_in_a_loop_reaches_the_load_of_the_next_iteration() {
    let body = "%l = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r\n\
                ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()\n";
    assert_eq!(reaching(&turn("", body, "%k")), (vec![0], true));
    // To memory that does not change its address, 64 bytes further on.
    let apart = body.replace("ori.stg <b32> [%d]", "ori.stg <b32> [%d + 64]");
    assert_eq!(reaching(&turn("", &apart, "%k")), (vec![], true));
}

/// The address of the store is 4 bytes from that of the load in each iteration, but the value of
/// `%k` is another one in the next.
#[test]
fn addresses_computed_in_a_loop_are_not_compared_between_iterations() {
    let body = "%l = ori.ldg <b32> [%k] : (!ori.r64) -> !ori.r\n\
                ori.stg <b32> [%k + 4], %x : (!ori.r64, !ori.r) -> ()\n";
    assert_eq!(reaching(&turn("", body, "%q")), (vec![0], true));
    // An operation in the loop computes it.
    let computed = "%w = ori.concat %i, %x : (!ori.r, !ori.r) -> !ori.r64\n".to_owned()
        + &body.replace("%k", "%w");
    assert_eq!(reaching(&turn("", &computed, "%q")), (vec![0], true));
}

#[test]
fn loads_with_the_same_state_read_the_same_value() {
    let load = |name: &str| format!("%{name} = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r\n");
    let same = |between: &str| {
        let program = function(&format!("{}{between}{}ori.ret", load("a"), load("b")));
        let loads = program.named("ori.ldg");
        program.source(loads[0]) == program.source(loads[1])
    };
    assert!(same(""));
    assert!(same(
        "ori.stg <b32> [%d + 4], %x : (!ori.r64, !ori.r) -> ()\n"
    ));
    assert!(same("ori.sts <b32> [%r], %x : (!ori.r, !ori.r) -> ()\n"));
    assert!(!same(
        "ori.stg <b32> [%d + 2], %x : (!ori.r64, !ori.r) -> ()\n"
    ));
    assert!(!same("ori.stg <b32> [%e], %x : (!ori.r64, !ori.r) -> ()\n"));
    assert!(!same("ori.st <b32> [%e], %x : (!ori.r64, !ori.r) -> ()\n"));
    assert!(!same("ori.bar <sync, index = 0>\n"));
    assert!(!same("ori.call @h() : () -> ()\n"));
    let diamond = |then: &str| {
        same(&format!(
            "ori.cond_bra %p, ^then, ^join : !ori.p\n^then:\n{then}ori.bra ^join\n^join:\n"
        ))
    };
    assert!(diamond(""));
    assert!(diamond("ori.sts <b32> [%r], %x : (!ori.r, !ori.r) -> ()\n"));
    assert!(!diamond(
        "ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()\n"
    ));
    assert!(!diamond("ori.bar <sync, index = 0>\n"));
}

/// The load in the loop sees another state than the one before it if anything in the loop may write
/// the memory, also after the load.
#[test]
fn a_load_in_a_loop_sees_the_writes_of_earlier_iterations() {
    let same = |address: &str, store: &str| {
        let before = format!("%a = ori.ldg <b32> [{address}] : (!ori.r64) -> !ori.r\n");
        let body = format!("%b = ori.ldg <b32> [{address}] : (!ori.r64) -> !ori.r\n{store}");
        let program = function(&turn(&before, &body, "%q"));
        let loads = program.named("ori.ldg");
        program.source(loads[0]) == program.source(loads[1])
    };
    let store =
        |address: &str| format!("ori.stg <b32> [{address}], %x : (!ori.r64, !ori.r) -> ()\n");
    assert!(same("%d", ""));
    assert!(same("%d", &store("%d + 4")));
    assert!(!same("%d", &store("%d")));
    assert!(!same("%d", &store("%k + 4")));
    assert!(!same("%d", "ori.bar <sync, index = 0>\n"));
}

/// A loop with a branch in it: the merge after the branch is below the one at the head.
#[test]
fn a_merge_in_a_loop_does_not_hide_the_writes_of_earlier_iterations() {
    let same = |then: &str, after: &str| {
        let body = format!(
            "ori.cond_bra %p, ^then, ^join : !ori.p\n^then:\n{then}ori.bra ^join\n\
             ^join:\n%b = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r\n{after}"
        );
        let before = "%a = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r\n";
        let program = function(&turn(before, &body, "%q"));
        let loads = program.named("ori.ldg");
        program.source(loads[0]) == program.source(loads[1])
    };
    let store = "ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()\n";
    assert!(same("", ""));
    assert!(!same(store, ""));
    assert!(!same("", store));
}

#[test]
fn constant_memory_has_the_state_of_the_entry() {
    for load in [
        "%l = ori.ldg <b32, constant> [%d] : (!ori.r64) -> !ori.r\n",
        "%l = ori.ldc <b32> [%r] : (!ori.r) -> !ori.r\n",
    ] {
        let body = format!(
            "ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()\nori.bar <sync, index = 0>\n\
             ori.st <b32> [%d], %x : (!ori.r64, !ori.r) -> ()\n{load}ori.ret"
        );
        let program = function(&body);
        let all = program.operations();
        let load = all[all.len() - 2];
        assert_eq!(program.source(load), Some(MemoryState::ENTRY), "{body}");
    }
}

/// A query that gives up says so, or names a state that is not that of the entry.
#[test]
fn a_query_that_reaches_its_limit_is_conservative() {
    let load = |name: &str| format!("%{name} = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r\n");
    let mut text = "ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()\n".to_owned();
    for number in 0..200 {
        let offset = 8 + 4 * number;
        text += &format!("ori.stg <b32> [%d + {offset}], %x : (!ori.r64, !ori.r) -> ()\n");
    }
    let program = function(&(text + &load("a") + "ori.ret"));
    let found = program.reaching(program.named("ori.ldg")[0]);
    assert!(found.incomplete && !found.from_entry);
}
