//! Contact points, normals and force arrows, frame by frame.

use crate::bounds::Extent;
use crate::chunks::{Times, Writer};
use crate::error::RerunError;
use crate::load::{Loads, is_held};
use crate::paths;
use crate::plots::Mark;
use crate::shapes::vec3;
use nalgebra::Vector3;
use re_sdk_types::archetypes::{Arrows3D, Points3D};
use re_sdk_types::datatypes::Rgba32;
use stickslip_record::{Arrows, ContactRecord, ContactState, SceneRecord};

/// No arrow is longer than this many scene sizes: an impact would fill the view.
const LONGEST: f64 = 3.0;

/// Colour of contacts that stick.
pub const STICKING: [u8; 4] = [38, 184, 96, 255];
/// Colour of contacts that slide.
pub const SLIDING: [u8; 4] = [240, 72, 50, 255];
/// Colour of contacts without force.
pub const SEPARATED: [u8; 4] = [150, 150, 158, 255];
/// Colour of pressed contacts of a step that failed or fell back.
pub const TROUBLED: [u8; 4] = [255, 150, 30, 255];
/// Colour of normals.
const NORMAL: [u8; 4] = [90, 160, 255, 255];

/// The colour of a state.
pub fn state_color(state: ContactState) -> [u8; 4] {
    match state {
        ContactState::Sticking => STICKING,
        ContactState::Sliding => SLIDING,
        ContactState::Separated => SEPARATED,
    }
}

/// Colours of contacts of a heap, from the least load to the most.
const LOADS: [[f64; 3]; 4] = [
    [45.0, 80.0, 190.0],
    [40.0, 190.0, 200.0],
    [250.0, 215.0, 70.0],
    [255.0, 255.0, 255.0],
];

/// The colour of a contact of a heap that carries this share of the largest load. By the root of it: most
/// contacts carry a small part of what the few at the bottom do.
pub fn load_color(share: f64) -> [u8; 4] {
    let last = LOADS.len() - 1;
    let at = share.clamp(0.0, 1.0).sqrt() * last as f64;
    let from = (at.floor() as usize).min(last - 1);
    let part = at - from as f64;
    let mix = |k: usize| LOADS[from][k] + part * (LOADS[from + 1][k] - LOADS[from][k]);
    [mix(0) as u8, mix(1) as u8, mix(2) as u8, 255]
}

/// How contacts are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Length of force arrows per newton [m/N].
    pub meters_per_newton: f64,
    /// Size of the scene, or in a heap of a part of it with as many bodies as are told apart at a glance \[m\].
    pub size: f64,
    /// How contact forces are drawn.
    pub arrows: Arrows,
    /// Whether many bodies lie on each other: then the picture is about who carries how much.
    pub is_heap: bool,
}

/// So many bodies are told apart at a glance.
const FEW: f64 = 30.0;

/// Radius of force arrows in a heap, over the size of the part that marks are scaled by: thick, as they are
/// seen through the bodies.
const HEAP_ARROWS: f64 = 0.035;

/// Whether a scene has more free bodies than are told apart at a glance. Those that joints hold are parts of
/// something else.
fn is_heap(scene: &SceneRecord) -> bool {
    let free = scene.bodies.iter().filter(|b| b.moves && b.robot.is_none());
    free.count() > FEW as usize + scene.joints.len()
}

impl Scale {
    /// Scale for a scene from its extent and its first contacts; `chosen` overrides the length per newton.
    ///
    /// In a heap of more than [`FEW`] bodies marks shrink as the bodies' spacing does, with the cube root of
    /// their number, and a contact carries the share of the weight that falls on a square of that spacing.
    pub fn new(
        extent: &Extent,
        scene: &SceneRecord,
        first: &[ContactRecord],
        chosen: Option<f64>,
    ) -> Self {
        let forces = first
            .iter()
            .map(|c| c.normal_force.hypot(c.friction_force.norm()));
        let largest = forces.filter(|f| f.is_finite()).fold(0.0, f64::max);
        let movers = scene.bodies.iter().filter(|body| body.moves).count();
        let share = (FEW / movers.max(1) as f64).cbrt().min(1.0);
        let near = Extent {
            size: extent.size * share,
            ..*extent
        };
        let weight = scene.weight * share * share;
        Self {
            meters_per_newton: chosen.unwrap_or_else(|| near.meters_per_newton(weight, largest)),
            size: near.size,
            arrows: scene.view.arrows,
            is_heap: is_heap(scene),
        }
    }

    /// The scale of one step: where directions count, its largest contact force is as long as half the size
    /// of the scene. O(contacts).
    pub fn of_step(&self, contacts: &[ContactRecord]) -> Self {
        let sizes = contacts.iter().map(|c| whole(c).norm());
        let largest = sizes.filter(|f| f.is_finite()).fold(0.0, f64::max);
        match self.arrows {
            Arrows::Directions if largest > 0.0 => Self {
                meters_per_newton: 0.5 * self.size / largest,
                ..*self
            },
            _ => *self,
        }
    }

    /// The lever at which a torque's arrow is as long as that of its force \[m\]: a tenth of the scene's size.
    pub fn lever(&self) -> f64 {
        0.1 * self.size
    }

    /// The arrow of a force: to scale, cut at three scene sizes, none if not finite.
    pub fn arrow(&self, force: Vector3<f64>) -> [f32; 3] {
        let arrow = force * self.meters_per_newton;
        let length = arrow.norm();
        if !length.is_finite() {
            return [0.0; 3];
        }
        let longest = LONGEST * self.size;
        vec3(&if length > longest {
            arrow * (longest / length)
        } else {
            arrow
        })
    }
}

