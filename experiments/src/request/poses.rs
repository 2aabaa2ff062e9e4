//! Standing poses of legged robots, from the names of their joints.

use crate::error::CommandError;
use nalgebra::Vector3;
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_8};

/// Where a joint is when all joints stand at zero.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPlace {
    /// Its name.
    pub name: String,
    /// Position in the root link's frame \[m\]; x forwards.
    pub at: Vector3<f64>,
}

/// Reads `joint:angle,joint:angle` \[rad\]; empty text is no joint.
///
/// # Errors
/// A usage error naming the part that isn't of this form.
pub fn parse(text: &str) -> Result<BTreeMap<String, f64>, CommandError> {
    let parts = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let bad = || {
                CommandError::Usage(format!(
                    "key `pose`: `{part}` is not of the form joint:angle with a finite angle [rad]"
                ))
            };
            let (name, angle) = part.rsplit_once(':').ok_or_else(bad)?;
            let angle: f64 = angle.trim().parse().map_err(|_| bad())?;
            if !angle.is_finite() {
                return Err(bad());
            }
            Ok((name.trim().to_owned(), angle))
        })
        .collect()
}

/// What a joint does in a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Swings the leg sideways.
    Abduction,
    /// Swings it forwards.
    Hip,
    /// Bends it.
    Knee,
}

fn part(name: &str) -> Option<Part> {
    let name = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| name.contains(w));
    if has(&["haa", "abduct"]) {
        Some(Part::Abduction)
    } else if has(&["hfe", "thigh", "upper"]) {
        Some(Part::Hip)
    } else if has(&["kfe", "calf", "knee", "shank", "lower"]) {
        Some(Part::Knee)
    } else if has(&["hip"]) {
        Some(Part::Abduction)
    } else {
        None
    }
}

/// Standing angles for joints whose names are known; the others are left out.
///
/// - `hip`, `thigh`, `calf` (Unitree's): 0, 0.9, -1.8 in every leg: knees backwards.
/// - `HAA`, `HFE`, `KFE` (ANYmal, Solo, HyQ): 0, 0.8, -1.6 in front, the opposite behind: knees
///   inwards.
/// - `hip`, `thigh`, `knee` (the paper's quadruped): (pi/8, pi/4, pi/2) left front and right hind,
///   the opposite in the other legs [D15, Table III].
pub fn standing(robot: &str, joints: &[JointPlace]) -> BTreeMap<String, f64> {
    let middle = joints.iter().map(|j| j.at.x).sum::<f64>() / joints.len().max(1) as f64;
    let lower = |word: &str| joints.iter().any(|j| j.name.to_lowercase().contains(word));
    let (unitree, paper) = (
        lower("calf"),
        robot == "quadruped" && lower("thigh") && lower("knee"),
    );
    let mut out = BTreeMap::new();
    for joint in joints {
        let Some(part) = part(&joint.name) else {
            continue;
        };
        let front = joint.at.x > middle;
        let left = joint.at.y > 0.0;
        let angle = if paper {
            let sign = if front == left { 1.0 } else { -1.0 };
            sign * [FRAC_PI_8, FRAC_PI_4, FRAC_PI_2][part as usize]
        } else if unitree {
            [0.0, 0.9, -1.8][part as usize]
        } else {
            let sign = if front { 1.0 } else { -1.0 };
            sign * [0.0, 0.8, -1.6][part as usize]
        };
        out.insert(joint.name.clone(), angle);
    }
    out
}

/// A pose from which a known arm reaches what lies before it; empty for others.
pub fn ready(robot: &str) -> BTreeMap<String, f64> {
    // The maker's own ready pose: elbow up, hand down.
    let panda = [
        0.0,
        -FRAC_PI_4,
        0.0,
        -3.0 * FRAC_PI_4,
        0.0,
        FRAC_PI_2,
        FRAC_PI_4,
    ];
    if robot != "panda" {
        return BTreeMap::new();
    }
    let joints = panda.iter().enumerate();
    joints
        .map(|(number, angle)| (format!("panda_joint{}", number + 1), *angle))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(prefix: &str, names: [&str; 3], x: f64, y: f64) -> Vec<JointPlace> {
        let place = |name| JointPlace {
            name: format!("{prefix}_{name}"),
            at: Vector3::new(x, y, 0.0),
        };
        names.map(place).to_vec()
    }

    #[test]
    fn knees_of_haa_hfe_kfe_legs_point_inwards() {
        let names = ["HAA", "HFE", "KFE"];
        let joints = [leg("LF", names, 0.3, 0.1), leg("RH", names, -0.3, -0.1)].concat();
        let pose = standing("anymal", &joints);
        assert_eq!(pose["LF_HFE"], -pose["RH_HFE"]);
        assert_eq!(pose["LF_KFE"], -1.6);
    }

    #[test]
    fn the_papers_pose_alternates() {
        let names = ["hip", "thigh", "knee"];
        let joints = [
            leg("lf", names, 0.1, 0.06),
            leg("rf", names, 0.1, -0.06),
            leg("lh", names, -0.1, 0.06),
            leg("rh", names, -0.1, -0.06),
        ]
        .concat();
        let pose = standing("quadruped", &joints);
        let thighs = ["lf", "rf", "lh", "rh"].map(|leg| pose[&format!("{leg}_thigh")]);
        assert_eq!(thighs, [FRAC_PI_4, -FRAC_PI_4, -FRAC_PI_4, FRAC_PI_4]);
    }

    #[test]
    fn a_pose_is_read_from_text() {
        let pose = parse("a:0.5, b:-1e-1").unwrap();
        assert_eq!((pose["a"], pose["b"]), (0.5, -0.1));
        assert!(parse("").unwrap().is_empty());
        for wrong in ["a", "a:", "a:x", "a:nan"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
