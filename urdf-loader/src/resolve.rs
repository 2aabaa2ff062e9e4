//! From the mesh reference in a robot file to a file on disk.

use std::path::{Path, PathBuf};

/// Finds mesh files. Order for `package://PKG/REST` (and `model://`): the given package paths,
/// `ROS_PACKAGE_PATH`, `AMENT_PREFIX_PATH` (each followed by `share`), then every folder above the
/// robot file. In each place `PLACE/PKG/REST` is tried, and `PLACE/REST` where the folder itself is
/// called PKG. Absolute paths and `file://` are taken as they are, other paths start from the robot
/// file's folder.
#[derive(Debug, Clone, Default)]
pub struct Resolver {
    folder: PathBuf,
    places: Vec<PathBuf>,
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
        places.extend(absolute.ancestors().skip(1).map(Path::to_path_buf));
        let folder = absolute.parent().map(Path::to_path_buf).unwrap_or_default();
        Self { folder, places }
    }

    /// The file that `uri` means.
    ///
    /// # Errors
    /// The places tried, when none of them holds a file.
    pub fn resolve(&self, uri: &str) -> Result<PathBuf, Vec<PathBuf>> {
        let mut tried = Vec::new();
        for candidate in self.candidates(uri.trim()) {
            if candidate.is_file() {
                return Ok(candidate);
            }
            tried.push(candidate);
        }
        Err(tried)
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
        if let Some(rest) = uri.strip_prefix("file://") {
            // A host part (file://localhost/...) is not used for robot files; keep the path.
            let path = rest.strip_prefix("localhost").unwrap_or(rest);
            return vec![PathBuf::from(path)];
        }
        let package = uri
            .strip_prefix("package://")
            .or_else(|| uri.strip_prefix("model://"));
        let Some(inside) = package else {
            // `join` keeps absolute paths as they are.
            return if uri.contains("://") {
                Vec::new()
            } else {
                vec![self.folder.join(uri)]
            };
        };
        let (name, rest) = inside.split_once('/').unwrap_or((inside, ""));
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
