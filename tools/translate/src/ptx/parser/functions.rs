//! Kernels, functions, prototypes.

use super::super::ast::{Declaration, Expression, Function, FunctionDirective, Prototype};
use super::super::lexer::Kind;
use super::{Parser, Result};

/// Directives of functions, and the maximum number of their operands; one if unlimited.
const DIRECTIVES: [(&str, usize); 12] = [
    (".maxnreg", 1),
    (".maxntid", 3),
    (".reqntid", 3),
    (".minnctapersm", 1),
    (".maxnctapersm", 1),
    (".noreturn", 0),
    (".explicitcluster", 0),
    (".reqnctapercluster", 3),
    (".maxclusterrank", 1),
    (".blocksareclusters", 0),
    (".abi_preserve", 1),
    (".abi_preserve_control", 1),
];

impl<'t> Parser<'t> {
    /// A kernel or function, from `.entry` or `.func` on.
    pub(super) fn function(
        &mut self,
        linkage: Option<&'t str>,
        mut attributes: Vec<(&'t str, Vec<Expression<'t>>)>,
    ) -> Result<Function<'t>> {
        let is_kernel = self.token.text == ".entry";
        self.advance()?;
        while self.at_dotted(".attribute") {
            self.attributes(&mut attributes)?;
        }
        let mut results = Vec::new();
        if !is_kernel && self.at("(") {
            results = self.parameters()?;
        }
        let place = self.token.place;
        let name = self.name("a function name")?;
        let parameters = if self.at("(") {
            Some(self.parameters()?)
        } else {
            None
        };
        let directives = self.function_directives()?;
        let body = if self.eat(";")? {
            None
        } else if self.at("{") {
            Some(self.block()?)
        } else {
            return self.expected("a directive of the function, '{' or ';'");
        };
        Ok(Function {
            place,
            linkage,
            is_kernel,
            attributes,
            results,
            name,
            parameters,
            directives,
            body,
        })
    }

    fn parameters(&mut self) -> Result<Vec<Declaration<'t>>> {
        self.expect("(")?;
        self.list(")", Self::parameter)
    }

    fn function_directives(&mut self) -> Result<Vec<FunctionDirective<'t>>> {
        let mut directives = Vec::new();
        while self.token.kind == Kind::Dotted {
            if self.at_dotted(".pragma") {
                directives.push(FunctionDirective::Pragma(self.pragma()?));
                continue;
            }
            let mut known = DIRECTIVES.iter();
            let Some((_, most)) = known.find(|(name, _)| *name == self.token.text) else {
                return self.expected("a directive of the function, '{' or ';'");
            };
            let name = self.dotted("a directive")?;
            let mut numbers = Vec::new();
            if *most > 0 {
                numbers.push(self.integer("a number")?);
                while numbers.len() < *most && self.eat(",")? {
                    numbers.push(self.integer("a number")?);
                }
            }
            directives.push(FunctionDirective::Numbers(name, numbers));
        }
        Ok(directives)
    }

    /// `(…) _ (…) .noreturn;` after `.callprototype`.
    pub(super) fn prototype(&mut self) -> Result<Prototype<'t>> {
        let results = if self.at("(") {
            self.parameters()?
        } else {
            Vec::new()
        };
        let name = self.name("'_'")?;
        let parameters = if self.at("(") {
            self.parameters()?
        } else {
            Vec::new()
        };
        let directives = self.function_directives()?;
        self.expect(";")?;
        Ok(Prototype {
            results,
            name,
            parameters,
            directives,
        })
    }
}
