//! Which scenario a hand takes: `grasp` squeezes two cubes between the only two joints that a robot has.

use super::asked::Request;
use crate::catalog::{self, Scenario};
use crate::error::CommandError;
use stickslip_urdf_f64::{JointKind, LoadOptions, MissingMesh, RobotModel};

/// The scenario of a request: that of its name, but `carry` where `grasp` is asked for with an object, or with a robot whose
/// movable joints are not two prismatic ones. A file that can't be read is left to the scenario, which says why.
///
/// # Errors
/// When no scenario has the name.
pub(super) fn scenario(request: &Request) -> Result<&'static Scenario, CommandError> {
    let named = catalog::find(&request.scenario)?;
    let has_object = request.set.iter().any(|key| key.starts_with("object="));
    if named.name == "grasp" && (has_object || has_other_joints(request)) {
        return catalog::find("carry");
    }
    Ok(named)
}

fn has_other_joints(request: &Request) -> bool {
    let Some(path) = &request.robot else {
        return false;
    };
    let options = LoadOptions {
        package_paths: request.robot_args.package_path.clone(),
        missing_mesh: MissingMesh::Skip,
        xacro_args: request.robot_args.xacro_arg.iter().cloned().collect(),
        ..LoadOptions::default()
    };
    let Ok(model) = RobotModel::from_file(path, &options) else {
        return false;
    };
    let movable = model.joints.iter().filter(|joint| joint.kind.dofs() > 0);
    let kinds: Vec<JointKind> = movable.map(|joint| joint.kind).collect();
    kinds != [JointKind::Prismatic; 2]
}
