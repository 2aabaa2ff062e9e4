//! Is there xacro in it?

use roxmltree::{Document, Node};

/// The first macro in a document: an element of the xacro namespace anywhere, or a substitution
/// where a robot reader would stumble over it. Its offset and its text.
pub(crate) fn first_macro(document: &Document) -> Option<(usize, String)> {
    let root = document.root_element();
    let mut elements = root.descendants().filter(Node::is_element);
    if let Some(node) = elements.find(|n| is_xacro(*n)) {
        let name = node.tag_name().name();
        return Some((node.range().start, format!("<xacro:{name}>")));
    }
    let read = root.children().filter(|n| {
        let tag = n.tag_name().name();
        matches!(tag, "link" | "joint" | "material" | "loop_joint" | "loop")
    });
    for node in read
        .flat_map(|n| n.descendants())
        .chain(std::iter::once(root))
    {
        let mut values = node.attributes().map(|a| a.value());
        if let Some(value) = values.find(|v| v.contains("${") || v.contains("$(")) {
            return Some((node.range().start, value.to_string()));
        }
    }
    None
}

/// Whether an element is a command to xacro.
pub(crate) fn is_xacro(node: Node) -> bool {
    node.tag_name()
        .namespace()
        .is_some_and(|n| n.contains("xacro"))
}
