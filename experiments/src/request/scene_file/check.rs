//! What a scene must be beyond its format. Messages name the element and the key.

use super::{Body, Ground, Measure, Robot, SceneFile, Shape};

fn finite(what: &str, key: &str, values: &[f64]) -> Result<(), String> {
    if values.iter().all(|x| x.is_finite() && x.abs() <= 1e9) {
        return Ok(());
    }
    Err(format!(
        "{what}: `{key}` must be finite numbers, not {values:?}"
    ))
}

fn positive(what: &str, key: &str, value: f64) -> Result<(), String> {
    if (1e-9..=1e9).contains(&value) {
        return Ok(());
    }
    Err(format!(
        "{what}: `{key}` must be a number above zero, not {value}"
    ))
}

fn from_zero(what: &str, key: &str, value: f64) -> Result<(), String> {
    if (0.0..=1e9).contains(&value) {
        return Ok(());
    }
    Err(format!(
        "{what}: `{key}` must be a number from zero up, not {value}"
    ))
}

fn surface(what: &str, friction: f64, restitution: f64) -> Result<(), String> {
    from_zero(what, "friction", friction)?;
    if (0.0..=1.0).contains(&restitution) {
        return Ok(());
    }
    Err(format!(
        "{what}: `restitution` must be from 0 to 1, not {restitution}"
    ))
}

impl SceneFile {
    /// # Errors
    /// The first thing that is wrong.
    pub(super) fn check(&self) -> Result<(), String> {
        finite("the scene", "gravity", &self.gravity)?;
        from_zero("the scene", "settle", self.settle)?;
        if let Some(ground) = &self.ground {
            ground.check()?;
        }
        if self.bodies.is_empty() && self.robots.is_empty() {
            return Err("it has neither [[bodies]] nor [[robots]]".to_owned());
        }
        let bodies = self.bodies.iter().map(|b| &b.name);
        let names: Vec<&String> = bodies.chain(self.robots.iter().map(|r| &r.name)).collect();
        for (place, name) in names.iter().enumerate() {
            if name.is_empty() || name.contains(['.', '=', ',']) || *name == "ground" {
                return Err(format!(
                    "name `{name}`: a name has letters, no `.`, `=` or `,`, and is not `ground`"
                ));
            }
            if names[..place].contains(name) {
                return Err(format!("name `{name}` is there twice"));
            }
        }
        self.bodies.iter().try_for_each(Body::check)?;
        self.robots.iter().try_for_each(Robot::check)?;
        self.measure.iter().try_for_each(Measure::check)
    }
}

impl Ground {
    fn check(&self) -> Result<(), String> {
        finite("[ground]", "height", &[self.height])?;
        positive("[ground]", "spacing", self.spacing)?;
        surface("[ground]", self.friction, self.restitution)
    }
}

impl Body {
    fn check(&self) -> Result<(), String> {
        let what = format!("body `{}`", self.name);
        let needs: &[&str] = match self.shape {
            Shape::Box => &["size"],
            Shape::Ball => &["radius"],
            Shape::Cylinder | Shape::Capsule => &["radius", "length"],
        };
        let given = [
            ("size", self.size.map(|s| s.to_vec())),
            ("radius", self.radius.map(|r| vec![r])),
            ("length", self.length.map(|l| vec![l])),
        ];
        for (key, value) in given {
            match (value, needs.contains(&key)) {
                (None, true) => {
                    return Err(format!("{what}: a {:?} needs `{key}`", self.shape).to_lowercase());
                }
                (Some(_), false) => {
                    return Err(format!("{what}: a {:?} has no `{key}`", self.shape).to_lowercase());
                }
                (Some(numbers), true) => {
                    for number in numbers {
                        positive(&what, key, number)?;
                    }
                }
                (None, false) => {}
            }
        }
        if self.mass.is_some() && self.density.is_some() {
            return Err(format!("{what}: `mass` or `density`, not both"));
        }
        for (key, value) in [("mass", self.mass), ("density", self.density)] {
            value.map_or(Ok(()), |value| positive(&what, key, value))?;
        }
        for (key, value) in [
            ("position", self.position),
            ("rotation", self.rotation),
            ("velocity", self.velocity),
            ("spin", self.spin),
        ] {
            finite(&what, key, &value)?;
        }
        surface(&what, self.friction, self.restitution)
    }
}

impl Robot {
    fn check(&self) -> Result<(), String> {
        let what = format!("robot `{}`", self.name);
        finite(&what, "position", &self.position)?;
        finite(&what, "rotation", &self.rotation)?;
        for (key, map) in [("joints", &self.joints), ("targets", &self.targets)] {
            for (joint, value) in map {
                finite(&what, &format!("{key}.{joint}"), &[*value])?;
            }
        }
        for (joint, gains) in &self.drives {
            for gain in gains {
                from_zero(&what, &format!("drives.{joint}"), *gain)?;
            }
        }
        for (key, value) in [("stiffness", self.stiffness), ("damping", self.damping)] {
            value.map_or(Ok(()), |value| from_zero(&what, key, value))?;
        }
        if self.stiffness.is_some() != self.damping.is_some() {
            return Err(format!("{what}: `stiffness` and `damping` go together"));
        }
        surface(&what, self.friction, 0.0)
    }
}

impl Measure {
    fn check(&self) -> Result<(), String> {
        let what = format!("measure of `{}`", self.of);
        for (key, value) in [("at_most", self.at_most), ("at_least", self.at_least)] {
            value.map_or(Ok(()), |value| finite(&what, key, &[value]))?;
        }
        if self.at_most.is_some() && self.at_least.is_some() {
            return Err(format!(
                "{what}: `at_most` or `at_least`; for both, measure it twice"
            ));
        }
        Ok(())
    }
}
