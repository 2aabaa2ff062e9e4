//! What all rooms of a step share: numbers, errors, the step's settings, contacts and surfaces as data.

pub(crate) mod clock;
pub(crate) mod contact;
pub(crate) mod convert;
pub(crate) mod error;
pub(crate) mod frame;
pub(crate) mod model;
pub(crate) mod pair;
pub(crate) mod pose;
pub(crate) mod surface;
pub(crate) mod tolerances;
