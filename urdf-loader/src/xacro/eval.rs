//! Values of expressions.

use super::{parse::Expr, value::Value};

/// What an expression can ask for.
pub(super) trait Names {
    /// A property; `None` if there is none of that name.
    fn property(&mut self, name: &str) -> Result<Option<Value>, String>;
    /// An argument of the file.
    fn argument(&mut self, name: &str) -> Result<Value, String>;
}

/// Evaluates an expression. `Err` says what can't be computed.
pub(super) fn eval(e: &Expr, names: &mut impl Names) -> Result<Value, String> {
    Ok(match e {
        Expr::Value(v) => v.clone(),
        Expr::Name(n) => name(n, names)?,
        Expr::List(items) => {
            let items = items.iter().map(|i| eval(i, names));
            Value::List(items.collect::<Result<_, _>>()?)
        }
        Expr::Choice(parts) => {
            let [condition, yes, no] = &**parts;
            let chosen = if eval(condition, names)?.truth() {
                yes
            } else {
                no
            };
            eval(chosen, names)?
        }
        Expr::Unary(sign, of) => unary(sign, eval(of, names)?)?,
        Expr::Binary(sign, parts) => {
            let [a, b] = &**parts;
            let a = eval(a, names)?;
            match *sign {
                // Python's: the value that decided.
                "or" if a.truth() => a,
                "and" if !a.truth() => a,
                "or" | "and" => eval(b, names)?,
                _ => binary(sign, a, eval(b, names)?)?,
            }
        }
        Expr::Index(parts) => index(eval(&parts[0], names)?, eval(&parts[1], names)?)?,
        Expr::Call(f, arguments) => {
            let arguments = arguments.iter().map(|a| eval(a, names));
            call(f, arguments.collect::<Result<_, _>>()?, names)?
        }
    })
}

fn name(name: &str, names: &mut impl Names) -> Result<Value, String> {
    if let Some(value) = names.property(name)? {
        return Ok(value);
    }
    let number = match name.strip_prefix("math.").unwrap_or(name) {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "tau" => std::f64::consts::TAU,
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => return Err(format!("property `{name}` is not defined")),
    };
    Ok(Value::Float(number))
}

fn unary(sign: &str, v: Value) -> Result<Value, String> {
    Ok(match (sign, &v) {
        ("not", v) => Value::Bool(!v.truth()),
        ("+", _) if v.number().is_some() => v,
        ("-", v) => match (v.int(), v.number()) {
            (Some(i), _) if i != i64::MIN => Value::Int(-i),
            (_, Some(x)) => Value::Float(-x),
            _ => return Err(format!("`{v}` is not a number")),
        },
        _ => return Err(format!("`{v}` is not a number")),
    })
}

fn binary(sign: &str, a: Value, b: Value) -> Result<Value, String> {
    match sign {
        "==" => return Ok(Value::Bool(a.equals(&b))),
        "!=" => return Ok(Value::Bool(!a.equals(&b))),
        "in" => {
            return Ok(Value::Bool(match (&a, &b) {
                (a, Value::List(all)) => all.iter().any(|v| v.equals(a)),
                (Value::Text(a), Value::Text(b)) => b.contains(a.as_str()),
                _ => return Err(format!("`in` needs a list or a text, not `{b}`")),
            }));
        }
        _ => {}
    }
    match (&a, &b) {
        (Value::Text(x), Value::Text(y)) => text(sign, x, y),
        (Value::List(x), Value::List(y)) if sign == "+" => {
            Ok(Value::List([x.as_slice(), y.as_slice()].concat()))
        }
        _ => match (a.number(), b.number()) {
            (Some(x), Some(y)) => numeric(sign, (&a, x), (&b, y)),
            _ => Err(format!("`{a}` {sign} `{b}` can't be computed")),
        },
    }
}

fn text(sign: &str, a: &str, b: &str) -> Result<Value, String> {
    Ok(match sign {
        "+" => Value::Text(format!("{a}{b}")),
        "<" => Value::Bool(a < b),
        "<=" => Value::Bool(a <= b),
        ">" => Value::Bool(a > b),
        ">=" => Value::Bool(a >= b),
        _ => return Err(format!("`{a}` {sign} `{b}` can't be computed")),
    })
}

fn numeric(sign: &str, (a, x): (&Value, f64), (b, y): (&Value, f64)) -> Result<Value, String> {
    if matches!(sign, "/" | "//" | "%") && y == 0.0 {
        return Err(format!("`{a}` {sign} `{b}` divides by zero"));
    }
    let whole = a.int().zip(b.int()).and_then(|(i, j)| match sign {
        "+" => i.checked_add(j),
        "-" => i.checked_sub(j),
        "*" => i.checked_mul(j),
        // Towards minus infinity, remainder with the divisor's sign.
        "//" => i.checked_div_euclid(j).map(|q| {
            if j < 0 && i.rem_euclid(j) != 0 {
                q - 1
            } else {
                q
            }
        }),
        "%" => i
            .checked_rem_euclid(j)
            .map(|r| if j < 0 && r != 0 { r + j } else { r }),
        "**" => u32::try_from(j).ok().and_then(|j| i.checked_pow(j)),
        _ => None,
    });
    if let Some(i) = whole {
        return Ok(Value::Int(i));
    }
    Ok(match sign {
        "+" => Value::Float(x + y),
        "-" => Value::Float(x - y),
        "*" => Value::Float(x * y),
        "/" => Value::Float(x / y),
        "//" => Value::Float((x / y).floor()),
        "%" => Value::Float(x - y * (x / y).floor()),
        "**" => Value::Float(x.powf(y)),
        "<" => Value::Bool(x < y),
        "<=" => Value::Bool(x <= y),
        ">" => Value::Bool(x > y),
        ">=" => Value::Bool(x >= y),
        _ => return Err(format!("operator `{sign}` is not understood")),
    })
}

