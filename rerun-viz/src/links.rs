//! What never changes about bodies: shapes in two layers, frames, joint axes.

use crate::bounds::Extent;
use crate::chunks::Writer;
use crate::error::RerunError;
use crate::paths;
use crate::shapes::{self, Ground, vec3};
use nalgebra::Isometry3;
use re_log_types::EntityPath;
use re_sdk_types::archetypes::{Arrows3D, TransformAxes3D};
use re_sdk_types::datatypes::Rgba32;
use stickslip_record::{BodyRecord, JointMotion, SceneRecord, ShapeRecord};

/// Colours of joints that turn and that slide.
const TURNING: [u8; 4] = [190, 140, 255, 255];
const SLIDING: [u8; 4] = [90, 220, 190, 255];

/// How the bodies of a scene are drawn.
pub(crate) struct Looks {
    /// The extent of the scene.
    pub extent: Extent,
    /// Side of the ground tiles \[m\].
    pub tile: f64,
    /// Opacity of what moves.
    pub opacity: f64,
    /// Whether bodies of a heap are drawn pale, so that the loads between them show.
    pub is_heap: bool,
}

/// Opacity of the bodies of a heap, over that of others, and their colour.
const HEAP: (f64, [u8; 3]) = (0.3, [150, 160, 175]);

/// Logs a body: its pose if that never changes, its shapes, and a robot's link's frame.
pub(crate) fn put_body(
    (body, pose): (&BodyRecord, &Isometry3<f64>),
    path: &EntityPath,
    looks: &Looks,
    out: &mut Writer<'_>,
) -> Result<(), RerunError> {
    if !body.moves {
        out.put_static(path, &shapes::transform(pose))?;
    }
    let ground = Ground {
        X_WB: *pose,
        center: looks.extent.center,
        tile: looks.tile,
    };
    for (layer, shapes) in [
        (paths::VISUAL, &body.shapes),
        (paths::COLLISION, &body.collision),
    ] {
        for (k, shape) in shapes.iter().enumerate() {
            let mut shape: ShapeRecord = shape.clone();
            if body.moves {
                let mut alpha = f64::from(shape.color[3]) * looks.opacity;
                if looks.is_heap {
                    let (pale, [r, g, b]) = HEAP;
                    alpha *= pale;
                    shape.color = [r, g, b, 0];
                }
                shape.color[3] = alpha.round() as u8;
            }
            let path = paths::shape_path(path, layer, k);
            shapes::put_shape(out, &path, &shape, &ground)?;
        }
    }
    if body.robot.is_some() && body.moves {
        let axes = TransformAxes3D::new((0.15 * looks.extent.size) as f32);
        out.put_static(&paths::below(path, paths::FRAME), &axes)?;
    }
    Ok(())
}

/// Logs the axes of the joints below the bodies they move, as arrows through their anchors.
pub(crate) fn put_joints(
    scene: &SceneRecord,
    bodies: &[EntityPath],
    size: f64,
    out: &mut Writer<'_>,
) -> Result<(), RerunError> {
    for (number, path) in bodies.iter().enumerate() {
        let joints = || scene.joints.iter().filter(|joint| joint.body == number);
        if joints().next().is_none() {
            continue;
        }
        let length = 0.3 * size;
        let arrows = Arrows3D::from_vectors(joints().map(|j| vec3(&(j.axis * length))))
            .with_origins(joints().map(|j| vec3(&(j.anchor - j.axis * (0.5 * length)))))
            .with_radii([(0.008 * size) as f32])
            .with_labels(joints().map(|j| j.name.as_str()))
            .with_show_labels(false)
            .with_colors(joints().map(|j| {
                Rgba32::from(match j.motion {
                    JointMotion::Turning => TURNING,
                    JointMotion::Sliding => SLIDING,
                })
            }));
        out.put_static(&paths::below(path, paths::JOINTS), &arrows)?;
    }
    Ok(())
}
