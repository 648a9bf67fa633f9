//! Cycles as formulas over the extents of an operation and the rates of a machine.
//!
//! A formula is a product or sum of numbers, rates, variables and `ceil(x)`, `log2(x)`,
//! `min(x, y)`, `max(x, y)`. There is no subtraction, so no formula is negative. The value is
//! rounded up to cycles and limited to [`MAX_CYCLES`].

use std::collections::BTreeMap;

/// Upper limit of the cycles of a formula, that of `tileas.schedule.latency`.
pub const MAX_CYCLES: u32 = 1 << 20;

/// A quantity of an operation that formulas use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// Elements of the largest result tile; without one, of the largest operand tile; 1 for scalars.
    Elements,
    /// Elements of the first operand tile.
    Inputs,
    /// Elements that a reduction or scan combines into one.
    Combined,
    /// Bytes of the result tiles; without any, of the first operand tile.
    Bytes,
    /// Bits of an element of the first operand tile; without one, of a result.
    Bits,
    /// Rows of a product.
    M,
    /// Columns of a product.
    N,
    /// Summands of each element of a product.
    K,
    /// Matrices of a batched product.
    Batch,
    /// Bytes of the left factor that are read from shared memory; 0 if it is in registers or tensor
    /// memory.
    LeftBytes,
    /// Bytes of the right factor.
    RightBytes,
    /// Rows of the atom's instruction; 1 if its name does not say.
    AtomM,
    /// Columns of the atom's instruction; those of the product, at most 256, if its name does not
    /// say.
    AtomN,
    /// Warps of the agent.
    Warps,
    /// The fraction of the four partitions of an SM in which the agent has a warp.
    Share,
    /// The longest time that the operation holds a slot; only in latencies.
    Busy,
}

impl Variable {
    /// Every variable by the name used in formulas.
    pub const ALL: [(&'static str, Variable); 16] = [
        ("elements", Variable::Elements),
        ("inputs", Variable::Inputs),
        ("combined", Variable::Combined),
        ("bytes", Variable::Bytes),
        ("bits", Variable::Bits),
        ("m", Variable::M),
        ("n", Variable::N),
        ("k", Variable::K),
        ("batch", Variable::Batch),
        ("left_bytes", Variable::LeftBytes),
        ("right_bytes", Variable::RightBytes),
        ("atom_m", Variable::AtomM),
        ("atom_n", Variable::AtomN),
        ("warps", Variable::Warps),
        ("share", Variable::Share),
        ("busy", Variable::Busy),
    ];
}

/// The quantities of one operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantities([f64; Variable::ALL.len()]);

impl Default for Quantities {
    /// Those of a scalar operation of 32 bits, executed by four warps.
    fn default() -> Self {
        let mut quantities = Quantities([1.0; Variable::ALL.len()]);
        quantities.set(Variable::Bits, 32);
        quantities.set(Variable::Warps, 4);
        quantities
    }
}

impl Quantities {
    /// Sets a quantity. The number of warps also sets [`Variable::Share`].
    #[allow(clippy::cast_precision_loss, reason = "cycles of 2^53 are limited")]
    pub fn set(&mut self, variable: Variable, value: u64) {
        self.0[variable as usize] = value as f64;
        if variable == Variable::Warps {
            self.0[Variable::Share as usize] = value.clamp(1, 4) as f64 / 4.0;
        }
    }

    /// The value of a variable.
    #[must_use]
    pub fn get(&self, variable: Variable) -> f64 {
        self.0[variable as usize]
    }
}

/// A parsed formula. Rates are replaced by their values.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A number or a rate.
    Number(f64),
    /// A quantity of the operation.
    Variable(Variable),
    /// A function or an operator of its operands.
    Apply(Function, Vec<Formula>),
}

/// The functions of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Sum of two.
    Add,
    /// Product of two.
    Multiply,
    /// Quotient of two.
    Divide,
    /// Rounds up to an integer.
    Ceil,
    /// Steps that halve a number of elements down to one: the logarithm, rounded up, at least 1.
    Log2,
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
}

