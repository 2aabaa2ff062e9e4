//! Values of a problem file, read so that a failure knows its place.

use super::MAX_NUMBERS;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::cell::{Cell, RefCell};
use std::fmt;

/// One step from a value to a value inside it.
enum Step {
    Field(&'static str),
    Index(usize),
}

/// Where reading failed, innermost step first, and how much has been read.
#[derive(Default)]
pub(super) struct Trace {
    path: RefCell<Vec<Step>>,
    numbers: Cell<usize>,
}

impl Trace {
    /// Notes on the way out that the failure lies in a field.
    pub(super) fn field<T, E>(&self, name: &'static str, result: Result<T, E>) -> Result<T, E> {
        if result.is_err() {
            self.path.borrow_mut().push(Step::Field(name));
        }
        result
    }

    fn index<T, E>(&self, index: usize, result: Result<T, E>) -> Result<T, E> {
        if result.is_err() {
            self.path.borrow_mut().push(Step::Index(index));
        }
        result
    }

    /// Counts what takes memory.
    fn count<E: Error>(&self, numbers: usize) -> Result<(), E> {
        let sum = self.numbers.get() + numbers;
        self.numbers.set(sum);
        if sum > MAX_NUMBERS {
            let text = format!("more than {MAX_NUMBERS} numbers, the most that are read");
            return Err(E::custom(text));
        }
        Ok(())
    }

    /// The entry at which reading failed, `N[3][7]`.
    pub(super) fn entry(&self) -> String {
        let mut text = String::new();
        for step in self.path.borrow().iter().rev() {
            match step {
                Step::Field(name) if text.is_empty() => text += name,
                Step::Field(name) => {
                    text.push('.');
                    text += name;
                }
                Step::Index(index) => text += &format!("[{index}]"),
            }
        }
        text
    }
}

/// A finite number.
#[derive(Clone, Copy)]
pub(super) struct Number<'t>(pub(super) &'t Trace);

impl<'de> DeserializeSeed<'de> for Number<'_> {
    type Value = f64;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<f64, D::Error> {
        from.deserialize_f64(self)
    }
}

impl Visitor<'_> for Number<'_> {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a finite number")
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<f64, E> {
        self.0.count(1)?;
        if x.is_finite() {
            Ok(x)
        } else {
            Err(E::custom("the number is too large"))
        }
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<f64, E> {
        self.visit_f64(x as f64)
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<f64, E> {
        self.visit_f64(x as f64)
    }
}

/// A whole number from 0.
#[derive(Clone, Copy)]
pub(super) struct Whole<'t>(pub(super) &'t Trace);

impl<'de> DeserializeSeed<'de> for Whole<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<u64, D::Error> {
        from.deserialize_u64(self)
    }
}

impl Visitor<'_> for Whole<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0")
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<u64, E> {
        self.0.count(1)?;
        Ok(x)
    }
}

/// A coordinate's parent: a whole number, -1 for none.
#[derive(Clone, Copy)]
pub(super) struct Parent<'t>(pub(super) &'t Trace);

impl<'de> DeserializeSeed<'de> for Parent<'_> {
    type Value = Option<u64>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<u64>, D::Error> {
        from.deserialize_i64(self)
    }
}

impl Visitor<'_> for Parent<'_> {
    type Value = Option<u64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number of a coordinate, or -1 for none")
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<Option<u64>, E> {
        self.0.count(1)?;
        Ok(Some(x))
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<Option<u64>, E> {
        self.0.count(1)?;
        match (x, u64::try_from(x)) {
            (-1, _) => Ok(None),
            (_, Ok(x)) => Ok(Some(x)),
            (_, Err(_)) => Err(E::custom(format!("a parent is -1 or from 0, not {x}"))),
        }
    }
}

/// A word of a list.
#[derive(Clone, Copy)]
pub(super) struct Word;

impl<'de> DeserializeSeed<'de> for Word {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        <String as serde::Deserialize>::deserialize(from)
    }
}

/// A list of like things.
#[derive(Clone, Copy)]
pub(super) struct List<'t, S>(pub(super) &'t Trace, pub(super) S);

/// What a list costs beside its entries, in numbers.
const LIST: usize = 3;

