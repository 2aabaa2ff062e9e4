//! The elements of xacro files, owned, with the line each came from.

use std::{path::Path, rc::Rc};

use roxmltree::Document;

use super::fault::Fault;
use crate::{
    file::text_of,
    findings::Findings,
    model::Strictness,
    scan::{self, Source, is_xacro},
};

/// Nesting of elements in a xacro file: bounds the recursion over them.
const MAX_DEPTH: usize = 64;

/// What an element holds.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Element(Rc<Element>),
    Text(String),
}

/// An element.
#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    /// Whether it is a command to xacro.
    pub command: bool,
    pub namespace: Option<String>,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
    pub line: u32,
    /// Its file, unless that is the robot file.
    pub file: Option<Rc<str>>,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Something wrong with it.
    pub(super) fn fault(&self, reason: impl Into<String>) -> Fault {
        Fault {
            line: self.line,
            file: self.file.clone(),
            element: if self.command {
                format!("<xacro:{}>", self.name)
            } else {
                format!("<{}>", self.name)
            },
            reason: reason.into(),
            absent: false,
        }
    }

    /// It calls what isn't there.
    pub(super) fn absent(&self, reason: impl Into<String>) -> Fault {
        Fault {
            absent: true,
            ..self.fault(reason)
        }
    }
}

/// The root element of a document, as its own tree.
pub(super) fn tree(
    source: &Source,
    document: &Document,
    file: Option<Rc<str>>,
) -> Result<Rc<Element>, Fault> {
    element(source, document.root_element(), &file, 0)
}

fn element(
    source: &Source,
    node: roxmltree::Node,
    file: &Option<Rc<str>>,
    depth: usize,
) -> Result<Rc<Element>, Fault> {
    let tag = node.tag_name();
    let mut out = Element {
        name: tag.name().into(),
        command: is_xacro(node),
        namespace: tag.namespace().map(str::to_string),
        attributes: node
            .attributes()
            .map(|a| (a.name().to_string(), a.value().to_string()))
            .collect(),
        children: Vec::new(),
        line: source.line(node.range().start),
        file: file.clone(),
    };
    if depth > MAX_DEPTH {
        return Err(out.fault(format!("elements are nested more than {MAX_DEPTH} deep")));
    }
    for child in node.children() {
        if child.is_element() {
            let child = element(source, child, file, depth + 1)?;
            out.children.push(Node::Element(child));
            continue;
        }
        let text = child.text().filter(|_| child.is_text()).unwrap_or_default();
        if !text.trim().is_empty() {
            out.children.push(Node::Text(text.into()));
        }
    }
    Ok(Rc::new(out))
}

/// A file named by an include, as its own tree.
pub(super) fn included(path: &Path, by: &Element) -> Result<Rc<Element>, Fault> {
    let mut found = Findings::new(path, Strictness::Tolerant);
    let text = text_of(path).map_err(|e| by.fault(e.to_string()))?;
    let mut source = Source::new(&text, &mut found);
    scan::prepare(&mut source, &mut found).map_err(|e| by.fault(e.to_string()))?;
    let Some(document) = scan::parse(&source, &mut found) else {
        let reason = found.errors.first().map(ToString::to_string);
        return Err(by.fault(reason.unwrap_or_default()));
    };
    tree(&source, &document, Some(path.to_string_lossy().into()))
}
