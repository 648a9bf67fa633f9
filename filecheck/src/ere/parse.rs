//! From pattern text to a tree.

use std::rc::Rc;

use super::RegexError;
use super::classes::{ByteSet, class, collating_element};

/// The largest count a repetition may have.
const MAXIMUM_COUNT: u32 = 255;

/// How deep groups may nest. The parser and the matcher recurse once a level.
const MAXIMUM_DEPTH: u32 = 200;

/// A place in the text, matched without taking a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    LineStart,
    LineEnd,
    WordStart,
    WordEnd,
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Byte(u8),
    Set(ByteSet),
    Assert(Assertion),
    Group(u32, Rc<Vec<Node>>),
    Alternation(Vec<Vec<Node>>),
    /// `x{minimum,maximum}`; `*`, `+` and `?` have their own nodes because they prefer
    /// differently than their counted spelling.
    Repeat {
        body: Box<Node>,
        minimum: u32,
        maximum: Option<u32>,
    },
    Star(Box<Node>),
    Plus(Box<Node>),
    Question(Box<Node>),
    /// A back reference, with the body of the group it refers to.
    BackReference(u32, Rc<Vec<Node>>),
}

/// A parsed pattern.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) group_count: u32,
}

struct Parser<'a> {
    text: &'a [u8],
    position: usize,
    ignore_case: bool,
    group_count: u32,
    depth: u32,
    /// Bodies of the groups that are complete, by number.
    complete: Vec<Option<Rc<Vec<Node>>>>,
}

