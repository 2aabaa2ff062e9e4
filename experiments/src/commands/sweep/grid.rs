//! What is swept: lists, and their product.

use crate::catalog::SCENARIOS;
use crate::compare;
use crate::error::CommandError;
use crate::keys::Kind;
use crate::model_keys::name_of;
use crate::robot_args::RobotArgs;
use crate::settings::{Precision, Request, RunSettings};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::path::PathBuf;

/// More runs than that are refused: a slip of the keyboard is likelier than patience.
const MOST_RUNS: usize = 100_000;

/// A key with the values it takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The key.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<String>,
}

/// What is swept. An empty list is the scenario's default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Scenario.
    pub scenario: String,
    /// Models, or `model:solver`.
    pub models: Vec<String>,
    /// Solver of the models that state none.
    pub solver: Option<String>,
    /// Time steps \[s\].
    pub dt: Vec<f64>,
    /// Durations \[s\].
    pub duration: Vec<f64>,
    /// Robot files.
    pub robots: Vec<PathBuf>,
    /// Scene file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<PathBuf>,
    /// How robot files are read and placed.
    pub robot_args: RobotArgs,
    /// Keys.
    pub set: Vec<Axis>,
    /// Seeds.
    pub seeds: Vec<u64>,
    /// Precisions.
    pub precisions: Vec<Precision>,
}

impl Grid {
    /// Every run, in the order of their numbers: models change slowest, so that every n-th run is a
    /// fair share of the work, and seeds fastest.
    ///
    /// # Errors
    /// A usage error: a list that has something twice, too many runs, or a run that is refused.
    pub fn cases(&self) -> Result<Vec<Request>, CommandError> {
        let columns = compare::columns(&self.models);
        distinct("--models", &columns)?;
        distinct("--dt", &self.dt)?;
        distinct("--duration", &self.duration)?;
        distinct("--robot", &self.robots)?;
        distinct("--seed", &self.seeds)?;
        distinct("--precision", &self.precisions)?;
        for axis in &self.set {
            distinct(&format!("--set {}", axis.name), &axis.values)?;
        }
        self.check_size(columns.len())?;
        let mut cases = vec![Request {
            scenario: self.scenario.clone(),
            solver: self.solver.clone(),
            robot_args: self.robot_args.clone(),
            scene: self.scene.clone(),
            ..Request::default()
        }];
        if !columns.is_empty() {
            cases.clear();
            for (model, own) in columns {
                cases.push(Request {
                    scenario: self.scenario.clone(),
                    model: Some(model.to_owned()),
                    solver: compare::solver(model, own, self.solver.as_deref())?,
                    robot_args: self.robot_args.clone(),
                    scene: self.scene.clone(),
                    ..Request::default()
                });
            }
        }
        cases = product(cases, &self.robots, |r, x| r.robot = Some(x.clone()));
        for axis in &self.set {
            cases = product(cases, &axis.values, |r, value| {
                r.set.push(format!("{}={value}", axis.name));
            });
        }
        cases = product(cases, &self.duration, |r, x| r.duration = Some(*x));
        cases = product(cases, &self.dt, |r, x| r.dt = Some(*x));
        cases = product(cases, &self.precisions, |r, x| r.precision = *x);
        cases = product(cases, &self.seeds, |r, x| r.seed = *x);
        for case in &cases {
            RunSettings::new(case)?;
        }
        Ok(cases)
    }

    /// Whether several seeds are swept of a scenario in which nothing is random.
    pub fn seeds_change_nothing(&self) -> bool {
        let scenario = SCENARIOS.iter().find(|s| s.name == self.scenario);
        self.seeds.len() > 1 && scenario.is_some_and(|s| s.random.is_none())
    }

    fn check_size(&self, models: usize) -> Result<(), CommandError> {
        let lists = [
            models,
            self.robots.len(),
            self.duration.len(),
            self.dt.len(),
            self.precisions.len(),
            self.seeds.len(),
        ];
        let keys = self.set.iter().map(|axis| axis.values.len());
        let all = lists.into_iter().chain(keys).map(|n| n.max(1));
        let count = all.fold(1usize, usize::saturating_mul);
        if count <= MOST_RUNS {
            return Ok(());
        }
        Err(CommandError::Usage(format!(
            "that would be {count} runs; the most is {MOST_RUNS}"
        )))
    }
}

