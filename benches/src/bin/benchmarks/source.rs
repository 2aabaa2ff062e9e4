//! What others publish: their scenes by our names for them, and their figures.

/// A table of somebody's scenes.
pub struct Source {
    pub title: &'static str,
    /// Whose, where and when.
    pub about: &'static str,
    /// Whether rapier's state is in f64; else f32.
    pub double: bool,
    /// What the time of a step is divided by.
    pub per: Per,
    pub scenes: &'static [Published],
}

/// Which time is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// Mean time of a step \[ms\].
    Step,
    /// Of a step and body \[us\].
    Body,
    /// Of the whole run \[s\].
    Run,
}

/// A scene with the figures of others.
pub struct Published {
    pub scene: &'static str,
    pub size: usize,
    /// Steps and time step if they are not the scene's own.
    pub steps: Option<usize>,
    pub dt: Option<f64>,
    /// Whose time, and how much.
    pub time: Option<(&'static str, f64)>,
    /// What else they say.
    pub note: &'static str,
    /// What the first table of the page calls it, if it is there.
    pub headline: Option<&'static str>,
}

/// A scene with nothing said of it.
pub const fn scene(scene: &'static str, size: usize) -> Published {
    Published {
        scene,
        size,
        steps: None,
        dt: None,
        time: None,
        note: "",
        headline: None,
    }
}

impl Published {
    const fn time(mut self, who: &'static str, time: f64) -> Self {
        self.time = Some((who, time));
        self
    }

    const fn note(mut self, note: &'static str) -> Self {
        self.note = note;
        self
    }

    const fn headline(mut self, name: &'static str) -> Self {
        self.headline = Some(name);
        self
    }

    const fn steps(mut self, steps: usize) -> Self {
        self.steps = Some(steps);
        self
    }
}

pub const COULOMB: Source = Source {
    title: "Exact Coulomb friction",
    about: "Parameters and times: Song, Fan, Ascher, Pai, SCA 2026 (\"FBF\"), and DART's own run of that method, 2026. \
            Published shares of steps that reach a residual of 1e-6: 93 % (26 cards), 47 % (arch of 25); MuJoCo does not \
            finish these scenes. 26, 40 and 155 cards are houses of 4, 5 and 10 storeys, on which four cubes fall at step 400.",
    double: true,
    per: Per::Step,
    scenes: &[
        scene("incline", 6).note("1.7549 m at friction 0.4 by the closed form"),
        scene("backspin", 1).note("-11.4286 m/s by the closed form"),
        scene("turntable", 8).note("stays where mu g > w^2 r"),
        scene("painleve-block", 2).note("upright at 0.5, tumbles at 0.55"),
        scene("catenary", 25)
            .time("FBF", 595.0)
            .note("DART: median 2.5 ms, mean 6.1, worst 287"),
        scene("catenary", 101)
            .headline("arch of 101 stones")
            .time("FBF", 1234.0)
            .note("DART: fails"),
        scene("card-house", 4)
            .time("FBF", 199.0)
            .note("DART: fails"),
        scene("card-house", 5),
        scene("card-house", 10)
            .headline("house of 155 cards")
            .time("FBF", 853.0)
            .note("DART: fails"),
    ],
};

pub const SIMBENCH: Source = Source {
    title: "SimBenchmark",
    about: "Scenes and errors: SimBenchmark (leggedrobotics), figures of the authors. Friction, sizes and places that they do not \
            state are ours: the rolling scene is one second long, since after that the plate has left its balls.",
    double: true,
    per: Per::Run,
    scenes: &[
        Published {
            dt: Some(1e-3),
            ..scene("666", 6)
                .steps(10_000)
                .time("DART", 24.6)
                .note("DART at 1 ms: 2.8e-4 m^2")
        },
        scene("elastic-666", 6),
        Published {
            dt: Some(1e-3),
            ..scene("bouncing", 1).steps(2_000)
        },
        Published {
            dt: Some(1e-3),
            ..scene("rolling", 5).steps(1_000)
        },
        scene("kapla-8", 8).time("RaiSim", 2880.0).note(
            "of all engines only RaiSim stands for 600 s, at 1,000 iterations and 48 ms a step",
        ),
    ],
};

pub const BOX3D: Source = Source {
    title: "Box3D's scenes",
    about: "Parameters and times: Box3D 0.1, Ryzen 7950X, one thread, SSE2, at the sizes that they publish; ours are smaller, so \
            times are of a body and step. Rapier's repository has the same scenes.",
    double: false,
    per: Per::Body,
    scenes: &[
        scene("large-pyramid", 20).time("Box3D", 2.1),
        scene("large-pyramid", 30).steps(100).time("Box3D", 2.1),
        scene("many-pyramids", 4).time("Box3D", 2.2),
        scene("washer", 8).time("Box3D", 3.4),
        scene("joint-grid", 20).time("Box3D", 1.6),
        scene("convex-pile", 200).time("Box3D", 6.8),
        scene("junkyard", 8).time("Box3D", 3.8),
    ],
};
