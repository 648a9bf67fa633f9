//! Random functions with unreachable blocks, whose values refer to themselves and each other.

use crate::random::Random;

/// The syntax of operations in a dialect. Each value has a kind, which is a letter; in a template,
/// `{r}` is a value of kind `r`, and `{n}` is a unique number.
pub struct Language {
    /// The start of a function up to its entry block, which defines `%a`, `%b` of kind `r` and `%c`
    /// of kind `p`, and `%d` of kind `w` if operations use that.
    pub head: &'static str,
    /// The end of a function, with its return.
    pub exit: &'static str,
    /// An operation with side effects.
    pub effect: &'static str,
    /// The type of kind `r`, of which every block has one argument.
    pub ty: &'static str,
    /// A branch to `{t}`.
    pub branch: &'static str,
    /// A branch to one of two `{t}`.
    pub conditional: &'static str,
    /// Operations by the kind of their result.
    pub operations: &'static [(char, &'static str)],
}

/// The dialects `arith`, `cf`, `func` and `scf`.
pub const HOST: Language = Language {
    head: "func.func @f{n}(%a: i32, %b: i32, %c: i1) -> i32 {\n  \
           %d = arith.extsi %a : i32 to i64",
    exit: "return {r} : i32",
    effect: "func.call @use({r}) : (i32) -> ()",
    ty: "i32",
    branch: "cf.br ^b{t}({r} : i32)",
    conditional: "cf.cond_br {p}, ^b{t}({r} : i32), ^b{t}({r} : i32)",
    operations: &[
        ('r', "arith.constant 1 : i32"),
        ('r', "arith.constant -1 : i32"),
        ('r', "arith.addi {r}, {r} : i32"),
        ('r', "arith.subi {r}, {r} : i32"),
        ('r', "arith.muli {r}, {r} : i32"),
        ('r', "arith.xori {r}, {r} : i32"),
        ('r', "arith.select {p}, {r}, {r} : i32"),
        ('r', "arith.trunci {w} : i64 to i32"),
        ('w', "arith.extsi {r} : i32 to i64"),
        ('w', "arith.extui {r} : i32 to i64"),
        ('w', "arith.shrsi {w}, {w} : i64"),
        ('p', "arith.constant true"),
        ('p', "arith.cmpi slt, {r}, {r} : i32"),
        ('p', "arith.xori {p}, {p} : i1"),
        (
            'r',
            "scf.if {p} -> (i32) {\n      scf.yield %b : i32\n    } else {\n      \
             %x{n} = arith.addi %a, %b : i32\n      scf.yield %x{n} : i32\n    }",
        ),
        (
            'r',
            "scf.while (%x{n} = {r}) : (i32) -> i32 {\n      scf.condition(%c) %x{n} : i32\n    \
             } do {\n    ^bb0(%y{n}: i32):\n      scf.yield %y{n} : i32\n    }",
        ),
    ],
};

/// The dialect `ori`.
pub const ORI: Language = Language {
    head: "ori.func kernel @f{n}() target \"sm_80\" {\n  \
           %a = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n  \
           %b = ori.cbank[0, 360] : !ori.r\n  %q = ori.cbank[0, 352] : !ori.r64\n  \
           %c = ori.isetp <ge, s32, and> %a, %b : (!ori.r, !ori.r) -> !ori.p",
    exit: "ori.exit",
    effect: "ori.stg <b32> [%q], {r} : (!ori.r64, !ori.r) -> ()",
    ty: "!ori.r",
    branch: "ori.bra ^b{t}({r} : !ori.r)",
    conditional: "ori.cond_bra {p}, ^b{t}({r} : !ori.r), ^b{t}({r} : !ori.r) : !ori.p",
    operations: &[
        ('r', "ori.imm 4 : !ori.r"),
        ('r', "ori.imm 0 : !ori.r"),
        (
            'r',
            "ori.iadd3 {r}, {r}, {r} : (!ori.r, !ori.r, !ori.r) -> !ori.r",
        ),
        (
            'r',
            "ori.imad {r}, {r}, {r} : (!ori.r, !ori.r, !ori.r) -> !ori.r",
        ),
        (
            'r',
            "ori.lop3 <lut = 192> {r}, {r}, {r} : (!ori.r, !ori.r, !ori.r) -> !ori.r",
        ),
        (
            'r',
            "ori.shf <left, u32> {r}, {r}, {r} : (!ori.r, !ori.r, !ori.r) -> !ori.r",
        ),
        (
            'r',
            "ori.sel {r}, {r}, {p} : (!ori.r, !ori.r, !ori.p) -> !ori.r",
        ),
        (
            'r',
            "ori.mov {r} if {p} else {r} : (!ori.r, !ori.p, !ori.r) -> !ori.r",
        ),
        ('r', "ori.popc {r} : (!ori.r) -> !ori.r"),
        (
            'p',
            "ori.isetp <lt, s32, and> {r}, {r} : (!ori.r, !ori.r) -> !ori.p",
        ),
    ],
};

