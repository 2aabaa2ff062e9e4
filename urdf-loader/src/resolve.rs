//! From the mesh reference in a robot file to a file on disk.

use std::path::{Path, PathBuf};

/// Bytes of a reference: as long as a path may be.
const MAX_URI: usize = 4096;

/// Parts of a path, from its end, that are looked for in the folders above the robot file.
const MAX_TAIL: usize = 12;

/// Finds mesh files. Order for `package://PKG/REST` (and `model://`): the given package paths,
/// `ROS_PACKAGE_PATH`, `AMENT_PREFIX_PATH` (each followed by `share`), then every folder above the
/// robot file. In each place `PLACE/PKG/REST` is tried, and `PLACE/REST` where the folder itself is
/// called PKG. Absolute paths and `file://` are taken as they are, other paths start from the robot
/// file's folder. `%20` and the like are decoded, backslashes are taken as slashes.
///
/// Where none of that is a file, the longest tail of the path counts that is one in a folder above the robot file, the
/// nearest first: packages lie under other names than they were written for.
#[derive(Debug, Clone, Default)]
pub struct Resolver {
    folder: PathBuf,
    places: Vec<PathBuf>,
    /// Folders above the robot file, nearest first.
    above: Vec<PathBuf>,
}

/// The file of a reference that isn't where the reference says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The folder above the robot file that has it.
    pub folder: PathBuf,
    /// Its path from there: the longest tail of the reference's path that is a file.
    pub tail: PathBuf,
}

impl Resolver {
    /// A resolver for one robot file, with the search paths of the process environment.
    pub fn new(robot_file: &Path, package_paths: &[PathBuf]) -> Self {
        let split = |name: &str| -> Vec<PathBuf> {
            std::env::var_os(name)
                .map(|v| std::env::split_paths(&v).collect())
                .unwrap_or_default()
        };
        let ros = split("ROS_PACKAGE_PATH");
        let ament = split("AMENT_PREFIX_PATH");
        Self::with_environment(robot_file, package_paths, &ros, &ament)
    }

    /// The same with the two environment lists given instead of read.
    pub fn with_environment(
        robot_file: &Path,
        package_paths: &[PathBuf],
        ros_package_path: &[PathBuf],
        ament_prefix_path: &[PathBuf],
    ) -> Self {
        let absolute = std::path::absolute(robot_file).unwrap_or_else(|_| robot_file.into());
        let mut places = package_paths.to_vec();
        places.extend_from_slice(ros_package_path);
        places.extend(ament_prefix_path.iter().map(|p| p.join("share")));
        let above: Vec<_> = absolute
            .ancestors()
            .skip(1)
            .map(Path::to_path_buf)
            .collect();
        places.extend_from_slice(&above);
        let folder = absolute.parent().map(Path::to_path_buf).unwrap_or_default();
        Self {
            folder,
            places,
            above,
        }
    }

    /// The file that `uri` means.
    ///
    /// # Errors
    /// The places tried, when none of them holds a file; without those of [`Resolver::by_tail`].
    pub fn resolve(&self, uri: &str) -> Result<PathBuf, Vec<PathBuf>> {
        self.as_written(uri).or_else(|tried| {
            let found = self.by_tail(uri).ok_or(tried)?;
            Ok(found.folder.join(found.tail))
        })
    }

    /// The file that is where `uri` says.
    ///
    /// # Errors
    /// The places tried.
    pub fn as_written(&self, uri: &str) -> Result<PathBuf, Vec<PathBuf>> {
        let mut tried = Vec::new();
        for candidate in spellings(uri).iter().flat_map(|uri| self.candidates(uri)) {
            if candidate.is_file() {
                return Ok(candidate);
            }
            if !tried.contains(&candidate) {
                tried.push(candidate);
            }
        }
        Err(tried)
    }

    /// The file that the longest tail of the path leads to from a folder above the robot file, the nearest first.
    pub fn by_tail(&self, uri: &str) -> Option<Elsewhere> {
        spellings(uri).iter().find_map(|uri| {
            let path = match scheme(uri) {
                Some((FILE | PACKAGE | MODEL, rest)) => rest,
                Some(_) => return None,
                None => uri,
            };
            let parts: Vec<&str> = path
                .split('/')
                .filter(|p| !matches!(*p, "" | "."))
                .collect();
            // What leads upwards has no tail before it.
            let from = parts.iter().rposition(|p| *p == "..").map_or(0, |i| i + 1);
            let from = from.max(parts.len().saturating_sub(MAX_TAIL));
            (from..parts.len()).find_map(|start| {
                let tail: PathBuf = parts[start..].iter().collect();
                let folder = self.above.iter().find(|f| f.join(&tail).is_file())?.clone();
                Some(Elsewhere { folder, tail })
            })
        })
    }

    /// The folder of a package, in the order of [`Resolver::resolve`].
    pub fn package(&self, name: &str) -> Option<PathBuf> {
        // A name with separators or dots would lead out of the places.
        if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
            return None;
        }
        self.places.iter().find_map(|place| {
            let inside = place.join(name);
            if inside.is_dir() {
                return Some(inside);
            }
            let itself = place.file_name().is_some_and(|f| f == name) && place.is_dir();
            itself.then(|| place.clone())
        })
    }

    fn candidates(&self, uri: &str) -> Vec<PathBuf> {
        let inside = match scheme(uri) {
            // A host part (file://localhost/...) is not used for robot files; keep the path.
            Some((FILE, rest)) if scheme(rest).is_some() => return self.candidates(rest),
            Some((FILE, rest)) => {
                return vec![rest.strip_prefix("localhost").unwrap_or(rest).into()];
            }
            Some((PACKAGE | MODEL, inside)) => inside,
            Some(_) => return Vec::new(),
            // `join` keeps absolute paths as they are.
            None => return vec![self.folder.join(uri)],
        };
        // An empty part, as in package://NAME//meshes/x, must not make the rest an absolute path.
        let inside = inside.trim_start_matches('/');
        let (name, rest) = inside.split_once('/').unwrap_or((inside, ""));
        let rest = rest.trim_start_matches('/');
        self.places
            .iter()
            .flat_map(|place| {
                let itself = place.file_name().is_some_and(|f| f == name);
                [
                    Some(place.join(name).join(rest)),
                    itself.then(|| place.join(rest)),
                ]
            })
            .flatten()
            .collect()
    }
}

const FILE: &str = "file";
const PACKAGE: &str = "package";
const MODEL: &str = "model";

/// The texts before and after `://`.
fn scheme(uri: &str) -> Option<(&str, &str)> {
    uri.split_once("://")
}

/// A reference as it is written, decoded, and with slashes for backslashes; each once. None of one that is longer
/// than a path may be.
fn spellings(uri: &str) -> Vec<String> {
    let uri = uri.trim();
    if uri.len() > MAX_URI {
        return Vec::new();
    }
    let mut out = vec![uri.to_string()];
    let decoded = decoded(uri);
    for other in [
        decoded.clone(),
        uri.replace('\\', "/"),
        decoded.replace('\\', "/"),
    ] {
        if !out.contains(&other) {
            out.push(other);
        }
    }
    out
}

/// `%20` and the like as the bytes they stand for; as it is where they make no text.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after
            .get(..2)
            .filter(|d| *first == b'%' && d.iter().all(u8::is_ascii_hexdigit));
        let byte = digits
            .and_then(|d| std::str::from_utf8(d).ok())
            .and_then(|d| u8::from_str_radix(d, 16).ok())
            .filter(|b| *b != 0);
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| uri.into())
}
