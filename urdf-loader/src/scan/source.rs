//! The text of a file, fit for an XML reader, and where its places are.

use std::ops::Range;

use roxmltree::{Document, Error, ParsingOptions};

use super::tidy;
use crate::{
    error::UrdfError,
    file::MAX_BYTES,
    findings::{Findings, Place},
};

/// Elements, texts and comments of a robot file. At some 100 bytes each this bounds the memory.
pub(crate) const MAX_NODES: u32 = 1_000_000;

/// Undeclared namespaces that are declared for the file before it is given up.
const MAX_NAMESPACES: usize = 32;

/// A text and the origin of its lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    pub text: String,
    /// Offsets at which lines start.
    lines: Vec<usize>,
    /// Lines cut off before the text.
    skipped: u32,
    /// Where expanded text comes from: offset in `text`, line of the original and, for included
    /// files, their name. Empty for a text as it was read.
    pub origins: Vec<Origin>,
}

/// The origin of an element of expanded text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Origin {
    /// Where the element starts in the expanded text.
    pub at: usize,
    /// Line in its own file.
    pub line: u32,
    /// Its file, unless that is the robot file.
    pub file: Option<std::rc::Rc<str>>,
}

impl Source {
    /// A text as it was read. Bytes that only disturb an XML reader are cut off: a byte-order mark,
    /// white space before the XML declaration, zeros at the end.
    pub(crate) fn new(text: &str, found: &mut Findings) -> Self {
        let robot = Place::of("robot");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let cut = text.trim_end_matches(['\0', '\u{1a}']);
        if cut.len() < text.len() {
            found.repaired(&robot, "the file ends with zeros, which are cut off");
        }
        let body = cut.trim_start();
        let mut skipped = 0;
        let body = if body.len() < cut.len() && body.starts_with("<?xml") {
            let head = &cut[..cut.len() - body.len()];
            skipped = head.matches('\n').count() as u32;
            let place = Place {
                line: Some(skipped + 1),
                element: "robot".into(),
            };
            found.repaired(
                &place,
                "the XML declaration isn't at the start of the file; what is before it is cut off",
            );
            body
        } else {
            cut
        };
        Self::expanded(body.into(), Vec::new(), skipped)
    }

    /// A text made from others.
    pub(crate) fn expanded(text: String, origins: Vec<Origin>, skipped: u32) -> Self {
        let lines = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(i, _)| i + 1))
            .collect();
        Self {
            text,
            lines,
            skipped,
            origins,
        }
    }

    /// Line of an offset, counted from 1.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        self.lines.partition_point(|&start| start <= offset) as u32 + self.skipped
    }

    /// Where the element at `offset` came from.
    pub(crate) fn place(&self, offset: usize, element: String) -> Place {
        if self.origins.is_empty() {
            return Place {
                line: Some(self.line(offset)),
                element,
            };
        }
        let before = self.origins.partition_point(|o| o.at <= offset);
        match before.checked_sub(1).and_then(|i| self.origins.get(i)) {
            Some(Origin {
                line, file: None, ..
            }) => Place {
                line: Some(*line),
                element,
            },
            Some(Origin {
                line,
                file: Some(file),
                ..
            }) => Place::of(format!("{element} (line {line} of {file})")),
            None => Place::of(element),
        }
    }

    /// Puts `what` into the text; offsets behind it move, lines don't.
    fn insert(&mut self, at: usize, what: &str) {
        self.text.insert_str(at, what);
        let moved = |x: &mut usize| {
            if *x > at {
                *x += what.len();
            }
        };
        self.lines.iter_mut().for_each(moved);
        self.origins.iter_mut().for_each(|o| moved(&mut o.at));
    }
}

/// The document of a [`prepare`]d text. `None` leaves an error.
pub(crate) fn parse<'s>(source: &'s Source, found: &mut Findings) -> Option<Document<'s>> {
    match Document::parse_with_options(&source.text, options()) {
        Ok(document) => Some(document),
        Err(e) => {
            let error = malformed(&e, source, found);
            found.errors.push(error);
            None
        }
    }
}

