//! Forces in numbers: a row per contact and step, and a row per pair of bodies or links and step.
//!
//! A row of a contact states what body a does to body b: its normal points from a to b and its forces act on b; a gets the
//! opposite. A row of a pair says so by name: the force and torque `on` one `by` the other, and each pair has both rows.
//! Everything is in the world's axes.

use super::contact::ContactSample;
use nalgebra::{Point3, Vector3};
use serde::Serialize;
use std::collections::HashMap;
use stickslip_record::ContactState;

/// Names of what can touch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// Bodies, in the order of the scene.
    pub bodies: Vec<String>,
    /// Colliders by their places in the engine's arena.
    pub colliders: HashMap<u32, Part>,
}

/// A collider.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The body or, in a robot, the link that it belongs to.
    pub owner: String,
    /// Its own name.
    pub name: String,
}

/// The name of a body without one.
const WORLD: &str = "world";

impl Parts {
    /// Body or link, and collider, of both sides of a contact.
    fn names(&self, contact: &ContactSample) -> [[&str; 2]; 2] {
        [0, 1].map(|side| {
            let collider = contact.colliders[side];
            if let Some(part) = collider.and_then(|c| self.colliders.get(&c)) {
                return [&*part.owner, &*part.name];
            }
            let body = contact.record.bodies[side];
            let name = body.and_then(|b| self.bodies.get(b));
            [name.map_or(WORLD, String::as_str), ""]
        })
    }
}

/// A row whose fields are its columns, and the names of these for a file without rows.
macro_rules! row {
    ($(#[$doc:meta])* $name:ident, $columns:ident { $($field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[allow(non_snake_case, reason = "names of columns end in their units")]
        #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
        pub struct $name<'a> { $($field: $type,)* }

        #[doc = concat!("Columns of [`", stringify!($name), "`].")]
        pub const $columns: &[&str] = &[$(stringify!($field)),*];
    };
}

row! {
/// A contact in a step: columns of `contacts.csv`.
ContactRow, CONTACT_COLUMNS {
    step: u64,
    time_s: f64,
    body_a: &'a str,
    body_b: &'a str,
    collider_a: &'a str,
    collider_b: &'a str,
    state: &'static str,
    point_x_m: f64,
    point_y_m: f64,
    point_z_m: f64,
    normal_x: f64,
    normal_y: f64,
    normal_z: f64,
    gap_m: f64,
    force_n_N: f64,
    force_s_N: Option<f64>,
    force_t_N: Option<f64>,
    tangent_s_x: Option<f64>,
    tangent_s_y: Option<f64>,
    tangent_s_z: Option<f64>,
    force_x_N: f64,
    force_y_N: f64,
    force_z_N: f64,
    slip_m_per_s: f64,
}
}

/// A force on b at a point, with a torque of its own.
#[derive(Clone, Copy, Debug, Default)]
struct Pushed {
    point: Vector3<f64>,
    pressed: f64,
    force: Vector3<f64>,
    torque: Vector3<f64>,
}

fn pushed(contact: &ContactSample) -> Pushed {
    let record = &contact.record;
    Pushed {
        point: record.point.coords,
        pressed: record.normal_force,
        force: record.normal * record.normal_force + record.friction_force,
        torque: record.spin_torque,
    }
}

/// The rows of a step's contacts, whose time is that at its end \[s\].
pub fn contact_rows<'a>(
    parts: &'a Parts,
    (step, time_s): (u64, f64),
    contacts: &'a [ContactSample],
) -> impl Iterator<Item = ContactRow<'a>> {
    contacts.iter().map(move |contact| {
        let record = &contact.record;
        let [[body_a, collider_a], [body_b, collider_b]] = parts.names(contact);
        let [s, t] = contact.tangents();
        // Rapier's own solver states neither tangents nor friction.
        let known = s != Vector3::zeros();
        let along = |axis: &Vector3<f64>| known.then(|| record.friction_force.dot(axis));
        let part = |x: f64| known.then_some(x);
        let force = pushed(contact).force;
        ContactRow {
            step,
            time_s,
            body_a,
            body_b,
            collider_a,
            collider_b,
            state: match record.state {
                ContactState::Separated => "open",
                ContactState::Sticking => "sticking",
                ContactState::Sliding => "sliding",
            },
            point_x_m: record.point.x,
            point_y_m: record.point.y,
            point_z_m: record.point.z,
            normal_x: record.normal.x,
            normal_y: record.normal.y,
            normal_z: record.normal.z,
            gap_m: record.gap,
            force_n_N: record.normal_force,
            force_s_N: along(&s),
            force_t_N: along(&t),
            tangent_s_x: part(s.x),
            tangent_s_y: part(s.y),
            tangent_s_z: part(s.z),
            force_x_N: force.x,
            force_y_N: force.y,
            force_z_N: force.z,
            slip_m_per_s: contact.slip_speed(),
        }
    })
}

row! {
/// What one body or link does to another in a step: columns of `forces.csv`.
ForceRow, FORCE_COLUMNS {
    step: u64,
    time_s: f64,
    on: &'a str,
    by: &'a str,
    contacts: usize,
    force_x_N: f64,
    force_y_N: f64,
    force_z_N: f64,
    torque_x_N_m: f64,
    torque_y_N_m: f64,
    torque_z_N_m: f64,
    point_x_m: f64,
    point_y_m: f64,
    point_z_m: f64,
}
}

/// The contacts of a pair, a before b.
type Pair<'a> = ([&'a str; 2], Vec<Pushed>);

