//! Locations: `loc(…)`.

use super::{ParseResult, Parser, TokenKind};
use crate::location::LocationKind;
use crate::{Identifier, Location};

impl Parser<'_> {
    /// Parses an optional trailing `loc(…)`; returns `default` if it is absent. A forward reference
    /// to an alias yields a deferred location, which is resolved at the end of parsing.
    pub(super) fn parse_trailing_location(&mut self, default: Location) -> ParseResult<Location> {
        if !self.at_keyword("loc") {
            return Ok(default);
        }
        self.advance()?;
        self.expect(TokenKind::LeftParen, "expected '(' in location")?;
        let location = if self.at(TokenKind::HashIdentifier) && !self.current().contains('.') {
            let token = self.token();
            let name = self.current()[1..].to_owned();
            match self.location_alias(&name) {
                Some(_) => self.parse_location_instance()?,
                None => {
                    self.advance()?;
                    self.defer_location_alias(token)
                }
            }
        } else {
            self.parse_location_instance()?
        };
        self.expect(TokenKind::RightParen, "expected ')' in location")?;
        Ok(location)
    }

    /// Parses `loc(…)`.
    pub(super) fn parse_location(&mut self) -> ParseResult<Location> {
        self.expect_keyword("loc")?;
        self.expect(TokenKind::LeftParen, "expected '(' in location")?;
        let location = self.parse_location_instance()?;
        self.expect(TokenKind::RightParen, "expected ')' in location")?;
        Ok(location)
    }

    /// Parses the contents of the parentheses of `loc(…)`.
    fn parse_location_instance(&mut self) -> ParseResult<Location> {
        self.nested(|parser| match parser.token().kind {
            TokenKind::HashIdentifier => {
                let token = parser.token();
                let attribute = parser.parse_extended_attribute()?;
                match attribute.as_location(parser.context) {
                    Some(location) => Ok(location),
                    None => {
                        let found = crate::printer::attribute_to_string(parser.context, attribute);
                        let message = format!("expected location, but found '{found}'");
                        Err(parser.error_at(token, &message))
                    }
                }
            }
            TokenKind::String => parser.parse_name_or_file_location(),
            TokenKind::BareIdentifier => match parser.current() {
                "callsite" => parser.parse_call_site(),
                "fused" => parser.parse_fused(),
                "unknown" => {
                    parser.advance()?;
                    Ok(Location::UNKNOWN)
                }
                _ => Err(parser.error("expected location instance")),
            },
            _ => Err(parser.error("expected location instance")),
        })
    }

    fn parse_call_site(&mut self) -> ParseResult<Location> {
        self.advance()?;
        self.expect(TokenKind::LeftParen, "expected '(' in callsite location")?;
        let callee = self.parse_location_instance()?;
        if !self.eat_keyword("at")? {
            return Err(self.error("expected 'at' in callsite location"));
        }
        let caller = self.parse_location_instance()?;
        self.expect(TokenKind::RightParen, "expected ')' in callsite location")?;
        Ok(Location::new(
            self.context,
            LocationKind::CallSite { callee, caller },
        ))
    }

    fn parse_fused(&mut self) -> ParseResult<Location> {
        self.advance()?;
        let mut metadata = None;
        if self.eat(TokenKind::Less)? {
            metadata = Some(self.parse_attribute()?);
            self.expect(
                TokenKind::Greater,
                "expected '>' after fused location metadata",
            )?;
        }
        self.expect(TokenKind::LeftSquare, "expected '[' in fused location")?;
        let mut locations = Vec::new();
        self.comma_list_until(
            TokenKind::RightSquare,
            "expected ']' in fused location",
            |parser| {
                locations.push(parser.parse_location_instance()?);
                Ok(())
            },
        )?;
        Ok(Location::fused(self.context, &locations, metadata))
    }

    fn parse_name_or_file_location(&mut self) -> ParseResult<Location> {
        let text = self.parse_string()?;
        let name = Identifier::new(self.context, &text);
        if self.eat(TokenKind::Colon)? {
            return self.parse_file_position(name);
        }
        let mut child = Location::UNKNOWN;
        if self.eat(TokenKind::LeftParen)? {
            child = self.parse_location_instance()?;
            self.expect(
                TokenKind::RightParen,
                "expected ')' after child location of NameLoc",
            )?;
        }
        Ok(Location::new(
            self.context,
            LocationKind::Name { name, child },
        ))
    }

    fn parse_file_position(&mut self, file: Identifier) -> ParseResult<Location> {
        let line = self.parse_line_number("expected integer line number in FileLineColRange")?;
        if !self.eat(TokenKind::Colon)? {
            let kind = LocationKind::File {
                file,
                line,
                column: 0,
                end: None,
            };
            return Ok(Location::new(self.context, kind));
        }
        let column =
            self.parse_line_number("expected integer column number in FileLineColRange")?;
        let mut end = None;
        if self.eat_keyword("to")? {
            let mut end_line = line;
            if self.at(TokenKind::Integer) {
                end_line = self.parse_line_number("expected integer line number")?;
            }
            self.expect(
                TokenKind::Colon,
                "expected either integer or `:` post `to` in FileLineColRange",
            )?;
            let end_column =
                self.parse_line_number("expected integer column number in FileLineColRange")?;
            end = Some((end_line, end_column)).filter(|end| *end != (line, column));
        }
        Ok(Location::new(
            self.context,
            LocationKind::File {
                file,
                line,
                column,
                end,
            },
        ))
    }

    fn parse_line_number(&mut self, message: &str) -> ParseResult<u32> {
        if !self.at(TokenKind::Integer) {
            return Err(self.error(message));
        }
        let Ok(number) = self.current().parse() else {
            return Err(self.error(message));
        };
        self.advance()?;
        Ok(number)
    }
}
