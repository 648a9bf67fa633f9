//! The file metadata section `{-# … #-}`.

use std::collections::BTreeMap;

use super::{ParseResult, Parser, TokenKind};
use crate::Attribute;

/// What belongs to the file and not to an operation.
#[derive(Debug, Default)]
pub(super) struct FileResources {
    /// Distinct attributes by the number the text gave them.
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
        self.comma_list_until(TokenKind::RightBrace, "expected '}'", |parser| {
            let group =
                parser.parse_keyword_or_string("expected identifier key for resource group")?;
            parser.expect(TokenKind::Colon, "expected ':'")?;
            parser.expect(TokenKind::LeftBrace, "expected '{'")?;
            parser.comma_list_until(TokenKind::RightBrace, "expected '}'", |parser| {
                let key =
                    parser.parse_keyword_or_string("expected identifier key for resource entry")?;
                parser.expect(TokenKind::Colon, "expected ':'")?;
                let value = match parser.token().kind {
                    TokenKind::String | TokenKind::BareIdentifier => parser.current().to_owned(),
                    _ => return Err(parser.error("expected a string or boolean resource value")),
                };
                parser.advance()?;
                let entry = (section.to_owned(), group.clone(), key);
                parser.context.resources.insert(entry, value);
                Ok(())
            })
        })
    }
}
