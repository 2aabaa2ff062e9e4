//! The repairs of inertias: those of the default, and those that the options ask for.

use crate::{
    assembly::{Assembly, Body, FixedJoints},
    error::UrdfError,
    findings::{Findings, Place},
    inertia::{self, Strictness},
    judge::judge,
    model::{
        ImpossibleInertia, InertiaPolicy, Inertial, JointKind, MissingInertia, NoteKind, RobotModel,
    },
};

/// What is wrong with a link's own inertia.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// No mass, or no rotational inertia.
    Missing,
    /// No solid has it.
    Impossible,
}

/// A link without shapes and mass gets this part of the mass that it carries: light, but within what
/// single precision solves.
const SHARE: f64 = 1e-3;

/// Repairs what keeps bodies from moving, as far as the policy says; what is left is judged later.
pub(super) fn apply(model: &mut RobotModel, policy: InertiaPolicy, found: &mut Findings) {
    let assembly = Assembly::new(model, FixedJoints::Merge);
    for body in &assembly.bodies {
        for how in [Strictness::MayBeThin, Strictness::Definite] {
            if sound(model, body) {
                break;
            }
            let moves = body.joint.is_some() || assembly.declares_floating();
            mend(model, (body, moves), how, policy, found);
        }
    }
    match policy.missing {
        MissingInertia::MergeIntoParent => merge(model, found),
        MissingInertia::Repair { density } => balls(model, &assembly, density, found),
        MissingInertia::Refuse | MissingInertia::FromGeometry { .. } => {}
    }
}

/// What is still without inertia has no shape to take it from: a solid ball, of the file's mass or of
/// [`SHARE`] of what the link carries. From the tips to the root, so that what is given counts below.
fn balls(model: &mut RobotModel, assembly: &Assembly, density: f64, found: &mut Findings) {
    let robot = model.mass();
    let mut carried = vec![0.0; assembly.bodies.len()];
    for (b, body) in assembly.bodies.iter().enumerate().rev() {
        let own = body.total(model).map_or(0.0, |i| i.mass);
        let moves = body.joint.is_some() || assembly.declares_floating();
        if (moves || own > 0.0) && !sound(model, body) {
            ball(model, body, [carried[b], robot], density, found);
        }
        if body.joint.is_some() {
            carried[body.parent] += carried[b] + body.total(model).map_or(0.0, |i| i.mass);
        }
    }
}

/// A ball in place of the inertia of the body's heaviest link, or of its first where none has a mass.
/// A body whose links are all sound, or impossible by the policy's leave, stays as it is.
fn ball(
    model: &mut RobotModel,
    body: &Body,
    [carried, robot]: [f64; 2],
    density: f64,
    found: &mut Findings,
) {
    let mass_of = |link: usize| model.links[link].inertial.map_or(0.0, |i| i.mass);
    let links = body.members.iter().map(|m| m.link);
    let heaviest = links.reduce(|a, b| if mass_of(b) > mass_of(a) { b } else { a });
    let Some(link) =
        heaviest.filter(|&l| fault(model, l, Strictness::Definite) == Some(Fault::Missing))
    else {
        return;
    };
    let stated = mass_of(link);
    let (mass, whence) = if stated > 0.0 {
        (stated, "no inertia and no shapes")
    } else if carried > 0.0 {
        (
            SHARE * carried,
            "no mass and no shapes (a thousandth of what it carries)",
        )
    } else if robot > 0.0 {
        (
            SHARE * robot,
            "no mass and no shapes (a thousandth of the robot)",
        )
    } else {
        (SHARE, "no mass and no shapes, like all of the robot")
    };
    let new = inertia::ball(mass, density);
    let com = model.links[link].inertial.map_or(new.com, |i| i.com);
    let text = format!(
        "has {whence}; taken as a ball of {mass:.6e} kg at {density} kg/m^3, {:.6e} kg m^2",
        new.inertia[(0, 0)]
    );
    found.repaired(&Place::link(&model.links[link].name), text);
    model.links[link].inertial = Some(Inertial { com, ..new });
}

/// Whether a body can move, with what its links have now.
fn sound(model: &RobotModel, body: &Body) -> bool {
    let now = Body {
        inertial: body.total(model),
        ..body.clone()
    };
    judge(model, &now).is_ok()
}

/// Repairs the links of a body that are faulty by themselves. The first pass leaves thin and empty
/// ones alone, which are fine on a heavier body.
fn mend(
    model: &mut RobotModel,
    (body, moves): (&Body, bool),
    how: Strictness,
    policy: InertiaPolicy,
    found: &mut Findings,
) {
    for link in body.members.iter().map(|m| m.link) {
        let density = match (fault(model, link, how), policy) {
            (None, _) => continue,
            (Some(Fault::Missing), _) if how == Strictness::MayBeThin => continue,
            (Some(Fault::Missing), policy) => match policy.missing {
                MissingInertia::FromGeometry { density } => density,
                MissingInertia::Repair { density } => {
                    // A base without mass stands still.
                    if moves || body.total(model).is_some_and(|i| i.mass > 0.0) {
                        complete(model, link, density, found);
                    }
                    continue;
                }
                MissingInertia::Refuse | MissingInertia::MergeIntoParent => continue,
            },
            (Some(Fault::Impossible), policy) => match policy.impossible {
                ImpossibleInertia::FromGeometry { density } => density,
                ImpossibleInertia::Repair | ImpossibleInertia::Nearest => {
                    nearest(model, link, policy.impossible, found);
                    continue;
                }
                ImpossibleInertia::Refuse | ImpossibleInertia::Accept => continue,
            },
        };
        from_geometry(model, (body, link), density, found);
    }
}

