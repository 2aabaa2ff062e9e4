//! The constant side of a tree: bodies, joint placements, lumped inertias, coordinate numbering.

use crate::spatial::point_inertia;
use crate::spec::{JointSpec, LinkInertia, LinkSpec, TreeError, check_frames};
use nalgebra::{Isometry3, IsometryMatrix3, Matrix3, Vector3};
use std::sync::Arc;
use stickslip_core::mass::{MassPattern, NO_PARENT};

/// Free rotations of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Angular {
    Locked,
    Axis(usize),
    Ball,
}

/// How a body's joint is treated: the two common cases have shortened code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Six free axes on the world with world-aligned frame 1: its columns are unit vectors.
    Floating,
    /// One rotation about an axis of frame 1, no translation.
    Revolute(usize),
    /// Anything else.
    General,
}

/// Links joined rigidly. Its frame is frame 2 of the joint that moves it; body 0 is the ground.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub parent: usize,
    /// The link whose joint moves this body.
    pub link: usize,
    /// Its first velocity coordinate and their number.
    pub first: usize,
    pub dofs: usize,
    pub shape: Shape,
    pub linear: [bool; 3],
    pub angular: Angular,
    /// Both translations and rotations are free: the rotation's pivot moves on the parent.
    pub mixed: bool,
    pub kinematic: bool,
    /// Joint frame 1 in the parent body's frame.
    pub placement: IsometryMatrix3<f64>,
    pub mass: f64,
    pub com: Vector3<f64>,
    /// About the centre of mass.
    pub inertia: Matrix3<f64>,
    /// Sum of gravity scale times mass \[kg\].
    pub weight: f64,
    /// Sum of gravity scale times mass times position, less `weight * com`; `None` where it
    /// vanishes because all scales are equal [kg m].
    pub weight_offset: Option<Vector3<f64>>,
    /// Whether its mass stands for none ([`Tree::set_negligible_mass`]).
    pub is_light: bool,
}

/// An articulated tree: topology, frames and inertias. Cheap to read, never grows after
/// construction.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) bodies: Vec<Body>,
    /// Pose of each link in its body's frame.
    pub(crate) in_body: Vec<Isometry3<f64>>,
    pub(crate) link_body: Vec<usize>,
    pub(crate) links: Vec<LinkSpec>,
    /// Pose of the ground body: of the root link if it is fixed, identity else.
    pub(crate) ground: IsometryMatrix3<f64>,
    /// Deepest free coordinate on each body's path, or [`NO_PARENT`].
    pub(crate) last: Vec<usize>,
    /// Whether the velocity of a coordinate is given rather than solved for (m).
    pub(crate) prescribed: Vec<bool>,
    pub(crate) has_prescribed: bool,
    /// Coordinates 0..6 are a free floating base and stand first on every path.
    pub(crate) floating: bool,
    pub(crate) pattern: Arc<MassPattern>,
}

impl Tree {
    /// Builds a tree; link 0 is the root. O(sum of path lengths), the only call that allocates.
    ///
    /// # Errors
    /// [`TreeError`] names the link and what is wrong with it.
    pub fn new(links: &[LinkSpec]) -> Result<Self, TreeError> {
        check(links)?;
        let mut bodies = Vec::with_capacity(1 + links.len());
        bodies.push(ground_body());
        let mut link_body = Vec::with_capacity(links.len());
        let mut last = vec![NO_PARENT];
        let (mut prescribed, mut parents) = (Vec::new(), Vec::new());
        for (link, spec) in links.iter().enumerate() {
            let joint = &spec.joint;
            let parent = spec.parent.map_or(0, |p| link_body[p]);
            let angular = angular(joint, link)?;
            if joint.linear == [false; 3] && angular == Angular::Locked {
                link_body.push(parent);
                continue;
            }
            let body = moving_body(spec, link, angular, prescribed.len(), parent);
            let mut deepest = last[parent];
            for i in body.first..body.first + body.dofs {
                prescribed.push(body.kinematic);
                parents.push(if body.kinematic { NO_PARENT } else { deepest });
                if !body.kinematic {
                    deepest = i;
                }
            }
            last.push(deepest);
            link_body.push(bodies.len());
            bodies.push(body);
        }
        let pattern = match MassPattern::from_parents(&parents) {
            Ok(pattern) => Arc::new(pattern.floating(floats(links))),
            Err(_) => unreachable!("coordinates are numbered parents first"),
        };
        let mut tree = Self {
            bodies,
            in_body: vec![Isometry3::identity(); links.len()],
            link_body,
            links: links.to_vec(),
            ground: IsometryMatrix3::identity(),
            last,
            has_prescribed: prescribed.contains(&true),
            prescribed,
            floating: false,
            pattern,
        };
        tree.refresh();
        Ok(tree)
    }

