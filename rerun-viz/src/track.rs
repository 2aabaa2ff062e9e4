//! One run among several in a recording.

use crate::bounds::Extent;
use crate::chunks::Writer;
use crate::error::RerunError;
use crate::paths;
use crate::shapes::vec3;
use nalgebra::{Translation3, Vector3};
use re_sdk_types::archetypes::Points3D;
use re_sdk_types::datatypes::Rgba32;
use stickslip_record::{Geometry, SceneRecord, StepRecord};

/// One run among several in a recording: where its entities stand in the tree, how it is told apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Name; a part of its entities' paths and of its curves' names.
    pub name: String,
    /// Colour of its moving bodies and of its curves: red, green, blue.
    pub color: [u8; 3],
    /// Where its world stands in that of the recording \[m\]; zero draws it over the others.
    pub offset: Vector3<f64>,
}

/// Colours that can be told apart on a dark ground.
pub(crate) const COLORS: [[u8; 3]; 8] = [
    [90, 160, 255],
    [255, 150, 50],
    [70, 200, 110],
    [240, 90, 90],
    [190, 130, 255],
    [60, 205, 205],
    [235, 215, 80],
    [240, 130, 195],
];

impl Track {
    /// Tracks by these names, in colours by turns, each `offset` further than the one before it.
    pub fn row<S: Into<String>>(
        names: impl IntoIterator<Item = S>,
        offset: Vector3<f64>,
    ) -> Vec<Self> {
        let names = names.into_iter().enumerate();
        names
            .map(|(number, name)| Self {
                name: name.into(),
                color: COLORS[number % COLORS.len()],
                offset: offset * number as f64,
            })
            .collect()
    }

    /// The scene as the track shows it. What is fixed is shown by the first track; by others only
    /// where they stand elsewhere, and a ground without end never twice.
    pub(crate) fn scene(&self, scene: &SceneRecord, number: usize) -> SceneRecord {
        let mut scene = scene.clone();
        let apart = self.offset != Vector3::zeros();
        for body in &mut scene.bodies {
            if body.moves {
                for shape in body.shapes.iter_mut().chain(&mut body.collision) {
                    shape.color[..3].copy_from_slice(&self.color);
                }
            } else if number > 0 {
                let endless = |g: &Geometry| matches!(g, Geometry::HalfSpace { .. });
                for shapes in [&mut body.shapes, &mut body.collision] {
                    shapes.retain(|s| apart && !endless(&s.geometry));
                }
            }
        }
        scene
    }

    /// Logs its name, above its bodies.
    pub(crate) fn put_name(
        &self,
        extent: &Extent,
        up: &Vector3<f64>,
        out: &mut Writer<'_>,
    ) -> Result<(), RerunError> {
        let place = extent.center.coords + up * (extent.half.dot(&up.abs()) + extent.size);
        let path = paths::below(
            &paths::of_track(paths::WORLD, Some(&self.name)),
            paths::NAME,
        );
        let name = Points3D::new([vec3(&place)])
            .with_radii([0.02 * extent.size as f32])
            .with_colors([Rgba32::from(self.color)])
            .with_labels([self.name.as_str()])
            .with_show_labels(true);
        out.put_static(&path, &name)
    }

    /// The step where the track shows it.
    pub(crate) fn step(&self, step: &StepRecord) -> StepRecord {
        let mut step = step.clone();
        let shift = Translation3::from(self.offset);
        for pose in &mut step.body_poses {
            *pose = shift * *pose;
        }
        for contact in &mut step.contacts {
            contact.point += self.offset;
        }
        step
    }
}

/// The extent of one run, with the centre and the size of all beside it.
pub(crate) fn spread(own: Extent, track: Option<&Track>, tracks: &[Track]) -> Extent {
    let Some(track) = track else {
        return own;
    };
    let count = tracks.len().max(1) as f64;
    let middle = tracks.iter().map(|t| t.offset).sum::<Vector3<f64>>() / count;
    let far = tracks.iter().map(|t| (t.offset - middle).norm());
    Extent {
        center: own.center + (middle - track.offset),
        size: own.size + far.fold(0.0, f64::max),
        ..own
    }
}
