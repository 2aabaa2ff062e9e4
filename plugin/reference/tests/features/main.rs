//! Restitution, moving surfaces and compliance under every model at velocity level, each against its
//! closed form: a point of mass m on one contact, whose coordinates are its velocities along n, s, t.
#![allow(clippy::unwrap_used)]

use nalgebra::DMatrix;
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{
    ContactSolution, Hover, ModelName, ModelSettings, WarmStart, Workspace,
};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf};
use stickslip_core::report::SolveStatus;

const H: f64 = 0.01;
const M: f64 = 3.0;
/// What gravity takes in a step.
const FALL: f64 = 9.81 * H;
const MU: f64 = 0.2;
const MU_VISCOUS: f64 = 20.0;

/// The models at velocity level; `ccp` also without its hovering.
const MODELS: [(ModelName, Hover); 10] = [
    (ModelName::Frictionless, Hover::Keep),
    (ModelName::NoSlip, Hover::Keep),
    (ModelName::NoSlipReleasing, Hover::Keep),
    (ModelName::Viscous, Hover::Keep),
    (ModelName::StewartTrinkle, Hover::Keep),
    (ModelName::AnitescuPotra, Hover::Keep),
    (ModelName::DrumwrightShell, Hover::Keep),
    (ModelName::Cone, Hover::Keep),
    (ModelName::Ccp, Hover::Keep),
    (ModelName::Ccp, Hover::Remove),
];

/// What a model does along the tangents of a contact that presses.
#[derive(Clone, Copy, PartialEq)]
enum Law {
    Nothing,
    Hold,
    Viscous,
    Coulomb,
    /// Coulomb, and lifted by mu times the slip.
    Lifted,
}

fn law((name, hover): (ModelName, Hover)) -> Law {
    match (name, hover) {
        (ModelName::Frictionless, _) => Law::Nothing,
        (ModelName::NoSlip | ModelName::NoSlipReleasing, _) => Law::Hold,
        (ModelName::Viscous, _) => Law::Viscous,
        (ModelName::Ccp, Hover::Keep) => Law::Lifted,
        _ => Law::Coulomb,
    }
}

fn contact() -> ContactData {
    ContactData {
        mu: MU,
        mu_viscous: MU_VISCOUS,
        ..ContactData::default()
    }
}

/// Solves a step from `v`, gravity along -n.
fn step((name, hover): (ModelName, Hover), v: [f64; 3], data: ContactData) -> ContactSolution {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = MassFactor::from_dense(&(DMatrix::identity(3, 3) * M)).unwrap();
    let block = builder.add_block(&mass, &v, &[v[0] - FALL, v[1], v[2]]);
    let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let half = RowHalf {
        block,
        cols: &[0, 1, 2],
        rows: [&unit[0], &unit[1], &unit[2]],
    };
    builder.add_contact(data, &[half]);
    let mut settings = ModelSettings::default();
    settings.cone.hover = hover;
    settings.iteration.tolerance = 1e-13;
    let mut model = stickslip_reference::model(name, settings).unwrap();
    let mut solution = ContactSolution::default();
    let (warm, workspace) = (&mut WarmStart::new(), &mut Workspace::new());
    let report = model.solve(builder.finish().unwrap(), warm, workspace, &mut solution);
    assert_eq!(
        report.status,
        SolveStatus::Solved,
        "{name} {hover:?} {report:?}"
    );
    solution
}

fn close(what: &str, is: f64, wanted: f64) {
    assert!(
        (is - wanted).abs() < 1e-9,
        "{what}: {is} instead of {wanted}"
    );
}

/// Speed along s at the end of a step from the slip `u` (of a belt of speed `belt`) under the normal
/// impulse `f`, as long as that does not end the slip.
fn tangential(law: Law, (start, belt): (f64, f64), f: f64) -> f64 {
    let rate = H * MU_VISCOUS / M;
    match law {
        Law::Nothing => start,
        Law::Hold => belt,
        Law::Viscous => (start + rate * belt) / (1.0 + rate),
        Law::Coulomb | Law::Lifted => start - MU * f / M * (start - belt).signum(),
    }
}

