//! The scenes of `benches/peers/scenes.py`, as they are run here.

/// A scenario of ours: its name in the file, how it is run here, and the figure that is its error.
pub struct Run {
    pub scene: &'static str,
    pub run: &'static str,
    /// Time step and duration \[s\].
    pub dt: f64,
    pub duration: f64,
    pub set: &'static [&'static str],
    pub error: &'static str,
    /// A robot's file, in the folder of public robots.
    pub robot: Option<&'static str>,
    /// What the first table of the page says of it, if it is there.
    pub headline: Option<&'static str>,
}

/// A scene of `stickslip-heaps`: name in the file, scene, size, steps, time step \[s\].
pub struct Heap {
    pub scene: &'static str,
    pub run: &'static str,
    pub size: usize,
    pub steps: usize,
    pub dt: f64,
}

pub const SCENES: [Run; 12] = [
    run("stack", "stack", [0.005, 6.0], &[], "drift_m"),
    run("grasp", "grasp", [0.01, 10.0], &[], "drop_m")
        .headline("two cubes squeezed for 10 s: way down [m], median step"),
    run("pinch", "pinch", [0.002, 6.0], &[], "creep_m_per_s"),
    run(
        "slope",
        "slope",
        [0.005, 2.0],
        &["ratio=0.98", "direction=45"],
        "drift_m",
    ),
    run(
        "slide",
        "slide",
        [0.005, 1.0],
        &["direction=22.5"],
        "stop_distance_error_rel",
    ),
    run(
        "contacts-100",
        "box",
        [0.005, 2.0],
        &["feet=100"],
        "penetration_max_m",
    ),
    run(
        "contacts-1000",
        "box",
        [0.005, 1.0],
        &["feet=1000"],
        "penetration_max_m",
    ),
    Run {
        robot: Some("example-robot-data/robots/a1_description/urdf/a1.urdf"),
        ..run(
            "a1",
            "stand",
            [0.002, 5.0],
            &[
                "kp=80",
                "kd=1",
                "mu=0.8",
                "settle=2",
                "settle_damping=1",
                "effort=urdf",
            ],
            "slip_max_m",
        )
    }
    .headline("Unitree A1 stands for 5 s: slip of a foot [m], median step"),
    shake("shake-cube-2ms", 0.002, &["object=cube"]),
    shake("shake-cube-10ms", 0.01, &["object=cube"]),
    shake("shake-ball-2ms", 0.002, &["object=ball"]),
    shake("shake-ball-10ms", 0.01, &["object=ball"]),
];

pub const HEAPS: [Heap; 6] = [
    heap("pyramid-10", "large-pyramid", 10, 200, 1.0 / 60.0),
    heap("pyramid-20", "large-pyramid", 20, 200, 1.0 / 60.0),
    heap("wall-8", "wall", 8, 150, 1.0 / 60.0),
    heap("pile-box-50", "pile-box", 50, 150, 1.0 / 60.0),
    heap("pile-ball-200", "pile-ball", 200, 150, 1.0 / 60.0),
    heap("666", "666", 6, 2000, 0.005),
];

const fn run(
    scene: &'static str,
    run: &'static str,
    [dt, duration]: [f64; 2],
    set: &'static [&'static str],
    error: &'static str,
) -> Run {
    Run {
        scene,
        run,
        dt,
        duration,
        set,
        error,
        robot: None,
        headline: None,
    }
}

const fn shake(scene: &'static str, dt: f64, set: &'static [&'static str]) -> Run {
    run(scene, "shake", [dt, 20.0], set, "slip_in_hand_max_m")
}

impl Run {
    const fn headline(mut self, text: &'static str) -> Self {
        self.headline = Some(text);
        self
    }
}

const fn heap(scene: &'static str, run: &'static str, size: usize, steps: usize, dt: f64) -> Heap {
    Heap {
        scene,
        run,
        size,
        steps,
        dt,
    }
}
