//! Parsing of affine maps and integer sets.

use super::{ParseResult, Parser, Token, TokenKind};
use crate::affine::{AffineConstraint, AffineExpr, AffineMap, IntegerSet};

/// The names of dimensions and symbols in scope.
#[derive(Debug, Default)]
struct AffineNames {
    names: Vec<(Box<str>, AffineExpr)>,
    dims: u32,
    symbols: u32,
}

impl Parser<'_> {
    /// Parses `(d0, …)[s0, …] -> (exprs)`.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_affine_map(&mut self) -> ParseResult<AffineMap> {
        let place = self.token();
        let names = self.parse_affine_names()?;
        if self.at(TokenKind::Colon) {
            self.parse_affine_constraints(&names)?;
            return Err(self.error_at(place, "expected AffineMap, but got IntegerSet"));
        }
        self.expect(TokenKind::Arrow, "expected '->' or ':'")?;
        let results = self.parse_affine_results(&names)?;
        Ok(AffineMap::new(names.dims, names.symbols, results))
    }

    /// Parses `(d0, …)[s0, …] : (constraints)`.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn parse_integer_set(&mut self) -> ParseResult<IntegerSet> {
        let place = self.token();
        let names = self.parse_affine_names()?;
        if self.eat(TokenKind::Arrow)? {
            self.parse_affine_results(&names)?;
            return Err(self.error_at(place, "expected IntegerSet, but got AffineMap"));
        }
        let constraints = self.parse_affine_constraints(&names)?;
        Ok(IntegerSet::new(names.dims, names.symbols, constraints))
    }

    fn parse_affine_results(&mut self, names: &AffineNames) -> ParseResult<Vec<AffineExpr>> {
        self.expect(TokenKind::LeftParen, "expected '(' in affine map range")?;
        let mut results = Vec::new();
        let close = "expected ')' in affine map range";
        self.comma_list_until(TokenKind::RightParen, close, |parser| {
            results.push(parser.parse_affine_expression(names)?);
            Ok(())
        })?;
        Ok(results)
    }

    fn parse_affine_constraints(
        &mut self,
        names: &AffineNames,
    ) -> ParseResult<Vec<AffineConstraint>> {
        self.expect(TokenKind::Colon, "expected '->' or ':'")?;
        let open = "expected '(' in integer set constraint list";
        self.expect(TokenKind::LeftParen, open)?;
        let mut constraints = Vec::new();
        let close = "expected ')' in integer set constraint list";
        self.comma_list_until(TokenKind::RightParen, close, |parser| {
            constraints.push(parser.parse_affine_constraint(names)?);
            Ok(())
        })?;
        Ok(constraints)
    }

    fn parse_affine_names(&mut self) -> ParseResult<AffineNames> {
        let mut scope = AffineNames::default();
        let open = "expected '(' in dimensional identifier list";
        self.expect(TokenKind::LeftParen, open)?;
        let close = "expected ')' in dimensional identifier list";
        self.comma_list_until(TokenKind::RightParen, close, |parser| {
            let dim = AffineExpr::dim(scope.dims);
            scope.dims += 1;
            parser.parse_affine_name(&mut scope, dim)
        })?;
        if self.eat(TokenKind::LeftSquare)? {
            self.comma_list_until(TokenKind::RightSquare, "expected ']'", |parser| {
                let symbol = AffineExpr::symbol(scope.symbols);
                scope.symbols += 1;
                parser.parse_affine_name(&mut scope, symbol)
            })?;
        }
        Ok(scope)
    }

    fn parse_affine_name(
        &mut self,
        scope: &mut AffineNames,
        expression: AffineExpr,
    ) -> ParseResult<()> {
        let token = self.expect(TokenKind::BareIdentifier, "expected bare identifier")?;
        let name: Box<str> = self.spelling(token).into();
        if scope.names.iter().any(|(known, _)| *known == name) {
            return Err(self.error_at(token, &format!("redefinition of identifier '{name}'")));
        }
        scope.names.push((name, expression));
        Ok(())
    }

    fn parse_affine_constraint(&mut self, names: &AffineNames) -> ParseResult<AffineConstraint> {
        let lhs = self.parse_affine_expression(names)?;
        let relation = self.token();
        let message = "expected '== affine-expr' or '>= affine-expr' at end of affine constraint";
        if self.eat(TokenKind::Greater)? {
            self.expect(TokenKind::Equal, message)?;
            let rhs = self.parse_affine_expression(names)?;
            return Ok(AffineConstraint::at_least(&lhs, &rhs));
        }
        if self.eat(TokenKind::Less)? {
            self.expect(TokenKind::Equal, message)?;
            let rhs = self.parse_affine_expression(names)?;
            return Ok(AffineConstraint::at_most(&lhs, &rhs));
        }
        if self.eat(TokenKind::Equal)? {
            self.expect(TokenKind::Equal, message)?;
            let rhs = self.parse_affine_expression(names)?;
            return Ok(AffineConstraint::equal(&lhs, &rhs));
        }
        Err(self.error_at(relation, message))
    }

    /// Parses a sum of products.
    fn parse_affine_expression(&mut self, names: &AffineNames) -> ParseResult<AffineExpr> {
        // Every operator adds one level to the depth of the expression.
        let depth = self.depth;
        let result = self.nested(|parser| parser.parse_affine_sum(names));
        self.depth = depth;
        result
    }

    fn parse_affine_sum(&mut self, names: &AffineNames) -> ParseResult<AffineExpr> {
        let mut sum = self.parse_affine_product(names)?;
        loop {
            if self.eat(TokenKind::Plus)? {
                self.check_right_operand()?;
                sum = &sum + &self.parse_affine_product(names)?;
            } else if self.eat(TokenKind::Minus)? {
                self.check_right_operand()?;
                sum = &sum - &self.parse_affine_product(names)?;
            } else {
                return Ok(sum);
            }
            self.deepen()?;
        }
    }

    fn parse_affine_product(&mut self, names: &AffineNames) -> ParseResult<AffineExpr> {
        let mut product = self.parse_affine_operand(names)?;
        loop {
            let token = self.token();
            let operator = match token.kind {
                TokenKind::Star => "*",
                TokenKind::BareIdentifier => match self.current() {
                    "floordiv" => "floordiv",
                    "ceildiv" => "ceildiv",
                    "mod" => "mod",
                    _ => return Ok(product),
                },
                _ => return Ok(product),
            };
            self.advance()?;
            self.check_right_operand()?;
            let rhs = self.parse_affine_operand(names)?;
            product = self.affine_product(token, operator, &product, &rhs)?;
            self.deepen()?;
        }
    }

    /// Checks that an operator is followed by an operand.
    fn check_right_operand(&mut self) -> ParseResult<()> {
        use TokenKind::{BareIdentifier, Integer, LeftParen, Minus};
        if [BareIdentifier, Integer, LeftParen, Minus].contains(&self.token().kind) {
            return Ok(());
        }
        Err(self.error("missing right operand of binary operator"))
    }

    fn affine_product(
        &mut self,
        token: Token,
        operator: &str,
        lhs: &AffineExpr,
        rhs: &AffineExpr,
    ) -> ParseResult<AffineExpr> {
        let symbolic = rhs.is_symbolic_or_constant();
        if operator == "*" {
            if !symbolic && !lhs.is_symbolic_or_constant() {
                let message = "non-affine expression: at least one of the multiply operands has \
                               to be either a constant or symbolic";
                return Err(self.error_at(token, message));
            }
            return Ok(lhs * rhs);
        }
        if !symbolic {
            let what = if operator == "mod" {
                "right operand of mod"
            } else {
                "right operand of"
            };
            let what = if operator == "mod" {
                what.to_owned()
            } else {
                format!("{what} {operator}")
            };
            let message =
                format!("non-affine expression: {what} has to be either a constant or symbolic");
            return Err(self.error_at(token, &message));
        }
        Ok(match operator {
            "floordiv" => lhs.floor_div(rhs.clone()),
            "ceildiv" => lhs.ceil_div(rhs.clone()),
            _ => lhs.modulo(rhs.clone()),
        })
    }

    fn parse_affine_operand(&mut self, names: &AffineNames) -> ParseResult<AffineExpr> {
        let token = self.token();
        match token.kind {
            TokenKind::BareIdentifier => {
                let name = self.current();
                let found = names.names.iter().find(|(known, _)| &**known == name);
                let Some((_, expression)) = found else {
                    return Err(self.error("use of undeclared identifier"));
                };
                self.advance()?;
                Ok(expression.clone())
            }
            TokenKind::Integer => {
                let text = self.current();
                let value = match text.strip_prefix("0x") {
                    Some(digits) => i64::from_str_radix(digits, 16),
                    None => text.parse(),
                };
                let Ok(value) = value else {
                    return Err(self.error("constant too large for index"));
                };
                self.advance()?;
                Ok(AffineExpr::constant(value))
            }
            TokenKind::LeftParen => {
                self.advance()?;
                if self.at(TokenKind::RightParen) {
                    return Err(self.error("no expression inside parentheses"));
                }
                let expression = self.parse_affine_expression(names)?;
                self.expect(TokenKind::RightParen, "expected ')'")?;
                Ok(expression)
            }
            TokenKind::Minus => {
                self.advance()?;
                let innermost = !self.at(TokenKind::Minus);
                let operand = self.nested(|parser| parser.parse_affine_operand(names));
                match operand {
                    Ok(operand) => Ok(&operand * &AffineExpr::constant(-1)),
                    Err(_) if innermost => Err(self.error("missing operand of negation")),
                    Err(error) => Err(error),
                }
            }
            TokenKind::Star | TokenKind::Plus => {
                Err(self.error("missing left operand of binary operator"))
            }
            _ => Err(self.error("expected affine expression")),
        }
    }
}
