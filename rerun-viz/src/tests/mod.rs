//! Recordings written, read back and compared with what went in. Here: what the tests share.

mod attached;
mod balance;
mod contacts;
mod curves;
mod files;
mod layers;
mod names;
mod overlays;
mod recordings;
#[cfg(feature = "sdk")]
mod stream;

use crate::*;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use re_chunk::Chunk;
use re_log_encoding::DecoderApp;
use re_log_types::LogMsg;
use re_log_types::StoreId;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use stickslip_record::{
    BodyRecord, ContactRecord, ContactState, Geometry, Recorder, SceneRecord, ShapeRecord,
    StepRecord,
};

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("stickslip-rerun-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("temporary folder");
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("temporary folder");
        let mut names: Vec<_> = entries
            .map(|e| e.expect("entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn shape(geometry: Geometry) -> ShapeRecord {
    ShapeRecord {
        pose: Isometry3::identity(),
        geometry,
        color: [10, 20, 30, 255],
    }
}

/// Ground (fixed), a box that is a robot's link, a ball; weight 40 N.
pub(crate) fn scene() -> SceneRecord {
    let body = |name: &str, robot: Option<&str>, moves, geometry| BodyRecord {
        name: name.to_owned(),
        robot: robot.map(str::to_owned),
        moves,
        shapes: vec![shape(geometry)],
        ..BodyRecord::default()
    };
    let normal = Vector3::z();
    let half_extents = Vector3::new(0.3, 0.2, 0.1);
    SceneRecord {
        name: "box & ball".to_owned(),
        bodies: vec![
            body("ground", None, false, Geometry::HalfSpace { normal }),
            body(
                "base link",
                Some("rob/ot"),
                true,
                Geometry::Cuboid { half_extents },
            ),
            body("ball", None, true, Geometry::Sphere { radius: 0.1 }),
        ],
        weight: 40.0,
        ..SceneRecord::default()
    }
}

pub(crate) fn contact(state: ContactState, normal_force: f64) -> ContactRecord {
    ContactRecord {
        bodies: [Some(0), Some(1)],
        point: Point3::new(0.25, -0.5, 0.0),
        normal: Vector3::z(),
        tangent: Vector3::x(),
        friction: Some([0.4, 0.4]),
        gap: -2e-6,
        normal_force,
        friction_force: Vector3::new(3.0, 0.0, 0.0),
        spin_torque: Vector3::zeros(),
        slip_velocity: Vector3::new(0.0, 1e-3, 0.0),
        state,
    }
}

pub(crate) fn step(k: u64, dt: f64, contacts: Vec<ContactRecord>) -> StepRecord {
    let mut step = StepRecord {
        step: k,
        time: (k + 1) as f64 * dt,
        contacts,
        ..StepRecord::default()
    };
    step.body_poses = vec![
        Isometry3::identity(),
        Isometry3::from_parts(
            Translation3::new(k as f64, 0.0, 0.1),
            UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_2),
        ),
        Isometry3::translation(0.0, 1.0, 0.1),
    ];
    step.report.solve.pivots = k as usize;
    // A step that says anything about itself took some time.
    step.report.times.solve = 2.0;
    step
}

fn options(frames: Frames) -> RecorderOptions {
    RecorderOptions {
        frames,
        ..RecorderOptions::default()
    }
}

fn record(path: &Path, options: RecorderOptions, steps: &[StepRecord]) {
    let mut recorder = RerunRecorder::new(Sink::File(path.to_owned()), options).expect("sink");
    recorder.begin(&scene()).expect("begin");
    for step in steps {
        recorder.record(step).expect("record");
    }
    recorder.finish().expect("finish");
}

/// Records a scene and reads the file back.
fn written(
    name: &str,
    options: RecorderOptions,
    scene: &SceneRecord,
    steps: &[StepRecord],
) -> Read {
    let folder = Folder::new(name);
    let path = folder.0.join("run.rrd");
    let mut recorder = RerunRecorder::new(Sink::File(path.clone()), options).expect("sink");
    recorder.begin(scene).expect("begin");
    for step in steps {
        recorder.record(step).expect("record");
    }
    recorder.finish().expect("finish");
    read(&path)
}

/// The chunks of a file, the recording's and the blueprint's.
struct Read {
    stores: Vec<StoreId>,
    recording: BTreeMap<String, Vec<Chunk>>,
    blueprint: BTreeMap<String, Vec<Chunk>>,
    activated: bool,
}

fn read(path: &Path) -> Read {
    let file = BufReader::new(std::fs::File::open(path).expect("recording"));
    let mut out = Read {
        stores: Vec::new(),
        recording: BTreeMap::new(),
        blueprint: BTreeMap::new(),
        activated: false,
    };
    for message in DecoderApp::decode_lazy(file) {
        match message.expect("message") {
            LogMsg::SetStoreInfo(info) => out.stores.push(info.info.store_id),
            LogMsg::ArrowMsg(store, message) => {
                let chunk = Chunk::from_arrow_msg(&message).expect("chunk");
                let chunks = if store.is_recording() {
                    &mut out.recording
                } else {
                    &mut out.blueprint
                };
                let path = chunk.entity_path().to_string();
                chunks.entry(path).or_default().push(chunk);
            }
            LogMsg::BlueprintActivationCommand(command) => {
                out.activated = command.make_active && command.make_default;
            }
        }
    }
    out
}

impl Read {
    fn chunks(&self, path: &str) -> &[Chunk] {
        self.recording
            .get(path)
            .unwrap_or_else(|| panic!("no entity {path} among {:?}", self.recording.keys()))
    }

    /// Rows with time of an entity.
    fn rows(&self, path: &str) -> usize {
        let temporal = self.chunks(path).iter().filter(|c| !c.is_static());
        temporal.map(Chunk::num_rows).sum()
    }

    fn times(&self, path: &str, timeline: &str) -> Vec<i64> {
        let mut times = Vec::new();
        for chunk in self.chunks(path).iter().filter(|c| !c.is_static()) {
            assert_eq!(chunk.timelines().len(), 2, "{path}");
            let column = chunk.timelines().values().find(|c| c.name() == timeline);
            times.extend_from_slice(column.expect(timeline).times_raw());
        }
        times
    }

    /// The scalars of a curve, row by row (no entry where there is a hole).
    fn curve(&self, path: &str) -> Vec<Vec<f64>> {
        let chunks = self.chunks(path).iter().filter(|c| !c.is_static());
        chunks
            .flat_map(|c| {
                let rows = c.iter_slices::<f64>("Scalars:scalars".into());
                rows.map(<[f64]>::to_vec).collect::<Vec<_>>()
            })
            .collect()
    }

    /// All texts of a component, rows with and without time.
    fn words(&self, path: &str, component: &'static str) -> Vec<String> {
        let chunks = self.chunks(path).iter();
        chunks
            .flat_map(|c| {
                let rows = c.iter_slices::<String>(component.into());
                rows.flat_map(|row| row.iter().map(|s| s.to_string()).collect::<Vec<_>>())
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// A component of three numbers, row by row.
    fn vectors(&self, path: &str, component: &'static str) -> Vec<Vec<[f32; 3]>> {
        let chunks = self.chunks(path).iter().filter(|c| !c.is_static());
        chunks
            .flat_map(|c| {
                let rows = c.iter_slices::<[f32; 3]>(component.into());
                rows.map(<[[f32; 3]]>::to_vec).collect::<Vec<_>>()
            })
            .collect()
    }

    /// A component of one number, row by row.
    fn numbers(&self, path: &str, component: &'static str) -> Vec<Vec<u32>> {
        let chunks = self.chunks(path).iter().filter(|c| !c.is_static());
        chunks
            .flat_map(|c| {
                let rows = c.iter_slices::<u32>(component.into());
                rows.map(<[u32]>::to_vec).collect::<Vec<_>>()
            })
            .collect()
    }
}

fn rgba([r, g, b, a]: [u8; 4]) -> u32 {
    u32::from_be_bytes([r, g, b, a])
}