/// A value with its kind.
type Defined = (char, String);

/// A block being generated: the remaining operations, and the values available to them.
struct Block {
    number: usize,
    operations: Vec<(char, &'static str)>,
    pool: Vec<Defined>,
}

/// Generates functions in a language.
pub struct Generator<'g> {
    pub language: &'g Language,
    pub random: &'g mut Random,
    /// How many unique numbers were used.
    pub numbers: usize,
}

impl Generator<'_> {
    /// A function with reachable blocks, which use values that dominate them, and unreachable ones,
    /// which use any values of unreachable blocks and branch to each other and to reachable blocks.
    pub fn function(&mut self) -> String {
        let (reachable, unreachable) = (1 + self.random.below(4), 1 + self.random.below(4));
        let outside = vec![
            ('r', "%a".to_owned()),
            ('r', "%b".to_owned()),
            ('p', "%c".to_owned()),
            ('w', "%d".to_owned()),
        ];
        let mut blocks: Vec<Block> = (0..=reachable + unreachable)
            .map(|number| self.block(number, outside.clone()))
            .collect();
        let everything: Vec<Defined> = blocks[reachable + 1..]
            .iter()
            .flat_map(Block::defined)
            .collect();
        for block in &mut blocks[reachable + 1..] {
            block.pool.extend(everything.iter().cloned());
        }
        let mut text = self.fill(self.language.head, &[], &[]) + "\n";
        for block in &mut blocks {
            let is_unreachable = block.number > reachable;
            let last = if is_unreachable {
                reachable + unreachable
            } else {
                reachable
            };
            self.write(&mut text, block, is_unreachable, last);
        }
        text + "}\n"
    }

    fn block(&mut self, number: usize, pool: Vec<Defined>) -> Block {
        let count = self.random.below(6);
        let operations = (0..count).map(|_| *self.random.pick(self.language.operations));
        Block {
            number,
            operations: operations.collect(),
            pool,
        }
    }

    fn write(&mut self, text: &mut String, block: &mut Block, is_unreachable: bool, last: usize) {
        let (number, ty) = (block.number, self.language.ty);
        if number > 0 {
            text.push_str(&format!("^b{number}(%arg{number}: {ty}):\n"));
            block.pool.push(('r', format!("%arg{number}")));
        }
        let operations = std::mem::take(&mut block.operations);
        for (place, (kind, template)) in operations.into_iter().enumerate() {
            let name = format!("%v{number}_{place}");
            let operation = self.fill(template, &block.pool, &[]);
            text.push_str(&format!("    {name} = {operation}\n"));
            // In unreachable blocks, it is available everywhere from the start.
            if !is_unreachable {
                block.pool.push((kind, name));
            }
        }
        let effect = self.fill(self.language.effect, &block.pool, &[]);
        let templates = [
            self.language.exit,
            self.language.branch,
            self.language.conditional,
        ];
        let end = *self.random.pick(&templates);
        let end = self.fill(end, &block.pool, &(1..=last).collect::<Vec<_>>());
        text.push_str(&format!("    {effect}\n    {end}\n"));
    }

    /// Expands a template.
    fn fill(&mut self, template: &str, pool: &[Defined], targets: &[usize]) -> String {
        self.numbers += 1;
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let Some(kind) = after.chars().next().filter(|_| after[1..].starts_with('}')) else {
                text.push('{');
                rest = after;
                continue;
            };
            text.push_str(&match kind {
                'n' => self.numbers.to_string(),
                't' => self.random.pick(targets).to_string(),
                kind => {
                    let fitting: Vec<_> = pool.iter().filter(|(k, _)| *k == kind).collect();
                    self.random.pick(&fitting).1.clone()
                }
            });
            rest = &after[2..];
        }
        text + rest
    }
}

impl Block {
    fn defined(&self) -> Vec<Defined> {
        let results = self.operations.iter().enumerate();
        let name =
            |(place, (kind, _)): (usize, &(char, _))| (*kind, format!("%v{}_{place}", self.number));
        let argument = ('r', format!("%arg{}", self.number));
        results.map(name).chain([argument]).collect()
    }
}