/// Every request with every value; the values change fastest.
fn product<T>(cases: Vec<Request>, values: &[T], set: impl Fn(&mut Request, &T)) -> Vec<Request> {
    if values.is_empty() {
        return cases;
    }
    let mut out = Vec::with_capacity(cases.len() * values.len());
    for case in &cases {
        for value in values {
            let mut case = case.clone();
            set(&mut case, value);
            out.push(case);
        }
    }
    out
}

fn distinct<T: PartialEq + Debug>(flag: &str, values: &[T]) -> Result<(), CommandError> {
    for (i, value) in values.iter().enumerate() {
        if values[..i].contains(value) {
            return Err(CommandError::Usage(format!("{flag} has {value:?} twice")));
        }
    }
    Ok(())
}

/// Reads `--set key=a,b,from:to:step`: a list, but for keys whose value is text, which may hold commas of its own; a
/// repeated key adds to its list.
///
/// # Errors
/// A usage error when a word is not of that form.
pub(super) fn axes(scenario: &str, words: &[String]) -> Result<Vec<Axis>, CommandError> {
    let keys = SCENARIOS.iter().find(|s| s.name == scenario);
    let keys = keys.map_or(&[][..], |s| s.keys);
    let mut axes: Vec<Axis> = Vec::new();
    for word in words {
        let Some((_, text)) = word.split_once('=') else {
            return Err(CommandError::Usage(format!(
                "--set `{word}` is not of the form key=value or key=value,value"
            )));
        };
        let name = name_of(word);
        let whole = keys.iter().any(|k| k.name == name && k.kind == Kind::Text);
        let values: Vec<String> = if whole {
            vec![text.trim().to_owned()]
        } else {
            let mut values = Vec::new();
            for value in parts(text) {
                match range(name, value.trim())? {
                    Some(range) => values.extend(range),
                    None => values.push(value.trim().to_owned()),
                }
            }
            values
        };
        match axes.iter_mut().find(|axis| axis.name == name) {
            Some(axis) => axis.values.extend(values),
            None => axes.push(Axis {
                name: name.to_owned(),
                values,
            }),
        }
    }
    Ok(axes)
}

/// The parts of a list; commas within brackets are of a part.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    text.split(move |c| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

/// Reads a range `from:to:step`, both ends included; `None` for anything else.
///
/// # Errors
/// A usage error when the range has no end.
fn range(name: &str, text: &str) -> Result<Option<Vec<String>>, CommandError> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let Ok([from, to, step]) = <[&str; 3]>::try_from(parts) else {
        return Ok(None);
    };
    let bad = || {
        CommandError::Usage(format!(
            "--set {name}={text}: a range is from:to:step with finite numbers, the step towards the end, and at most {MOST_RUNS} values"
        ))
    };
    let number = |text: &str| text.parse::<f64>().ok().filter(|x| x.is_finite());
    let (Some(first), Some(last), Some(by)) = (number(from), number(to), number(step)) else {
        return Err(bad());
    };
    // The end counts though round-off misses it.
    let count = ((last - first) / by + 1e-9).floor();
    if !(0.0..MOST_RUNS as f64).contains(&count) {
        return Err(bad());
    }
    // With the digits that the range has: 0.1 + 2 * 0.1 is 0.3.
    let digits = |text: &str| text.split_once('.').map_or(0, |(_, rest)| rest.len());
    let exact = ![from, step].iter().any(|text| text.contains(['e', 'E']));
    let places = digits(from).max(digits(step));
    let value = |k: usize| {
        let x = first + k as f64 * by;
        match exact {
            true => format!("{x:.places$}"),
            false => x.to_string(),
        }
    };
    Ok(Some((0..=count as usize).map(value).collect()))
}

