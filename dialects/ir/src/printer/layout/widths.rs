//! Widths of the indivisible parts of a line.

use super::tokens::Token;

/// The additional indentation of the continuation of a clause, and of bracketed contents that are
/// not aligned with their bracket.
pub(super) const NESTED: usize = 2;

/// An indivisible part: the text between two possible line breaks. Lines may break at spaces and at
/// the start of bracketed contents.
#[derive(Default)]
struct Run {
    /// The level of its start.
    level: usize,
    /// The number of enclosing levels.
    depth: usize,
    /// The width in columns.
    width: usize,
}

/// A pair of brackets, or the line itself.
#[derive(Default)]
struct Level {
    /// The enclosing level.
    around: usize,
    /// The columns that its contents need if each nested level is indented by [`NESTED`].
    needed: usize,
}

/// The widths of a line.
pub(super) struct Widths {
    /// The first is the line itself; every level comes after its enclosing levels.
    levels: Vec<Level>,
    /// The level started by an opening bracket, by token index.
    inside: Vec<usize>,
    /// The columns that the last run needs, measured from the continuation indentation.
    last: usize,
}

impl Widths {
    pub(super) fn of(tokens: &[Token<'_>]) -> Self {
        let mut widths = Widths {
            levels: vec![Level::default()],
            inside: vec![0; tokens.len()],
            last: 0,
        };
        let mut run = Run::default();
        let (mut level, mut depth) = (0, 0);
        for (index, token) in tokens.iter().enumerate() {
            if let Token::Space(_) = token
                && !is_before_region(tokens, index)
            {
                widths.end(&run);
                run = Run {
                    level,
                    depth,
                    width: 0,
                };
                continue;
            }
            run.width += token.text().len();
            match token {
                Token::Open(_) => {
                    widths.end(&run);
                    widths.inside[index] = widths.levels.len();
                    widths.levels.push(Level {
                        around: level,
                        needed: 0,
                    });
                    level = widths.inside[index];
                    depth += 1;
                    run = Run {
                        level,
                        depth,
                        width: 0,
                    };
                }
                Token::Close(_) => {
                    level = widths.levels[level].around;
                    depth -= 1;
                }
                _ => {}
            }
        }
        widths.end(&run);
        // The continuation of a clause is indented one more step.
        widths.last = run.width + (run.depth + 1) * NESTED;
        for level in (1..widths.levels.len()).rev() {
            let Level { around, needed } = widths.levels[level];
            let outer = &mut widths.levels[around].needed;
            *outer = (*outer).max(needed + NESTED);
        }
        widths
    }

    fn end(&mut self, run: &Run) {
        let needed = &mut self.levels[run.level].needed;
        *needed = (*needed).max(run.width);
    }

    /// The minimum width of the contents of the bracket at this token, in columns.
    pub(super) fn inside(&self, open: usize) -> usize {
        self.levels[self.inside[open]].needed
    }

    /// The columns that the end of the line needs, measured from the continuation indentation.
    pub(super) fn last(&self) -> usize {
        self.last
    }
}

/// Whether only the brackets that start a region follow the space at `index`.
pub(super) fn is_before_region(tokens: &[Token<'_>], index: usize) -> bool {
    let is_bracket = |token: &Token<'_>| matches!(token, Token::Text("{" | "(" | "["));
    tokens.len() - index <= 3 && tokens[index + 1..].iter().all(is_bracket)
}
