//! The cleaned robot text: only elements and attributes that are understood, in one plain form.

/// Writes XML elements one after another.
#[derive(Debug, Default)]
pub(super) struct Writer {
    out: String,
    open: Vec<&'static str>,
}

impl Writer {
    /// Starts an element; [`Writer::close`] ends it.
    pub(super) fn open(&mut self, tag: &'static str, attributes: &[(&str, &str)]) {
        self.start(tag, attributes);
        self.out.push_str(">\n");
        self.open.push(tag);
    }

    /// An element without content.
    pub(super) fn empty(&mut self, tag: &str, attributes: &[(&str, &str)]) {
        self.start(tag, attributes);
        self.out.push_str("/>\n");
    }

    /// Ends the element opened last.
    pub(super) fn close(&mut self) {
        if let Some(tag) = self.open.pop() {
            self.out.push_str("</");
            self.out.push_str(tag);
            self.out.push_str(">\n");
        }
    }

    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn start(&mut self, tag: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            escape(value, &mut self.out);
            self.out.push('"');
        }
    }
}

/// `value` as the content of an attribute in double quotes. White space other than blanks is
/// written as a reference, or a reader would turn it into blanks.
pub(crate) fn escape(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
}
