//! Expressions: the part of Python's that robot descriptions use.

use super::value::Value;

/// Nesting of one expression.
const MAX_DEPTH: usize = 48;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Value(Value),
    Name(String),
    List(Vec<Expr>),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<[Expr; 2]>),
    /// Condition, value if true, value if not.
    Choice(Box<[Expr; 3]>),
    Index(Box<[Expr; 2]>),
    Call(String, Vec<Expr>),
}

/// Binary operators by binding strength, weakest first; within a row from the left.
const LEVELS: [&[&str]; 5] = [
    &["or"],
    &["and"],
    &["==", "!=", "<=", ">=", "<", ">", "in"],
    &["+", "-"],
    &["*", "//", "/", "%"],
];

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Value(Value),
    Name(String),
    Sign(&'static str),
}

const SIGNS: [&str; 21] = [
    "**", "//", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",",
    ":", "{", "}",
];

/// Reads an expression. `Err` says what isn't understood.
pub(super) fn parse(text: &str) -> Result<Expr, String> {
    let mut p = Parser {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
    };
    let out = p.choice()?;
    match p.peek() {
        None => Ok(out),
        Some(t) => Err(format!("`{}` is not understood", shown(t))),
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Value(v) => v.to_string(),
        Token::Name(n) => n.clone(),
        Token::Sign(s) => (*s).into(),
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let length = if c == '\'' || c == '"' {
            let end = rest[1..].find(c).ok_or("a quote is not closed")?;
            out.push(Token::Value(Value::Text(rest[1..=end].into())));
            end + 2
        } else if c.is_ascii_digit()
            || (c == '.' && rest[1..].starts_with(|d: char| d.is_ascii_digit()))
        {
            let n = number_length(rest);
            out.push(Token::Value(number(&rest[..n])?));
            n
        } else if c.is_alphabetic() || c == '_' {
            let n = rest
                .find(|d: char| !(d.is_alphanumeric() || d == '_' || d == '.'))
                .unwrap_or(rest.len());
            out.push(word(&rest[..n]));
            n
        } else {
            let sign = SIGNS.iter().find(|s| rest.starts_with(**s));
            let sign = sign.ok_or_else(|| format!("`{c}` is not understood"))?;
            out.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(out)
}

/// Digits, a point and an exponent at the start of `text`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut n = 0;
    while n < bytes.len() {
        let exponent = matches!(bytes[n], b'e' | b'E')
            && bytes
                .get(n + 1)
                .is_some_and(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-'));
        let sign = matches!(bytes[n], b'+' | b'-') && n > 0 && matches!(bytes[n - 1], b'e' | b'E');
        if !(bytes[n].is_ascii_digit() || bytes[n] == b'.' || exponent || sign) {
            break;
        }
        n += 1;
    }
    n
}

fn number(text: &str) -> Result<Value, String> {
    if let Ok(i) = text.parse() {
        return Ok(Value::Int(i));
    }
    let x = text.parse();
    x.map(Value::Float)
        .map_err(|_| format!("`{text}` is not a number"))
}

fn word(text: &str) -> Token {
    match text {
        "True" | "true" => Token::Value(Value::Bool(true)),
        "False" | "false" => Token::Value(Value::Bool(false)),
        "or" => Token::Sign("or"),
        "and" => Token::Sign("and"),
        "not" => Token::Sign("not"),
        "in" => Token::Sign("in"),
        "if" => Token::Sign("if"),
        "else" => Token::Sign("else"),
        name => Token::Name(name.into()),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.take(sign) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(t) => format!("`{sign}` expected, `{}` found", shown(t)),
            None => format!("`{sign}` expected at the end"),
        })
    }

    /// `a if c else b`.
    fn choice(&mut self) -> Result<Expr, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the expression is nested too deeply".into());
        }
        let value = self.level(0)?;
        let out = if self.take("if") {
            let condition = self.level(0)?;
            self.expect("else")?;
            let other = self.choice()?;
            Expr::Choice(Box::new([condition, value, other]))
        } else {
            value
        };
        self.depth -= 1;
        Ok(out)
    }

    fn level(&mut self, level: usize) -> Result<Expr, String> {
        let Some(signs) = LEVELS.get(level) else {
            return self.unary();
        };
        if level == 2 && self.take("not") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err("the expression is nested too deeply".into());
            }
            let out = Expr::Unary("not", Box::new(self.level(2)?));
            self.depth -= 1;
            return Ok(out);
        }
        let mut left = self.level(level + 1)?;
        // The tree leans to the left as far as the chain is long.
        let mut length = 0;
        while let Some(sign) = signs.iter().find(|s| self.take(s)) {
            length += 1;
            if length > MAX_DEPTH * 4 {
                return Err("the expression is too long".into());
            }
            let right = self.level(level + 1)?;
            left = Expr::Binary(sign, Box::new([left, right]));
        }
        Ok(left)
    }

    /// A power binds stronger than the sign before it and weaker than the one behind it.
    fn unary(&mut self) -> Result<Expr, String> {
        for sign in ["-", "+"] {
            if self.take(sign) {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err("the expression is nested too deeply".into());
                }
                let sign = if sign == "-" { "-" } else { "+" };
                let out = Expr::Unary(sign, Box::new(self.unary()?));
                self.depth -= 1;
                return Ok(out);
            }
        }
        let base = self.postfix()?;
        if self.take("**") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err("the expression is nested too deeply".into());
            }
            let power = self.unary()?;
            self.depth -= 1;
            return Ok(Expr::Binary("**", Box::new([base, power])));
        }
        Ok(base)
    }

    fn postfix(&mut self) -> Result<Expr, String> {
        let mut out = self.atom()?;
        let mut length = 0;
        loop {
            length += 1;
            if length > MAX_DEPTH {
                return Err("the expression is nested too deeply".into());
            }
            if self.take("[") {
                let index = self.choice()?;
                self.expect("]")?;
                out = Expr::Index(Box::new([out, index]));
            } else if let (Expr::Name(name), true) = (&out, self.take("(")) {
                let name = name.clone();
                out = Expr::Call(name, self.items(")")?);
            } else {
                return Ok(out);
            }
        }
    }

    fn atom(&mut self) -> Result<Expr, String> {
        if self.take("(") {
            let out = self.choice()?;
            self.expect(")")?;
            return Ok(out);
        }
        if self.take("[") {
            return Ok(Expr::List(self.items("]")?));
        }
        let token = self
            .peek()
            .cloned()
            .ok_or("a value is missing at the end")?;
        self.at += 1;
        match token {
            Token::Value(v) => Ok(Expr::Value(v)),
            Token::Name(n) => Ok(Expr::Name(n)),
            Token::Sign("{") => Err("dictionaries are not supported".into()),
            Token::Sign(s) => Err(format!("a value is missing before `{s}`")),
        }
    }

    /// Expressions between commas up to the closing sign.
    fn items(&mut self, close: &str) -> Result<Vec<Expr>, String> {
        let mut out = Vec::new();
        while !self.take(close) {
            out.push(self.choice()?);
            if !self.take(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(out)
    }
}
