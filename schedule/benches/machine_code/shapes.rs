//! Functions of any size.

use std::fmt::Write as _;

use orison_sass::function::Function;
use orison_sass::listing;

use super::common::repeated;

/// Makes a function of about so many instructions.
type Make = fn(usize) -> Function<'static>;

/// The shapes: one block; many blocks that jump over the next; loops of one block; a kernel of ptxas again and
/// again, with its loops.
pub(crate) const ALL: [(&str, Make); 4] = [
    ("one block", |size| generated(size, usize::MAX, Ends::None)),
    ("blocks", |size| generated(size, 24, Ends::Jump)),
    ("loops", |size| generated(size, 60, Ends::Loop)),
    ("copies of a kernel", copies),
];

/// What is at the end of a block.
#[derive(Clone, Copy)]
enum Ends {
    None,
    Jump,
    Loop,
}

/// Batches of loads, products of what they load, elementary functions and stores, over all registers in turn, in
/// blocks of about so many instructions.
fn generated(size: usize, block: usize, ends: Ends) -> Function<'static> {
    let mut text = ".target sm_90a\n//---- .text.k ----\n.text.k:\n".to_owned();
    let (mut count, mut blocks, mut last) = (0, 0, 0);
    let _ = writeln!(text, ".L_x_0:");
    for batch in 0.. {
        let base = 8 + batch * 12 % 228;
        for load in 0..4 {
            line(
                &mut text,
                &mut count,
                &format!(
                    "LDG.E R{}, desc[UR4][R2.64+{:#x}]",
                    base + load,
                    4 * load + 16 * batch
                ),
            );
        }
        for load in 0..4 {
            let (from, to) = (base + load, base + 4 + load);
            line(
                &mut text,
                &mut count,
                &format!("FFMA R{to}, R{from}, R{from}, R4"),
            );
            line(
                &mut text,
                &mut count,
                &format!("IADD3 R{}, R{to}, 0x{batch:x}, RZ", base + 8 + load),
            );
        }
        line(
            &mut text,
            &mut count,
            &format!("MUFU.RCP R{}, R{}", base + 4, base + 9),
        );
        line(
            &mut text,
            &mut count,
            &format!("STG.E desc[UR4][R6.64+{:#x}], R{}", 4 * batch, base + 4),
        );
        if count >= size {
            break;
        }
        if count - last >= block {
            last = count;
            line(
                &mut text,
                &mut count,
                &format!("ISETP.NE.AND P0, PT, R{}, RZ, PT", base + 8),
            );
            let to = match ends {
                Ends::Loop => blocks,
                _ => blocks + 2,
            };
            line(&mut text, &mut count, &format!("@P0 BRA `(.L_x_{to})"));
            blocks += 1;
            let _ = writeln!(text, ".L_x_{blocks}:");
        }
    }
    for end in 1..3 {
        let _ = writeln!(text, ".L_x_{}:", blocks + end);
    }
    line(&mut text, &mut count, "EXIT");
    function(&text)
}

fn line(text: &mut String, count: &mut usize, instruction: &str) {
    let address = 16 * *count;
    let _ = writeln!(
        text,
        "/*{address:04x}*/ {instruction} ; /* B------:R-:W-:-:S01 */"
    );
    *count += 1;
}

fn function(text: &str) -> Function<'static> {
    let listing = listing::parse(text).expect("a listing");
    let functions = listing.into_functions().expect("functions");
    functions.into_iter().next().expect("a function")
}

/// Copies of a kernel, where instructions that end one copy continue with the next.
fn copies(size: usize) -> Function<'static> {
    let kernel = function(include_str!(
        "../../../dialects/sass/tests/real/softmax.sm_90a.sass"
    ));
    repeated(&kernel, size)
}