    /// Number of velocity coordinates m.
    pub fn dim(&self) -> usize {
        self.prescribed.len()
    }

    /// Number of links.
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// Sparsity of the mass matrix; prescribed coordinates stand alone in it.
    pub fn pattern(&self) -> &Arc<MassPattern> {
        &self.pattern
    }

    /// A link as it is described now.
    pub fn link(&self, link: usize) -> &LinkSpec {
        &self.links[link]
    }

    /// First velocity coordinate of a link's joint, or `None` if the joint is locked.
    pub fn first_coordinate(&self, link: usize) -> Option<usize> {
        let body = &self.bodies[self.link_body[link]];
        (body.dofs > 0 && body.link == link).then_some(body.first)
    }

    /// Whether the root is a free floating base: six coordinates that forces change.
    pub fn has_floating_base(&self) -> bool {
        floats(&self.links)
    }

    /// A link's mass properties.
    ///
    /// # Panics
    /// If there is no such link.
    pub fn link_inertia(&self, link: usize) -> &LinkInertia {
        &self.links[link].inertia
    }

    /// Replaces a link's mass properties. Nothing is done if they are unchanged; O(links) else.
    ///
    /// # Errors
    /// As [`Tree::new`]; the tree is then unchanged.
    pub fn set_link_inertia(&mut self, link: usize, inertia: LinkInertia) -> Result<(), TreeError> {
        self.check_link(link)?;
        if self.links[link].inertia != inertia {
            inertia.check(link)?;
            self.links[link].inertia = inertia;
            self.lump(self.link_body[link]);
        }
        Ok(())
    }

    /// Tells which masses stand for none: those of at most `mass`, which a caller gave to links without any so that the mass matrix
    /// can be factored. A body all of whose links have one has no Coriolis and centrifugal forces of its own, which for a mass that
    /// tends to zero would fling it along a slider as any bead, and yields its external forces ([`Tree::carry_forces`]). It goes
    /// on as it moves and falls. [`Tree::bias_derivative`] keeps its part, which small changes of velocity multiply. Until the next
    /// call; `None` for no mass at all. O(links).
    pub fn set_negligible_mass(&mut self, mass: Option<f64>) {
        self.bodies.iter_mut().for_each(|body| body.is_light = true);
        for (link, &body) in self.links.iter().zip(&self.link_body) {
            self.bodies[body].is_light &= mass.is_some_and(|mass| link.inertia.mass <= mass);
        }
    }

    /// Replaces the frames of a link's joint: also the way to move a fixed or kinematic root, by its
    /// frame 1. Nothing is done if they are unchanged; O(1) for a fixed root, O(links) else.
    ///
    /// # Errors
    /// As [`Tree::new`]; the tree is then unchanged.
    pub fn set_frames(
        &mut self,
        link: usize,
        frame1: Isometry3<f64>,
        frame2: Isometry3<f64>,
    ) -> Result<(), TreeError> {
        self.check_link(link)?;
        let old = self.links[link].joint;
        let joint = JointSpec {
            frame1,
            frame2,
            ..old
        };
        if joint == old {
            return Ok(());
        }
        check_frames(&joint, link)?;
        self.links[link].joint = joint;
        if link == 0 && self.link_body[0] == 0 {
            self.ground = nalgebra::convert(frame1 * frame2.inverse());
        } else {
            self.refresh();
        }
        Ok(())
    }

    fn check_link(&self, link: usize) -> Result<(), TreeError> {
        if link < self.links.len() {
            return Ok(());
        }
        Err(TreeError::NoSuchLink {
            link,
            count: self.links.len(),
        })
    }

    /// Derives all constants from the link descriptions.
    fn refresh(&mut self) {
        for link in 0..self.links.len() {
            let LinkSpec { parent, joint, .. } = self.links[link];
            let at_parent = parent.map_or(Isometry3::identity(), |p| self.in_body[p]);
            let frame1 = at_parent * joint.frame1;
            let body = self.link_body[link];
            self.in_body[link] = if body != 0 && self.bodies[body].link == link {
                self.bodies[body].placement = nalgebra::convert(frame1);
                joint.frame2.inverse()
            } else if link == 0 {
                self.ground = nalgebra::convert(joint.frame1 * joint.frame2.inverse());
                Isometry3::identity()
            } else {
                frame1 * joint.frame2.inverse()
            };
        }
        for body in 1..self.bodies.len() {
            self.lump(body);
        }
        self.floating = false;
        if let (true, Some(base)) = (self.has_floating_base(), self.bodies.get_mut(1)) {
            let aligned = self.links[0].joint.frame1.rotation.imag() == Vector3::zeros();
            base.shape = if aligned {
                Shape::Floating
            } else {
                Shape::General
            };
            self.floating = aligned;
        }
    }

