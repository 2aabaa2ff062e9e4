//! Values of xacro expressions, which are Python's.

use std::fmt;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Value>),
}

impl Value {
    /// What a property's text means in an expression: a number or truth value where it reads as one.
    pub(super) fn of_text(text: &str) -> Self {
        let word = text.trim();
        match word {
            "true" | "True" => return Self::Bool(true),
            "false" | "False" => return Self::Bool(false),
            _ => {}
        }
        let digits = word.trim_start_matches(['+', '-']);
        // `007` is a name, `nan` and `inf` are words.
        let padded = digits.len() > 1
            && digits.starts_with('0')
            && digits.bytes().all(|b| b.is_ascii_digit());
        if padded || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return Self::Text(text.into());
        }
        if let Ok(i) = word.parse() {
            return Self::Int(i);
        }
        match word.parse() {
            Ok(x) => Self::Float(x),
            Err(_) => Self::Text(text.into()),
        }
    }

    /// As a number, if it is one; truth values count as 0 and 1.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Bool(b) => Some(f64::from(u8::from(*b))),
            Self::Int(i) => Some(*i as f64),
            Self::Float(x) => Some(*x),
            Self::Text(_) | Self::List(_) => None,
        }
    }

    /// As a whole number, if it is one.
    pub(super) fn int(&self) -> Option<i64> {
        match self {
            Self::Bool(b) => Some(i64::from(*b)),
            Self::Int(i) => Some(*i),
            _ => None,
        }
    }

    /// Python's truth: zero and what is empty are false.
    pub(super) fn truth(&self) -> bool {
        match self {
            Self::Bool(b) => *b,
            Self::Int(i) => *i != 0,
            Self::Float(x) => *x != 0.0,
            Self::Text(t) => !t.is_empty(),
            Self::List(l) => !l.is_empty(),
        }
    }

    /// Numbers by value, everything else by kind and content.
    pub(super) fn equals(&self, other: &Self) -> bool {
        match (self.number(), other.number()) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self == other,
            _ => false,
        }
    }

    /// Bytes it takes, roughly, for the bound on memory.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Bool(_) | Self::Int(_) | Self::Float(_) => 16,
            Self::Text(t) => 16 + t.len(),
            Self::List(l) => 16 + l.iter().map(Self::size).sum::<usize>(),
        }
    }
}

/// As Python's `str` writes it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(true) => f.write_str("True"),
            Self::Bool(false) => f.write_str("False"),
            Self::Int(i) => write!(f, "{i}"),
            // Shortest digits that read back the same; a whole number keeps its `.0`.
            Self::Float(x) => write!(f, "{x:?}"),
            Self::Text(t) => f.write_str(t),
            Self::List(l) => {
                f.write_str("[")?;
                for (i, v) in l.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    match v {
                        Self::Text(t) => write!(f, "{comma}'{t}'")?,
                        v => write!(f, "{comma}{v}")?,
                    }
                }
                f.write_str("]")
            }
        }
    }
}
