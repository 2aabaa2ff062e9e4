//! Tangents and friction cones of the contacts.

#![allow(non_snake_case)] // R_WC turns the contact's axes into the world's

use crate::chunks::{Times, Writer};
use crate::contacts::Scale;
use crate::error::RerunError;
use crate::shapes::{rotation, vec3};
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};
use re_sdk_types::archetypes::{Arrows3D, InstancePoses3D, Mesh3D};
use re_sdk_types::datatypes::{Quaternion, Rgba32};
use stickslip_record::ContactRecord;

/// Tangents s and t of every contact, all of one length.
pub const CONTACT_TANGENTS: &str = "world/contacts/tangents";
/// Friction cones of the pressed contacts, as high as the normal force is long.
pub const CONTACT_CONES: &str = "world/contacts/cones";

/// Colours of s and t.
const TANGENTS: [[u8; 4]; 2] = [[230, 120, 200, 255], [120, 220, 230, 255]];
/// Colour of cones: the arrows inside must show.
const CONE: [u8; 4] = [250, 205, 80, 28];
/// Corners of a cone's rim.
const RIM: u32 = 32;
/// Frames with more contacts than this show neither: they would hide the scene and fill the disk.
const MOST_CONTACTS: usize = 256;
/// Wider cones are no bound that the eye could see.
const WIDEST: f64 = 5.0;

/// A cone with its tip at a contact: the forces on body 1 that Coulomb's law allows at this normal force, in
/// the scale of the force arrows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cone {
    /// Turns s, t, n (the cone's x, y, z) into the world's axes.
    pub R_WC: UnitQuaternion<f64>,
    /// Half widths along s and t at the rim, and height \[m\].
    pub size: Vector3<f64>,
}

impl Cone {
    /// That of a contact: `mu_s h` and `mu_t h` wide and `h` high, h the length of its normal force's arrow.
    /// `None` where nothing presses or no bound is known.
    pub fn of(contact: &ContactRecord, scale: &Scale) -> Option<Self> {
        let [mu_s, mu_t] = contact.friction?;
        let arrow = Vector3::from(scale.arrow(contact.normal * contact.normal_force));
        let height = f64::from(arrow.norm());
        let drawn = |mu: f64| mu > 0.0 && mu <= WIDEST;
        if contact.normal_force <= 0.0 || height == 0.0 || !(drawn(mu_s) && drawn(mu_t)) {
            return None;
        }
        let [n, s] = [contact.normal, contact.tangent];
        let R_WC = if s == Vector3::zeros() {
            UnitQuaternion::rotation_between(&Vector3::z(), &n).unwrap_or_else(|| {
                UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI)
            })
        } else {
            let axes = Matrix3::from_columns(&[s, n.cross(&s), n]);
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
        };
        Some(Self {
            R_WC,
            size: height * Vector3::new(mu_s, mu_t, 1.0),
        })
    }
}

/// Rows of tangents and cones waiting to be sent.
#[derive(Debug, Default)]
pub(crate) struct DetailColumns {
    tangents: Vec<usize>,
    origins: Vec<[f32; 3]>,
    vectors: Vec<[f32; 3]>,
    cones: Vec<usize>,
    tips: Vec<[f32; 3]>,
    turns: Vec<Quaternion>,
    sizes: Vec<[f32; 3]>,
}

impl DetailColumns {
    /// Logs the cone that is drawn at every contact, and the looks of the tangents.
    pub fn put_static(&self, out: &mut Writer<'_>, scale: &Scale) -> Result<(), RerunError> {
        out.put_static(
            &out.path(CONTACT_TANGENTS),
            &Arrows3D::update_fields().with_radii([(0.005 * scale.size) as f32]),
        )?;
        let rim = (0..RIM).map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(RIM);
            [angle.cos() as f32, angle.sin() as f32, 1.0]
        });
        let corners: Vec<[f32; 3]> = std::iter::once([0.0; 3]).chain(rim).collect();
        let sides = (0..RIM).map(|k| [0, k + 1, (k + 1) % RIM + 1]);
        out.put_static(
            &out.path(CONTACT_CONES),
            &Mesh3D::new(corners)
                .with_triangle_indices(sides)
                .with_albedo_factor(Rgba32::from(CONE)),
        )
    }

    /// Adds the contacts of a frame.
    pub fn push(&mut self, contacts: &[ContactRecord], scale: &Scale) {
        let shown = if contacts.len() > MOST_CONTACTS {
            &[]
        } else {
            contacts
        };
        let mut tangents = 0;
        let mut cones = 0;
        for contact in shown {
            let point = vec3(&contact.point.coords);
            if contact.tangent != Vector3::zeros() {
                tangents += 2;
                let both = [contact.tangent, contact.normal.cross(&contact.tangent)];
                self.origins.extend([point; 2]);
                self.vectors
                    .extend(both.map(|v| vec3(&(v * (0.09 * scale.size)))));
            }
            if let Some(cone) = Cone::of(contact, scale) {
                cones += 1;
                self.tips.push(point);
                self.turns.push(turn(cone.R_WC));
                self.sizes.push(vec3(&cone.size));
            }
        }
        if cones == 0 {
            // Without an instance the mesh itself would be drawn, at the origin.
            cones = 1;
            self.tips.push([0.0; 3]);
            self.turns.push(turn(UnitQuaternion::identity()));
            self.sizes.push([0.0; 3]);
        }
        self.tangents.push(tangents);
        self.cones.push(cones);
    }

    /// Sends the rows and starts over.
    pub fn flush(&mut self, out: &mut Writer<'_>, times: &Times) -> Result<(), RerunError> {
        let pairs = self.origins.len() / 2;
        let colors = (0..pairs).flat_map(|_| TANGENTS.map(Rgba32::from));
        let arrows = Arrows3D::update_fields()
            .with_origins(self.origins.drain(..))
            .with_vectors(self.vectors.drain(..))
            .with_colors(colors)
            .columns(std::mem::take(&mut self.tangents));
        out.put_columns(&out.path(CONTACT_TANGENTS), times, arrows)?;
        let cones = InstancePoses3D::update_fields()
            .with_translations(self.tips.drain(..))
            .with_quaternions(self.turns.drain(..))
            .with_scales(self.sizes.drain(..))
            .columns(std::mem::take(&mut self.cones));
        out.put_columns(&out.path(CONTACT_CONES), times, cones)
    }
}

fn turn(R: UnitQuaternion<f64>) -> Quaternion {
    let X = Isometry3::from_parts(Translation3::identity(), R);
    Quaternion::from_xyzw(rotation(&X))
}