impl Function {
    const NAMED: [(&'static str, Function, usize); 4] = [
        ("ceil", Function::Ceil, 1),
        ("log2", Function::Log2, 1),
        ("min", Function::Min, 2),
        ("max", Function::Max, 2),
    ];
}

impl Formula {
    /// Parses a formula. `rates` are the names besides variables and functions.
    ///
    /// # Errors
    /// The byte offset in `text` and the message: an unknown name, a missing operand or parenthesis,
    /// a wrong number of arguments, an unknown character.
    pub fn parse(text: &str, rates: &BTreeMap<String, f64>) -> Result<Self, (usize, String)> {
        let mut reader = Reader {
            text,
            at: 0,
            depth: 0,
            rates,
        };
        let formula = reader.sum()?;
        match reader.peek() {
            None => Ok(formula),
            Some(found) => Err((reader.at, format!("expected an operator, found '{found}'"))),
        }
    }

    /// The cycles of an operation: rounded up, at most [`MAX_CYCLES`], which also replaces a
    /// quotient of zero.
    #[must_use]
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the limit"
    )]
    pub fn cycles(&self, quantities: &Quantities) -> u32 {
        let value = self.value(quantities).ceil();
        if value < f64::from(MAX_CYCLES) {
            return value as u32;
        }
        MAX_CYCLES
    }

    /// Whether a variable occurs.
    #[must_use]
    pub fn mentions(&self, variable: Variable) -> bool {
        match self {
            Formula::Number(_) => false,
            Formula::Variable(own) => *own == variable,
            Formula::Apply(_, operands) => operands.iter().any(|of| of.mentions(variable)),
        }
    }

    fn value(&self, quantities: &Quantities) -> f64 {
        let (function, operands) = match self {
            Formula::Number(value) => return *value,
            Formula::Variable(variable) => return quantities.get(*variable),
            Formula::Apply(function, operands) => (*function, operands),
        };
        let mut values = operands.iter().map(|operand| operand.value(quantities));
        let first = values.next().unwrap_or_default();
        let second = values.next().unwrap_or_default();
        match function {
            Function::Add => first + second,
            Function::Multiply => first * second,
            Function::Divide => first / second,
            Function::Ceil => first.ceil(),
            Function::Log2 => halvings(first),
            Function::Min => first.min(second),
            Function::Max => first.max(second),
        }
    }
}

/// Doublings of one until a number of elements is reached, at least one.
fn halvings(elements: f64) -> f64 {
    let (mut steps, mut reached) = (1.0, 2.0);
    while reached < elements && steps < 64.0 {
        reached *= 2.0;
        steps += 1.0;
    }
    steps
}

/// Parentheses and calls nest at most this deep.
const MAX_DEPTH: u32 = 32;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
    rates: &'t BTreeMap<String, f64>,
}