/// The force on body 1 of a contact \[N\].
fn whole(contact: &ContactRecord) -> Vector3<f64> {
    contact.normal * contact.normal_force + contact.friction_force
}

/// Rows of contacts waiting to be sent.
#[derive(Debug, Default)]
pub(crate) struct ContactColumns {
    arrows: Arrows,
    /// Contacts per row: 0 clears what was drawn.
    counts: Vec<usize>,
    points: Vec<[f32; 3]>,
    colors: Vec<Rgba32>,
    normals: Vec<[f32; 3]>,
    /// Contacts with a force per row.
    pressed: Vec<usize>,
    origins: Vec<[f32; 3]>,
    normal_forces: Vec<[f32; 3]>,
    friction_forces: Vec<[f32; 3]>,
    /// Instead of the two, where directions count.
    forces: Vec<[f32; 3]>,
    pressed_colors: Vec<Rgba32>,
}

impl ContactColumns {
    /// No rows yet.
    pub fn new(arrows: Arrows) -> Self {
        Self {
            arrows,
            ..Self::default()
        }
    }

    /// Logs radii and other things that never change.
    pub fn put_static(&self, out: &mut Writer<'_>, scale: &Scale) -> Result<(), RerunError> {
        let radius = |share: f64| [(share * scale.size) as f32];
        let fields = Arrows3D::update_fields;
        out.put_static(
            &out.path(paths::CONTACT_POINTS),
            &Points3D::update_fields().with_radii(radius(0.045)),
        )?;
        out.put_static(
            &out.path(paths::CONTACT_NORMALS),
            &fields()
                .with_radii(radius(0.006))
                .with_colors([Rgba32::from(NORMAL)]),
        )?;
        let drawn: &[&str] = match self.arrows {
            Arrows::Parts => &[paths::NORMAL_FORCES, paths::FRICTION_FORCES],
            Arrows::Directions => &[paths::CONTACT_FORCES],
        };
        drawn.iter().try_for_each(|path| {
            let share = if scale.is_heap { HEAP_ARROWS } else { 0.016 };
            let arrows = fields().with_radii(radius(share));
            out.put_static(&out.path(path), &arrows)
        })
    }

    /// Adds the contacts of a frame; those that carry in one colour where something went wrong.
    pub fn push(&mut self, contacts: &[ContactRecord], trouble: Option<Mark>, scale: &Scale) {
        let (mut drawn, mut pressed) = (0, 0);
        let loads = Loads::of(contacts);
        for contact in contacts {
            let loaded = loads.is_loaded(contact);
            if scale.is_heap && !loaded {
                continue;
            }
            drawn += 1;
            let point = vec3(&contact.point.coords);
            let color = Rgba32::from(match trouble {
                _ if !loaded || !is_held(contact) => SEPARATED,
                Some(_) => TROUBLED,
                None if scale.is_heap => load_color(loads.share(contact)),
                None => state_color(contact.state),
            });
            self.points.push(point);
            self.colors.push(color);
            self.normals
                .push(vec3(&(contact.normal * (0.12 * scale.size))));
            if contact.state != ContactState::Separated {
                pressed += 1;
                self.origins.push(point);
                self.pressed_colors.push(color);
                match self.arrows {
                    Arrows::Parts => {
                        let normal = contact.normal * contact.normal_force;
                        self.normal_forces.push(scale.arrow(normal));
                        self.friction_forces
                            .push(scale.arrow(contact.friction_force));
                    }
                    Arrows::Directions => self.forces.push(scale.arrow(whole(contact))),
                }
            }
        }
        self.counts.push(drawn);
        self.pressed.push(pressed);
    }

    /// Sends the rows and starts over.
    pub fn flush(&mut self, out: &mut Writer<'_>, times: &Times) -> Result<(), RerunError> {
        let counts = self.counts.iter().copied();
        let pressed = self.pressed.iter().copied();
        out.put_columns(
            &out.path(paths::CONTACT_POINTS),
            times,
            Points3D::update_fields()
                .with_positions(self.points.iter().copied())
                .with_colors(self.colors.iter().copied())
                .columns(counts.clone()),
        )?;
        out.put_columns(
            &out.path(paths::CONTACT_NORMALS),
            times,
            Arrows3D::update_fields()
                .with_origins(self.points.iter().copied())
                .with_vectors(self.normals.iter().copied())
                .columns(counts),
        )?;
        let drawn: &[_] = match self.arrows {
            Arrows::Parts => &[
                (paths::NORMAL_FORCES, &self.normal_forces),
                (paths::FRICTION_FORCES, &self.friction_forces),
            ],
            Arrows::Directions => &[(paths::CONTACT_FORCES, &self.forces)],
        };
        for (path, forces) in drawn {
            out.put_columns(
                &out.path(path),
                times,
                Arrows3D::update_fields()
                    .with_origins(self.origins.iter().copied())
                    .with_vectors(forces.iter().copied())
                    .with_colors(self.pressed_colors.iter().copied())
                    .columns(pressed.clone()),
            )?;
        }
        self.clear();
        Ok(())
    }

    /// Starts over, keeping the memory.
    fn clear(&mut self) {
        self.counts.clear();
        self.points.clear();
        self.colors.clear();
        self.normals.clear();
        self.pressed.clear();
        self.origins.clear();
        self.normal_forces.clear();
        self.friction_forces.clear();
        self.forces.clear();
        self.pressed_colors.clear();
    }
}
