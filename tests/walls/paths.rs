//! Which paths a source text names. A path is written out from its tokens:
//! `use a::{b, c::d};` names `a::b` and `a::c::d`, in a macro as elsewhere.

use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};
use std::fmt;
use std::iter::Peekable;

/// A path as written, or a single name, and its line.
pub struct Named {
    segments: Vec<String>,
    line: usize,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.segments.join("::"))
    }
}

impl Named {
    pub fn segments(&self) -> &[String] {
        &self.segments
    }

    pub fn first(&self) -> &str {
        &self.segments[0]
    }

    /// Is the first segment one of these crates or words?
    pub fn is_any_of(&self, names: &[&str]) -> bool {
        names.contains(&self.first())
    }

    pub fn starts_with(&self, path: &str) -> bool {
        let mut segments = self.segments.iter();
        path.split("::")
            .all(|part| segments.next().is_some_and(|segment| segment == part))
    }

    pub fn ends_with_any(&self, names: &[&str]) -> bool {
        self.segments
            .last()
            .is_some_and(|last| names.contains(&last.as_str()))
    }

    /// Does the path lead to this module of the crate? A single name does not:
    /// it may be a variable.
    pub fn is_module(&self, name: &str) -> bool {
        let own = ["crate", "super", "self", "assay", "$crate"];
        let mut segments = self.segments.iter().peekable();
        let mut from_here = false;
        while segments
            .next_if(|segment| own.contains(&segment.as_str()))
            .is_some()
        {
            from_here = true;
        }
        from_here && segments.next().is_some_and(|segment| segment == name)
    }

    /// The path inside of the app, from the root of the crate or from a module
    /// beside or above; none where it does not lead there.
    pub fn in_app(&self) -> Option<Vec<&str>> {
        let own = ["crate", "super", "self", "assay", "$crate"];
        let mut segments = self.segments.iter().map(String::as_str).peekable();
        let mut from_above = false;
        while let Some(segment) = segments.next_if(|segment| own.contains(segment)) {
            from_above |= segment == "super";
        }
        let is_app = segments.next_if(|segment| *segment == "app").is_some();
        (is_app || from_above).then(|| segments.collect())
    }
}

/// A source text before its tests. What is there for tests alone but stands among the
/// code is not cut off: nor is then what stands behind it.
pub fn code(text: &str) -> &str {
    let tests = text.find("#[cfg(test)]\nmod tests");
    &text[..tests.unwrap_or(text.len())]
}

/// All paths of a source text.
pub fn named_paths(text: &str) -> Result<Vec<Named>, LexError> {
    let mut found = Vec::new();
    collect(text.parse()?, &[], &mut found);
    Ok(found)
}

/// Collects the paths of `tokens`; each begins with `prefix`, which is not
/// empty inside the braces of a `use`.
fn collect(tokens: TokenStream, prefix: &[String], found: &mut Vec<Named>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) => {
                let line = ident.span().start().line;
                let mut segments = prefix.to_vec();
                segments.push(ident.to_string());
                follow(&mut tokens, segments, line, found);
            }
            TokenTree::Group(group) => {
                // only braces of a `use` carry the prefix on
                let nested = group.delimiter() == Delimiter::Brace;
                collect(group.stream(), if nested { prefix } else { &[] }, found);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Follows a path from its first segment to its end, or into the braces.
fn follow<I>(
    tokens: &mut Peekable<I>,
    mut segments: Vec<String>,
    line: usize,
    found: &mut Vec<Named>,
) where
    I: Iterator<Item = TokenTree>,
{
    while next_colons(tokens) {
        match tokens.peek() {
            Some(TokenTree::Ident(ident)) => {
                segments.push(ident.to_string());
                tokens.next();
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                collect(group.stream(), &segments, found);
                tokens.next();
                return;
            }
            Some(TokenTree::Punct(p)) if p.as_char() == '*' => {
                segments.push("*".to_owned());
                break;
            }
            _ => break,
        }
    }
    found.push(Named { segments, line });
}

/// Takes `::` when it comes next. A single colon is taken too: after a name it
/// is followed by a type, which is a path of its own.
fn next_colons<I>(tokens: &mut Peekable<I>) -> bool
where
    I: Iterator<Item = TokenTree>,
{
    let mut colons = 0;
    while colons < 2 && matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':') {
        tokens.next();
        colons += 1;
    }
    colons == 2
}
