//! Local memory: frames of activations, additional allocations, and invalid uses of them.

use crate::operations::{STORE, firsts, run};

/// A function with a slot of four bytes.
fn with_slot(name: &str, size: u32, types: &str, body: &str) -> String {
    format!(
        "ori.func @{name}{types} target \"sm_90a\" attributes {{frame = [{{alignment = 4 : i32, \
         name = \"s\", offset = 0 : i32, size = {size} : i32}}]}} {{\n\
         %s = ori.slot_address \"s\" : !ori.r\n{body}\n}}\n"
    )
}

const DOWN: &str = "%zero = ori.imm 0 : !ori.r\n%one = ori.imm 1 : !ori.r\n\
     ori.stl [%s], %n : (!ori.r, !ori.r) -> ()\n\
     %end = ori.isetp <eq, u32> %n, %zero : (!ori.r, !ori.r) -> !ori.p\n\
     ori.cond_bra %end, ^end(%zero : !ori.r), ^call : !ori.p\n\
     ^call:\n%less = ori.iadd3 %n, neg %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
     %rest = ori.call @down(%less) : (!ori.r) -> !ori.r\n\
     %own = ori.ldl [%s] : (!ori.r) -> !ori.r\n\
     %sum = ori.iadd3 %own, %rest, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
     ori.bra ^end(%sum : !ori.r)\n\
     ^end(%x: !ori.r):\nori.ret %x : !ori.r";

#[test]
fn every_activation_has_its_own_frame() {
    // Lanes return from different depths, from frames at different addresses.
    let functions = with_slot("down", 4, "(%n: !ori.r) -> !ori.r", DOWN);
    let body = format!(
        "%taken = ori.alloca <alignment = 16> %lane : (!ori.r) -> !ori.r\n\
         %x = ori.call @down(%lane) : (!ori.r) -> !ori.r\n{STORE}"
    );
    let expected: Vec<u32> = (0..32).map(|lane| lane * (lane + 1) / 2).collect();
    assert_eq!(firsts(&run(32, &functions, &body).unwrap()), expected);
}

#[test]
fn depth_and_size_are_bounded() {
    let endless = |size| {
        let body = "ori.call @down() : () -> ()\nori.ret";
        let functions = with_slot("down", size, "()", body);
        run(32, &functions, "ori.call @down() : () -> ()\nori.exit")
    };
    let error = endless(4096).unwrap_err();
    let wanted = "allocates 4096 bytes of local memory in lane 0, but a thread has 524288 bytes";
    assert!(error.contains(wanted), "{error}");
    let error = endless(4).unwrap_err();
    assert!(error.contains("exceeds the call depth of 1024"), "{error}");
}

#[test]
fn a_frame_ends_with_its_activation() {
    let functions = with_slot("gone", 4, "() -> !ori.r", "ori.ret %s : !ori.r")
        + &with_slot(
            "fresh",
            4,
            "()",
            "%v = ori.ldl [%s] : (!ori.r) -> !ori.r\n\
             %p = ori.isetp <eq, u32> %v, %v : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %p, ^a, ^a : !ori.p\n^a:\nori.ret",
        )
        + &with_slot(
            "full",
            4,
            "()",
            "ori.stl [%s], %s : (!ori.r, !ori.r) -> ()\nori.ret",
        );
    let cases = [
        (
            "%s = ori.call @gone() : () -> !ori.r\n%x = ori.ldl [%s] : (!ori.r) -> !ori.r",
            "accesses 4 bytes out of bounds in lane 0: at byte 0x7fffc of local memory, whose \
             stack ends at 0x80000",
        ),
        // Data written there by an earlier activation is not visible.
        (
            "ori.call @full() : () -> ()\nori.call @fresh() : () -> ()",
            "a predicate is undefined in lane 0",
        ),
        (
            "%end = ori.stack_save : !ori.r\n\
             %s = ori.alloca <alignment = 4> %size : (!ori.r) -> !ori.r\n\
             ori.stack_restore %end : (!ori.r) -> ()\n\
             ori.stl [%s], %zero : (!ori.r, !ori.r) -> ()",
            "out of bounds in lane 0: at byte 0x7ff00 of local memory, whose stack ends at 0x80000",
        ),
        (
            "ori.stack_restore %size : (!ori.r) -> ()",
            "sets the end of the stack to 0x100 in lane 0, which is not between the current end \
             0x80000 and the frame at 0x80000",
        ),
    ];
    for (body, wanted) in cases {
        let error = run(32, &functions, &format!("{body}\nori.exit")).unwrap_err();
        assert!(error.contains(wanted), "{error}");
    }
}
