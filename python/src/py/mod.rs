//! The classes that Python sees.

pub mod batch;
pub mod body;
pub mod contacts;
pub mod convert;
pub mod joint;
pub mod live;
pub mod options;
pub mod record;
pub mod report;
pub mod robot;
pub mod settings;
pub mod world;
