//! `peg` [G]: a peg is pushed into a hole without inertia, until it is in or wedged.
//!
//! A ball presses on the side of the top to which the peg leans, so it leans as far as its clearance lets
//! it and touches the hole at two points, a corner of the peg at its wall and an edge of the mouth, l below
//! each other. Forces at both can balance each other at any size, and the peg is wedged, where each lies
//! in the friction cone of the other: where the line between them, as steep as `l / D` for a peg of width
//! D, is less steep than mu. So a peg that is in by `l < mu D` when it touches twice is wedged, one that is
//! in farther slides (Whitney 1982 for the plane; [G] says the same by a cone that is not pointed). The run
//! ends there: how large the forces are, and so whether pushing harder helps, is not for rigid bodies
//! to say.

use super::super::super::rapier::prelude::*;
use super::super::stage::convert::{to_pose, to_real, to_vector};
use super::super::stage::scene::{Built, Scene};
use super::super::stage::world::World;
use crate::error::CommandError;
use crate::metrics::larger;
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use stickslip_core::report::SolveStatus;
use stickslip_record::StepReport;

/// Width and length of the peg, depth of the hole \[m\].
const WIDTH: f64 = 0.04;
const LENGTH: f64 = 0.12;
const HOLE: f64 = 0.08;
/// Thickness of the walls, half \[m\].
const WALL: f64 = 0.03;
const BALL: f64 = 0.01;
/// Where the ball presses, from the middle of the top over half the width.
const PUSHED: f64 = 0.8;
const MASS: f64 = 0.5;
/// Share of the hole's depth at which the peg is in.
const IN: f64 = 0.95;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let mu = keys.number("mu")?;
    let clearance = keys.number("clearance")? * WIDTH;
    let depth = keys.number("depth")? * WIDTH;
    if depth >= IN * HOLE {
        return Err(CommandError::Usage(format!(
            "key `depth`: a peg that is in by {:.1} widths is in: the hole is {:.1} deep",
            depth / WIDTH,
            HOLE / WIDTH
        )));
    }
    let planar = keys.text("space")? == "plane";
    let mut world = World::new(settings)?;
    add_hole(&mut world, clearance, planar, mu);
    // Leaning by half of what the clearance allows at this depth; it finds its two points itself.
    let lean = 0.5 * clearance / depth;
    let axis = if planar {
        Vector3::y_axis()
    } else {
        nalgebra::Unit::new_normalize(Vector3::new(0.3, 1.0, 0.0))
    };
    let turn = UnitQuaternion::from_axis_angle(&axis, lean);
    // Towards where the top leans; in the middle of what is in, the peg is in the middle of the hole.
    let aside = axis.cross(&Vector3::z());
    let height = 0.5 * LENGTH * lean.cos() - depth;
    let off = aside * (lean.tan() * (height + 0.5 * depth));
    let place = Translation3::from(off + Vector3::z() * height);
    let at = Isometry3::from_parts(place, turn);
    let [half, long] = [0.5 * WIDTH, 0.5 * LENGTH].map(to_real);
    let shape = ColliderBuilder::cuboid(half, half, long)
        .mass(to_real(MASS))
        .friction(to_real(mu));
    let mut body = RigidBodyBuilder::dynamic()
        .pose(to_pose(&at))
        .gravity_scale(0.0);
    if planar {
        body = body
            .enabled_translations(true, false, true)
            .enabled_rotations(false, true, false);
    }
    let peg = world.add("peg", body, [shape]);
    // What happens at its far side shows through it.
    world.paint(peg, [226, 148, 72, 90]);
    let speed = keys.number("speed")?;
    let side = aside * (PUSHED * 0.5 * WIDTH);
    let top = at * nalgebra::Point3::new(side.x, side.y, 0.5 * LENGTH);
    let above = top.coords + Vector3::z() * BALL;
    let ball = ColliderBuilder::ball(to_real(BALL))
        .friction(0.0)
        .friction_combine_rule(CoefficientCombineRule::Min);
    let pusher = RigidBodyBuilder::kinematic_velocity_based()
        .translation(to_vector(&above))
        .linvel(Vector::new(0.0, 0.0, to_real(-speed)));
    let pusher = world.add("pusher", pusher, [ball]);
    let scene = Peg {
        peg,
        pusher,
        started: depth,
        wedges_below: mu * WIDTH,
        depth,
        lean,
        lean_max: lean,
        wedged: false,
        jammed: false,
        overlap: 0.0,
    };
    Ok((world, Box::new(scene)))
}

/// Walls about a square hole, or beside a slot that is open along y; the mouth at z = 0.
fn add_hole(world: &mut World, clearance: f64, planar: bool, mu: f64) {
    let inner = 0.5 * (WIDTH + clearance);
    let high = 0.5 * HOLE;
    let wall = |at: [f64; 2], half: [f64; 2]| {
        ColliderBuilder::cuboid(to_real(half[0]), to_real(half[1]), to_real(high))
            .translation(to_vector(&Vector3::new(at[0], at[1], -high)))
            .friction(to_real(mu))
    };
    let (off, reach) = (inner + WALL, inner + 2.0 * WALL);
    let mut walls = vec![
        wall([-off, 0.0], [WALL, reach]),
        wall([off, 0.0], [WALL, reach]),
    ];
    if !planar {
        walls.push(wall([0.0, -off], [inner, WALL]));
        walls.push(wall([0.0, off], [inner, WALL]));
    }
    let number = world.add("hole", RigidBodyBuilder::fixed(), walls);
    world.paint(number, [150, 150, 155, 110]);
}

struct Peg {
    peg: usize,
    pusher: usize,
    /// Depth at the start, and below which a peg wedges \[m\].
    started: f64,
    wedges_below: f64,
    depth: f64,
    lean: f64,
    lean_max: f64,
    /// Whether contact forces of any size can balance each other, or no motion is left at all.
    wedged: bool,
    jammed: bool,
    overlap: f64,
}

impl Scene for Peg {
    fn observe(&mut self, world: &World, report: Option<&StepReport>) {
        if let Some(report) = report {
            self.wedged |= report.solve.wedged > 0;
            self.jammed |= report.solve.status == SolveStatus::Jammed;
        }
        if self.jammed {
            // What the step does then is no motion of the peg.
            return;
        }
        let pose = world.pose(self.peg);
        let tip = pose * nalgebra::Point3::new(0.0, 0.0, -0.5 * LENGTH);
        self.depth = -tip.z;
        self.lean = (pose.rotation * Vector3::z()).z.clamp(-1.0, 1.0).acos();
        self.lean_max = larger(self.lean_max, self.lean);
        let depths = world.contacts().iter().map(|c| -c.record.gap);
        self.overlap = depths.fold(self.overlap, larger);
    }

    fn ended(&self) -> bool {
        self.wedged || self.jammed || self.depth >= IN * HOLE
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let pushed = world.position(self.pusher);
        let outcome = if self.depth >= IN * HOLE {
            "inserted"
        } else if self.jammed {
            "jammed"
        } else if self.wedged {
            "wedged"
        } else {
            "under way"
        };
        Ok(Figures::new(outcome)
            .at_least("depth_m", self.depth, IN * HOLE)
            .with("depth_start_m", self.started)
            .with("wedge_depth_theory_m", self.wedges_below)
            .with("lean_end_rad", self.lean)
            .with("lean_max_rad", self.lean_max)
            .with("overlap_max_m", self.overlap)
            .with("pusher_height_m", pushed.z))
    }
}
