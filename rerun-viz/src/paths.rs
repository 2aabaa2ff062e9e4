//! Entity paths: where things stand in the viewer's tree.

use re_log_types::{EntityPath, EntityPathPart};
use std::collections::HashSet;
use stickslip_record::SceneRecord;

/// Root of everything with a place in space.
pub const WORLD: &str = "world";
/// Contact points, coloured by state.
pub const CONTACT_POINTS: &str = "world/contacts/points";
/// Contact normals, all of one length.
pub const CONTACT_NORMALS: &str = "world/contacts/normals";
/// Normal forces on body 1, to scale.
pub const NORMAL_FORCES: &str = "world/contacts/normal_forces";
/// Friction forces on body 1, to scale.
pub const FRICTION_FORCES: &str = "world/contacts/friction_forces";
/// Whole contact forces, in recordings that show directions
/// ([`Arrows::Directions`](stickslip_record::Arrows::Directions)) instead of the two above.
pub const CONTACT_FORCES: &str = "world/contacts/forces";
/// Text about steps that failed or fell back.
pub const LOG: &str = "log/solver";
/// Below a body: what the eye follows.
pub(crate) const EYE: &str = "eye";
/// Below a run among several: its name.
pub(crate) const NAME: &str = "name";
/// What colours and lengths mean.
pub const LEGEND: &str = "legend";

/// A name as one part of a path: letters, digits, `_`, `-` and `.` stay, anything else becomes `_`;
/// leading underscores go (the viewer reserves `__`), and an empty name is `unnamed`.
pub fn path_part(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| match c {
            '_' | '-' | '.' => c,
            c if c.is_alphanumeric() => c,
            _ => '_',
        })
        .collect();
    let clean = clean.trim_start_matches('_');
    if clean.is_empty() {
        "unnamed".to_owned()
    } else {
        clean.to_owned()
    }
}

/// `world/<robot, or scene>/<body>` for every body, in order. Names that become equal get `_2`, `_3`,
/// ... so that no body is drawn over another.
pub fn body_paths(scene: &SceneRecord) -> Vec<EntityPath> {
    body_paths_in(scene, None)
}

/// The same below `world/<track>`, if there is one.
pub(crate) fn body_paths_in(scene: &SceneRecord, track: Option<&str>) -> Vec<EntityPath> {
    // Contacts, balance and wrenches have places of their own.
    let mut taken: HashSet<(String, String)> = HashSet::new();
    scene
        .bodies
        .iter()
        .map(|body| {
            let mut group = path_part(body.robot.as_deref().unwrap_or("scene"));
            if ["contacts", "balance", "wrenches"].contains(&group.as_str()) {
                group.push_str("_robot");
            }
            let base = path_part(&body.name);
            let mut part = base.clone();
            let mut copy = 1;
            while !taken.insert((group.clone(), part.clone())) {
                copy += 1;
                part = format!("{base}_{copy}");
            }
            let mut parts = vec![EntityPathPart::new(WORLD)];
            parts.extend(track.map(|track| EntityPathPart::new(path_part(track))));
            parts.extend([EntityPathPart::new(group), EntityPathPart::new(part)]);
            EntityPath::new(parts)
        })
        .collect()
}

/// A path of one track among several: below `world/<track>` for what has a place in space, with the
/// track as its last part otherwise.
pub(crate) fn of_track(path: &str, track: Option<&str>) -> EntityPath {
    let Some(track) = track.map(path_part) else {
        return EntityPath::from(path);
    };
    let world = EntityPath::from(WORLD);
    let below = path.strip_prefix(WORLD).and_then(|p| p.strip_prefix('/'));
    let parts = |text: &str| EntityPath::from(text);
    let track = EntityPath::new(vec![EntityPathPart::new(track)]);
    match below {
        Some(below) => world.join(&track).join(&parts(below)),
        None => parts(path).join(&track),
    }
}

/// Below a body: what it looks like.
pub const VISUAL: &str = "visual";
/// Below a body: its collision shapes, where they are not what it looks like.
pub const COLLISION: &str = "collision";
/// Below a link of a robot: its axes.
pub const FRAME: &str = "frame";
/// Below a body: the axes of the joints that move it.
pub const JOINTS: &str = "joints";

/// `<body>/<part>`.
pub(crate) fn below(body: &EntityPath, part: &str) -> EntityPath {
    body.join(&EntityPath::from_single_string(part))
}

/// `<body>/<layer>/shape_<k>`.
pub(crate) fn shape_path(body: &EntityPath, layer: &str, k: usize) -> EntityPath {
    below(&below(body, layer), &format!("shape_{k}"))
}