/// Newton: `v_n+ = e v` of the approach, `f_n = m (e |v| + |v| + g h)`; Poisson's impulse is 1 + e times
/// what stops the free velocity. Friction works through all of it. The convex model leaves faster by mu
/// times the slip: `v_n = e |v| + mu v_t`, `v_t = u - mu (v_n - v_free)`.
#[test]
fn restitution() {
    let (speed, slip, e) = (2.0, 1.5, 0.6);
    for model in MODELS {
        let what = format!("{} {:?}", model.0, model.1);
        let law = law(model);
        let data = ContactData {
            restitution: e,
            ..contact()
        };
        let answer = step(model, [-speed, slip, 0.0], data);
        let stopped = speed + FALL;
        let v_n = match law {
            _ if model.0 == ModelName::AnitescuPotra => e * stopped,
            Law::Lifted => {
                let v_t = (slip - MU * (e * speed + stopped)) / (1.0 + MU * MU);
                e * speed + MU * v_t
            }
            _ => e * speed,
        };
        close(&what, answer.v_plus[0], v_n);
        close(&what, answer.f_n[0], M * (v_n + stopped));
        let v_s = tangential(law, (slip, 0.0), M * (v_n + stopped));
        close(&what, answer.v_plus[1], v_s);
        close(&what, answer.v_plus[2], 0.0);
        // Below the threshold nothing bounces; neither does an open contact before it has closed.
        let slow = step(model, [-0.05, 0.0, 0.0], data);
        close(&what, slow.v_plus[0], 0.0);
        let open = ContactData { phi: 1e-3, ..data };
        let answer = step(model, [-speed, 0.0, 0.0], open);
        close(&what, answer.v_plus[0], -1e-3 / H);
        // The step after, with the approach that the contact remembers.
        let closed = ContactData {
            impact_velocity: -speed,
            ..data
        };
        let answer = step(model, [-1e-3 / H, 0.0, 0.0], closed);
        let v_n = if model.0 == ModelName::AnitescuPotra {
            e * (1e-3 / H + FALL)
        } else {
            e * speed
        };
        close(&what, answer.v_plus[0], v_n);
    }
}

/// A belt slower than friction can follow in a step takes the point along, in any direction; a faster
/// one drags it by `mu f_n / m` (viscous: by its share of the slip). A belt that rises with `w` lifts by w.
#[test]
fn moving_surfaces() {
    for model in MODELS {
        let what = format!("{} {:?}", model.0, model.1);
        let law = law(model);
        let belt = |surface_velocity, normal_drift| ContactData {
            surface_velocity,
            normal_drift,
            ..contact()
        };
        let slow = [0.004, -0.006];
        let answer = step(model, [0.0; 3], belt(slow, 0.0));
        for (speed, is) in slow.into_iter().zip(&answer.v_plus[1..]) {
            let wanted = match law {
                Law::Nothing => 0.0,
                Law::Viscous => tangential(law, (0.0, speed), 0.0),
                _ => speed,
            };
            close(&what, *is, wanted);
        }
        close(&what, answer.v_plus[0], 0.0);
        let fast = step(model, [0.0; 3], belt([1.0, 0.0], 0.0));
        let f = match law {
            // v_n = mu (1 - v_s), v_s = mu (g h + v_n).
            Law::Lifted => M * (MU + FALL) / (1.0 + MU * MU),
            _ => M * FALL,
        };
        close(&what, fast.f_n[0], f);
        close(
            &what,
            fast.v_plus[1],
            tangential(law, (0.0, 1.0), fast.f_n[0]),
        );
        close(&what, fast.v_plus[2], 0.0);
        let rising = step(model, [0.0; 3], belt([0.0; 2], -0.3));
        close(&what, rising.v_plus[0], 0.3);
        close(&what, rising.f_n[0], M * (0.3 + FALL));
    }
}

/// A contact of compliance C at depth d: `v_n + phi / h + (C / h^2) f_n = 0` (for the convex model: mu
/// times the slip), so that with k = h^2 / C it presses with
/// `f_n = -(v_free + phi / h) / (1 / m + 1 / k)`. At the depth C m g it carries the weight at rest;
/// without compliance it is rigid and pushes a penetration out by its share.
#[test]
fn compliance() {
    let (compliance, slip) = (1e-4, 1.5);
    let k = H * H / compliance;
    for model in MODELS {
        let what = format!("{} {:?}", model.0, model.1);
        let law = law(model);
        let soft = |phi| ContactData {
            phi,
            compliance,
            ..contact()
        };
        let (phi, v_n) = (-1e-3, -0.1);
        let answer = step(model, [v_n, slip, 0.0], soft(phi));
        let lift = if law == Law::Lifted { MU } else { 0.0 };
        let f = (FALL - v_n - phi / H + lift * slip) / (1.0 / M + 1.0 / k + lift * lift / M);
        close(&what, answer.f_n[0], f);
        close(&what, answer.v_plus[0], v_n - FALL + f / M);
        close(&what, answer.v_plus[1], tangential(law, (slip, 0.0), f));
        let depth = compliance * M * FALL / H;
        let resting = step(model, [0.0; 3], soft(-depth));
        close(&what, resting.v_plus[0], 0.0);
        close(&what, resting.f_n[0], M * FALL);
        let rigid = ContactData {
            phi: -1e-3,
            ..contact()
        };
        let pushed = step(model, [0.0; 3], rigid);
        close(&what, pushed.v_plus[0], 0.2 * 1e-3 / H);
    }
}
