//! Mass properties against closed forms.

use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

use super::*;
use crate::{
    ImpossibleInertia, InertiaPolicy, Inertial, assembly::Assembly, assembly::FixedJoints,
};

/// R I R^T for a quarter turn about z swaps xx and yy and turns xz into yz, yz into -xz.
#[test]
fn inertial_rpy_turns_the_tensor() {
    let model = load(
        "<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>\
         <mass value='2'/><inertia ixx='3' ixy='0.1' ixz='0.2' iyy='4' iyz='0.3' izz='5'/>\
         </inertial></link>",
    )
    .unwrap();
    let i = model.links[0].inertial.unwrap();
    assert_eq!(i.com, Vector3::new(1.0, 2.0, 3.0));
    let expected = Matrix3::new(4.0, -0.1, -0.3, -0.1, 3.0, 0.2, -0.3, 0.2, 5.0);
    assert!((i.inertia - expected).norm() < 1e-15, "{}", i.inertia);
}

/// Roll, pitch, yaw are about fixed axes: R = Rz Ry Rx.
#[test]
fn rpy_order() {
    let model = load(&pair(&format!(
        "type='fixed'>{ENDS}<origin rpy='0.3 0.5 0.7'/>"
    )))
    .unwrap();
    let about = |axis: Vector3<f64>, angle: f64| UnitQuaternion::from_scaled_axis(axis * angle);
    let expected = about(Vector3::z(), 0.7) * about(Vector3::y(), 0.5) * about(Vector3::x(), 0.3);
    assert!(model.joints[0].origin.rotation.angle_to(&expected) < 1e-15);
}

/// Two halves of a box along x make the whole box: m/12 (b^2 + c^2).
#[test]
fn joined_halves_are_the_whole() {
    let part = |m: f64, s: Vector3<f64>| Inertial {
        mass: m,
        com: Vector3::zeros(),
        inertia: Matrix3::from_diagonal(
            &(Vector3::new(
                s.y * s.y + s.z * s.z,
                s.x * s.x + s.z * s.z,
                s.x * s.x + s.y * s.y,
            ) * (m / 12.0)),
        ),
    };
    let half = part(1.0, Vector3::new(0.5, 0.3, 0.2));
    let whole = half
        .moved(&Isometry3::translation(-0.25, 0.0, 0.0))
        .joined(&half.moved(&Isometry3::translation(0.25, 0.0, 0.0)));
    let expected = part(2.0, Vector3::new(1.0, 0.3, 0.2));
    assert_eq!(whole.mass, 2.0);
    assert!(whole.com.norm() < 1e-16);
    assert!((whole.inertia - expected.inertia).norm() < 1e-15);
}

/// A link turned by its fixed joint keeps its physical inertia after merging.
#[test]
fn merging_moves_and_turns() {
    let model = load(
        "<link name='a'/><link name='b'><inertial><mass value='2'/>\
         <inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2.5'/></inertial></link>\
         <joint name='j' type='fixed'><origin xyz='1 0 0' rpy='1.5707963267948966 0 0'/>\
         <parent link='a'/><child link='b'/></joint>",
    )
    .unwrap();
    let assembly = Assembly::new(&model, FixedJoints::Merge);
    assert_eq!(assembly.bodies.len(), 1);
    let i = assembly.bodies[0].inertial.unwrap();
    assert_eq!(i.com, Vector3::x());
    // y and z change places.
    let expected = Matrix3::from_diagonal(&Vector3::new(1.0, 2.5, 2.0));
    assert!((i.inertia - expected).norm() < 1e-15);
    assert_eq!(Assembly::new(&model, FixedJoints::Keep).bodies.len(), 2);
}

