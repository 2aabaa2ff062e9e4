//! Poses of the moving bodies, frame by frame.

#![allow(non_snake_case)] // X_WB is the pose of B in W

use crate::chunks::{Times, Writer};
use crate::error::RerunError;
use crate::shapes::{rotation, translation};
use nalgebra::Isometry3;
use re_log_types::EntityPath;
use re_sdk_types::archetypes::Transform3D;
use re_sdk_types::datatypes::Quaternion;

/// Rows of the poses of one moving body.
#[derive(Debug)]
pub(crate) struct PoseColumns {
    /// Index of the body in the scene.
    pub body: usize,
    path: EntityPath,
    translations: Vec<[f32; 3]>,
    rotations: Vec<Quaternion>,
}

impl PoseColumns {
    /// No rows yet.
    pub fn new(body: usize, path: EntityPath) -> Self {
        Self {
            body,
            path,
            translations: Vec::new(),
            rotations: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, X_WB: &Isometry3<f64>) {
        self.translations.push(translation(X_WB));
        self.rotations.push(Quaternion::from_xyzw(rotation(X_WB)));
    }

    /// Sends the rows and starts over.
    pub fn flush(&mut self, out: &mut Writer<'_>, times: &Times) -> Result<(), RerunError> {
        out.put_columns(
            &self.path,
            times,
            Transform3D::update_fields()
                .with_many_translation(self.translations.drain(..))
                .with_many_quaternion(self.rotations.drain(..))
                .columns_of_unit_batches(),
        )
    }
}
