//! Operands and constant expressions.

use super::super::ast::Expression;
use super::super::lexer::Kind;
use super::{Parser, Result};

/// Binary operators by precedence, lowest first.
const BINARY: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];
const UNARY: [&str; 4] = ["-", "+", "!", "~"];

impl<'t> Parser<'t> {
    /// An operand or constant expression.
    pub(super) fn expression(&mut self) -> Result<Expression<'t>> {
        self.nested(|parser| {
            let condition = parser.binary(0)?;
            if !parser.eat("?")? {
                return Ok(condition);
            }
            let then = parser.expression()?;
            parser.expect(":")?;
            let otherwise = parser.expression()?;
            Ok(Expression::Conditional(Box::new([
                condition, then, otherwise,
            ])))
        })
    }

    /// The next token as an operator, if its precedence is at least this level.
    fn operator(&self, level: usize) -> Option<(&'static str, usize)> {
        let Kind::Sign(sign) = self.token.kind else {
            return None;
        };
        let mut levels = BINARY.iter().enumerate().skip(level);
        levels.find_map(|(number, signs)| signs.contains(&sign).then_some((sign, number)))
    }

    /// Left-associative operators of at least this precedence.
    fn binary(&mut self, level: usize) -> Result<Expression<'t>> {
        let mut left = self.unary()?;
        let mut length = 0;
        while let Some((sign, number)) = self.operator(level) {
            // A chain produces a tree as deep as it is long.
            length += 1;
            if length + self.depth > super::MAX_DEPTH {
                let message = format!("nesting deeper than {} levels", super::MAX_DEPTH);
                return self.error_at(self.token.place, message);
            }
            self.advance()?;
            let right = self.nested(|parser| parser.binary(number + 1))?;
            left = Expression::Binary(sign, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression<'t>> {
        let Kind::Sign(sign) = self.token.kind else {
            return self.postfix();
        };
        if UNARY.contains(&sign) {
            self.advance()?;
            let operand = self.nested(Self::unary)?;
            let sign = sign.chars().next().unwrap_or('-');
            return Ok(Expression::Unary(sign, Box::new(operand)));
        }
        if sign == "(" && self.next.kind == Kind::Dotted {
            self.advance()?;
            let ty = match self.token.text {
                ".s64" | ".u64" => self.dotted("a type")?,
                _ => return self.expected("'.s64' or '.u64'"),
            };
            self.expect(")")?;
            let operand = self.nested(Self::unary)?;
            return Ok(Expression::Cast(ty, Box::new(operand)));
        }
        self.postfix()
    }

    /// A primary followed by parts, properties and arguments.
    fn postfix(&mut self) -> Result<Expression<'t>> {
        let mut expression = self.primary()?;
        let mut length = 0;
        loop {
            let applies =
                self.at("(") && matches!(expression, Expression::Name(_) | Expression::Integer(..));
            // A number with a part would be printed as another number.
            let has_parts = matches!(
                expression,
                Expression::Name(_) | Expression::Address(_) | Expression::Member(..)
            );
            let joined = self.token.kind == Kind::Dotted && self.token.joined;
            if joined && has_parts && length < 4 {
                let member = self.dotted("a part")?;
                expression = Expression::Member(Box::new(expression), member);
                length += 1;
            } else if applies {
                self.advance()?;
                let arguments = self.list(")", Self::expression)?;
                expression = Expression::Apply(Box::new(expression), arguments);
            } else {
                return Ok(expression);
            }
        }
    }

    fn primary(&mut self) -> Result<Expression<'t>> {
        let expression = match self.token.kind {
            Kind::Name => Expression::Name(self.token.text),
            Kind::Integer(value, unsigned) => Expression::Integer(value, unsigned),
            Kind::Single(bits) => Expression::Single(bits),
            Kind::Double(bits) => Expression::Double(bits),
            Kind::Sign("(") => return self.bracketed(")", Expression::Parentheses),
            Kind::Sign("{") => return self.bracketed("}", Expression::Vector),
            Kind::Sign("[") => return self.bracketed("]", Expression::Address),
            _ => return self.expected("an operand"),
        };
        self.advance()?;
        Ok(expression)
    }

    fn bracketed(
        &mut self,
        close: &str,
        make: fn(Vec<Expression<'t>>) -> Expression<'t>,
    ) -> Result<Expression<'t>> {
        let place = self.token.place;
        self.advance()?;
        let items = self.list(close, Self::expression)?;
        if items.is_empty() && close != ")" {
            return self.error_at(place, "expected an operand between the brackets");
        }
        Ok(make(items))
    }
}