/// The opt-in replacement: density times volume, closed forms of the solids.
#[test]
fn inertia_from_geometry() {
    let text = |shape: &str| {
        urdf(&format!(
            "<link name='a'>{INERTIAL}</link><link name='b'>\
             <collision><origin xyz='0 0 1'/><geometry>{shape}</geometry></collision></link>\
             <joint name='j' type='continuous'>{ENDS}</joint>"
        ))
    };
    let options = LoadOptions {
        inertia: InertiaPolicy::from_geometry(1000.0),
        ..LoadOptions::default()
    };
    let pi = std::f64::consts::PI;
    let ball = 4.0 / 3.0 * pi * 1e-3 * 1000.0;
    // Capsule: cylinder m1 = pi r^2 l rho with half balls moved by (3r/8 + l/2), in the textbook
    // form I_x = m1 (l^2/12 + r^2/4) + m2 (2 r^2/5 + l^2/4 + 3 l r/8) with m2 both caps together.
    let (r, l) = (0.1f64, 0.4f64);
    let (m1, m2) = (pi * r * r * l * 1e3, ball);
    let capsule_x =
        m1 * (l * l / 12.0 + r * r / 4.0) + m2 * (0.4 * r * r + l * l / 4.0 + 0.375 * l * r);
    let cases = [
        ("<sphere radius='0.1'/>", ball, ball * 0.004, ball * 0.004),
        (
            "<box size='0.1 0.2 0.3'/>",
            6.0,
            6.0 / 12.0 * 0.13,
            6.0 / 12.0 * 0.05,
        ),
        (
            "<cylinder radius='0.1' length='0.4'/>",
            m1,
            m1 * (3.0 * r * r + l * l) / 12.0,
            m1 * r * r / 2.0,
        ),
        (
            "<capsule radius='0.1' length='0.4'/>",
            m1 + m2,
            capsule_x,
            m1 * r * r / 2.0 + m2 * 0.4 * r * r,
        ),
    ];
    for (shape, mass, xx, zz) in cases {
        let model = RobotModel::from_urdf(&text(shape), Path::new("u.urdf"), &options).unwrap();
        let i = model.links[1].inertial.unwrap();
        assert!(
            (i.mass / mass - 1.0).abs() < 1e-14,
            "{shape}: {} {mass}",
            i.mass
        );
        assert!(
            (i.inertia[(0, 0)] / xx - 1.0).abs() < 1e-14,
            "{shape}: {}",
            i.inertia
        );
        assert!(
            (i.inertia[(2, 2)] / zz - 1.0).abs() < 1e-14,
            "{shape}: {}",
            i.inertia
        );
        assert!((i.com - Vector3::z()).norm() < 1e-15);
        assert!(noted(&model, &["link `b`"]));
    }
    // Nothing to take it from.
    let bare = urdf(&pair(&format!("type='continuous'>{ENDS}")).replacen(
        &format!("<link name=\"b\">{INERTIAL}"),
        "<link name=\"b\">",
        1,
    ));
    let error = RobotModel::from_urdf(&bare, Path::new("u.urdf"), &options).unwrap_err();
    assert!(matches!(error, UrdfError::NoMass { .. }), "{error:?}");
}

/// A stated mass is kept and the inertia scaled to it: a ball of 0.5 kg and radius 0.2 has
/// 2/5 m r^2 = 0.008 kg m^2, at any density.
#[test]
fn inertia_from_geometry_keeps_a_stated_mass() {
    let options = LoadOptions {
        inertia: InertiaPolicy::from_geometry(7000.0),
        ..LoadOptions::default()
    };
    let text = urdf(&format!(
        "<link name='a'>{INERTIAL}</link><link name='b'><inertial><mass value='0.5'/>\
         <inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>\
         <collision><geometry><sphere radius='0.2'/></geometry></collision></link>\
         <joint name='j' type='continuous'>{ENDS}</joint>"
    ));
    let model = RobotModel::from_urdf(&text, Path::new("u.urdf"), &options).unwrap();
    let i = model.links[1].inertial.unwrap();
    assert_eq!(i.mass, 0.5);
    let expected = Matrix3::identity() * 0.008;
    assert!((i.inertia - expected).norm() < 1e-16, "{}", i.inertia);
}