impl<'de, S: DeserializeSeed<'de> + Copy> DeserializeSeed<'de> for List<'_, S> {
    type Value = Vec<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Copy> Visitor<'de> for List<'_, S> {
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        self.0.count(LIST)?;
        let mut list = Vec::new();
        while let Some(x) = self.0.index(list.len(), seq.next_element_seed(self.1))? {
            list.push(x);
        }
        Ok(list)
    }
}

/// A value for every contact (or row): one for all, or a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Each<T> {
    /// The same for all.
    All(f64),
    /// One each.
    List(Vec<T>),
}

/// A number for all, or a list.
#[derive(Clone, Copy)]
pub(super) struct EachOf<'t, S>(pub(super) &'t Trace, pub(super) S);

impl<'de, S: DeserializeSeed<'de> + Copy> DeserializeSeed<'de> for EachOf<'_, S> {
    type Value = Each<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Copy> Visitor<'de> for EachOf<'_, S> {
    type Value = Each<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a finite number for all, or a list")
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<Self::Value, E> {
        Number(self.0).visit_f64(x).map(Each::All)
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<Self::Value, E> {
        self.visit_f64(x as f64)
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<Self::Value, E> {
        self.visit_f64(x as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        List(self.0, self.1).visit_seq(seq).map(Each::List)
    }
}

/// A value, or null for none.
#[derive(Clone, Copy)]
pub(super) struct OrNull<S>(pub(super) S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for OrNull<S> {
    type Value = Option<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_option(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for OrNull<S> {
    type Value = Option<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, or null for none")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        self.0.deserialize(from).map(Some)
    }
}

/// An object read field by field.
pub(super) trait Fields: Default {
    /// The names.
    const KNOWN: &'static [&'static str];
    /// What it is, for messages.
    const WHAT: &'static str;

    /// Reads the value of one field.
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        name: &'static str,
        trace: &Trace,
        map: &mut A,
    ) -> Result<(), A::Error>;
}

/// [`Fields`] of a struct (or of its member after the dot): what it is called in messages, and how the
/// value of each of its fields is read. A field is one of the value's type or an `Option` of it.
macro_rules! fields {
    ($object:ty, $what:literal, |$trace:ident| $(.$inner:tt)? {
        $($field:ident: $seed:expr),+ $(,)?
    }) => {
        impl Fields for $object {
            const KNOWN: &'static [&'static str] = &[$(stringify!($field)),+];
            const WHAT: &'static str = $what;

            fn read<'de, A: MapAccess<'de>>(
                &mut self,
                name: &'static str,
                $trace: &Trace,
                map: &mut A,
            ) -> Result<(), A::Error> {
                let place = &mut (*self)$(.$inner)?;
                $(if name == stringify!($field) {
                    place.$field = map.next_value_seed($seed)?.into();
                })+
                Ok(())
            }
        }
    };
}
pub(super) use fields;

/// An object with known fields, each at most once.
pub(super) struct Object<'t, T> {
    trace: &'t Trace,
    kind: std::marker::PhantomData<T>,
}

impl<T> Clone for Object<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Object<'_, T> {}

impl<'t, T: Fields> Object<'t, T> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            kind: std::marker::PhantomData,
        }
    }
}

impl<'de, T: Fields> DeserializeSeed<'de> for Object<'_, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de, T: Fields> Visitor<'de> for Object<'_, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object, {}", T::WHAT)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        self.trace.count(LIST)?;
        let mut seen = vec![false; T::KNOWN.len()];
        let mut value = T::default();
        while let Some(name) = map.next_key::<String>()? {
            let Some(at) = T::KNOWN.iter().position(|k| *k == name) else {
                let name = excerpt(&name);
                let hint = match super::nearest::nearest(&name, T::KNOWN) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the fields of {} are {}", T::WHAT, T::KNOWN.join(", ")),
                };
                return Err(A::Error::custom(format!("unknown field `{name}`; {hint}")));
            };
            let name = T::KNOWN[at];
            if std::mem::replace(&mut seen[at], true) {
                return Err(A::Error::custom(format!("field `{name}` is given twice")));
            }
            let read = value.read(name, self.trace, &mut map);
            self.trace.field(name, read)?;
        }
        Ok(value)
    }
}

/// A name fit for a message.
fn excerpt(name: &str) -> String {
    name.chars().take(60).collect()
}
