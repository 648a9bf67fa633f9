//! Parsing of the file metadata section `{-# … #-}`.

use std::collections::BTreeMap;

use super::{ParseResult, Parser, Token, TokenKind};
use crate::Attribute;
use crate::resources::{DIALECT_RESOURCES, Resource};

/// Data that belongs to the file rather than to an operation.
#[derive(Debug, Default)]
pub(super) struct FileResources {
    /// Distinct attributes by their number in the text.
    pub(super) distinct: BTreeMap<u64, Attribute>,
}

impl Parser<'_> {
    /// Parses the metadata section into the context's resources.
    pub(super) fn parse_file_metadata(&mut self) -> ParseResult<()> {
        self.expect(TokenKind::MetadataBegin, "expected '{-#'")?;
        self.comma_list_until(
            TokenKind::MetadataEnd,
            "expected '#-}' to end file metadata dictionary",
            |parser| {
                let token = parser.token();
                let section = parser.parse_keyword_or_string(
                    "expected identifier key in file metadata dictionary",
                )?;
                parser.expect(TokenKind::Colon, "expected ':'")?;
                match section.as_str() {
                    "dialect_resources" | "external_resources" => {
                        parser.parse_resource_section(&section)
                    }
                    _ => {
                        let message =
                            format!("unknown key '{section}' in file metadata dictionary");
                        Err(parser.error_at(token, &message))
                    }
                }
            },
        )
    }

    fn parse_resource_section(&mut self, section: &str) -> ParseResult<()> {
        self.expect(TokenKind::LeftBrace, "expected '{'")?;
        self.comma_list_until(TokenKind::RightBrace, "expected ',' or '}'", |parser| {
            let token = parser.token();
            let group =
                parser.parse_keyword_or_string("expected identifier key for 'resource' entry")?;
            parser.expect(TokenKind::Colon, "expected ':'")?;
            parser.expect(TokenKind::LeftBrace, "expected '{'")?;
            if section == DIALECT_RESOURCES && parser.is_unknown_dialect(&group) {
                let message = format!("dialect '{group}' is unknown");
                return Err(parser.error_at(token, &message));
            }
            parser.comma_list_until(TokenKind::RightBrace, "expected ',' or '}'", |parser| {
                parser.parse_resource(section, &group)
            })
        })
    }

    /// Whether the dialect is unknown; blobs of the builtin dialect are accepted even if it is not
    /// registered.
    fn is_unknown_dialect(&self, name: &str) -> bool {
        name != "builtin" && self.context.dialect(name).is_none()
    }

    fn parse_resource(&mut self, section: &str, group: &str) -> ParseResult<()> {
        let message = match section {
            DIALECT_RESOURCES => "expected identifier key for 'resource' entry",
            _ => "expected identifier key for 'external_resources' entry",
        };
        let key = self.parse_keyword_or_string(message)?;
        self.expect(TokenKind::Colon, "expected ':'")?;
        let token = self.token();
        let literal = token.kind == TokenKind::String
            || (token.kind == TokenKind::BareIdentifier
                && matches!(self.current(), "true" | "false"));
        if !literal {
            return Err(self.error(&format!("expected string value for key '{key}'")));
        }
        let mut value = self.current().to_owned();
        if section == DIALECT_RESOURCES {
            self.check_blob(token, &key)?;
        }
        // Blobs are printed with upper-case digits.
        if let Some(digits) = value.strip_prefix("\"0x")
            && digits
                .strip_suffix('"')
                .is_some_and(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
        {
            value = format!("\"0x{}", digits.to_ascii_uppercase());
        }
        self.advance()?;
        let (section, group) = (section.to_owned(), group.to_owned());
        self.context.resources.insert(Resource {
            section,
            group,
            key,
            value,
        });
        Ok(())
    }

    /// Checks a blob: hexadecimal digits, of which the first four bytes are the alignment.
    fn check_blob(&mut self, token: Token, key: &str) -> ParseResult<()> {
        let text = self.spelling(token);
        let digits = text
            .strip_prefix("\"0x")
            .and_then(|text| text.strip_suffix('"'));
        let digits = digits.filter(|digits| {
            digits.len().is_multiple_of(2) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        let message = match digits {
            None => format!("expected hex string blob for key '{key}'"),
            Some(digits) if digits.len() < 8 => format!(
                "expected hex string blob for key '{key}' to encode alignment in first 4 bytes"
            ),
            Some(_) => return Ok(()),
        };
        Err(self.error_at(token, &message))
    }
}
