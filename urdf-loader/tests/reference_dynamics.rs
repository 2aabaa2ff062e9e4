//! The loader and the core's dynamics against independent values of public robots: mass matrix, bias
//! forces, inverse dynamics, energies, momentum and link poses.
//!
//! STICKSLIP_ROBOTS names the folder that holds `example-robot-data`, STICKSLIP_REFERENCE the file of
//! reference values (a JSON object: robot -> `urdf`, `floating`, `mass`, `cases`), which
//! `pinocchio_reference.py` writes. In the file the base twist is in the base's own axes and its
//! derivative is componentwise; the core uses world axes. With X = diag(R_WB, R_WB, 1), v_core = X v
//! and a_core = X a + c, c = [R_WB (w x v); 0]: so M = X^T M_core X, tau = X^T tau_core and
//! bias = X^T (bias_core + M_core c).

#![allow(non_snake_case)] // Symbols of the notation: M, R_WB.
#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

mod common;

use nalgebra::{
    DMatrix, DVector, Isometry3, Matrix3, Quaternion, Translation3, UnitQuaternion, Vector3,
};
use serde_json::Value;
use stickslip_dynamics::{Tree, TreeState};
use stickslip_urdf::{Base, LoadOptions, RobotModel};

const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

/// Relative to the largest entry of what is compared: the reference's own round-off is some 1e-15,
/// the files' 17 digits add nothing.
const TOLERANCE: f64 = 1e-9;

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect()
}

fn vector(v: &Value) -> Vector3<f64> {
    Vector3::from_row_slice(&numbers(v))
}

fn matrix(v: &Value) -> DMatrix<f64> {
    let rows: Vec<_> = v.as_array().unwrap().iter().map(numbers).collect();
    DMatrix::from_fn(rows.len(), rows[0].len(), |r, c| rows[r][c])
}

/// One robot in one state of the file.
struct Case<'a> {
    model: &'a RobotModel,
    values: &'a Value,
    tree: &'a Tree,
    state: TreeState,
    /// Place in the core's vectors of every coordinate of `v_order`.
    order: Vec<usize>,
    /// Base-to-world rotation; identity for a fixed base.
    R_WB: Matrix3<f64>,
    /// R_WB (w x v) of the base.
    turning: Vector3<f64>,
    worst: f64,
}

impl<'a> Case<'a> {
    fn new(model: &'a RobotModel, tree: &'a Tree, values: &'a Value) -> Self {
        let mut state = tree.new_state();
        let (mut R_WB, mut turning) = (Matrix3::identity(), Vector3::zeros());
        if let Some(base) = values.get("base") {
            let q = numbers(&base["quat_xyzw"]);
            let q = UnitQuaternion::from_quaternion(Quaternion::new(q[3], q[0], q[1], q[2]));
            R_WB = *q.to_rotation_matrix().matrix();
            let (v, w) = (vector(&base["v_B_local"]), vector(&base["w_B_local"]));
            turning = R_WB * w.cross(&v);
            state.positions_mut()[0].linear = vector(&base["p_WB"]);
            state.positions_mut()[0].rotation = q;
            state.velocity_mut()[..3].copy_from_slice((R_WB * v).as_slice());
            state.velocity_mut()[3..6].copy_from_slice((R_WB * w).as_slice());
        }
        let names = values["v_order"].as_array().unwrap();
        let order = names
            .iter()
            .enumerate()
            .map(|(i, name)| match name.as_str().unwrap() {
                base if base.starts_with("base.") => i,
                joint => {
                    let j = model.joint_index(joint).unwrap();
                    tree.first_coordinate(model.joints[j].child).unwrap()
                }
            })
            .collect();
        for (name, q) in values["joints"].as_object().unwrap() {
            let joint = &model.joints[model.joint_index(name).unwrap()];
            let q = q.as_f64().unwrap();
            let position = &mut state.positions_mut()[joint.child];
            position.linear.x = q;
            position.angle = q;
            let k = tree.first_coordinate(joint.child).unwrap();
            state.velocity_mut()[k] = values["joint_v"][name].as_f64().unwrap();
        }
        tree.forward_kinematics(&mut state);
        tree.update_velocities(&mut state);
        Self {
            model,
            values,
            tree,
            state,
            order,
            R_WB,
            turning,
            worst: 0.0,
        }
    }

    fn compare(&mut self, what: &str, have: &[f64], want: &[f64]) {
        assert_eq!(have.len(), want.len(), "{what}");
        assert!(have.iter().all(|x| x.is_finite()), "{what} is not finite");
        let scale = want.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let error = have
            .iter()
            .zip(want)
            .fold(0.0f64, |m, (a, b)| m.max((a - b).abs()))
            / scale.max(f64::MIN_POSITIVE);
        assert!(
            error < TOLERANCE,
            "{what} of {}: {error:e}",
            self.model.name
        );
        self.worst = self.worst.max(error);
    }

    /// Core coordinates to the file's order and axes.
    fn to_file(&self, core: &[f64]) -> Vec<f64> {
        let mut out: Vec<f64> = self.order.iter().map(|&k| core[k]).collect();
        if self.values.get("base").is_some() {
            for half in [0, 3] {
                let part = self.R_WB.transpose() * Vector3::from_row_slice(&out[half..half + 3]);
                out[half..half + 3].copy_from_slice(part.as_slice());
            }
        }
        out
    }

