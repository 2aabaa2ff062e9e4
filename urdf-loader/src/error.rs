//! Everything that can be wrong with a robot file, each with the element and what to do.

use std::path::PathBuf;

use thiserror::Error;

/// Why a robot file is refused. Every variant names the file; [`UrdfError::element`] names the part.
#[derive(Debug, Clone, Error, PartialEq)]
pub enum UrdfError {
    /// The file can't be opened or is not text.
    #[error("{}: cannot read the robot file: {reason}; check the path", file.display())]
    Unreadable {
        /// The robot file.
        file: PathBuf,
        /// What the operating system said.
        reason: String,
    },
    /// The text is not well-formed XML, or not a robot.
    #[error("{}: not a URDF: {reason}", file.display())]
    NotUrdf {
        /// The robot file.
        file: PathBuf,
        /// What is wrong and where.
        reason: String,
    },
    /// Macros that a preprocessor should have expanded.
    #[error("{}: {}{element}: xacro: {reason}; or expand the file with ROS (xacro FILE.xacro > FILE.urdf)", file.display(), at(line))]
    Xacro {
        /// The robot file.
        file: PathBuf,
        /// Line, where known.
        line: Option<u32>,
        /// The element that holds the macro.
        element: String,
        /// What is missing or not understood.
        reason: String,
    },
    /// A slip that would have been repaired, had that been allowed.
    #[error("{}: {}{element}: {slip}; correct the file, or load it without asking for strictness", file.display(), at(line))]
    NotStrict {
        /// The robot file.
        file: PathBuf,
        /// Line, where known.
        line: Option<u32>,
        /// Link or joint, and the part of it.
        element: String,
        /// What is wrong, and how it would have been read.
        slip: String,
    },
    /// More of something than any robot has.
    #[error("{}: more than {limit} {what}: too large for a robot", file.display())]
    TooLarge {
        /// The robot file.
        file: PathBuf,
        /// What there is too much of.
        what: &'static str,
        /// How much there may be.
        limit: usize,
    },
    /// A number that is missing, malformed, infinite or NaN, or a vector of the wrong length.
    #[error("{}: {}{element}: attribute `{attribute}` = \"{value}\" is wrong: {reason}", file.display(), at(line))]
    BadNumber {
        /// The robot file.
        file: PathBuf,
        /// Line, where known.
        line: Option<u32>,
        /// Link or joint, and the part of it.
        element: String,
        /// Attribute name.
        attribute: &'static str,
        /// Its text.
        value: String,
        /// What was expected.
        reason: String,
    },
    /// A required child element or attribute is absent, doubled or unknown.
    #[error("{}: {}{element}: {reason}", file.display(), at(line))]
    BadElement {
        /// The robot file.
        file: PathBuf,
        /// Line, where known.
        line: Option<u32>,
        /// Link or joint, and the part of it.
        element: String,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The file parses, but to no link at all.
    #[error("{}: the robot has no links; a URDF needs at least one <link> directly inside <robot>", file.display())]
    NoLinks {
        /// The robot file.
        file: PathBuf,
    },
    /// Two links or two joints share a name.
    #[error("{}: {element} is declared more than once; rename one of them", file.display())]
    DuplicateName {
        /// The robot file.
        file: PathBuf,
        /// `link ...` or `joint ...`.
        element: String,
    },
    /// A joint names a link that isn't there.
    #[error("{}: joint `{joint}`: its {role} link `{link}` is not declared", file.display())]
    UnknownLink {
        /// The robot file.
        file: PathBuf,
        /// The joint.
        joint: String,
        /// `parent` or `child`.
        role: &'static str,
        /// The name that isn't declared.
        link: String,
    },
    /// A link has two parents: a closed kinematic loop.
    #[error("{}: link `{link}` is the child of joints `{first}` and `{second}`: URDF trees have no loops; declare one of the joints as <loop_joint>", file.display())]
    TwoParents {
        /// The robot file.
        file: PathBuf,
        /// The link.
        link: String,
        /// First joint.
        first: String,
        /// Second joint.
        second: String,
    },
    /// Joints that lead in a circle, so no root reaches them.
    #[error("{}: link `{link}` (joint `{joint}`) is in a circle of joints that no root reaches; make one of the links a root", file.display())]
    Loop {
        /// The robot file.
        file: PathBuf,
        /// One link of the circle.
        link: String,
        /// The joint above it.
        joint: String,
    },
    /// More than one link without a parent.
    #[error("{}: several root links: {}; join them to one root with (fixed) joints", file.display(), roots.join(", "))]
    SeveralRoots {
        /// The robot file.
        file: PathBuf,
        /// Their names.
        roots: Vec<String>,
    },
    /// A joint type, or a use of one, that the loader can't model.
    #[error("{}: joint `{joint}`: {reason}", file.display())]
    UnsupportedJoint {
        /// The robot file.
        file: PathBuf,
        /// The joint.
        joint: String,
        /// Why, and what to use instead.
        reason: String,
    },
    /// A joint axis of zero length.
    #[error("{}: joint `{joint}`: the axis is the zero vector; give it a direction, for example <axis xyz=\"0 0 1\"/>", file.display())]
    ZeroAxis {
        /// The robot file.
        file: PathBuf,
        /// The joint.
        joint: String,
    },
    /// Lower limit above the upper one.
    #[error("{}: joint `{joint}`: lower limit {lower} above upper limit {upper}; swap them, or remove both if the joint has no limits", file.display())]
    LimitsCrossed {
        /// The robot file.
        file: PathBuf,
        /// The joint.
        joint: String,
        /// Lower limit (rad or m).
        lower: f64,
        /// Upper limit (rad or m).
        upper: f64,
    },
    /// A negative damping, friction or speed limit.
    #[error("{}: joint `{joint}`: {quantity} = {value} must not be negative", file.display())]
    NegativeJointValue {
        /// The robot file.
        file: PathBuf,
        /// The joint.
        joint: String,
        /// Which quantity.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
    /// A moving body without mass.
    #[error("{}: link `{link}` moves (joint `{joint}`) but has mass {mass} together with everything fixed to it; give it an <inertial> with a positive mass, fix it to a link that has one, or let the loader take it from the geometry", file.display())]
    NoMass {
        /// The robot file.
        file: PathBuf,
        /// The link.
        link: String,
        /// The joint that moves it (`base` for a floating root).
        joint: String,
        /// The mass found (kg).
        mass: f64,
    },
    /// A mass below zero.
    #[error("{}: link `{link}`: the mass {mass} kg is negative; give it the mass of the part", file.display())]
    NegativeMass {
        /// The robot file.
        file: PathBuf,
        /// The link.
        link: String,
        /// The mass (kg).
        mass: f64,
    },
    /// A moving link whose inertia no mass distribution has.
    #[error("{}: link `{link}`: impossible inertia: {reason} (principal moments {:.6e}, {:.6e}, {:.6e} kg m^2); correct it, or let the loader repair it", file.display(), eigenvalues[0], eigenvalues[1], eigenvalues[2])]
    BadInertia {
        /// The robot file.
        file: PathBuf,
        /// The link.
        link: String,
        /// Which condition fails.
        reason: String,
        /// Principal moments, ascending (kg m^2).
        eigenvalues: [f64; 3],
    },
    /// The geometry can't stand in for a missing inertia.
    #[error("{}: link `{link}`: the inertia should come from the geometry, but {reason}", file.display())]
    NoInertiaFromGeometry {
        /// The robot file.
        file: PathBuf,
        /// The link.
        link: String,
        /// Why not.
        reason: String,
    },
    /// A mimic joint whose source isn't there or can't drive it.
    #[error("{}: joint `{joint}` mimics `{source_joint}`, {reason}", file.display())]
    BadMimic {
        /// The robot file.
        file: PathBuf,
        /// The mimicking joint.
        joint: String,
        /// The joint it names.
        source_joint: String,
        /// Why it can't.
        reason: String,
    },
    /// A joint that should close a loop but can't.
    #[error("{}: {}{element}: {reason}", file.display(), at(line))]
    BadClosure {
        /// The file that declares it.
        file: PathBuf,
        /// Line, where known.
        line: Option<u32>,
        /// The joint.
        element: String,
        /// Why not.
        reason: String,
    },
    /// A mesh reference that leads to no file.
    #[error("{}: link `{link}`: mesh `{uri}` not found; {}; add a package path, or load it with --missing-mesh skip or box", file.display(), looked_at(tried))]
    MeshNotFound {
        /// The robot file.
        file: PathBuf,
        /// The link.
        link: String,
        /// The reference as written.
        uri: String,
        /// The places tried.
        tried: Vec<PathBuf>,
    },
    /// A mesh file that can't be understood.
    #[error("{}: link `{link}`: mesh {}: {reason}, or load the robot with --missing-mesh skip or box", file.display(), mesh.display())]
    BadMesh {
        /// The robot file.
        file: PathBuf,
        /// The link.
        link: String,
        /// The mesh file.
        mesh: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An option with a value that can't be.
    #[error("{}: option {what} = {value} must be {wanted}", file.display())]
    BadOption {
        /// The robot file.
        file: PathBuf,
        /// Which option.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is expected.
        wanted: &'static str,
    },
    /// A shape without extent.
    #[error("{}: link `{link}`: {part}: {what} = {value} must be positive", file.display())]
    EmptyGeometry {
        /// The robot file.
        file: PathBuf,
        /// The link.
        link: String,
        /// Which shape.
        part: String,
        /// Which dimension.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

/// The places where a mesh was looked for.
fn looked_at(tried: &[PathBuf]) -> String {
    let places: Vec<_> = tried.iter().map(|p| p.display().to_string()).collect();
    match places.is_empty() {
        true => "such a reference leads to no file".into(),
        false => format!(
            "looked at: {}, and for the end of its path in the folders above the file",
            places.join(", ")
        ),
    }
}

/// A line as the start of a message.
fn at(line: &Option<u32>) -> String {
    line.map_or_else(String::new, |l| format!("line {l}, "))
}

impl UrdfError {
    /// The robot file the error is about.
    pub fn file(&self) -> &std::path::Path {
        match self {
            Self::Unreadable { file, .. }
            | Self::NotUrdf { file, .. }
            | Self::Xacro { file, .. }
            | Self::NotStrict { file, .. }
            | Self::TooLarge { file, .. }
            | Self::BadOption { file, .. }
            | Self::BadClosure { file, .. }
            | Self::BadNumber { file, .. }
            | Self::BadElement { file, .. }
            | Self::NoLinks { file }
            | Self::DuplicateName { file, .. }
            | Self::UnknownLink { file, .. }
            | Self::TwoParents { file, .. }
            | Self::Loop { file, .. }
            | Self::SeveralRoots { file, .. }
            | Self::UnsupportedJoint { file, .. }
            | Self::ZeroAxis { file, .. }
            | Self::LimitsCrossed { file, .. }
            | Self::NegativeJointValue { file, .. }
            | Self::NoMass { file, .. }
            | Self::NegativeMass { file, .. }
            | Self::BadInertia { file, .. }
            | Self::NoInertiaFromGeometry { file, .. }
            | Self::BadMimic { file, .. }
            | Self::MeshNotFound { file, .. }
            | Self::BadMesh { file, .. }
            | Self::EmptyGeometry { file, .. } => file,
        }
    }

    /// The element the error is about, as `link ...`, `joint ...` or `robot`.
    pub fn element(&self) -> String {
        match self {
            Self::Unreadable { .. }
            | Self::NotUrdf { .. }
            | Self::NoLinks { .. }
            | Self::TooLarge { .. }
            | Self::BadOption { .. } => "robot".into(),
            Self::Xacro { element, .. }
            | Self::NotStrict { element, .. }
            | Self::BadClosure { element, .. }
            | Self::BadNumber { element, .. }
            | Self::BadElement { element, .. }
            | Self::DuplicateName { element, .. } => element.clone(),
            Self::SeveralRoots { roots, .. } => format!("links {}", roots.join(", ")),
            Self::UnknownLink { joint, .. }
            | Self::UnsupportedJoint { joint, .. }
            | Self::ZeroAxis { joint, .. }
            | Self::LimitsCrossed { joint, .. }
            | Self::NegativeJointValue { joint, .. }
            | Self::BadMimic { joint, .. } => format!("joint `{joint}`"),
            Self::TwoParents { link, .. }
            | Self::Loop { link, .. }
            | Self::NoMass { link, .. }
            | Self::NegativeMass { link, .. }
            | Self::BadInertia { link, .. }
            | Self::NoInertiaFromGeometry { link, .. }
            | Self::MeshNotFound { link, .. }
            | Self::BadMesh { link, .. }
            | Self::EmptyGeometry { link, .. } => format!("link `{link}`"),
        }
    }
}
