//! The meshes of shapes, and the boxes in place of missing ones.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

use nalgebra::{Isometry3, Point3, Rotation3, UnitQuaternion, Vector3};

use crate::{
    error::UrdfError,
    findings::{Findings, Place},
    inertia,
    mesh::TriMesh,
    model::{Geometry, Inertial, LoadOptions, MeshRef, MissingMesh, NoteKind, Shape, VisualMeshes},
    resolve::{Elsewhere, Resolver},
};

/// Triangles of a robot's shapes together, each mesh counted as often as it is used.
const MAX_TRIANGLES: usize = 50_000_000;

/// References that are looked for in the folders above the robot file: more than a robot has meshes.
const MAX_SEARCHES: usize = 10_000;

/// What a shape is for: a missing mesh is an error to one and a warning to the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Purpose {
    Collision,
    Visual,
}

/// Finds meshes, keeps them, and says what is wrong with them.
pub(super) struct Meshes<'a, 'f> {
    pub(super) found: &'a mut Findings<'f>,
    resolver: Resolver,
    read: HashMap<PathBuf, Result<Arc<TriMesh>, String>>,
    visual_meshes: VisualMeshes,
    missing: MissingMesh,
    /// Triangles of all shapes so far, each as often as it is used.
    triangles: usize,
    /// References that were looked for above the file, with what was found.
    searched: HashMap<String, Option<Elsewhere>>,
    /// Meshes found so: how many, and the first link, by purpose, the path before the tail, and folder.
    elsewhere: BTreeMap<(Purpose, String, PathBuf), (usize, String)>,
    /// Collision meshes of the link at hand that a box replaces, as messages.
    boxed: Vec<String>,
}

impl<'a, 'f> Meshes<'a, 'f> {
    pub(super) fn new(options: &LoadOptions, found: &'a mut Findings<'f>) -> Self {
        Self {
            resolver: Resolver::new(found.path(), &options.package_paths),
            found,
            read: HashMap::new(),
            visual_meshes: options.visual_meshes,
            missing: options.missing_mesh,
            triangles: 0,
            searched: HashMap::new(),
            elsewhere: BTreeMap::new(),
            boxed: Vec::new(),
        }
    }

    /// The file of a reference; the places tried if there is none.
    fn path(&mut self, uri: &str, link: &str, purpose: Purpose) -> Result<PathBuf, Vec<PathBuf>> {
        let tried = match self.resolver.as_written(uri) {
            Ok(path) => return Ok(path),
            Err(tried) => tried,
        };
        if !self.searched.contains_key(uri) && self.searched.len() < MAX_SEARCHES {
            let found = self.resolver.by_tail(uri);
            self.searched.insert(uri.into(), found);
        }
        let Some(Some(Elsewhere { folder, tail })) = self.searched.get(uri) else {
            return Err(tried);
        };
        let names = tail.components().count();
        let before = uri
            .trim_end_matches(['/', '\\'])
            .rsplitn(names + 1, ['/', '\\'])
            .nth(names);
        let key = (
            purpose,
            before.unwrap_or_default().to_string(),
            folder.clone(),
        );
        self.elsewhere.entry(key).or_insert((0, link.into())).0 += 1;
        Ok(folder.join(tail))
    }

    fn load(&mut self, path: &Path) -> Result<Arc<TriMesh>, String> {
        self.read
            .entry(path.to_path_buf())
            .or_insert_with(|| TriMesh::read(path).map(Arc::new))
            .clone()
    }

    pub(super) fn report(&mut self, error: UrdfError, purpose: Purpose) {
        match purpose {
            Purpose::Collision => self.found.errors.push(error),
            Purpose::Visual => {
                let place = Place::of(error.element());
                let text = format!("not shown: {error}");
                self.found.note(NoteKind::Ignored, &place, text);
            }
        }
    }

    /// `None` after an error, or where a mesh that isn't there is left out.
    pub(super) fn mesh(
        &mut self,
        link: &str,
        uri: &str,
        scale: Vector3<f64>,
        purpose: Purpose,
    ) -> Option<Geometry> {
        let mut out = MeshRef {
            uri: uri.into(),
            path: None,
            scale,
            mesh: None,
        };
        let path = match self.path(uri, link, purpose) {
            Ok(path) => path,
            Err(tried) => {
                let error = UrdfError::MeshNotFound {
                    file: self.found.file(),
                    link: link.into(),
                    uri: uri.into(),
                    tried,
                };
                return self.without(link, out, error, purpose);
            }
        };
        out.path = Some(path.clone());
        if purpose == Purpose::Collision || self.visual_meshes == VisualMeshes::Load {
            match self.load(&path) {
                Ok(mesh) => {
                    self.count(mesh.triangles.len());
                    out.mesh = Some(mesh);
                }
                Err(reason) => {
                    let error = UrdfError::BadMesh {
                        file: self.found.file(),
                        link: link.into(),
                        mesh: path,
                        reason,
                    };
                    return self.without(link, out, error, purpose);
                }
            }
        }
        Some(Geometry::Mesh(out))
    }

    fn count(&mut self, triangles: usize) {
        let before = self.triangles;
        self.triangles = before.saturating_add(triangles);
        if (before..self.triangles).contains(&MAX_TRIANGLES) {
            self.found.errors.push(UrdfError::TooLarge {
                file: self.found.file(),
                what: "triangles in its meshes",
                limit: MAX_TRIANGLES,
            });
        }
    }