    /// Sums the mass properties of a body's links in the body's frame.
    fn lump(&mut self, body: usize) {
        let members = || (0..self.links.len()).filter(|&l| self.link_body[l] == body);
        let com_of =
            |l: usize| (self.in_body[l] * nalgebra::Point3::from(self.links[l].inertia.com)).coords;
        let (mut mass, mut weight) = (0.0, 0.0);
        let (mut moment, mut weight_moment) = (Vector3::zeros(), Vector3::zeros());
        let mut scale = None;
        let mut uniform = true;
        for l in members() {
            let link = &self.links[l].inertia;
            let com = com_of(l);
            mass += link.mass;
            moment += com * link.mass;
            weight += link.gravity_scale * link.mass;
            weight_moment += com * (link.gravity_scale * link.mass);
            if link.mass > 0.0 {
                uniform &= *scale.get_or_insert(link.gravity_scale) == link.gravity_scale;
            }
        }
        let com = if mass > 0.0 {
            moment / mass
        } else {
            Vector3::zeros()
        };
        let mut inertia = Matrix3::zeros();
        for l in members() {
            let link = &self.links[l].inertia;
            let turn = self.in_body[l].rotation.to_rotation_matrix();
            inertia += turn * link.inertia.symmetric_part() * turn.transpose()
                + point_inertia(link.mass, &(com_of(l) - com));
        }
        let body = &mut self.bodies[body];
        body.mass = mass;
        body.com = com;
        body.inertia = inertia;
        body.weight = weight;
        body.weight_offset = (!uniform).then(|| weight_moment - com * weight);
    }
}

/// Whether the first link moves freely in all six coordinates.
fn floats(links: &[LinkSpec]) -> bool {
    let base = links.first().map(|link| &link.joint);
    base.is_some_and(|j| j.linear == [true; 3] && j.angular == [true; 3] && !j.kinematic)
}

fn check(links: &[LinkSpec]) -> Result<(), TreeError> {
    if links.is_empty() {
        return Err(TreeError::Empty);
    }
    for (link, spec) in links.iter().enumerate() {
        match (link, spec.parent) {
            (0, None) => {}
            (0, Some(_)) => return Err(TreeError::RootHasParent),
            (_, None) => return Err(TreeError::SecondRoot { link }),
            (_, Some(parent)) if parent >= link => {
                return Err(TreeError::BadParent { link, parent });
            }
            _ => {}
        }
        spec.inertia.check(link)?;
        check_frames(&spec.joint, link)?;
    }
    Ok(())
}

fn angular(joint: &JointSpec, link: usize) -> Result<Angular, TreeError> {
    match joint.angular {
        [false, false, false] => Ok(Angular::Locked),
        [true, false, false] => Ok(Angular::Axis(0)),
        [false, true, false] => Ok(Angular::Axis(1)),
        [false, false, true] => Ok(Angular::Axis(2)),
        [true, true, true] => Ok(Angular::Ball),
        _ => Err(TreeError::TwoAngularAxes { link }),
    }
}

fn ground_body() -> Body {
    Body {
        parent: 0,
        link: 0,
        first: 0,
        dofs: 0,
        shape: Shape::General,
        linear: [false; 3],
        angular: Angular::Locked,
        mixed: false,
        kinematic: false,
        placement: IsometryMatrix3::identity(),
        mass: 0.0,
        com: Vector3::zeros(),
        inertia: Matrix3::zeros(),
        weight: 0.0,
        weight_offset: None,
        is_light: false,
    }
}

fn moving_body(
    spec: &LinkSpec,
    link: usize,
    angular: Angular,
    first: usize,
    parent: usize,
) -> Body {
    let linear = spec.joint.linear;
    let translations = linear.iter().filter(|&&free| free).count();
    let rotations = match angular {
        Angular::Locked => 0,
        Angular::Axis(_) => 1,
        Angular::Ball => 3,
    };
    Body {
        parent,
        link,
        first,
        dofs: translations + rotations,
        shape: match angular {
            Angular::Axis(axis) if translations == 0 => Shape::Revolute(axis),
            _ => Shape::General,
        },
        linear,
        angular,
        mixed: translations > 0 && rotations > 0,
        kinematic: spec.joint.kinematic,
        ..ground_body()
    }
}
