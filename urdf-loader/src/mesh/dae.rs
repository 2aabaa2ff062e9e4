//! COLLADA: the triangles of every geometry that the file's scene instantiates, each moved by the
//! transforms of its node and the nodes above it, in metres with z up.
//!
//! Read: `<asset>` unit and up_axis; triangles, polylist, polygons, tristrips, trifans; matrix,
//! translate, rotate, scale; instance_geometry, instance_node. Skinned controllers and splines have
//! no place in a rigid robot and are passed over.

use std::{collections::HashMap, rc::Rc};

use nalgebra::{Matrix4, Point3, Rotation3, Unit, Vector3};
use roxmltree::{Document, Node, NodeId, ParsingOptions};

use super::triangles::{TriMesh, Welder};

/// Nodes that a COLLADA scene instantiates, each counted as often as it is.
pub const MAX_INSTANCES: usize = 100_000;

/// Nested `instance_node`s deeper than this are a circle.
const MAX_DEPTH: usize = 64;

/// Bytes of text that the walk over the scene may read; every child of a node costs [`STEP`] more.
/// Ten times what a scene within the other bounds needs.
const MAX_WORK: usize = 1 << 30;

/// Cost of a look at a child of a node.
const STEP: usize = 64;

/// Indices per corner: many times the inputs that COLLADA knows.
const MAX_STRIDE: usize = 1024;

type Ids<'a> = HashMap<&'a str, Node<'a, 'a>>;

pub(super) fn parse(text: &str) -> Result<TriMesh, String> {
    // Entities can stand for each other and blow up; no mesh needs them.
    if text.contains("<!ENTITY") {
        return Err("declares an XML entity; write its value out".into());
    }
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options)
        .map_err(|e| format!("not well-formed XML: {e}"))?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(format!(
            "root element is <{}>, not <COLLADA>",
            root.tag_name().name()
        ));
    }
    let ids: Ids = root
        .descendants()
        .filter_map(|n| n.attribute("id").map(|id| (id, n)))
        .collect();
    let to_metres = asset_transform(root)?;
    let mut reader = Reader {
        ids: &ids,
        geometries: HashMap::new(),
        positions: HashMap::new(),
        instances: 0,
        work: 0,
        out: TriMesh::default(),
    };
    for node in scene(root, &ids)?.children().filter(|n| named(n, "node")) {
        reader.walk(node, &to_metres, 0)?;
    }
    Ok(reader.out)
}

/// A walk over the scene. What is named more than once is read once.
struct Reader<'a, 'i> {
    ids: &'i Ids<'a>,
    geometries: HashMap<NodeId, Rc<TriMesh>>,
    /// By `<vertices>` element and by `<source>`.
    positions: HashMap<NodeId, Rc<Vec<[f64; 3]>>>,
    instances: usize,
    work: usize,
    out: TriMesh,
}

/// The scene that `<scene>` names, or the only library scene.
fn scene<'a>(root: Node<'a, 'a>, ids: &Ids<'a>) -> Result<Node<'a, 'a>, String> {
    if let Some(instance) = root
        .descendants()
        .find(|n| named(n, "instance_visual_scene"))
    {
        return target(instance, "url", ids);
    }
    root.descendants()
        .find(|n| named(n, "visual_scene"))
        .ok_or_else(|| "has no visual_scene".into())
}

/// Unit and up-axis: file axes to metres, z up. Absent up_axis means y up (COLLADA 1.4, asset).
fn asset_transform(root: Node) -> Result<Matrix4<f64>, String> {
    let asset = child(root, "asset");
    let unit = asset
        .and_then(|a| child(a, "unit"))
        .and_then(|u| u.attribute("meter"));
    let metres: f64 = match unit {
        Some(word) => word
            .trim()
            .parse()
            .map_err(|_| format!("unit meter=\"{word}\""))?,
        None => 1.0,
    };
    if !(metres.is_finite() && metres > 0.0) {
        return Err(format!("unit of {metres} m"));
    }
    let up = asset
        .and_then(|a| child(a, "up_axis"))
        .and_then(|n| n.text())
        .map(str::trim);
    #[rustfmt::skip]
    let turn = match up {
        Some("Z_UP") => Matrix4::identity(),
        // Right is -y, in is z: (x, y, z) -> (-y, x, z).
        Some("X_UP") => Matrix4::new(
            0.0, -1.0, 0.0, 0.0,
            1.0, 0.0, 0.0, 0.0,
            0.0, 0.0, 1.0, 0.0,
            0.0, 0.0, 0.0, 1.0,
        ),
        // (x, y, z) -> (x, -z, y).
        None | Some("Y_UP") => Matrix4::new(
            1.0, 0.0, 0.0, 0.0,
            0.0, 0.0, -1.0, 0.0,
            0.0, 1.0, 0.0, 0.0,
            0.0, 0.0, 0.0, 1.0,
        ),
        Some(other) => return Err(format!("up_axis `{other}` is unknown")),
    };
    Ok(turn * Matrix4::new_scaling(metres))
}