impl Reader<'_> {
    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), (usize, String)> {
        if self.eat(wanted) {
            return Ok(());
        }
        Err((self.at, format!("expected '{wanted}'")))
    }

    fn sum(&mut self) -> Result<Formula, (usize, String)> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("formula is nested deeper than {MAX_DEPTH}");
            return Err((self.at, message));
        }
        let mut left = self.product()?;
        while self.eat('+') {
            left = Formula::Apply(Function::Add, vec![left, self.product()?]);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<Formula, (usize, String)> {
        let mut left = self.operand()?;
        loop {
            let function = match self.peek() {
                Some('*') => Function::Multiply,
                Some('/') => Function::Divide,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Formula::Apply(function, vec![left, self.operand()?]);
        }
    }

    fn operand(&mut self) -> Result<Formula, (usize, String)> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.sum()?;
                self.expect(')')?;
                Ok(inner)
            }
            Some(digit) if digit.is_ascii_digit() => self.number(),
            Some(letter) if letter.is_ascii_alphabetic() => self.name(),
            Some(other) => Err((
                self.at,
                format!("expected a number or a name, found '{other}'"),
            )),
            None => Err((self.at, "expected a number or a name".to_owned())),
        }
    }

    /// The text up to the first character that does not belong to a word or number.
    fn word(&mut self, belongs: impl Fn(char) -> bool) -> (usize, &str) {
        let start = self.at;
        let rest = &self.text[start..];
        self.at += rest.find(|found| !belongs(found)).unwrap_or(rest.len());
        (start, &self.text[start..self.at])
    }

    fn number(&mut self) -> Result<Formula, (usize, String)> {
        let (start, digits) = self.word(|found| found.is_ascii_digit() || found == '.');
        let value = digits.parse();
        value
            .map(Formula::Number)
            .map_err(|_| (start, format!("invalid number '{digits}'")))
    }

    fn name(&mut self) -> Result<Formula, (usize, String)> {
        let (start, name) = self.word(|found| found.is_ascii_alphanumeric() || found == '_');
        let name = name.to_owned();
        if let Some(value) = self.rates.get(&name) {
            return Ok(Formula::Number(*value));
        }
        let mut variables = Variable::ALL.iter();
        if let Some((_, variable)) = variables.find(|(known, _)| *known == name) {
            return Ok(Formula::Variable(*variable));
        }
        let mut functions = Function::NAMED.iter();
        let Some(&(_, function, arity)) = functions.find(|(known, ..)| *known == name) else {
            return Err((start, self.unknown(&name)));
        };
        self.expect('(')?;
        let mut operands = vec![self.sum()?];
        while self.eat(',') {
            operands.push(self.sum()?);
        }
        self.expect(')')?;
        if operands.len() == arity {
            return Ok(Formula::Apply(function, operands));
        }
        let count = operands.len();
        let message = format!("'{name}' takes {arity} arguments, but {count} are given");
        Err((start, message))
    }

    fn unknown(&self, name: &str) -> String {
        let variables = Variable::ALL.iter().map(|(known, _)| *known);
        let functions = Function::NAMED.iter().map(|(known, ..)| *known);
        let rates = self.rates.keys().map(String::as_str);
        let known = variables.chain(functions).chain(rates);
        let meant = orison_ir::pass::nearest(name, known)
            .map_or_else(String::new, |meant| format!("; did you mean '{meant}'?"));
        format!("unknown rate or variable '{name}'{meant}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(text: &str) -> u32 {
        let rates = BTreeMap::from([("global".to_owned(), 64.0), ("hbm".to_owned(), 13.9)]);
        let mut of = Quantities::default();
        of.set(Variable::Bytes, 16_384);
        of.set(Variable::M, 65);
        of.set(Variable::Warps, 2);
        Formula::parse(text, &rates).unwrap().cycles(&of)
    }

    #[test]
    fn values_are_rounded_up_and_limited() {
        // 16,384 / 64 = 256; 16,384 / 13.9 = 1,178.7; 65 rows are two instructions of 64.
        assert_eq!(cycles("bytes / global"), 256);
        assert_eq!(cycles("bytes / hbm"), 1_179);
        assert_eq!(cycles("ceil(m / 64) * 64"), 128);
        assert_eq!(cycles("2 + 3 * 4 / 2"), 8);
        assert_eq!(cycles("(2 + 3) * 4"), 20);
        assert_eq!(cycles("max(min(7, m), 3)"), 7);
        assert_eq!(cycles("100 / share"), 200);
        assert_eq!(cycles("m / 0"), MAX_CYCLES);
        assert_eq!(cycles("0 / 0"), MAX_CYCLES);
        assert_eq!(cycles("bytes * bytes"), MAX_CYCLES);
        // 1 and 2 elements take one step, 65 take seven.
        assert_eq!(
            [cycles("log2(1)"), cycles("log2(2)"), cycles("log2(m)")],
            [1, 1, 7]
        );
    }

    #[test]
    fn malformed_formulas_are_located() {
        let rates = BTreeMap::from([("global".to_owned(), 64.0)]);
        let cases = [
            (
                "bytes / globl",
                8,
                "unknown rate or variable 'globl'; did you mean 'global'?",
            ),
            ("bytes /", 7, "expected a number or a name"),
            ("(m + n", 6, "expected ')'"),
            ("m - n", 2, "expected an operator, found '-'"),
            ("m n", 2, "expected an operator, found 'n'"),
            ("min(m)", 0, "'min' takes 2 arguments, but 1 are given"),
            ("ceil m", 5, "expected '('"),
            ("1.2.3", 0, "invalid number '1.2.3'"),
            ("", 0, "expected a number or a name"),
            ("* 2", 0, "expected a number or a name, found '*'"),
        ];
        for (text, at, message) in cases {
            let error = Formula::parse(text, &rates).unwrap_err();
            assert_eq!(error, (at, message.to_owned()), "{text}");
        }
        let deep = "(".repeat(100_000);
        let error = Formula::parse(&deep, &rates).unwrap_err();
        assert_eq!(error.1, "formula is nested deeper than 32");
    }
}
