//! What acts along the coordinates of a multibody: springs, dampers, drives, limits, dry
//! friction, couplings.
//!
//! Springs, dampers and drives are implicit: along coordinate j they add `h d + h^2 k` to the
//! diagonal of the mass matrix and their explicit part to the generalized force (theory section
//! 2). A drive past its effort limit is not linear any more: it leaves the mass matrix and becomes
//! a bounded row, `|impulse| <= h max_force`, with the compliance that makes both forms one and the
//! same inside the bound.

use crate::base::convert::real;
use rapier::prelude::*;
use stickslip_core::problem::ScalarKind;

/// Names the rows of one coordinate for the warm start.
#[derive(Clone, Copy, Debug)]
enum RowTag {
    LowerLimit = 0,
    UpperLimit = 1,
    Friction = 2,
    Drive = 3,
}

/// A scalar row along one coordinate of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisRow {
    /// The coordinate.
    pub(crate) coordinate: usize,
    /// The row's entry there: 1 or -1.
    pub(crate) entry: f64,
    /// What the row demands.
    pub(crate) kind: ScalarKind,
    /// Name within the tree.
    pub(crate) key: u64,
}

/// A drive of one coordinate, `force = kp (q* - q) + (kd + h kp)(v* - v+)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    pub(crate) coordinate: usize,
    /// `kp (q* - q)` [N or N m].
    spring: f64,
    /// `kd + h kp` [N s/m or N m s].
    damping: f64,
    /// Target velocity v*, kept within what the limits allow.
    target_velocity: f64,
    /// `h max_force`.
    limit: f64,
    /// Whether stiffness and damping still have to be multiplied by the effective inertia.
    per_inertia: bool,
}

impl Drive {
    /// Impulse of the implicit drive at the end velocity `v` [N s].
    fn impulse(&self, h: f64, v: f64) -> f64 {
        h * (self.spring + self.damping * (self.target_velocity - v))
    }

    /// Whether the linear form would break the effort limit.
    pub(crate) fn exceeds(&self, h: f64, v: f64) -> bool {
        // A hair of round-off room, so that a drive exactly at its limit settles on one form.
        self.impulse(h, v).abs() > self.limit * (1.0 + 1e-12)
    }

    /// The bounded row this drive becomes past its limit.
    fn row(&self, h: f64) -> Option<AxisRow> {
        let gain = h * self.damping;
        (gain > 0.0).then(|| AxisRow {
            coordinate: self.coordinate,
            entry: 1.0,
            kind: ScalarKind::Bounded {
                velocity: self.target_velocity + self.spring / self.damping,
                limit: self.limit,
                compliance: 1.0 / gain,
            },
            key: axis_key(self.coordinate, RowTag::Drive),
        })
    }
}

fn axis_key(coordinate: usize, tag: RowTag) -> u64 {
    (coordinate as u64) << 2 | tag as u64
}

/// Everything along the coordinates of one tree; buffers are kept from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Axes {
    /// Additions to the diagonal of the mass matrix (m).
    pub(crate) diagonal: Vec<f64>,
    /// Generalized force along each coordinate (m).
    pub(crate) force: Vec<f64>,
    /// Limits, dry friction, drives past their limit.
    pub(crate) rows: Vec<AxisRow>,
    /// Diagonal and force without the drives.
    passive: [Vec<f64>; 2],
    /// Number of rows without the drives.
    passive_rows: usize,
    drives: Vec<Drive>,
    /// Per coordinate, whether its drive is a bounded row. Kept from step to step.
    pub(crate) saturated: Vec<bool>,
}

impl Axes {
    /// Whether a drive's strength depends on the effective inertia of its coordinate.
    pub(crate) fn needs_inertia(&self) -> bool {
        self.drives.iter().any(|d| d.per_inertia)
    }

    /// Reads joint data and coordinates of every link. O(m).
    pub(crate) fn read(&mut self, multibody: &Multibody, velocity: &[f64], h: f64) {
        let m = multibody.ndofs();
        self.saturated.resize(m, false);
        self.drives.clear();
        self.rows.clear();
        let [diagonal, force] = &mut self.passive;
        diagonal.clear();
        force.clear();
        let coordinates = multibody.damping().iter().zip(multibody.armature().iter());
        for ((&damping, &armature), v) in coordinates.zip(velocity) {
            let damping = real(damping);
            diagonal.push(real(armature) + h * damping);
            force.push(-damping * v);
        }
        for link in multibody.links() {
            self.read_joint(multibody, link, velocity, h);
        }
        self.passive_rows = self.rows.len();
    }