impl<'a> Reader<'a, '_> {
    fn walk(
        &mut self,
        node: Node<'a, 'a>,
        above: &Matrix4<f64>,
        depth: usize,
    ) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err("nodes instantiate each other in a circle".into());
        }
        self.instances += 1;
        if self.instances > MAX_INSTANCES {
            return Err(format!("instantiates more than {MAX_INSTANCES} nodes"));
        }
        let mut x = *above;
        for n in node.children() {
            self.work += STEP + n.text().map_or(0, str::len);
            if self.work > MAX_WORK {
                return Err("instantiates too much; reduce it".into());
            }
            match n.tag_name().name() {
                "matrix" => x *= Matrix4::from_row_slice(&exactly::<16>(n)?),
                "translate" => {
                    x *= Matrix4::new_translation(&Vector3::from(exactly::<3>(n)?));
                }
                "scale" => x *= Matrix4::new_nonuniform_scaling(&Vector3::from(exactly::<3>(n)?)),
                "rotate" => {
                    let [a, b, c, degrees] = exactly::<4>(n)?;
                    if let Some(axis) = Unit::try_new(Vector3::new(a, b, c), 0.0) {
                        x *= Rotation3::from_axis_angle(&axis, degrees.to_radians())
                            .to_homogeneous();
                    }
                }
                "lookat" | "skew" => {
                    return Err(format!(
                        "<{}> transforms are not supported",
                        n.tag_name().name()
                    ));
                }
                "node" => self.walk(n, &x, depth + 1)?,
                "instance_node" => self.walk(target(n, "url", self.ids)?, &x, depth + 1)?,
                "instance_geometry" => self.instance(target(n, "url", self.ids)?, &x)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A geometry, moved.
    fn instance(&mut self, node: Node<'a, 'a>, x: &Matrix4<f64>) -> Result<(), String> {
        let shared = match self.geometries.get(&node.id()) {
            Some(known) => known.clone(),
            None => {
                let read = Rc::new(self.geometry(node)?);
                self.geometries.insert(node.id(), read.clone());
                read
            }
        };
        let mut part = TriMesh::clone(&shared);
        for v in &mut part.vertices {
            *v = Point3::from((x * v.to_homogeneous()).xyz());
        }
        if x.fixed_view::<3, 3>(0, 0).determinant() < 0.0 {
            part.turn_over();
        }
        self.out.append(&part)
    }

    fn geometry(&mut self, geometry: Node<'a, 'a>) -> Result<TriMesh, String> {
        let mut out = Welder::default();
        let Some(mesh) = child(geometry, "mesh") else {
            return Ok(out.mesh);
        };
        for primitive in mesh.children() {
            if PRIMITIVES.contains(&primitive.tag_name().name()) {
                self.primitive(primitive, &mut out)?;
            }
        }
        Ok(out.mesh)
    }

    fn primitive(&mut self, primitive: Node<'a, 'a>, out: &mut Welder) -> Result<(), String> {
        let kind = primitive.tag_name().name();
        let (stride, offset, positions) = self.layout(primitive)?;
        let corner = |k: u32| {
            positions
                .get(k as usize)
                .copied()
                .ok_or_else(|| format!("<{kind}> names vertex {k} of {}", positions.len()))
        };
        let lists = primitive
            .children()
            .flat_map(|n| {
                if named(&n, "ph") {
                    child(n, "p")
                } else {
                    Some(n)
                }
            })
            .filter(|n| named(n, "p"))
            .map(|p| {
                let all = numbers::<u32>(p)?;
                all.chunks_exact(stride)
                    .map(|c| corner(c[offset]))
                    .collect::<Result<Vec<_>, _>>()
            })
            .collect::<Result<Vec<_>, String>>()?;
        let mut fan = |c: &[[f64; 3]]| -> Result<(), String> {
            (1..c.len().saturating_sub(1)).try_for_each(|k| out.triangle([c[0], c[k], c[k + 1]]))
        };
        match kind {
            "triangles" => {
                for c in lists.iter().flat_map(|l| l.chunks_exact(3)) {
                    fan(c)?;
                }
            }
            "polylist" => {
                let counts = child(primitive, "vcount").map_or(Ok(Vec::new()), numbers::<u32>)?;
                let mut rest = lists.first().map_or(&[][..], Vec::as_slice);
                for n in counts {
                    let (face, tail) = rest
                        .split_at_checked(n as usize)
                        .ok_or("polylist with fewer corners than its vcount")?;
                    fan(face)?;
                    rest = tail;
                }
            }
            "tristrips" => {
                for l in &lists {
                    for (k, c) in l.windows(3).enumerate() {
                        fan(&if k % 2 == 0 {
                            [c[0], c[1], c[2]]
                        } else {
                            [c[1], c[0], c[2]]
                        })?;
                    }
                }
            }
            // One polygon or fan per <p>.
            _ => lists.iter().try_for_each(|l| fan(l))?,
        }
        Ok(())
    }

    /// Indices per corner, the place of the position index among them, and the positions.
    fn layout(&mut self, primitive: Node<'a, 'a>) -> Result<Layout, String> {
        let mut stride = 0;
        let mut vertex = None;
        for input in primitive.children().filter(|n| named(n, "input")) {
            let offset: usize = match input.attribute("offset").map(str::trim) {
                None => 0,
                Some(word) => word
                    .parse()
                    .ok()
                    .filter(|offset| *offset < MAX_STRIDE)
                    .ok_or_else(|| {
                        format!(
                            "an input has offset=\"{word}\"; it must be 0 to {}",
                            MAX_STRIDE - 1
                        )
                    })?,
            };
            stride = stride.max(offset + 1);
            if input.attribute("semantic") == Some("VERTEX") {
                vertex = Some((offset, target(input, "source", self.ids)?));
            }
        }
        let (offset, vertices) = vertex.ok_or("a primitive has no VERTEX input")?;
        let positions = match self.positions.get(&vertices.id()) {
            Some(known) => known.clone(),
            None => {
                let source = source(vertices, self.ids)?;
                let read = match self.positions.get(&source.id()) {
                    Some(known) => known.clone(),
                    None => Rc::new(positions(source)?),
                };
                self.positions.insert(source.id(), read.clone());
                self.positions.insert(vertices.id(), read.clone());
                read
            }
        };
        Ok((stride, offset, positions))
    }
}

/// Indices per corner, the place of the position index among them, and the positions.
type Layout = (usize, usize, Rc<Vec<[f64; 3]>>);

/// Elements that hold triangles.
const PRIMITIVES: [&str; 5] = ["triangles", "polylist", "polygons", "tristrips", "trifans"];

/// The source of the positions of a `<vertices>` element.
fn source<'a>(vertices: Node<'a, 'a>, ids: &Ids<'a>) -> Result<Node<'a, 'a>, String> {
    let position = vertices
        .children()
        .find(|n| named(n, "input") && n.attribute("semantic") == Some("POSITION"))
        .ok_or("<vertices> has no POSITION input")?;
    target(position, "source", ids)
}