pub(super) fn parse(text: &[u8], ignore_case: bool) -> Result<Tree, RegexError> {
    let mut parser = Parser {
        text,
        position: 0,
        ignore_case,
        group_count: 0,
        depth: 0,
        complete: vec![None],
    };
    let nodes = parser.alternation(None)?;
    Ok(Tree {
        nodes,
        group_count: parser.group_count,
    })
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.position + ahead).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    fn eat_two(&mut self, first: u8, second: u8) -> bool {
        let found = self.peek() == Some(first) && self.peek_at(1) == Some(second);
        self.position += if found { 2 } else { 0 };
        found
    }

    /// Branches up to `stop` or the end of the text.
    fn alternation(&mut self, stop: Option<u8>) -> Result<Vec<Node>, RegexError> {
        let mut branches = Vec::new();
        loop {
            let mut branch = Vec::new();
            let start = self.position;
            while let Some(byte) = self.peek() {
                if byte == b'|' || Some(byte) == stop {
                    break;
                }
                self.piece(&mut branch)?;
            }
            // `x{0}` compiles to no instructions although its text is not empty; LLVM also reports it as empty.
            if self.position == start || branch.is_empty() {
                return Err(RegexError::Empty);
            }
            if !self.eat(b'|') {
                if branches.is_empty() {
                    return Ok(branch);
                }
                branches.push(branch);
                return Ok(vec![Node::Alternation(branches)]);
            }
            branches.push(branch);
        }
    }

    /// Whether a repetition operator comes next. `{` is one only before a digit.
    fn at_repetition(&self) -> bool {
        match self.peek() {
            Some(b'*' | b'+' | b'?') => true,
            Some(b'{') => self.peek_at(1).is_some_and(|byte| byte.is_ascii_digit()),
            _ => false,
        }
    }

    /// One atom with its repetition.
    fn piece(&mut self, out: &mut Vec<Node>) -> Result<(), RegexError> {
        let at_caret = self.peek() == Some(b'^');
        let atom = self.atom()?;
        if !self.at_repetition() {
            out.push(atom);
            return Ok(());
        }
        if at_caret {
            return Err(RegexError::Repetition);
        }
        let operator = self.peek();
        self.position += 1;
        let body = Box::new(atom);
        match operator {
            Some(b'*') => out.push(Node::Star(body)),
            Some(b'+') => out.push(Node::Plus(body)),
            Some(b'?') => out.push(Node::Question(body)),
            _ => {
                let (minimum, maximum) = self.bounds()?;
                if maximum != Some(0) {
                    out.push(Node::Repeat {
                        body,
                        minimum,
                        maximum,
                    });
                }
            }
        }
        if self.at_repetition() {
            Err(RegexError::Repetition)
        } else {
            Ok(())
        }
    }

    /// `N}`, `N,}` or `N,M}`.
    fn bounds(&mut self) -> Result<(u32, Option<u32>), RegexError> {
        let minimum = self.count()?;
        let mut maximum = Some(minimum);
        if self.eat(b',') {
            maximum = None;
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                let count = self.count()?;
                if minimum > count {
                    return Err(RegexError::RepetitionCount);
                }
                maximum = Some(count);
            }
        }
        if self.eat(b'}') {
            return Ok((minimum, maximum));
        }
        let closed = self.text[self.position..].contains(&b'}');
        Err(if closed {
            RegexError::RepetitionCount
        } else {
            RegexError::Brace
        })
    }

    fn count(&mut self) -> Result<u32, RegexError> {
        let mut count = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            if count > MAXIMUM_COUNT {
                break;
            }
            count = count * 10 + u32::from(digit - b'0');
            self.position += 1;
        }
        if count > MAXIMUM_COUNT {
            Err(RegexError::RepetitionCount)
        } else {
            Ok(count)
        }
    }

    fn atom(&mut self) -> Result<Node, RegexError> {
        let Some(byte) = self.peek() else {
            return Err(RegexError::Empty);
        };
        self.position += 1;
        match byte {
            b'(' => self.group(),
            b')' => Err(RegexError::Parenthesis),
            b'^' => Ok(Node::Assert(Assertion::LineStart)),
            b'$' => Ok(Node::Assert(Assertion::LineEnd)),
            b'|' => Err(RegexError::Empty),
            b'*' | b'+' | b'?' => Err(RegexError::Repetition),
            b'.' => {
                let mut set = ByteSet::default();
                set.insert(b'\n');
                set.invert();
                Ok(Node::Set(set))
            }
            b'[' => self.bracket(),
            b'\\' => self.escape(),
            b'{' if self.peek().is_some_and(|next| next.is_ascii_digit()) => {
                Err(RegexError::Repetition)
            }
            other => Ok(self.literal(other)),
        }
    }

    fn literal(&self, byte: u8) -> Node {
        if self.ignore_case && byte.is_ascii_alphabetic() {
            let mut set = ByteSet::default();
            set.insert(byte);
            set.fold_case();
            return Node::Set(set);
        }
        Node::Byte(byte)
    }

    fn group(&mut self) -> Result<Node, RegexError> {
        if self.peek().is_none() {
            return Err(RegexError::Parenthesis);
        }
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return Err(RegexError::Space);
        }
        self.group_count += 1;
        let number = self.group_count;
        self.complete.push(None);
        let body = if self.peek() == Some(b')') {
            Vec::new()
        } else {
            self.alternation(Some(b')'))?
        };
        if !self.eat(b')') {
            return Err(RegexError::Parenthesis);
        }
        self.depth -= 1;
        let body = Rc::new(body);
        self.complete[number as usize] = Some(Rc::clone(&body));
        Ok(Node::Group(number, body))
    }

    fn escape(&mut self) -> Result<Node, RegexError> {
        let Some(byte) = self.peek() else {
            return Err(RegexError::TrailingBackslash);
        };
        self.position += 1;
        if !(b'1'..=b'9').contains(&byte) {
            return Ok(self.literal(byte));
        }
        let number = u32::from(byte - b'0');
        match self.complete.get(number as usize) {
            Some(Some(body)) => Ok(Node::BackReference(number, Rc::clone(body))),
            _ => Err(RegexError::BackReference),
        }
    }

    /// `[...]`, after the opening bracket.
    fn bracket(&mut self) -> Result<Node, RegexError> {
        let rest = &self.text[self.position..];
        if rest.starts_with(b"[:<:]]") {
            self.position += 6;
            return Ok(Node::Assert(Assertion::WordStart));
        }
        if rest.starts_with(b"[:>:]]") {
            self.position += 6;
            return Ok(Node::Assert(Assertion::WordEnd));
        }
        let mut set = ByteSet::default();
        let inverted = self.eat(b'^');
        if self.eat(b']') {
            set.insert(b']');
        } else if self.eat(b'-') {
            set.insert(b'-');
        }
        while self.peek().is_some_and(|byte| byte != b']')
            && !(self.peek() == Some(b'-') && self.peek_at(1) == Some(b']'))
        {
            self.bracket_term(&mut set)?;
        }
        if self.eat(b'-') {
            set.insert(b'-');
        }
        if !self.eat(b']') {
            return Err(RegexError::Bracket);
        }
        if self.ignore_case {
            set.fold_case();
        }
        if inverted {
            set.invert();
            set.remove(b'\n');
        }
        Ok(match set.single() {
            Some(byte) => self.literal(byte),
            None => Node::Set(set),
        })
    }

    fn bracket_term(&mut self, set: &mut ByteSet) -> Result<(), RegexError> {
        if self.peek() == Some(b'-') {
            return Err(RegexError::Range);
        }
        if self.eat_two(b'[', b':') {
            return self.named_class(set);
        }
        if self.eat_two(b'[', b'=') {
            match self.peek() {
                None => return Err(RegexError::Bracket),
                Some(b'-' | b']') => return Err(RegexError::CollatingElement),
                Some(_) => {}
            }
            set.insert(self.element(b'=')?);
            return Ok(());
        }
        let start = self.bracket_symbol()?;
        let mut end = start;
        if self.peek() == Some(b'-') && self.peek_at(1).is_some_and(|byte| byte != b']') {
            self.position += 1;
            end = if self.eat(b'-') {
                b'-'
            } else {
                self.bracket_symbol()?
            };
        }
        // Bytes compare as signed characters, as they do in LLVM.
        if (start as i8) > (end as i8) {
            return Err(RegexError::Range);
        }
        for byte in (start as i8)..=(end as i8) {
            set.insert(byte as u8);
        }
        Ok(())
    }

    fn named_class(&mut self, set: &mut ByteSet) -> Result<(), RegexError> {
        match self.peek() {
            None => return Err(RegexError::Bracket),
            Some(b'-' | b']') => return Err(RegexError::CharacterClass),
            Some(_) => {}
        }
        let start = self.position;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            self.position += 1;
        }
        let Some(is_member) = class(&self.text[start..self.position]) else {
            return Err(RegexError::CharacterClass);
        };
        let mut members = ByteSet::default();
        (0..=255)
            .filter(|&byte| is_member(byte))
            .for_each(|byte| members.insert(byte));
        set.add_all(&members);
        if self.peek().is_none() {
            return Err(RegexError::Bracket);
        }
        if self.eat_two(b':', b']') {
            Ok(())
        } else {
            Err(RegexError::CharacterClass)
        }
    }

    fn bracket_symbol(&mut self) -> Result<u8, RegexError> {
        if self.eat_two(b'[', b'.') {
            return self.element(b'.');
        }
        let byte = self.peek().ok_or(RegexError::Bracket)?;
        self.position += 1;
        Ok(byte)
    }

    /// The name in `[.name.]` or `[=name=]`, after its opening.
    fn element(&mut self, delimiter: u8) -> Result<u8, RegexError> {
        let start = self.position;
        while self.peek().is_some()
            && !(self.peek() == Some(delimiter) && self.peek_at(1) == Some(b']'))
        {
            self.position += 1;
        }
        if self.peek().is_none() {
            return Err(RegexError::Bracket);
        }
        let byte = collating_element(&self.text[start..self.position]);
        self.position += 2;
        byte.ok_or(RegexError::CollatingElement)
    }
}