/// The rows of a step's pairs, in the order of their first contacts. The torque is about the point stated with
/// it: the mean of the pair's contact points, weighted by their normal forces. O(contacts * pairs).
pub fn force_rows<'a>(
    parts: &'a Parts,
    (step, time_s): (u64, f64),
    contacts: &'a [ContactSample],
) -> Vec<ForceRow<'a>> {
    let mut pairs: Vec<Pair<'a>> = Vec::new();
    let mut places: HashMap<[&'a str; 2], usize> = HashMap::new();
    for contact in contacts {
        let [[a, _], [b, _]] = parts.names(contact);
        let here = pushed(contact);
        let turned = Pushed {
            force: -here.force,
            torque: -here.torque,
            ..here
        };
        let (names, act) = match places.contains_key(&[b, a]) {
            true => ([b, a], turned),
            false => ([a, b], here),
        };
        let place = *places.entry(names).or_insert_with(|| {
            pairs.push((names, Vec::new()));
            pairs.len() - 1
        });
        pairs[place].1.push(act);
    }
    let rows = pairs.iter().flat_map(|([a, b], acts)| {
        let (point, force, torque) = sum(acts);
        [(*b, *a, 1.0), (*a, *b, -1.0)].map(|(on, by, sign)| {
            let (force, torque) = (force * sign, torque * sign);
            ForceRow {
                step,
                time_s,
                on,
                by,
                contacts: acts.len(),
                force_x_N: force.x,
                force_y_N: force.y,
                force_z_N: force.z,
                torque_x_N_m: torque.x,
                torque_y_N_m: torque.y,
                torque_z_N_m: torque.z,
                point_x_m: point.x,
                point_y_m: point.y,
                point_z_m: point.z,
            }
        })
    });
    rows.collect()
}

/// Point, net force, and net torque about that point.
fn sum(acts: &[Pushed]) -> (Point3<f64>, Vector3<f64>, Vector3<f64>) {
    let pressed: f64 = acts.iter().map(|act| act.pressed).sum();
    let weight = |act: &Pushed| match pressed > 0.0 {
        true => act.pressed / pressed,
        false => 1.0 / acts.len() as f64,
    };
    let point: Vector3<f64> = acts.iter().map(|act| act.point * weight(act)).sum();
    let force = acts.iter().map(|act| act.force).sum();
    let torque = acts.iter();
    let torque = torque.map(|act| act.torque + (act.point - point).cross(&act.force));
    (point.into(), force, torque.sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_record::ContactRecord;

    fn contact(bodies: [usize; 2], x: f64, normal: f64, friction: Vector3<f64>) -> ContactSample {
        ContactSample {
            pair: 0,
            colliders: [None; 2],
            closed: true,
            record: ContactRecord {
                bodies: bodies.map(Some),
                point: Point3::new(x, 0.0, 0.0),
                normal: Vector3::z(),
                tangent: Vector3::x(),
                friction: None,
                gap: 0.0,
                normal_force: normal,
                friction_force: friction,
                spin_torque: Vector3::zeros(),
                slip_velocity: Vector3::zeros(),
                state: ContactState::Sticking,
            },
        }
    }

    fn parts() -> Parts {
        Parts {
            bodies: vec!["ground".to_owned(), "box".to_owned()],
            ..Parts::default()
        }
    }

    fn header(row: impl Serialize) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(row).unwrap();
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        text.lines().next().unwrap().to_owned()
    }

    #[test]
    fn the_columns_are_the_fields() {
        let parts = parts();
        let contacts = [contact([0, 1], 0.0, 1.0, Vector3::zeros())];
        let row = contact_rows(&parts, (0, 0.1), &contacts).next().unwrap();
        assert_eq!(header(row), CONTACT_COLUMNS.join(","));
        let row = force_rows(&parts, (0, 0.1), &contacts)[0];
        assert_eq!(header(row), FORCE_COLUMNS.join(","));
    }

    /// 3 N at x = 1 and 1 N at x = -1 press up: 4 N at x = 0.5, where they have no torque. Friction of 2 N along y
    /// at the first turns by 2 N * 0.5 m about it. A contact stated the other way round pushes the other way.
    #[test]
    fn a_pair_adds_up_in_both_directions() {
        let parts = parts();
        let friction = Vector3::new(0.0, 2.0, 0.0);
        let mut contacts = vec![
            contact([0, 1], 1.0, 3.0, friction),
            contact([0, 1], -1.0, 1.0, Vector3::zeros()),
        ];
        let rows = force_rows(&parts, (4, 0.5), &contacts);
        let [up, down] = &rows[..] else {
            panic!("{rows:?}")
        };
        assert_eq!((up.on, up.by, up.contacts), ("box", "ground", 2));
        assert_eq!((up.force_y_N, up.force_z_N), (2.0, 4.0));
        assert_eq!(
            (up.point_x_m, up.torque_y_N_m, up.torque_z_N_m),
            (0.5, 0.0, 1.0)
        );
        assert_eq!((down.on, down.force_z_N), ("ground", -4.0));
        contacts[1].record.bodies = [Some(1), Some(0)];
        let turned = force_rows(&parts, (4, 0.5), &contacts);
        assert_eq!((turned.len(), turned[0].force_z_N), (2, 2.0));
    }

    #[test]
    fn rapiers_own_contacts_leave_friction_empty() {
        let parts = parts();
        let mut contacts = [contact([0, 1], 0.0, 1.0, Vector3::zeros())];
        contacts[0].record.tangent = Vector3::zeros();
        let row = contact_rows(&parts, (0, 0.1), &contacts).next().unwrap();
        assert_eq!((row.force_n_N, row.force_s_N), (1.0, None));
    }
}
