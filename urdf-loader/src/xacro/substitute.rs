//! `${expression}` and `$(command argument)` inside text.

/// A piece of text with substitutions.
#[derive(Debug, PartialEq)]
pub(super) enum Piece<'a> {
    Plain(&'a str),
    /// The text inside `${}`.
    Expression(&'a str),
    /// The text inside `$()`.
    Command(&'a str),
}

/// Splits a text. `$${` and `$$(` stand for themselves with one `$`.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, from) = rest.split_at(at);
        if !before.is_empty() {
            out.push(Piece::Plain(before));
        }
        let length = if from.starts_with("$${") || from.starts_with("$$(") {
            out.push(Piece::Plain(&from[1..3]));
            3
        } else if let Some(inside) = from.strip_prefix("${") {
            let end = closing(inside, '{', '}').ok_or("`${` is not closed")?;
            out.push(Piece::Expression(&inside[..end]));
            end + 3
        } else if let Some(inside) = from.strip_prefix("$(") {
            let end = closing(inside, '(', ')').ok_or("`$(` is not closed")?;
            out.push(Piece::Command(&inside[..end]));
            end + 3
        } else {
            out.push(Piece::Plain(&from[..1]));
            1
        };
        rest = &from[length..];
    }
    if !rest.is_empty() {
        out.push(Piece::Plain(rest));
    }
    Ok(out)
}

/// Where the bracket closes that was opened before `text`; quotes hide brackets.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    for (i, c) in text.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if open == '{' && matches!(c, '\'' | '"') => quote = Some(c),
            None if c == open => depth += 1,
            None if c == close && depth == 0 => return Some(i),
            None if c == close => depth -= 1,
            None => {}
        }
    }
    None
}
