//! Parsing tokens into a [`Line`].

use super::lexer::{Token, tokens};
use super::{Command, Line, Pipeline, Redirection};

/// Reads a line.
///
/// # Errors
/// The error describes the syntax error.
pub(crate) fn parse(text: &str) -> Result<Line, String> {
    let tokens = tokens(text)?;
    let mut rest = tokens.iter().peekable();
    let first = pipeline(&mut rest)?;
    let mut line = Line {
        first,
        rest: Vec::new(),
    };
    while let Some(token) = rest.next() {
        let Token::Operator(operator, _) = token else {
            return Err("expected an operator".to_owned());
        };
        if rest.peek().is_none() {
            return Err(format!("missing argument to operator '{operator}'"));
        }
        line.rest.push((operator, pipeline(&mut rest)?));
    }
    Ok(line)
}

type Tokens<'t> = std::iter::Peekable<std::slice::Iter<'t, Token>>;

fn pipeline(rest: &mut Tokens<'_>) -> Result<Pipeline, String> {
    let mut commands = vec![command(rest)?];
    while let Some(Token::Operator("|", _)) = rest.peek() {
        rest.next();
        commands.push(command(rest)?);
    }
    Ok(commands)
}

fn command(rest: &mut Tokens<'_>) -> Result<Command, String> {
    let first = match rest.next() {
        Some(Token::Word(word)) if word.text.is_empty() => {
            return Err("empty command".to_owned());
        }
        Some(Token::Word(word)) => word.clone(),
        Some(Token::Operator(operator, _)) => {
            return Err(format!("syntax error near unexpected token '{operator}'"));
        }
        None => return Err("empty command".to_owned()),
    };
    let mut command = Command {
        words: vec![first],
        redirections: Vec::new(),
    };
    while let Some(token) = rest.peek() {
        match token {
            Token::Word(word) => command.words.push(word.clone()),
            Token::Operator("|" | ";" | "&" | "||" | "&&", _) => break,
            Token::Operator(operator, descriptor) => {
                rest.next();
                let target = match rest.peek() {
                    Some(Token::Word(target)) if !target.text.is_empty() => target,
                    _ => return Err(format!("syntax error near token '{operator}'")),
                };
                command.redirections.push(Redirection {
                    operator,
                    descriptor: *descriptor,
                    target: target.clone(),
                });
            }
        }
        rest.next();
    }
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lines_have_pipelines_and_operators() {
        let line = parse("a x < i 2>&1 | b && c > o; d").expect("a valid line");
        assert_eq!(line.first.len(), 2);
        assert_eq!(line.first[0].redirections.len(), 2);
        let operators: Vec<_> = line.rest.iter().map(|(operator, _)| *operator).collect();
        assert_eq!(operators, ["&&", ";"]);
        assert_eq!(line.rest[0].1[0].redirections[0].target.text, "o");
    }

    #[test]
    fn syntax_errors() {
        for text in [
            "", "| a", "a |", "a &&", "a >", "a > | b", "a > ''", "a ; ; b", "''",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
