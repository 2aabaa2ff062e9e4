//! The expanded elements as text again, with the origin of each.

use super::{
    fault::{Fault, MAX_TEXT},
    tree::{Element, Node},
};
use crate::scan::{Origin, escape};

pub(super) fn text(root: &Element) -> Result<(String, Vec<Origin>), Fault> {
    let mut out = (String::new(), Vec::new());
    element(root, None, &mut out)?;
    Ok(out)
}

fn element(e: &Element, outer: Option<&str>, out: &mut (String, Vec<Origin>)) -> Result<(), Fault> {
    let (text, origins) = out;
    origins.push(Origin {
        at: text.len(),
        line: e.line,
        file: e.file.clone(),
    });
    text.push('<');
    text.push_str(&e.name);
    let namespace = e.namespace.as_deref();
    if namespace != outer {
        attribute("xmlns", namespace.unwrap_or_default(), text);
    }
    for (name, value) in &e.attributes {
        attribute(name, value, text);
    }
    text.push('>');
    for child in &e.children {
        match child {
            Node::Element(child) => element(child, namespace, out)?,
            Node::Text(t) => escape(t, &mut out.0),
        }
    }
    out.0.push_str("</");
    out.0.push_str(&e.name);
    out.0.push_str(">\n");
    if out.0.len() > MAX_TEXT {
        return Err(e.fault("the expanded file grows without end"));
    }
    Ok(())
}

fn attribute(name: &str, value: &str, text: &mut String) {
    text.push(' ');
    text.push_str(name);
    text.push_str("=\"");
    escape(value, text);
    text.push('"');
}