/// The positions in a source.
fn positions(source: Node) -> Result<Vec<[f64; 3]>, String> {
    let values =
        numbers::<f64>(child(source, "float_array").ok_or("a source has no float_array")?)?;
    let accessor = child(source, "technique_common").and_then(|t| child(t, "accessor"));
    let word = |name: &str, default: usize| match accessor.and_then(|a| a.attribute(name)) {
        None => Ok(default),
        Some(word) => word
            .trim()
            .parse::<usize>()
            .map_err(|e| format!("an accessor has {name}=\"{word}\": {e}")),
    };
    let (step, first) = (word("stride", 3)?, word("offset", 0)?);
    if step < 3 {
        return Err(format!("positions with {step} components"));
    }
    let values = values.get(first..).unwrap_or_default();
    Ok(values
        .chunks_exact(step)
        .map(|c| [c[0], c[1], c[2]])
        .collect())
}

fn named(n: &Node, name: &str) -> bool {
    n.tag_name().name() == name
}

fn child<'a>(n: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    n.children().find(|c| named(c, name))
}

fn target<'a>(n: Node<'a, 'a>, attribute: &str, ids: &Ids<'a>) -> Result<Node<'a, 'a>, String> {
    let url = n.attribute(attribute).unwrap_or_default();
    url.strip_prefix('#')
        .and_then(|id| ids.get(id))
        .copied()
        .ok_or_else(|| {
            format!(
                "<{}> refers to `{url}`, which is not there",
                n.tag_name().name()
            )
        })
}

fn numbers<T: std::str::FromStr>(n: Node) -> Result<Vec<T>, String> {
    n.text()
        .unwrap_or_default()
        .split_whitespace()
        .map(|w| {
            w.parse()
                .map_err(|_| format!("<{}>: `{w}` is no number", n.tag_name().name()))
        })
        .collect()
}

fn exactly<const N: usize>(n: Node) -> Result<[f64; N], String> {
    numbers::<f64>(n)?
        .try_into()
        .map_err(|_| format!("<{}> needs {N} numbers", n.tag_name().name()))
}
