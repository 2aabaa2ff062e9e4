//! Tests in both precisions: the f32 and the f64 crate are built from these sources.

mod assets;
mod axes;
mod bounds;
mod broken;
mod broken_links;
mod decorated;
mod doubts;
mod extras;
mod formulas;
mod hollows;
mod insertion;
mod kinds;
mod masses;
mod mended;
mod readers;
mod references;
mod repairs;
mod resolution;
mod robots;
mod shapes;
mod slips;
mod xacro;

use std::path::{Path, PathBuf};

use rapier::prelude::*;

use crate::{
    InsertError, InsertOptions, LoadOptions, RobotHandles, RobotModel, Strictness, UrdfError,
};

/// A folder that is removed at the end of a test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let precision = size_of::<Real>() * 8;
        let path = std::env::temp_dir().join(format!(
            "stickslip-urdf-{}-f{precision}-{name}",
            std::process::id()
        ));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The three sets a robot goes into.
#[derive(Default)]
struct Scene {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    joints: MultibodyJointSet,
}

impl Scene {
    fn insert(
        &mut self,
        model: &RobotModel,
        options: &InsertOptions,
    ) -> Result<RobotHandles, InsertError> {
        model.insert(
            options,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.joints,
        )
    }

    fn multibody(&self, robot: &RobotHandles) -> &Multibody {
        self.joints.get_multibody(robot.multibody.unwrap()).unwrap()
    }

    /// Rapier's own step, for what the engine itself makes of the robot.
    fn run(&mut self, gravity: Vector, steps: usize) {
        let mut pipeline = PhysicsPipeline::new();
        let parameters = IntegrationParameters {
            dt: 1e-3,
            ..Default::default()
        };
        let (mut islands, mut broad, mut narrow) = (
            IslandManager::new(),
            DefaultBroadPhase::new(),
            NarrowPhase::new(),
        );
        let mut ccd = CCDSolver::new();
        let mut soft = SoftBodySet::new();
        for _ in 0..steps {
            pipeline.step(
                gravity,
                &parameters,
                &mut islands,
                &mut broad,
                &mut narrow,
                &mut self.bodies,
                &mut self.colliders,
                &mut self.impulse_joints,
                &mut self.joints,
                &mut soft,
                &mut ccd,
                &(),
                &(),
            );
        }
    }
}

const INERTIAL: &str = r#"<inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"#;

/// A robot of the given elements, where `I` in a link body stands for [`INERTIAL`].
fn urdf(inside: &str) -> String {
    format!(
        "<robot name=\"r\">{}</robot>",
        inside.replace("{I}", INERTIAL)
    )
}

fn load(inside: &str) -> Result<RobotModel, UrdfError> {
    RobotModel::from_urdf(
        &urdf(inside),
        Path::new("made/up.urdf"),
        &LoadOptions::default(),
    )
}

/// The same with nothing repaired.
fn load_strict(inside: &str) -> Result<RobotModel, UrdfError> {
    let options = LoadOptions {
        strictness: Strictness::Strict,
        ..LoadOptions::default()
    };
    RobotModel::from_urdf(&urdf(inside), Path::new("made/up.urdf"), &options)
}

/// Whether one of the model's notes has all these words.
fn noted(model: &RobotModel, words: &[&str]) -> bool {
    let mut notes = model.notes.iter().map(ToString::to_string);
    notes.any(|n| words.iter().all(|w| n.contains(w)))
}

/// Parent and child link with one joint between them.
fn pair(joint: &str) -> String {
    format!(
        r#"<link name="a">{INERTIAL}</link><link name="b">{INERTIAL}</link>
        <joint name="j" {joint}</joint>"#
    )
}

const ENDS: &str = r#"<parent link="a"/><child link="b"/>"#;

/// The project's own robot files.
fn assets() -> PathBuf {
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let mut assets = Path::new(&root).ancestors().map(|a| a.join("assets"));
    assets.find(|a| a.join("gripper.urdf").is_file()).unwrap()
}

fn asset(name: &str) -> RobotModel {
    RobotModel::from_file(&assets().join(name), &LoadOptions::default()).unwrap()
}

/// Rounds to the engine's precision.
#[allow(clippy::unnecessary_cast)] // `Real` is f32 in one of the two crates.
fn real(x: f64) -> Real {
    x as Real
}

fn close(a: Real, b: f64, tolerance: f64) -> bool {
    (f64::from(a) - b).abs() <= tolerance
}