    fn read_joint(
        &mut self,
        multibody: &Multibody,
        link: &MultibodyLink,
        velocity: &[f64],
        h: f64,
    ) {
        let joint = link.joint();
        let locked = joint.data.locked_axes.bits();
        let mut j = link.assembly_id();
        for axis in 0..6 {
            if locked >> axis & 1 == 1 {
                continue;
            }
            let coordinate = j;
            j += 1;
            if joint.kinematic {
                continue;
            }
            let q = real(joint.coords()[axis]);
            let v = velocity[coordinate];
            let (stiffness, rest) = joint.spring(axis);
            if stiffness != 0.0 {
                let k = real(stiffness);
                let [diagonal, force] = &mut self.passive;
                diagonal[coordinate] += h * h * k;
                force[coordinate] -= k * (q - real(rest)) + h * k * v;
            }
            let has = |mask: JointAxesMask| mask.bits() >> axis & 1 == 1;
            let limits = has(joint.data.limit_axes).then(|| {
                let limits = joint.data.limits[axis];
                [real(limits.min), real(limits.max)]
            });
            if let Some([lower, upper]) = limits {
                self.limit(coordinate, 1.0, q - lower, RowTag::LowerLimit);
                self.limit(coordinate, -1.0, upper - q, RowTag::UpperLimit);
            }
            if has(joint.data.motor_axes) {
                self.drive(coordinate, &joint.data.motors[axis], q, limits, h);
            }
            let friction = real(multibody.frictions()[coordinate]);
            if friction > 0.0 {
                self.rows.push(AxisRow {
                    coordinate,
                    entry: 1.0,
                    kind: ScalarKind::Bounded {
                        velocity: 0.0,
                        limit: friction * h,
                        compliance: 0.0,
                    },
                    key: axis_key(coordinate, RowTag::Friction),
                });
            }
        }
    }

    fn limit(&mut self, coordinate: usize, entry: f64, gap: f64, tag: RowTag) {
        // Rapier's "no limit" is the largest number of its precision.
        if gap < 1e30 {
            self.rows.push(AxisRow {
                coordinate,
                entry,
                kind: ScalarKind::Unilateral { gap },
                key: axis_key(coordinate, tag),
            });
        }
    }

    fn drive(
        &mut self,
        coordinate: usize,
        motor: &JointMotor,
        q: f64,
        limits: Option<[f64; 2]>,
        h: f64,
    ) {
        let stiffness = real(motor.stiffness);
        let mut target_velocity = real(motor.target_vel);
        if let Some([lower, upper]) = limits {
            let (slowest, fastest) = ((lower - q) / h, (upper - q) / h);
            target_velocity = target_velocity.max(slowest).min(fastest);
        }
        let damping = real(motor.damping) + h * stiffness;
        if damping <= 0.0 {
            return;
        }
        self.drives.push(Drive {
            coordinate,
            spring: stiffness * (real(motor.target_pos) - q),
            damping,
            target_velocity,
            limit: (h * real(motor.max_force)).min(f64::MAX),
            per_inertia: motor.model == MotorModel::AccelerationBased,
        });
    }

    /// The diagonal without the drives (m).
    pub(crate) fn passive_diagonal(&self) -> &[f64] {
        &self.passive[0]
    }

    /// Multiplies stiffness and damping of acceleration-based drives by the effective inertia of
    /// their coordinate, `1 / [M^-1]_jj`, given as a function of j.
    pub(crate) fn scale_by_inertia(&mut self, mut effective_inertia: impl FnMut(usize) -> f64) {
        for drive in self.drives.iter_mut().filter(|d| d.per_inertia) {
            let inertia = effective_inertia(drive.coordinate);
            drive.spring *= inertia;
            drive.damping *= inertia;
            drive.per_inertia = false;
        }
    }

    /// Puts every drive where it belongs: into mass matrix and force, or into the bounded rows.
    pub(crate) fn place_drives(&mut self, velocity: &[f64], h: f64) {
        self.rows.truncate(self.passive_rows);
        self.diagonal.clone_from(&self.passive[0]);
        self.force.clone_from(&self.passive[1]);
        for drive in &self.drives {
            let j = drive.coordinate;
            if self.saturated[j] {
                self.rows.extend(drive.row(h));
            } else {
                self.diagonal[j] += h * drive.damping;
                self.force[j] +=
                    drive.spring + drive.damping * (drive.target_velocity - velocity[j]);
            }
        }
    }

    /// Turns drives that broke their limit at the end velocity into bounded rows. True if any did:
    /// the step must then be assembled again.
    pub(crate) fn saturate(&mut self, velocity: &[f64], h: f64) -> bool {
        let mut changed = false;
        for drive in &self.drives {
            let j = drive.coordinate;
            if !self.saturated[j] && drive.exceeds(h, velocity[j]) {
                self.saturated[j] = true;
                changed = true;
            }
        }
        changed
    }

    /// Lets drives that are well inside their limit return to the mass matrix next step.
    pub(crate) fn release(&mut self, velocity: &[f64], h: f64) {
        for drive in &self.drives {
            let j = drive.coordinate;
            if self.saturated[j] && drive.impulse(h, velocity[j]).abs() < 0.95 * drive.limit {
                self.saturated[j] = false;
            }
        }
    }
}
