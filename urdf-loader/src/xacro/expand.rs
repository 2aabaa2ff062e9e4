//! Commands carried out, element by element.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    rc::Rc,
};

use super::{
    fault::{Fault, MAX_CALLS, MAX_STEPS, MAX_TEXT},
    scope::{Entry, Kind, Macro, Scopes, parameters},
    tree::{Element, Node, included},
    value::Value,
};
use crate::resolve::Resolver;

/// What becomes of calls of what isn't there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leftovers {
    /// An error: the file is xacro.
    Refused,
    /// Dropped with a note: the file is a URDF, whose reader skips what it doesn't know.
    Dropped,
}

/// What the file is expanded with.
pub(crate) struct Surroundings<'a> {
    pub resolver: &'a Resolver,
    pub arguments: &'a BTreeMap<String, String>,
    pub leftovers: Leftovers,
}

/// The root element with everything below expanded, and what was dropped of it: the first of each kind, and how
/// often.
pub(super) fn document(
    root: &Rc<Element>,
    file: &Path,
    around: &Surroundings,
) -> Result<(Element, Vec<(Fault, usize)>), Fault> {
    let mut x = Expander {
        around,
        folder: std::path::absolute(file)
            .ok()
            .and_then(|p| p.parent().map(Path::to_path_buf))
            .unwrap_or_default(),
        scopes: Scopes::new(),
        visible: 1,
        macros: HashMap::new(),
        arguments: HashMap::new(),
        calls: 0,
        steps: 0,
        text: 0,
        dropped: Vec::new(),
    };
    let mut children = Vec::new();
    for child in &root.children {
        x.node(child, &mut children)?;
    }
    Ok((x.copy(root, children)?, x.dropped))
}

pub(super) struct Expander<'a> {
    pub(super) around: &'a Surroundings<'a>,
    /// Folder of the file that is being read.
    pub(super) folder: PathBuf,
    pub(super) scopes: Scopes,
    /// How many scopes the expression at hand sees.
    pub(super) visible: usize,
    macros: HashMap<String, Rc<Macro>>,
    /// Defaults of the file's arguments.
    pub(super) arguments: HashMap<String, String>,
    pub(super) calls: usize,
    pub(super) steps: usize,
    pub(super) text: usize,
    /// Calls of what isn't there: the first of each kind, and how often.
    dropped: Vec<(Fault, usize)>,
}

/// Kinds of calls that are told apart when they are dropped; the others count with the last.
const MAX_DROPPED: usize = 64;