fn index(of: Value, at: Value) -> Result<Value, String> {
    let (Value::List(list), Some(i)) = (&of, at.int()) else {
        return Err(format!("`{of}`[{at}] can't be computed"));
    };
    let length = list.len() as i64;
    let i = if i < 0 { i.saturating_add(length) } else { i };
    let found = usize::try_from(i).ok().and_then(|i| list.get(i));
    found
        .cloned()
        .ok_or_else(|| format!("index {at} is outside a list of {length}"))
}

fn call(f: &str, arguments: Vec<Value>, names: &mut impl Names) -> Result<Value, String> {
    if f == "xacro.arg"
        && let [Value::Text(name)] = arguments.as_slice()
    {
        return names.argument(name);
    }
    let function = f.strip_prefix("math.").unwrap_or(f);
    let unknown = || {
        format!(
            "{f}() with {} argument(s) is not supported",
            arguments.len()
        )
    };
    if let [v] = arguments.as_slice() {
        match (function, v) {
            ("str", v) => return Ok(Value::Text(v.to_string())),
            ("bool", v) => return Ok(Value::Bool(v.truth())),
            ("len", Value::List(l)) => return Ok(Value::Int(l.len() as i64)),
            ("len", Value::Text(t)) => return Ok(Value::Int(t.chars().count() as i64)),
            ("float", Value::Text(t)) => {
                let number = t.trim().parse();
                return number
                    .map(Value::Float)
                    .map_err(|_| format!("float(`{t}`): not a number"));
            }
            ("int", Value::Text(t)) => {
                let number = t.trim().parse();
                return number
                    .map(Value::Int)
                    .map_err(|_| format!("int(`{t}`): not a whole number"));
            }
            ("abs", v) if v.int().is_some_and(|i| i != i64::MIN) => {
                return Ok(Value::Int(v.int().unwrap_or(0).abs()));
            }
            _ => {}
        }
    }
    if matches!(function, "min" | "max") {
        let all = match arguments.as_slice() {
            [Value::List(all)] => all.clone(),
            _ => arguments.clone(),
        };
        return extreme(function, &all).ok_or_else(unknown);
    }
    let numbers: Option<Vec<f64>> = arguments.iter().map(Value::number).collect();
    let numbers = numbers.ok_or_else(unknown)?;
    let whole = |x: f64| {
        if x.abs() < 9e15 {
            Value::Int(x as i64)
        } else {
            Value::Float(x)
        }
    };
    Ok(match (function, numbers.as_slice()) {
        ("int", [x]) => whole(x.trunc()),
        ("floor", [x]) => whole(x.floor()),
        ("ceil", [x]) => whole(x.ceil()),
        ("round", [x]) => whole(x.round_ties_even()),
        ("round", [x, digits]) => {
            let unit = 10f64.powf(digits.trunc().clamp(-300.0, 300.0));
            Value::Float((x * unit).round_ties_even() / unit)
        }
        (name, x) => Value::Float(mathematics(name, x).ok_or_else(unknown)?),
    })
}

fn extreme(function: &str, all: &[Value]) -> Option<Value> {
    let mut best = all.first()?;
    for v in all {
        let better = if function == "min" {
            v.number()? < best.number()?
        } else {
            v.number()? > best.number()?
        };
        if better {
            best = v;
        }
    }
    best.number().map(|_| best.clone())
}

fn mathematics(name: &str, x: &[f64]) -> Option<f64> {
    Some(match (name, x) {
        ("float", [x]) => *x,
        ("abs" | "fabs", [x]) => x.abs(),
        ("sin", [x]) => x.sin(),
        ("cos", [x]) => x.cos(),
        ("tan", [x]) => x.tan(),
        ("asin", [x]) => x.asin(),
        ("acos", [x]) => x.acos(),
        ("atan", [x]) => x.atan(),
        ("sqrt", [x]) => x.sqrt(),
        ("exp", [x]) => x.exp(),
        ("log", [x]) => x.ln(),
        ("log10", [x]) => x.log10(),
        ("radians", [x]) => x.to_radians(),
        ("degrees", [x]) => x.to_degrees(),
        ("atan2", [y, x]) => y.atan2(*x),
        ("pow", [x, y]) => x.powf(*y),
        ("hypot", [x, y]) => x.hypot(*y),
        ("copysign", [x, y]) => x.copysign(*y),
        ("fmod", [x, y]) => x % y,
        ("log", [x, base]) => x.log(*base),
        _ => return None,
    })
}