fn options<'s>() -> ParsingOptions<'s> {
    ParsingOptions {
        allow_dtd: true,
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    }
}

fn malformed(e: &Error, source: &Source, found: &Findings) -> UrdfError {
    if matches!(e, Error::NodesLimitReached) {
        return UrdfError::TooLarge {
            file: found.file(),
            what: "XML nodes",
            limit: MAX_NODES as usize,
        };
    }
    // Lines count from the start of the file, not of the text that was left of it.
    let shift = if source.skipped > 0 {
        format!(" (counted from line {})", source.skipped + 1)
    } else {
        String::new()
    };
    UrdfError::NotUrdf {
        file: found.file(),
        reason: format!("not well-formed XML: {e}{shift}"),
    }
}

/// Makes sure that the text is bounded and without entities, puts slips of the XML right and declares the
/// namespaces that it uses undeclared (with a note each): the format's readers don't look at either.
pub(crate) fn prepare(source: &mut Source, found: &mut Findings) -> Result<(), UrdfError> {
    let file = found.file();
    if source.text.len() > MAX_BYTES {
        return Err(UrdfError::TooLarge {
            file,
            what: "bytes",
            limit: MAX_BYTES,
        });
    }
    // Entities can stand for each other and blow up; no robot needs them.
    if let Some(at) = source.text.find("<!ENTITY") {
        return Err(UrdfError::NotUrdf {
            file,
            reason: format!(
                "line {} declares an XML entity, which robot files have no use for; write its \
                 text where it is used",
                source.line(at)
            ),
        });
    }
    let mut error = declare_namespaces(source, found);
    if error.as_ref().is_some_and(is_syntax) && put_right(source, found) {
        error = declare_namespaces(source, found);
    }
    drop(error); // What is left of it is said when the text is parsed.
    Ok(())
}

/// Whether another look at the characters may help.
fn is_syntax(error: &Error) -> bool {
    !matches!(
        error,
        Error::NodesLimitReached | Error::UnknownNamespace(..)
    )
}

/// Puts slips of the XML right, if that makes the text readable.
fn put_right(source: &mut Source, found: &mut Findings) -> bool {
    let Some(tidied) = tidy::tidy(&source.text) else {
        return false;
    };
    let parsed = Document::parse_with_options(&tidied.text, options());
    if parsed.is_err_and(|e| is_syntax(&e)) {
        return false;
    }
    for (what, (count, at)) in tidied.slips {
        let place = source.place(at, "robot".into());
        let times = if count > 1 {
            format!(" ({count} times)")
        } else {
            String::new()
        };
        found.repaired(&place, format!("not well-formed XML: {what}{times}"));
    }
    *source = Source::expanded(tidied.text, Vec::new(), source.skipped);
    true
}

/// Declares undeclared namespaces; what is wrong with the text besides.
fn declare_namespaces(source: &mut Source, found: &mut Findings) -> Option<Error> {
    for _ in 0..MAX_NAMESPACES {
        let prefix = match Document::parse_with_options(&source.text, options()) {
            Ok(_) => return None,
            Err(Error::UnknownNamespace(prefix, _)) => prefix,
            Err(error) => return Some(error),
        };
        let name = root_name(&source.text)?;
        let place = source.place(name.start, "robot".into());
        source.insert(
            name.end,
            &format!(" xmlns:{prefix}=\"undeclared:{prefix}\""),
        );
        found.repaired(
            &place,
            format!("the namespace prefix `{prefix}:` isn't declared"),
        );
    }
    None
}

/// Where the name of the root element stands.
fn root_name(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        let rest = &text[at..];
        let end = |close: &str| Some(at + rest.find(close)? + close.len());
        if rest.starts_with("<?") {
            at = end("?>")?;
        } else if rest.starts_with("<!--") {
            at = end("-->")?;
        } else if rest.starts_with("<!") {
            at = end(">")?;
        } else {
            let start = at + 1;
            let length = text[start..].find(|c: char| c.is_whitespace() || c == '/' || c == '>')?;
            return (length > 0).then(|| start..start + length);
        }
    }
}
