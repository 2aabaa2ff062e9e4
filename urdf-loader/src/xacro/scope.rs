//! Properties and macros by name, scope within scope.

use std::{collections::HashMap, rc::Rc};

use super::{tree::Element, tree::Node, value::Value};

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    /// Text that is evaluated when it is used, in the scope that holds it.
    Text(Rc<str>),
    /// A value.
    Value(Value),
    /// Elements to insert.
    Block(Rc<Vec<Node>>),
    /// Text that is being evaluated: asking for it again is a circle.
    Busy,
}

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    pub parameters: Vec<Parameter>,
    pub body: Rc<Element>,
}

/// A parameter of a macro.
#[derive(Debug, PartialEq)]
pub(super) struct Parameter {
    pub name: String,
    pub kind: Kind,
}

/// How a parameter gets its value.
#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    /// From an attribute, or the default.
    Value(Option<String>),
    /// From an attribute, or the caller's property of that name, or the default.
    Forwarded(Option<String>),
    /// The next element inside the call (`*name`).
    Element,
    /// The content of the next element inside the call (`**name`).
    Content,
}

/// Scopes from the file's (first) to that of the innermost macro call.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    scopes: Vec<HashMap<String, Entry>>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self {
            scopes: vec![HashMap::new()],
        }
    }

    pub(super) fn push(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(super) fn pop(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Where a name is defined, seen from the first `visible` scopes: the innermost one.
    pub(super) fn find(&self, name: &str, visible: usize) -> Option<(usize, &Entry)> {
        let scopes = self.scopes.iter().enumerate().take(visible).rev();
        let mut found = scopes.filter_map(|(i, s)| Some((i, s.get(name)?)));
        found.next()
    }

    pub(super) fn set(&mut self, scope: usize, name: &str, entry: Entry) {
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.insert(name.into(), entry);
        }
    }
}

/// The parameters of a macro: `a b:=1 c:='x y' d:=^ e:=^|3 *element **content`.
pub(super) fn parameters(text: &str) -> Result<Vec<Parameter>, String> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| c.is_whitespace() || c == ':' || c == '=')
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let default = after.strip_prefix(":=").or(after.strip_prefix('='));
        let kind = match (default, name) {
            (None, name) if name.starts_with("**") => Kind::Content,
            (None, name) if name.starts_with('*') => Kind::Element,
            (None, _) => Kind::Value(None),
            (Some(default), _) => {
                let (forwarded, text) = match default.strip_prefix('^') {
                    Some(more) => (true, more.strip_prefix('|').unwrap_or(more)),
                    None => (false, default),
                };
                let length = default_length(text);
                let value = unquoted(&text[..length]);
                rest = &text[length..];
                if forwarded {
                    Kind::Forwarded((length > 0).then_some(value))
                } else {
                    Kind::Value(Some(value))
                }
            }
        };
        if default.is_none() {
            if after.starts_with(':') {
                return Err(format!("`{rest}` in params is not understood"));
            }
            rest = after;
        }
        let name = name.trim_start_matches('*');
        if name.is_empty() {
            return Err("a parameter without a name".into());
        }
        out.push(Parameter {
            name: name.into(),
            kind,
        });
        rest = rest.trim_start();
    }
    Ok(out)
}

/// Up to the first blank outside quotes and substitutions.
fn default_length(text: &str) -> usize {
    let mut open: Vec<char> = Vec::new();
    for (i, c) in text.char_indices() {
        match (open.last(), c) {
            (Some(&end), c) if c == end => {
                open.pop();
            }
            (Some('\'' | '"'), _) => {}
            (_, '\'' | '"') => open.push(c),
            (_, '{') => open.push('}'),
            (_, '(') => open.push(')'),
            (None, c) if c.is_whitespace() => return i,
            _ => {}
        }
    }
    text.len()
}

fn unquoted(text: &str) -> String {
    let inside = ['\'', '"']
        .iter()
        .find_map(|q| text.strip_prefix(*q)?.strip_suffix(*q));
    inside.unwrap_or(text).into()
}
