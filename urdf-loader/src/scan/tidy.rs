//! Slips of the XML that the format's own readers (TinyXML and tinyxml2) accept, mended so that a strict
//! reader takes the text.
//!
//! One pass over the text. Lines stay where they are. Mended: `--` in comments; `&` and `<` in values and texts;
//! an attribute given twice; attributes that touch or have no quotes; control characters; text and elements
//! outside the root; declarations away from the start.

use std::collections::{BTreeMap, HashSet};

/// A mended text, and its errors: how often, and at which offset of the original first.
pub(super) struct Tidied {
    pub text: String,
    pub slips: BTreeMap<&'static str, (usize, usize)>,
}

/// The mended text; `None` where it ends inside of a tag, comment or value.
pub(super) fn tidy(text: &str) -> Option<Tidied> {
    let mut t = Tidy {
        text,
        out: String::with_capacity(text.len() + 64),
        slips: BTreeMap::new(),
        depth: 0,
        names: HashSet::new(),
    };
    let mut at = 0;
    while at < text.len() {
        let before = t.depth;
        at = t.step(at)?;
        if before > 0 && t.depth == 0 {
            t.end(at);
            break;
        }
    }
    Some(Tidied {
        text: t.out,
        slips: t.slips,
    })
}

struct Tidy<'a> {
    text: &'a str,
    out: String,
    slips: BTreeMap<&'static str, (usize, usize)>,
    /// Elements that are open.
    depth: usize,
    /// Attributes of the tag at hand.
    names: HashSet<&'a str>,
}

impl<'a> Tidy<'a> {
    /// Reads one comment, tag or stretch of text; where it ends.
    fn step(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let end_of = |close: &str| Some(at + rest.find(close)? + close.len());
        if rest.starts_with("<!--") {
            let end = at + 4 + self.text[at + 4..].find("-->")?;
            self.comment(at, end);
            return Some(end + 3);
        }
        if rest.starts_with("<![CDATA[") {
            let end = end_of("]]>")?;
            self.plain(at, &self.text[at..end]);
            return Some(end);
        }
        if rest.starts_with("<?") {
            let end = end_of("?>")?;
            // The text is decoded, so that a declaration says nothing more.
            if rest.starts_with("<?xml ") {
                if at > 0 {
                    self.slip("an XML declaration away from the start", at);
                }
                self.blank(&self.text[at..end]);
            } else {
                self.plain(at, &self.text[at..end]);
            }
            return Some(end);
        }
        if rest.starts_with("<!") {
            let close = match (rest.find('['), rest.find('>')?) {
                (Some(open), end) if open < end => "]>",
                _ => ">",
            };
            let end = end_of(close)?;
            self.plain(at, &self.text[at..end]);
            return Some(end);
        }
        if rest.starts_with("</") {
            let end = end_of(">")?;
            self.plain(at, &self.text[at..end]);
            self.depth = self.depth.saturating_sub(1);
            return Some(end);
        }
        let begins = |c: char| c.is_alphabetic() || c == '_' || c == ':';
        if rest.starts_with('<') && rest[1..].starts_with(begins) {
            return self.tag(at);
        }
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let end = rest[first..]
            .find('<')
            .map_or(self.text.len(), |n| at + first + n);
        self.characters(at, end);
        Some(end)
    }

    /// A start tag with its attributes.
    fn tag(&mut self, start: usize) -> Option<usize> {
        let ends_name = |c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=' | '"' | '\'');
        let name = self.text[start + 1..].find(ends_name)?;
        let mut at = start + 1 + name;
        self.out.push_str(&self.text[start..at]);
        self.names.clear();
        loop {
            let rest = &self.text[at..];
            let blanks = rest.len() - rest.trim_start().len();
            self.out.push_str(&rest[..blanks]);
            at += blanks;
            let rest = &self.text[at..];
            if rest.starts_with("/>") {
                self.out.push_str("/>");
                return Some(at + 2);
            }
            if rest.starts_with('>') {
                self.out.push('>');
                self.depth += 1;
                return Some(at + 1);
            }
            if blanks == 0 {
                self.slip("no blank between attributes", at);
                self.out.push(' ');
            }
            at = self.attribute(at)?;
        }
    }

    fn attribute(&mut self, start: usize) -> Option<usize> {
        let ends_name = |c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=' | '"' | '\'');
        let rest = &self.text[start..];
        let name = &rest[..rest.find(ends_name)?];
        let value = rest[name.len()..]
            .trim_start()
            .strip_prefix('=')?
            .trim_start();
        let quote = value.chars().next()?;
        let at = self.text.len() - value.len();
        let (inside, end) = if matches!(quote, '"' | '\'') {
            let inside = &value[1..1 + value[1..].find(quote)?];
            (inside, at + inside.len() + 2)
        } else {
            self.slip("a value without quotes", at);
            let bare = &value[..value.find(|c: char| c.is_whitespace() || c == '>')?];
            let bare = bare.strip_suffix('/').unwrap_or(bare);
            (bare, at + bare.len())
        };
        if name.is_empty() {
            return None;
        }
        if !self.names.insert(name) {
            self.slip("an attribute given twice, of which the first counts", start);
            self.blank(&self.text[start..end]);
            return Some(end);
        }
        let quote = if quote == '\'' { '\'' } else { '"' };
        self.out.push_str(name);
        // What was between the name and the value may hold line breaks.
        let between = &self.text[start + name.len()..at];
        self.out
            .push_str(if between.is_empty() { "=" } else { between });
        self.out.push(quote);
        self.escaped(at, inside);
        self.out.push(quote);
        Some(end)
    }