/// Reads seeds: `1,2,5-8`.
///
/// # Errors
/// A usage error naming the part that is neither a number nor a range.
pub(super) fn seeds(words: &[String]) -> Result<Vec<u64>, CommandError> {
    let mut seeds = Vec::new();
    for word in words {
        let bad = || {
            CommandError::Usage(format!(
                "--seed `{word}` is neither a number nor a range like 1-10"
            ))
        };
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| bad());
        match word.split_once('-') {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                if last < first || last - first >= MOST_RUNS as u64 {
                    return Err(bad());
                }
                seeds.extend(first..=last);
            }
            None => seeds.push(number(word)?),
        }
    }
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|w| (*w).to_owned()).collect()
    }

    #[test]
    fn the_product_of_all_lists_in_order() {
        let grid = Grid {
            scenario: "slope".to_owned(),
            models: words(&["cone", "stewart-trinkle:lemke"]),
            dt: vec![0.01, 0.005],
            set: axes("slope", &words(&["mu=0.1,0.5"])).unwrap(),
            seeds: seeds(&words(&["7", "1-2"])).unwrap(),
            ..Grid::default()
        };
        let cases = grid.cases().unwrap();
        assert_eq!(cases.len(), 2 * 2 * 2 * 3);
        let last = cases.last().unwrap();
        assert_eq!(last.model.as_deref(), Some("stewart-trinkle"));
        assert_eq!(last.solver.as_deref(), Some("lemke"));
        assert_eq!(
            (last.dt, last.seed, &*last.set[0]),
            (Some(0.005), 2, "mu=0.5")
        );
        assert_eq!(
            (cases[0].seed, cases[1].seed, cases[3].dt),
            (7, 1, Some(0.005))
        );
    }

    #[test]
    fn text_keeps_its_commas_and_repeats_add_up() {
        let axes = axes(
            "stand",
            &words(&["pose=a:1,b:2", "kp=80", "pose=c:3", "kp=100"]),
        )
        .unwrap();
        assert_eq!(axes[0].values, ["a:1,b:2", "c:3"]);
        assert_eq!(axes[1].values, ["80", "100"]);
    }

    #[test]
    fn ranges_hold_both_ends_with_the_digits_they_have() {
        let values = |word: &str| axes("slope", &words(&[word])).map(|a| a[0].values.clone());
        assert_eq!(
            values("mu=0.1:0.5:0.1").unwrap(),
            ["0.1", "0.2", "0.3", "0.4", "0.5"]
        );
        assert_eq!(
            values("mu=1:0:-0.25,2").unwrap(),
            ["1.00", "0.75", "0.50", "0.25", "0.00", "2"]
        );
        assert_eq!(values("mass=1:4:2").unwrap(), ["1", "3"]);
        assert_eq!(values("mass=1e-3:2e-3:1e-3").unwrap(), ["0.001", "0.002"]);
        assert_eq!(
            values("stabilisation=tikhonov:1e-8").unwrap(),
            ["tikhonov:1e-8"]
        );
        for wrong in [
            "mu=0:1:0",
            "mu=0:1:-1",
            "mu=0:x:1",
            "mu=0:1:1e-9",
            "mu=0:inf:1",
        ] {
            let error = values(wrong).unwrap_err().to_string();
            assert!(error.contains("from:to:step"), "{error}");
        }
    }

    #[test]
    fn lists_that_make_no_sense_are_refused() {
        let grid = |dt: &[f64], seeds: &[u64]| Grid {
            scenario: "box".to_owned(),
            dt: dt.to_vec(),
            seeds: seeds.to_vec(),
            ..Grid::default()
        };
        let message = |grid: Grid| grid.cases().unwrap_err().to_string();
        assert!(message(grid(&[0.1, 0.1], &[])).contains("--dt has 0.1 twice"));
        let many: Vec<u64> = (0..200).collect();
        let steps: Vec<f64> = (1..1000).map(f64::from).collect();
        assert!(message(grid(&steps, &many)).contains("199800 runs"));
        for wrong in ["x", "3-1", "1-", "-1", "0-99999999999"] {
            assert!(seeds(&words(&[wrong])).is_err(), "{wrong}");
        }
    }
}