/// Offsets of fixed joints follow each other from the tip to the body: a quarter turn about z at
/// (1, 0, 0), then (0, 1, 0) of the turned frame, put the tip at (0, 0, 0), its x along y.
#[test]
fn offsets_of_fixed_joints_in_a_row() {
    let fixed = |name: &str, ends: &str, origin: &str| {
        format!("<joint name='{name}' type='fixed'>{ends}<origin {origin}/></joint>")
    };
    let model = load(&format!(
        "<link name='a'/><link name='b'/><link name='c'><inertial><origin xyz='3 0 0'/><mass value='2'/>\
         <inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2.5'/></inertial></link>{}{}",
        fixed("j", ENDS, "xyz='1 0 0' rpy='0 0 1.5707963267948966'"),
        fixed("k", "<parent link='b'/><child link='c'/>", "xyz='0 1 0'"),
    ))
    .unwrap();
    let assembly = Assembly::new(&model, FixedJoints::Merge);
    let [body] = &assembly.bodies[..] else {
        panic!("one body")
    };
    let offset = body.members[2].offset;
    assert!(offset.translation.vector.norm() < 1e-15, "{offset}");
    assert!((offset * Vector3::x() - Vector3::y()).norm() < 1e-15);
    let expected = Matrix3::from_diagonal(&Vector3::new(2.0, 1.0, 2.5));
    for whole in [body.inertial, body.total(&model)] {
        let whole = whole.unwrap();
        assert!((whole.com - Vector3::y() * 3.0).norm() < 1e-15);
        assert!((whole.inertia - expected).norm() < 1e-15);
    }
}

/// The file's mass properties arrive in the engine, off-diagonal terms included.
#[test]
fn engine_has_the_files_inertia() {
    let model = load(
        "<link name='a'><inertial><origin xyz='0.1 -0.2 0.3' rpy='0.3 0.5 0.7'/>\
         <mass value='2'/><inertia ixx='0.03' ixy='0.001' ixz='0.002' iyy='0.04' iyz='0.003' \
         izz='0.05'/></inertial><collision><geometry><box size='1 1 1'/></geometry></collision></link>",
    )
    .unwrap();
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
    assert!(robot.multibody.is_none());
    let properties = scene.bodies[robot.root].mass_properties().local_mprops;
    let file = model.links[0].inertial.unwrap();
    let epsilon = f64::from(Real::EPSILON);
    assert!(close(properties.mass(), 2.0, 4.0 * epsilon));
    let tensor = properties.reconstruct_inertia_matrix();
    for r in 0..3 {
        assert!(close(properties.local_com[r], file.com[r], epsilon));
        for c in 0..3 {
            let (have, want) = (tensor.col(c)[r], file.inertia[(r, c)]);
            assert!(
                close(have, want, 16.0 * epsilon * 0.05),
                "{r}{c}: {have} {want}"
            );
        }
    }
}

/// Accepting keeps the file's numbers and says so; what is not positive definite stays refused.
#[test]
fn impossible_inertia_accepted_on_request() {
    let text = |zz: f64| {
        urdf(&format!(
            "<link name='a'>{INERTIAL}</link><link name='b'><inertial><mass value='1'/>\
             <inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='{zz}'/></inertial></link>\
             <joint name='j' type='continuous'>{ENDS}</joint>"
        ))
    };
    let options = LoadOptions {
        inertia: InertiaPolicy {
            impossible: ImpossibleInertia::Accept,
            ..InertiaPolicy::default()
        },
        ..LoadOptions::default()
    };
    let read = |zz: f64| RobotModel::from_urdf(&text(zz), Path::new("u.urdf"), &options);
    let model = read(2.5).unwrap();
    assert_eq!(model.links[1].inertial.unwrap().inertia[(2, 2)], 2.5);
    assert!(noted(&model, &["link `b`", "triangle"]));
    assert!(matches!(
        read(0.0).unwrap_err(),
        UrdfError::BadInertia { .. }
    ));
}

/// A place-holder inertia fixed to a sound body is told, not refused: only the whole body counts.
#[test]
fn odd_inertia_on_a_sound_body() {
    let text = |zz: f64| {
        format!(
            "<link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link><link name='c'>\
             <inertial><mass value='0.01'/><inertia ixx='{zz}' ixy='{zz}' ixz='{zz}' iyy='{zz}' \
             iyz='{zz}' izz='{zz}'/></inertial></link>\
             <joint name='j' type='continuous'>{ENDS}</joint>\
             <joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>"
        )
    };
    // A tensor with all entries equal has two zero moments.
    let model = load(&text(1e-6)).unwrap();
    assert!(noted(&model, &["link `c`", "triangle"]));
    // 1, 1, 1 + 3 x 10: the whole is impossible too, and the link at fault is named.
    let error = load_strict(&text(10.0)).unwrap_err();
    assert!(
        matches!(&error, UrdfError::BadInertia { link, .. } if link == "c"),
        "{error}"
    );
}