    fn check(&mut self) {
        let n = self.order.len();
        let mut M = DMatrix::zeros(n, n);
        let mut M_core = DMatrix::zeros(n, n);
        for (k, mut column) in M_core.column_iter_mut().enumerate() {
            let (mut unit, mut momentum) = (vec![0.0; n], vec![0.0; n]);
            unit[k] = 1.0;
            self.tree.mul_mass(&mut self.state, &unit, &mut momentum);
            column.copy_from_slice(&momentum);
        }
        for c in 0..n {
            // Column c of M_core X: the file's unit coordinate in core axes.
            let mut unit = DVector::zeros(n);
            if self.values.get("base").is_some() && c < 6 {
                let half = c / 3 * 3;
                for r in 0..3 {
                    unit[half + r] = self.R_WB[(r, c - half)];
                }
            } else {
                unit[self.order[c]] = 1.0;
            }
            let column = self.to_file((&M_core * unit).as_slice());
            M.set_column(c, &DVector::from_vec(column));
        }
        self.compare("M", M.as_slice(), matrix(&self.values["M"]).as_slice());

        let mut bias = vec![0.0; n];
        self.tree.bias(&mut self.state, &GRAVITY, &mut bias);
        let mut shift = DVector::zeros(n);
        if self.values.get("base").is_some() {
            shift.fixed_rows_mut::<3>(0).copy_from(&self.turning);
        }
        let bias = DVector::from_vec(bias) + &M_core * &shift;
        let bias = self.to_file(bias.as_slice());
        self.compare("bias", &bias, &numbers(&self.values["bias"]));

        self.check_tau(shift);
        let kinetic = self.tree.kinetic_energy(&self.state);
        self.compare(
            "kinetic energy",
            &[kinetic],
            &[self.value("kinetic_energy")],
        );
        let momentum = self.tree.momentum(&self.state);
        let potential = -momentum.mass * momentum.com.dot(&GRAVITY);
        self.compare(
            "potential energy",
            &[potential],
            &[self.value("potential_energy")],
        );
        for (key, have) in [
            ("com_W", momentum.com),
            ("momentum_W_linear", momentum.linear),
            ("momentum_W_angular_about_com", momentum.angular),
        ] {
            self.compare(key, have.as_slice(), &numbers(&self.values[key]));
        }
        for (name, pose) in self.values["links_W"].as_object().unwrap() {
            let Some(link) = self.model.link_index(name) else {
                panic!("no link {name}")
            };
            let have = self.tree.link_pose(&self.state, link);
            let R = matrix(&pose["R"]);
            let R_have = have.rotation.to_rotation_matrix();
            // The origin of the world is no scale; one metre is.
            let mut p = have.translation.vector.as_slice().to_vec();
            let mut want = numbers(&pose["p"]);
            p.push(1.0);
            want.push(1.0);
            self.compare(name, &p, &want);
            self.compare(name, R_have.matrix().as_slice(), R.as_slice());
        }
    }

    /// tau = M a + bias by the recursion that forms neither.
    fn check_tau(&mut self, shift: DVector<f64>) {
        let mut a = shift;
        if let Some(base) = self.values.get("base") {
            let linear = self.R_WB * vector(&base["a_B_local"]);
            let angular = self.R_WB * vector(&base["alpha_B_local"]);
            for k in 0..3 {
                a[k] += linear[k];
                a[3 + k] += angular[k];
            }
        }
        for (name, value) in self.values["joint_a"].as_object().unwrap() {
            let joint = &self.model.joints[self.model.joint_index(name).unwrap()];
            a[self.tree.first_coordinate(joint.child).unwrap()] = value.as_f64().unwrap();
        }
        let (mut inertial, mut bias) = (vec![0.0; a.len()], vec![0.0; a.len()]);
        self.tree
            .mul_mass(&mut self.state, a.as_slice(), &mut inertial);
        self.tree.bias(&mut self.state, &GRAVITY, &mut bias);
        let tau: Vec<f64> = inertial.iter().zip(&bias).map(|(m, b)| m + b).collect();
        let tau = self.to_file(&tau);
        self.compare("tau", &tau, &numbers(&self.values["tau"]));
    }

    fn value(&self, key: &str) -> f64 {
        self.values[key].as_f64().unwrap()
    }
}

#[test]
#[ignore = "needs public robots and reference values: set STICKSLIP_ROBOTS and STICKSLIP_REFERENCE, see CONTRIBUTING.md"]
fn robots_in_random_states() {
    let folder = common::named("STICKSLIP_ROBOTS");
    let text = std::fs::read_to_string(common::named("STICKSLIP_REFERENCE")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let mut cases = 0;
    for (name, robot) in all.as_object().unwrap() {
        let path = folder
            .join("example-robot-data/robots")
            .join(robot["urdf"].as_str().unwrap());
        let model = RobotModel::from_file(&path, &LoadOptions::default()).unwrap();
        let floating = robot["floating"].as_bool().unwrap();
        let base = if floating {
            Base::Floating
        } else {
            Base::Fixed
        };
        let place = Isometry3::from_parts(Translation3::identity(), UnitQuaternion::identity());
        let tree = Tree::new(&model.link_specs(base, &place).unwrap()).unwrap();
        let mut worst = 0.0f64;
        for values in robot["cases"].as_array().unwrap() {
            let mut case = Case::new(&model, &tree, values);
            let mass = case.tree.momentum(&case.state).mass;
            case.compare("mass", &[mass], &[robot["mass"].as_f64().unwrap()]);
            case.check();
            worst = worst.max(case.worst);
            cases += 1;
        }
        println!("{name}: largest relative difference {worst:.2e}");
    }
    assert!(cases > 0, "the file of reference values has no cases");
}