impl Expander<'_> {
    fn node(&mut self, node: &Node, out: &mut Vec<Node>) -> Result<(), Fault> {
        match node {
            Node::Text(text) => {
                // Text has no place of its own.
                let here = nowhere();
                let text = self.text_of(text, &here)?;
                out.push(Node::Text(text));
                Ok(())
            }
            Node::Element(e) if e.command => {
                let before = out.len();
                match self.command(e, out) {
                    Err(fault) if fault.absent && self.around.leftovers == Leftovers::Dropped => {
                        out.truncate(before);
                        self.drop(fault);
                        Ok(())
                    }
                    done => done,
                }
            }
            Node::Element(e) => {
                let mut children = Vec::new();
                self.nodes(&e.children, e, &mut children)?;
                out.push(Node::Element(Rc::new(self.copy(e, children)?)));
                Ok(())
            }
        }
    }

    fn drop(&mut self, fault: Fault) {
        let mut known = self.dropped.iter_mut();
        let same = known.find(|(f, _)| f.element == fault.element && f.reason == fault.reason);
        if let Some((_, count)) = same {
            *count += 1;
        } else if self.dropped.len() < MAX_DROPPED {
            self.dropped.push((fault, 1));
        } else if let Some((_, count)) = self.dropped.last_mut() {
            *count += 1;
        }
    }

    fn nodes(&mut self, nodes: &[Node], of: &Element, out: &mut Vec<Node>) -> Result<(), Fault> {
        for node in nodes {
            self.spend(of)?;
            match node {
                Node::Text(text) => {
                    let text = self.text_of(text, of)?;
                    out.push(Node::Text(text));
                }
                node => self.node(node, out)?,
            }
        }
        Ok(())
    }

    /// An element with its attributes substituted.
    fn copy(&mut self, e: &Element, children: Vec<Node>) -> Result<Element, Fault> {
        let mut attributes = Vec::with_capacity(e.attributes.len());
        for (name, value) in &e.attributes {
            attributes.push((name.clone(), self.text_of(value, e)?));
        }
        Ok(Element {
            name: e.name.clone(),
            command: false,
            namespace: e.namespace.clone(),
            attributes,
            children,
            line: e.line,
            file: e.file.clone(),
        })
    }

    fn command(&mut self, e: &Rc<Element>, out: &mut Vec<Node>) -> Result<(), Fault> {
        self.spend(e)?;
        match e.name.as_str() {
            "property" => self.property(e),
            "arg" => {
                let name = self.needed(e, "name")?;
                let default = e.attribute("default").unwrap_or_default().to_string();
                let default = self.text_of(&default, e)?;
                self.arguments.entry(name).or_insert(default);
                Ok(())
            }
            "macro" => self.define(e),
            "include" => self.within(e, |x| x.include(e, out)),
            "if" | "unless" => {
                let value = self.needed(e, "value")?;
                let holds = match Value::of_text(&value) {
                    Value::Text(t) => {
                        let reason = format!("value=\"{t}\" is neither true nor false");
                        return Err(e.fault(reason));
                    }
                    value => value.truth(),
                };
                if holds == (e.name == "if") {
                    self.nodes(&e.children, e, out)?;
                }
                Ok(())
            }
            "insert_block" => {
                let name = self.needed(e, "name")?;
                match self.scopes.find(&name, self.visible) {
                    Some((_, Entry::Block(nodes))) => {
                        for node in nodes.clone().iter() {
                            self.spend(e)?;
                            out.push(node.clone());
                        }
                        Ok(())
                    }
                    _ => Err(e.fault(format!("there is no block `{name}`"))),
                }
            }
            "call" => {
                let name = self.needed(e, "macro")?;
                self.call(&name, e, out)
            }
            "element" | "attribute" => Err(e.absent("is not supported")),
            name => self.call(name, e, out),
        }
    }

    fn property(&mut self, e: &Rc<Element>) -> Result<(), Fault> {
        let name = self.needed(e, "name")?;
        let scope = match e.attribute("scope") {
            None => self.visible - 1,
            Some("parent") => self.visible.saturating_sub(2),
            Some("global") => 0,
            Some(other) => return Err(e.fault(format!("scope=\"{other}\" is not known"))),
        };
        let entry = match (e.attribute("value"), e.attribute("default")) {
            (None, Some(_)) if self.scopes.find(&name, self.visible).is_some() => return Ok(()),
            // Beyond its own scope a text would see other properties.
            (Some(text), _) if e.attribute("scope").is_some() => {
                Entry::Value(self.value_of(text, e)?)
            }
            (Some(text), _) | (None, Some(text)) => Entry::Text(text.into()),
            (None, None) => {
                let mut block = Vec::new();
                self.nodes(&e.children, e, &mut block)?;
                Entry::Block(Rc::new(block))
            }
        };
        self.scopes.set(scope, &name, entry);
        Ok(())
    }

    fn define(&mut self, e: &Rc<Element>) -> Result<(), Fault> {
        let name = self.needed(e, "name")?;
        let name = name.strip_prefix("xacro:").unwrap_or(&name).to_string();
        let parameters =
            parameters(e.attribute("params").unwrap_or_default()).map_err(|r| e.fault(r))?;
        let body = e.clone();
        self.macros
            .insert(name, Rc::new(Macro { parameters, body }));
        Ok(())
    }

    fn include(&mut self, e: &Element, out: &mut Vec<Node>) -> Result<(), Fault> {
        if e.attribute("ns").is_some() {
            return Err(e.absent("namespaces of includes are not supported"));
        }
        let name = self.needed(e, "filename")?;
        let path = self
            .folder
            .join(name.strip_prefix("file://").unwrap_or(&name));
        if !path.is_file() {
            return Err(e.absent(format!("there is no file {}", path.display())));
        }
        let root = included(&path, e)?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let outer = std::mem::replace(&mut self.folder, folder);
        let done = self.nodes(&root.children, &root, out);
        self.folder = outer;
        done
    }

    fn call(&mut self, name: &str, e: &Rc<Element>, out: &mut Vec<Node>) -> Result<(), Fault> {
        let Some(called) = self.macros.get(name).cloned() else {
            return Err(e.absent(format!("macro `{name}` is not defined")));
        };
        self.within(e, |x| {
            let entries = x.arguments_of(&called, e)?;
            let outer = x.visible;
            // Scopes beyond the visible ones belong to nobody while this call runs.
            x.scopes.push();
            x.visible = x.scopes.depth();
            for (name, entry) in entries {
                x.scopes.set(x.visible - 1, &name, entry);
            }
            let body = called.body.clone();
            let done = x.nodes(&body.children, &body, out);
            x.scopes.pop();
            x.visible = outer;
            done
        })
    }

    /// Values of a macro's parameters, from a call.
    fn arguments_of(&mut self, called: &Macro, e: &Element) -> Result<Vec<(String, Entry)>, Fault> {
        let mut content = Vec::new();
        self.nodes(&e.children, e, &mut content)?;
        let mut blocks = content.into_iter().filter_map(|n| match n {
            Node::Element(e) => Some(e),
            Node::Text(_) => None,
        });
        let known = |name: &str| called.parameters.iter().any(|p| p.name == name);
        let calls = |name: &str| e.name == "call" && name == "macro";
        for (name, _) in &e.attributes {
            if !(known(name) || calls(name)) {
                return Err(e.fault(format!("the macro has no parameter `{name}`")));
            }
        }
        let mut out = Vec::new();
        for p in &called.parameters {
            let missing = || e.fault(format!("parameter `{}` is missing", p.name));
            let entry = match (&p.kind, e.attribute(&p.name)) {
                (Kind::Element, _) => {
                    let block = blocks.next().ok_or_else(missing)?;
                    Entry::Block(Rc::new(vec![Node::Element(block)]))
                }
                (Kind::Content, _) => {
                    let block = blocks.next().ok_or_else(missing)?;
                    Entry::Block(Rc::new(block.children.clone()))
                }
                (_, Some(text)) => Entry::Value(self.value_of(text, e)?),
                (Kind::Value(default), None) => {
                    let text = default.as_deref().ok_or_else(missing)?;
                    Entry::Value(self.value_of(text, e)?)
                }
                (Kind::Forwarded(default), None) => {
                    let outer = self.property_value(&p.name).map_err(|r| e.fault(r))?;
                    match (outer, default) {
                        (Some(value), _) => Entry::Value(value),
                        (None, Some(text)) => Entry::Value(self.value_of(text, e)?),
                        (None, None) => return Err(missing()),
                    }
                }
            };
            out.push((p.name.clone(), entry));
        }
        if blocks.next().is_some() {
            return Err(e.fault("holds more elements than the macro takes"));
        }
        Ok(out)
    }

    /// An attribute that must be there, substituted.
    fn needed(&mut self, e: &Element, name: &str) -> Result<String, Fault> {
        match e.attribute(name) {
            Some(text) => self.text_of(text, e),
            None => Err(e.fault(format!("has no {name}"))),
        }
    }

    /// Runs one level of calls deeper.
    fn within<T>(
        &mut self,
        e: &Element,
        run: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.calls >= MAX_CALLS {
            return Err(e.fault(format!(
                "calls are nested more than {MAX_CALLS} deep; does it call itself?"
            )));
        }
        self.calls += 1;
        let out = run(self);
        self.calls -= 1;
        out
    }

    pub(super) fn spend(&mut self, e: &Element) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.text > MAX_TEXT {
            return Err(e.fault("the expansion grows without end"));
        }
        Ok(())
    }
}

fn nowhere() -> Element {
    Element {
        name: "robot".into(),
        command: false,
        namespace: None,
        attributes: Vec::new(),
        children: Vec::new(),
        line: 1,
        file: None,
    }
}