    /// Text between tags; outside of the root it is blanked.
    fn characters(&mut self, start: usize, end: usize) {
        let text = &self.text[start..end];
        if self.depth > 0 {
            self.escaped(start, text);
        } else {
            if !text.trim().is_empty() {
                self.slip("text outside of the root element", start);
            }
            self.blank(text);
        }
    }

    /// What is said in a comment is of no account: dashes that mustn't be there become others.
    fn comment(&mut self, start: usize, end: usize) {
        let inside = &self.text[start + 4..end];
        self.out.push_str("<!--");
        if inside.contains("--") || inside.ends_with('-') {
            self.slip("`--` inside of a comment", start);
            self.plain(start, &inside.replace('-', "="));
        } else {
            self.plain(start, inside);
        }
        self.out.push_str("-->");
    }

    /// Text with `&`, `<` and `]]>` as references, unless it is one already.
    fn escaped(&mut self, start: usize, text: &str) {
        for (i, c) in text.char_indices() {
            match c {
                '<' => {
                    self.slip("`<` that begins no tag", start);
                    self.out.push_str("&lt;");
                }
                '&' if !is_reference(&text[i..]) => {
                    self.slip("`&` that begins no reference", start);
                    self.out.push_str("&amp;");
                }
                '>' if text[..i].ends_with("]]") => self.out.push_str("&gt;"),
                c => self.character(start, c),
            }
        }
    }

    fn plain(&mut self, start: usize, text: &str) {
        text.chars().for_each(|c| self.character(start, c));
    }

    /// A character that XML may hold, else a blank.
    fn character(&mut self, start: usize, c: char) {
        let is_fit =
            (c >= ' ' || matches!(c, '\t' | '\n' | '\r')) && !matches!(c, '\u{fffe}' | '\u{ffff}');
        if !is_fit {
            self.slip("a control character", start);
        }
        self.out.push(if is_fit { c } else { ' ' });
    }

    /// Nothing but the line breaks.
    fn blank(&mut self, text: &str) {
        let breaks = text.chars().filter(|c| matches!(c, '\n' | '\r'));
        self.out.extend(breaks);
    }

    /// What follows the root.
    fn end(&mut self, at: usize) {
        let rest = self.text[at..].trim_start();
        if !rest.is_empty() && !rest.starts_with("<!--") {
            self.slip("something after the root element, which is cut off", at);
        }
    }

    fn slip(&mut self, what: &'static str, at: usize) {
        self.slips.entry(what).or_insert((0, at)).0 += 1;
    }
}

/// Whether a text begins with a reference that XML knows without declarations.
fn is_reference(text: &str) -> bool {
    // The longest is `&#1114111;`.
    let Some(end) = text.bytes().take(12).position(|b| b == b';') else {
        return false;
    };
    let name = &text[1..end];
    let number = |digits: &str, base| {
        u32::from_str_radix(digits, base)
            .ok()
            .and_then(char::from_u32)
            .is_some_and(|c| c >= ' ' || matches!(c, '\t' | '\n' | '\r'))
    };
    match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix('x') {
            Some(digits) => number(digits, 16),
            None => number(digits, 10),
        },
        None => matches!(name, "amp" | "lt" | "gt" | "quot" | "apos"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidied(text: &str) -> (String, Vec<&'static str>) {
        let done = tidy(text).unwrap();
        assert!(
            roxmltree::Document::parse(&done.text).is_ok(),
            "{}",
            done.text
        );
        assert_eq!(done.text.matches('\n').count(), text.matches('\n').count());
        (done.text, done.slips.into_keys().collect())
    }

    #[test]
    fn what_is_right_stays() {
        let text =
            "<?pi x?><!-- a - b -->\n<r a='1' b = \"&lt;&#65;\">x &amp; y<![CDATA[<]]><c/>\n</r>";
        assert_eq!(tidied(text), (text.into(), vec![]));
    }

    #[test]
    fn every_slip() {
        for (text, wanted) in [
            ("<r><!-- a -- b --->\n</r>", "<r><!-- a == b =-->\n</r>"),
            ("<r a='1'\nb='2' a='3'/>", "<r a='1'\nb='2' />"),
            ("<r a='1'b='2'/>", "<r a='1' b='2'/>"),
            ("<r a=1 b=x/>", "<r a=\"1\" b=\"x\"/>"),
            ("<r a='x < y & z'/>", "<r a='x &lt; y &amp; z'/>"),
            ("<r>a < b && c</r>", "<r>a &lt; b &amp;&amp; c</r>"),
            ("<r>\u{1}&nbsp;&#1;</r>", "<r> &amp;nbsp;&amp;#1;</r>"),
            ("a <r/>", "<r/>"),
            ("<!-- x -->\n<?xml version='1.0'?><r/>", "<!-- x -->\n<r/>"),
            ("<r></r><s/>", "<r></r>"),
        ] {
            let (text, slips) = tidied(text);
            assert_eq!((text.as_str(), slips.is_empty()), (wanted, false));
        }
    }

    #[test]
    fn what_has_no_end_is_left() {
        for text in [
            "<r a='",
            "<r a",
            "<r a=1",
            "<!-- ",
            "<r",
            "<?x",
            "<![CDATA[",
            "<r =''/>",
            "<r a/>",
        ] {
            assert!(tidy(text).is_none(), "{text}");
        }
    }
}