/// Why a link could not be a moving body of its own.
fn fault(model: &RobotModel, link: usize, how: Strictness) -> Option<Fault> {
    let Some(i) = model.links[link].inertial else {
        return Some(Fault::Missing);
    };
    if i.mass == 0.0 || i.inertia.amax() == 0.0 {
        return Some(Fault::Missing);
    }
    let accepts = model.inertia_policy.impossible == ImpossibleInertia::Accept;
    let possible = i.mass > 0.0
        && inertia::check(&i.inertia, how).is_ok()
        && (accepts || inertia::check_triangle(&i.inertia).is_ok());
    (!possible).then_some(Fault::Impossible)
}

fn nearest(model: &mut RobotModel, link: usize, how: ImpossibleInertia, found: &mut Findings) {
    let link = &mut model.links[link];
    let Some(old) = link.inertial.filter(|i| i.mass > 0.0) else {
        return;
    };
    let new = Inertial {
        inertia: inertia::nearest(&old.inertia),
        ..old
    };
    let text = |i: &Inertial| {
        inertia::principal_moments(&i.inertia)
            .map(|e| format!("{e:.6e}"))
            .join(", ")
    };
    let text = format!(
        "impossible inertia with principal moments {} replaced by the nearest possible one, {} \
         kg m^2",
        text(&old),
        text(&new)
    );
    let place = Place::link(&link.name);
    match how {
        ImpossibleInertia::Repair => found.repaired(&place, text),
        _ => found.note(NoteKind::Changed, &place, text),
    }
    link.inertial = Some(new);
}

/// From the link's shapes, as far as they give one; meshes of visual shapes are read for it.
fn complete(model: &mut RobotModel, link: usize, density: f64, found: &mut Findings) {
    let own = &model.links[link];
    let mass = own.inertial.map_or(0.0, |i| i.mass);
    let Some(new) = inertia::from_whatever(own, mass, density) else {
        return;
    };
    let [a, b, c] = inertia::principal_moments(&new.inertia);
    let text = format!(
        "has no {}; taken from its shapes: mass {:.6} kg, principal moments {a:.6e}, {b:.6e}, {c:.6e} \
         kg m^2",
        if mass > 0.0 { "inertia" } else { "mass" },
        new.mass
    );
    found.repaired(&Place::link(&own.name), text);
    model.links[link].inertial = Some(new);
}

fn from_geometry(
    model: &mut RobotModel,
    (body, link): (&Body, usize),
    density: f64,
    found: &mut Findings,
) {
    let own = &model.links[link];
    let bare = own.collisions.is_empty() && own.visuals.is_empty();
    if bare && own.inertial.is_none() {
        return;
    }
    let mass = own.inertial.map_or(0.0, |i| i.mass);
    match inertia::from_geometry(own, mass, density) {
        Ok(new) => {
            found.note(
                NoteKind::Changed,
                &Place::link(&own.name),
                format!("inertia taken from its shapes (mass {:.6} kg)", new.mass),
            );
            model.links[link].inertial = Some(new);
        }
        // A fixed base needs no inertia.
        Err(reason) if body.joint.is_some() => {
            let (file, link) = (found.file(), own.name.clone());
            found
                .errors
                .push(UrdfError::NoInertiaFromGeometry { file, link, reason });
        }
        Err(_) => {}
    }
}

/// Fixes bodies without mass to their parents. Fixing one gives its parent more to carry and never
/// less, so one pass from the tips to the root finds all.
fn merge(model: &mut RobotModel, found: &mut Findings) {
    let mut fixed = vec![false; model.joints.len()];
    for body in &Assembly::new(model, FixedJoints::Merge).bodies {
        let Some(j) = body.joint else { continue };
        let massless = body.inertial.is_none_or(|i| i.mass == 0.0);
        if !massless || model.joints[j].kind == JointKind::Floating {
            continue;
        }
        let joint = &mut model.joints[j];
        found.note(
            NoteKind::Changed,
            &Place::joint(&joint.name),
            format!(
                "link `{}` has no mass, so its {} joint is fixed",
                model.links[joint.child].name,
                joint.kind.word()
            ),
        );
        joint.kind = JointKind::Fixed;
        joint.limits = None;
        joint.mimic = None;
        fixed[j] = true;
    }
    for i in 0..model.joints.len() {
        let Some(m) = model.joints[i].mimic.filter(|m| fixed[m.joint]) else {
            continue;
        };
        found.errors.push(UrdfError::BadMimic {
            file: found.file(),
            joint: model.joints[i].name.clone(),
            source_joint: model.joints[m.joint].name.clone(),
            reason: "which had to be fixed because its link has no mass; give that link an \
                     inertia"
                .into(),
        });
    }
}
