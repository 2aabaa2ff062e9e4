//! The command's choices about a robot file as options of this precision's loader.

use super::super::super::urdf::{
    Base, DENSITY, Drive, FixedJoints, ImpossibleInertia, InertiaPolicy, Inertial, InsertOptions,
    LoadOptions, MeshCollision, MissingInertia, MissingMesh, RobotModel, RotorInertia,
    SelfCollision, Srdf, Strictness,
};
use crate::error::CommandError;
use crate::near;
use crate::robot_args::{
    BaseArg, FixedArg, ImpossibleArg, MeshArg, MissingArg, MissingMeshArg, RobotArgs,
    SelfCollisionArg,
};
use nalgebra::{Matrix3, Vector3};

/// Voxels along the longest side of a mesh that becomes convex parts.
const RESOLUTION: u32 = 64;

/// How the file is read.
pub(crate) fn load_options(args: &RobotArgs) -> LoadOptions {
    let density = args.density.unwrap_or(DENSITY);
    LoadOptions {
        package_paths: args.package_path.clone(),
        missing_mesh: match args.missing_mesh {
            None | Some(MissingMeshArg::Refuse) => MissingMesh::Refuse,
            Some(MissingMeshArg::Skip) => MissingMesh::Skip,
            Some(MissingMeshArg::Box) => MissingMesh::Box,
        },
        inertia: InertiaPolicy {
            missing: match args.missing_inertia {
                None | Some(MissingArg::Repair) => MissingInertia::Repair { density },
                Some(MissingArg::Refuse) => MissingInertia::Refuse,
                Some(MissingArg::Geometry) => MissingInertia::FromGeometry { density },
                Some(MissingArg::Merge) => MissingInertia::MergeIntoParent,
            },
            impossible: match args.impossible_inertia {
                None => ImpossibleInertia::Repair,
                Some(ImpossibleArg::Refuse) => ImpossibleInertia::Refuse,
                Some(ImpossibleArg::Accept) => ImpossibleInertia::Accept,
                Some(ImpossibleArg::Nearest) => ImpossibleInertia::Nearest,
                Some(ImpossibleArg::Geometry) => ImpossibleInertia::FromGeometry { density },
            },
        },
        strictness: strictness(args),
        xacro_args: args.xacro_arg.iter().cloned().collect(),
        scale: args.scale.unwrap_or(1.0),
        closures: args.closures.clone(),
        ..LoadOptions::default()
    }
}

fn strictness(args: &RobotArgs) -> Strictness {
    if args.strict {
        Strictness::Strict
    } else {
        Strictness::Tolerant
    }
}

/// Puts the payloads onto their links: point masses at their origins.
///
/// # Errors
/// A payload that is no mass, or a link that the robot does not have.
pub(crate) fn load_up(args: &RobotArgs, model: &mut RobotModel) -> Result<(), CommandError> {
    for (name, payload) in args.payloads()? {
        let known: Vec<String> = model.links.iter().map(|l| l.name.clone()).collect();
        let Some(link) = model.links.iter_mut().find(|l| l.name == name) else {
            let near = near::did_you_mean(name, known.iter().map(String::as_str));
            let near = near.unwrap_or_else(|| format!("its links are {}", known.join(", ")));
            return Err(CommandError::Usage(format!(
                "--payload {name}={payload}: robot `{}` has no link `{name}`; {near}",
                model.name
            )));
        };
        let before = link.inertial.unwrap_or(Inertial {
            mass: 0.0,
            com: Vector3::zeros(),
            inertia: Matrix3::zeros(),
        });
        let mass = before.mass + payload;
        if payload == 0.0 || mass <= 0.0 {
            continue;
        }
        let com = before.com * (before.mass / mass);
        // About the common centre of mass, by the parallel axis theorem.
        let moved = |m: f64, r: Vector3<f64>| {
            (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * m
        };
        let inertia = before.inertia + moved(before.mass, before.com - com) + moved(payload, com);
        link.inertial = Some(Inertial { mass, com, inertia });
    }
    Ok(())
}

/// How the robot is placed, where the command line says more than the scene.
///
/// # Errors
/// What is wrong with the SRDF file.
pub(crate) fn choose(args: &RobotArgs, options: &mut InsertOptions) -> Result<(), CommandError> {
    if let Some(path) = &args.srdf {
        let srdf = Srdf::from_file(path, strictness(args));
        options.srdf = Some(srdf.map_err(|error| CommandError::Robot(error.to_string()))?);
    }
    for (joint, [stiffness, damping]) in args.gains()? {
        let drive = Drive { stiffness, damping };
        options.joint_drives.insert(joint, drive);
    }
    if let Some(base) = args.base {
        options.base = match base {
            BaseArg::Auto => Base::Auto,
            BaseArg::Fixed => Base::Fixed,
            BaseArg::Floating => Base::Floating,
        };
    }
    if let Some(fixed) = args.fixed_joints {
        options.fixed_joints = match fixed {
            FixedArg::Merge => FixedJoints::Merge,
            FixedArg::Keep => FixedJoints::Keep,
        };
    }
    if let Some(which) = args.self_collision {
        options.self_collision = match which {
            SelfCollisionArg::Off => SelfCollision::Off,
            SelfCollisionArg::On => SelfCollision::On,
            SelfCollisionArg::Adjacent => SelfCollision::ExcludeAdjacent,
            SelfCollisionArg::Overlapping => SelfCollision::ExcludeOverlapping,
        };
    }
    if let Some(how) = args.mesh_collision {
        options.mesh_collision = match how {
            MeshArg::Hull => MeshCollision::ConvexHull,
            MeshArg::Exact => MeshCollision::Exact,
            MeshArg::Parts => MeshCollision::ConvexParts {
                resolution: args.mesh_resolution.unwrap_or(RESOLUTION),
            },
            MeshArg::Box => MeshCollision::BoundingBox,
        };
    }
    options.mesh_cache.clone_from(&args.mesh_cache);
    if let Some(armature) = args.armature {
        options.armature = armature;
    }
    if args.rotor_inertia {
        options.rotor_inertia = RotorInertia::Add;
    }
    Ok(())
}

/// Links that a warning names; the others are counted.
const NAMED: usize = 5;

/// A warning where nothing, or not all that is seen, can be touched.
pub(crate) fn shapeless(model: &RobotModel) -> Option<String> {
    if model.collision_count() == 0 {
        return Some(format!(
            "warning: no link of robot `{}` has a collision shape: nothing can touch it",
            model.name
        ));
    }
    let seen = model
        .links
        .iter()
        .filter(|l| l.collisions.is_empty() && !l.visuals.is_empty());
    let names: Vec<_> = seen.map(|l| l.name.as_str()).collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let named = names
        .iter()
        .take(NAMED)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    (!names.is_empty()).then(|| {
        format!(
            "note: seen, but without a collision shape, so that nothing can touch it: {named}{more}"
        )
    })
}
