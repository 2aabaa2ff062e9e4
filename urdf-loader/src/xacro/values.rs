//! Values of texts with substitutions in them.

use super::{
    eval::{self, Names},
    expand::{Expander, Leftovers},
    fault::{Fault, MAX_CALLS, MAX_STEPS, MAX_TEXT},
    parse,
    scope::Entry,
    substitute::{Piece, pieces},
    tree::Element,
    value::Value,
};

impl Expander<'_> {
    pub(super) fn text_of(&mut self, text: &str, e: &Element) -> Result<String, Fault> {
        if !text.contains('$') {
            self.text += text.len();
            self.spend(e)?;
            return Ok(text.into());
        }
        Ok(self.value_of(text, e)?.to_string())
    }

    /// A single expression keeps its kind; everything else is text, read as a number if it is one.
    pub(super) fn value_of(&mut self, text: &str, e: &Element) -> Result<Value, Fault> {
        self.spend(e)?;
        let value = self.substituted(text).map_err(|r| e.fault(r))?;
        self.text += value.size();
        self.spend(e)?;
        Ok(value)
    }

    fn substituted(&mut self, text: &str) -> Result<Value, String> {
        let pieces = pieces(text)?;
        if let [Piece::Expression(inside)] = pieces.as_slice() {
            return self.expression(inside);
        }
        let mut out = String::new();
        for piece in pieces {
            match piece {
                Piece::Plain(t) => out.push_str(t),
                Piece::Expression(inside) => out += &self.expression(inside)?.to_string(),
                Piece::Command(inside) => out += &self.substitution(inside)?,
            }
            if out.len() > MAX_TEXT {
                return Err("the text grows without end".into());
            }
        }
        Ok(Value::of_text(&out))
    }

    fn expression(&mut self, text: &str) -> Result<Value, String> {
        self.steps += 1;
        let parsed = parse::parse(text).map_err(|r| format!("${{{text}}}: {r}"))?;
        eval::eval(&parsed, self).map_err(|r| format!("${{{text}}}: {r}"))
    }

    /// `$(command argument)`.
    fn substitution(&mut self, inside: &str) -> Result<String, String> {
        let inside = if inside.contains("${") || inside.contains("$(") {
            self.deeper(|x| x.substituted(inside))?.to_string()
        } else {
            inside.to_string()
        };
        let (command, rest) = inside
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or((inside.trim(), ""));
        let rest = rest.trim();
        match command {
            "arg" => Ok(self.argument(rest)?.to_string()),
            "find" => match self.around.resolver.package(rest) {
                Some(folder) => Ok(folder.to_string_lossy().into()),
                // Where the file is may be known all the same, by the rest of its path.
                None if self.around.leftovers == Leftovers::Dropped => {
                    Ok(format!("package://{rest}"))
                }
                None => Err(format!(
                    "$(find {rest}): no such package; add a package path"
                )),
            },
            "env" => std::env::var(rest)
                .map_err(|_| format!("$(env {rest}): the environment has no such variable")),
            "optenv" => {
                let (name, default) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Ok(std::env::var(name).unwrap_or_else(|_| default.trim().into()))
            }
            "dirname" | "cwd" => Ok(self.folder.to_string_lossy().into()),
            "eval" => Ok(self.deeper(|x| x.expression(rest))?.to_string()),
            other => Err(format!("$({other} ...) is not supported")),
        }
    }

    fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.calls >= MAX_CALLS {
            return Err("references are nested too deeply".into());
        }
        self.calls += 1;
        let out = run(self);
        self.calls -= 1;
        out
    }

    pub(super) fn property_value(&mut self, name: &str) -> Result<Option<Value>, String> {
        self.steps += 1;
        let Some((scope, entry)) = self.scopes.find(name, self.visible) else {
            return Ok(None);
        };
        let text = match entry {
            Entry::Value(v) => {
                let v = v.clone();
                self.text += v.size();
                if self.text > MAX_TEXT || self.steps > MAX_STEPS {
                    return Err("the expansion grows without end".into());
                }
                return Ok(Some(v));
            }
            Entry::Text(text) => text.clone(),
            Entry::Block(_) => return Err(format!("`{name}` is a block, not a value")),
            Entry::Busy => return Err(format!("property `{name}` refers to itself")),
        };
        self.scopes.set(scope, name, Entry::Busy);
        let outer = std::mem::replace(&mut self.visible, scope + 1);
        let value = self.deeper(|x| x.substituted(&text));
        self.visible = outer;
        let value = value.map(|v| match v {
            Value::Text(t) => Value::of_text(&t),
            v => v,
        });
        // Left as text on failure, so that a second use reports the cause and not a circle.
        let entry = match &value {
            Ok(v) => Entry::Value(v.clone()),
            Err(_) => Entry::Text(text),
        };
        self.scopes.set(scope, name, entry);
        value.map(Some)
    }
}

impl Names for Expander<'_> {
    fn property(&mut self, name: &str) -> Result<Option<Value>, String> {
        self.property_value(name)
    }

    fn argument(&mut self, name: &str) -> Result<Value, String> {
        let given = self.around.arguments.get(name);
        match given.or_else(|| self.arguments.get(name)) {
            Some(text) => Ok(Value::of_text(text)),
            None => Err(format!(
                "argument `{name}` has no value and no default; give one"
            )),
        }
    }
}