    /// A shape whose mesh can't be had.
    fn without(
        &mut self,
        link: &str,
        mesh: MeshRef,
        error: UrdfError,
        purpose: Purpose,
    ) -> Option<Geometry> {
        match (purpose, self.missing) {
            (Purpose::Visual, _) => {
                self.report(error, purpose);
                // Which file it should have been is still worth showing.
                Some(Geometry::Mesh(mesh))
            }
            (Purpose::Collision, MissingMesh::Refuse) => {
                self.report(error, purpose);
                None
            }
            (Purpose::Collision, MissingMesh::Skip) => {
                let text = format!("collision mesh `{}` left out, as asked", mesh.uri);
                self.found.note(NoteKind::Changed, &Place::link(link), text);
                None
            }
            (Purpose::Collision, MissingMesh::Box) => {
                self.boxed.push(mesh.uri);
                None
            }
        }
    }

    /// The box in place of a link's missing collision meshes: around its visual shapes, else the one with its inertia.
    pub(super) fn stand_in(
        &mut self,
        link: &str,
        visuals: &[Shape],
        inertial: Option<&Inertial>,
    ) -> Option<Shape> {
        let missing = std::mem::take(&mut self.boxed);
        let first = missing.first()?;
        let more = match missing.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let around = self
            .around(visuals)
            .map(|shape| (shape, "around its visual shapes"));
        let made = around.or_else(|| Some((equivalent(inertial?)?, "of its mass and inertia")));
        let (shape, how) = made.unzip();
        let what = match how {
            Some(how) => format!("a box {how} stands in, as asked"),
            None => "left out: neither visual shapes nor an inertia say how large it is".into(),
        };
        let text = format!("collision mesh `{first}`{more}: {what}");
        self.found.note(NoteKind::Changed, &Place::link(link), text);
        shape
    }

    /// The box around visual shapes: in the axes of the only one, else in those of the link.
    fn around(&mut self, visuals: &[Shape]) -> Option<Shape> {
        let mut boxes = Vec::new();
        for shape in visuals {
            let geometry = self.with_triangles(&shape.geometry);
            boxes.extend(geometry.bounds().map(|bounds| (shape.origin, bounds)));
        }
        if let [(origin, bounds)] = boxes[..] {
            return cuboid(&origin, bounds);
        }
        let corners = boxes.iter().flat_map(|(origin, (low, high))| {
            (0..8).map(move |k: usize| {
                let pick = |i: usize| if k >> i & 1 == 0 { low[i] } else { high[i] };
                origin * Point3::new(pick(0), pick(1), pick(2))
            })
        });
        let bounds = corners
            .map(|p| (p, p))
            .reduce(|(low, high), (p, _)| (low.inf(&p), high.sup(&p)))?;
        cuboid(&Isometry3::identity(), bounds)
    }

    /// A shape with the triangles of its mesh, where they can be had.
    fn with_triangles(&mut self, geometry: &Geometry) -> Geometry {
        let mut out = geometry.clone();
        if let Geometry::Mesh(reference) = &mut out
            && reference.mesh.is_none()
            && let Some(path) = &reference.path
        {
            reference.mesh = self.load(path).ok();
        }
        out
    }

    /// Says which meshes were not where the file says.
    pub(super) fn tell_tails(&mut self) {
        for ((purpose, before, folder), (count, link)) in std::mem::take(&mut self.elsewhere) {
            let meshes = if count == 1 {
                "a mesh".into()
            } else {
                format!("{count} meshes")
            };
            let whose = match purpose {
                Purpose::Collision => "collision",
                Purpose::Visual => "visual",
            };
            let text = format!(
                "{meshes} of {whose} shapes under `{before}` not found there; taken from {}",
                folder.display()
            );
            let place = Place::link(&link);
            match purpose {
                Purpose::Collision => self.found.repaired(&place, text),
                Purpose::Visual => self.found.note(NoteKind::Assumed, &place, text),
            }
        }
    }
}

/// A box by its corners in the axes of `origin`.
fn cuboid(origin: &Isometry3<f64>, (low, high): (Point3<f64>, Point3<f64>)) -> Option<Shape> {
    let size = high - low;
    let fits = size.iter().all(|x| x.is_finite()) && size.max() > 0.0;
    let mut geometry = Geometry::Box { size };
    geometry.mend_extents(inertia::FLATTEST);
    let centre = nalgebra::center(&low, &high).coords;
    fits.then(|| Shape {
        name: None,
        origin: origin * Isometry3::from_parts(centre.into(), UnitQuaternion::identity()),
        geometry,
        color: None,
    })
}

/// The uniform box with a mass and an inertia: edge_i^2 = 6 (I_j + I_k - I_i) / m.
fn equivalent(inertial: &Inertial) -> Option<Shape> {
    let eigen = inertia::nearest(&inertial.inertia).symmetric_eigen();
    let mut axes = eigen.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(2).neg_mut();
    }
    let moments = eigen.eigenvalues;
    let squares = (Vector3::repeat(moments.sum()) - moments * 2.0) * (6.0 / inertial.mass);
    let half = squares.map(|x| x.max(0.0).sqrt() / 2.0);
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    let origin = Isometry3::from_parts(inertial.com.into(), turn);
    let fits = inertial.mass > 0.0 && half.iter().all(|x| x.is_finite());
    fits.then(|| cuboid(&origin, (Point3::from(-half), Point3::from(half))))?
}
