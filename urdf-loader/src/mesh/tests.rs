//! Readers against meshes written here.

use nalgebra::{Matrix3, Point3, Vector3};

use super::{triangles::Welder, *};

/// The triangles of a box, turned outwards: corner i has the larger x where bit 0 of i is set, the
/// larger y where bit 1 is, the larger z where bit 2 is.
pub(crate) const BOX: [[usize; 3]; 12] = [
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
];

/// The faces of a unit cube with a corner at the origin, turned outwards.
fn cube() -> Vec<[[f64; 3]; 3]> {
    let corner = |i: usize| [(i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64];
    BOX.iter().map(|t| t.map(corner)).collect()
}

fn binary_stl(header: &str) -> Vec<u8> {
    let mut out = vec![b' '; 80];
    out[..header.len()].copy_from_slice(header.as_bytes());
    let cube = cube();
    out.extend((cube.len() as u32).to_le_bytes());
    for t in cube {
        out.extend([0; 12]);
        for x in t.iter().flatten() {
            out.extend((*x as f32).to_le_bytes());
        }
        out.extend([0, 0]);
    }
    out
}

fn ascii_stl() -> String {
    let mut out = String::from("solid cube\n");
    for t in cube() {
        out += "facet normal 0 0 0\n outer loop\n";
        for [x, y, z] in t {
            out += &format!("  vertex {x:e} {y} {z}\n");
        }
        out += " endloop\nendfacet\n";
    }
    out + "endsolid cube\n"
}

#[track_caller]
fn is_unit_cube(mesh: &TriMesh) {
    assert_eq!(mesh.vertices.len(), 8);
    assert_eq!(mesh.triangles.len(), 12);
    let v = mesh.volume_moments().expect("closed, turned outwards");
    assert!((v.volume - 1.0).abs() < 1e-15);
    assert!((v.centroid - Vector3::repeat(0.5)).norm() < 1e-15);
    // m s^2 / 6.
    assert!((v.inertia - Matrix3::identity() / 6.0).norm() < 1e-15);
}

#[test]
fn stl_in_every_dress() {
    is_unit_cube(&stl::parse(ascii_stl().as_bytes()).unwrap());
    is_unit_cube(&stl::parse(&binary_stl("made here")).unwrap());
    // The trap: a binary file whose header begins like an ASCII one.
    is_unit_cube(&stl::parse(&binary_stl("solid made by a CAD program")).unwrap());
    // Trailing bytes.
    let mut long = binary_stl("made here");
    long.extend([0; 7]);
    is_unit_cube(&stl::parse(&long).unwrap());
    let mut long = binary_stl("solid with trailing bytes");
    long.extend([0xff; 7]);
    is_unit_cube(&stl::parse(&long).unwrap());
}

#[test]
fn stl_cut_short() {
    let whole = binary_stl("made here");
    assert!(
        stl::parse(&whole[..whole.len() - 1])
            .unwrap_err()
            .contains("truncated")
    );
    assert!(
        stl::parse(b"solid x\nfacet\nouter loop\nvertex 0 0\n")
            .unwrap_err()
            .contains("line 4")
    );
    let open = "solid x\nvertex 0 0 0\nvertex 0 0 1\nendloop\n";
    assert!(
        stl::parse(open.as_bytes())
            .unwrap_err()
            .contains("2 corners")
    );
}

#[test]
fn obj_with_two_objects_and_every_index_form() {
    let text = "# two objects\no lower\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\n\
                v 0 1 1\nv 1 1 1\nvt 0 0\nvn 0 0 1\nf 1/1/1 3/1/1 4/1/1 2/1/1\nf 5//1 6//1 8//1 7//1\n\
                o upper\ng sides\nf 1 2 6 5\nf -6 -2 -1 -5\nf 1/1 5/1 7/1 3/1\nf 2 4 \\\n 8 6\n";
    is_unit_cube(&obj::parse(text).unwrap());
    // An edge that was written as a face encloses nothing.
    let edge = obj::parse("v 0 0 0\nv 1 0 0\nf 1 2\n").unwrap();
    assert!(edge.triangles.is_empty());
    assert!(
        obj::parse("v 0 0 0\nf 1 1 0\n")
            .unwrap_err()
            .contains("`0`")
    );
}

/// A cube as COLLADA with the given asset, primitive and scene.
fn dae_text(asset: &str, primitive: &str, scene: &str) -> String {
    let positions = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1";
    format!(
        r##"<?xml version="1.0"?>
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
        <asset>{asset}</asset>
        <library_geometries><geometry id="g"><mesh>
          <source id="p"><float_array id="pa" count="24">{positions}</float_array>
            <technique_common><accessor source="#pa" count="8" stride="3"/></technique_common></source>
          <source id="n"><float_array id="na" count="3">0 0 1</float_array></source>
          <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
          {primitive}
        </mesh></geometry></library_geometries>
        <library_visual_scenes><visual_scene id="s">{scene}</visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>"##
    )
}

/// Each face as four position indices, with a normal index behind each.
fn polylist() -> String {
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let p: String = quads.iter().flatten().map(|i| format!("{i} 0 ")).collect();
    format!(
        r##"<polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/>
        <input semantic="NORMAL" source="#n" offset="1"/>
        <vcount>4 4 4 4 4 4</vcount><p>{p}</p></polylist>"##
    )
}

const INSTANCE: &str = r##"<instance_geometry url="#g"/>"##;
const Z_UP: &str = "<up_axis>Z_UP</up_axis>";

#[test]
fn dae_primitives() {
    let node = format!("<node>{INSTANCE}</node>");
    let read = |primitive: &str| dae::parse(&dae_text(Z_UP, primitive, &node)).unwrap();
    is_unit_cube(&read(&polylist()));
    let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    let triangles: String = read(&polylist())
        .triangles
        .iter()
        .flatten()
        .map(|&i| {
            // Back to the order of the file.
            let v = read(&polylist()).vertices[i as usize];
            format!("{} ", (v.x + 2.0 * v.y + 4.0 * v.z) as usize)
        })
        .collect();
    is_unit_cube(&read(&format!(
        "<triangles count='12'>{input}<p>{triangles}</p></triangles>"
    )));
    let quads = [
        "0 2 3 1", "4 5 7 6", "0 1 5 4", "2 6 7 3", "0 4 6 2", "1 3 7 5",
    ];
    let each: String = quads.iter().map(|q| format!("<p>{q}</p>")).collect();
    is_unit_cube(&read(&format!(
        "<polygons count='6'>{input}{each}</polygons>"
    )));
    is_unit_cube(&read(&format!(
        "<trifans count='6'>{input}{each}</trifans>"
    )));
    // A quad a b c d is the strip a b d c.
    let strips: String = quads
        .iter()
        .map(|q| {
            let c: Vec<_> = q.split(' ').collect();
            format!("<p>{} {} {} {}</p>", c[0], c[1], c[3], c[2])
        })
        .collect();
    is_unit_cube(&read(&format!(
        "<tristrips count='6'>{input}{strips}</tristrips>"
    )));
}

/// Nested nodes, centimetres, y up and a mirror: each corner where hand calculation puts it.
#[test]
fn dae_transforms_units_and_axes() {
    let scene = format!(
        "<node><translate>100 0 0</translate><node><rotate>0 0 1 90</rotate>\
         <scale>-200 100 100</scale>{INSTANCE}</node></node>"
    );
    let asset = "<unit meter='0.01'/><up_axis>Y_UP</up_axis>";
    let mesh = dae::parse(&dae_text(asset, &polylist(), &scene)).unwrap();
    // Corner (1, 1, 1): scaled (-200, 100, 100), turned (-100, -200, 100), moved (0, -200, 100);
    // metres (0, -2, 1), z up (x, -z, y) = (0, -1, -2). Corner 0: (100, 0, 0) -> (1, 0, 0).
    let (low, high) = mesh.bounds();
    assert!((low - Point3::new(0.0, -1.0, -2.0)).norm() < 1e-14, "{low}");
    assert!((high - Point3::new(1.0, 0.0, 0.0)).norm() < 1e-14, "{high}");
    // The mirror would turn the cube inside out: the winding is mended.
    let v = mesh.volume_moments().expect("turned outwards");
    assert!((v.volume - 2.0).abs() < 1e-14);
}

#[test]
fn dae_matrix_library_nodes_and_x_up() {
    let scene = "<node><matrix>1 0 0 3 0 1 0 0 0 0 1 0 0 0 0 1</matrix>\
                 <instance_node url='#lib'/></node>";
    let text = dae_text("<up_axis>X_UP</up_axis>", &polylist(), scene).replace(
        "<library_visual_scenes>",
        &format!(
            "<library_nodes><node id='lib'>{INSTANCE}</node></library_nodes><library_visual_scenes>"
        ),
    );
    let (low, high) = dae::parse(&text).unwrap().bounds();
    // x is up: (x, y, z) -> (-y, x, z) with x in 3..4.
    assert_eq!(
        (low, high),
        (Point3::new(-1.0, 3.0, 0.0), Point3::new(0.0, 4.0, 1.0))
    );
}

#[test]
fn dae_faults() {
    let node = format!("<node>{INSTANCE}</node>");
    for (text, word) in [
        ("<COLLADA".to_string(), "XML"),
        ("<robot/>".to_string(), "<COLLADA>"),
        (
            dae_text(Z_UP, "", "<node><instance_geometry url='#x'/></node>"),
            "#x",
        ),
        (dae_text("<up_axis>W_UP</up_axis>", "", &node), "W_UP"),
        (dae_text("<unit meter='0'/>", "", &node), "0 m"),
        (
            dae_text(Z_UP, "", "<node><scale>1 2</scale></node>"),
            "3 numbers",
        ),
        (
            dae_text(Z_UP, "", "<node id='c'><instance_node url='#c'/></node>"),
            "circle",
        ),
        (
            dae_text(Z_UP, &polylist().replace("0 0 2 0", "9 0 2 0"), &node),
            "vertex 9",
        ),
    ] {
        let error = dae::parse(&text).unwrap_err();
        assert!(error.contains(word), "`{word}` is missing in `{error}`");
    }
}

#[test]
fn welding_keeps_the_sign_of_zero_out() {
    let mut w = Welder::default();
    w.triangle([[0.0, 0.0, 0.0], [-0.0, 1.0, 0.0], [-0.0, 0.0, -0.0]])
        .unwrap();
    assert_eq!(w.mesh.vertices.len(), 2);
}

/// One mirror turns triangles over, a second one back: outwards the volume is positive, here
/// 2 * 3 * 4 times the cube's, about the centre of a box from 0 to the factors.
#[test]
fn mirrored_scales_stay_turned_outwards() {
    let mesh = stl::parse(&binary_stl("cube")).unwrap();
    for signs in 0..8 {
        let sign = |axis: usize| if signs >> axis & 1 == 1 { -1.0 } else { 1.0 };
        let scale = Vector3::new(2.0 * sign(0), 3.0 * sign(1), 4.0 * sign(2));
        let v = mesh.scaled(&scale).volume_moments().expect("outwards");
        assert!((v.volume - 24.0).abs() < 1e-12, "{scale}");
        assert!((v.centroid - scale / 2.0).norm() < 1e-14, "{scale}");
        let moments = Vector3::new(25.0, 20.0, 13.0) * (24.0 / 12.0);
        let expected = Matrix3::from_diagonal(&moments);
        assert!((v.inertia - expected).norm() < 1e-12, "{}", v.inertia);
    }
}

/// A scene whose nodes instance each other twice each, 60 deep, is 2^60 cubes: refused, not built.
#[test]
fn dae_bombs() {
    let level = |k: usize| {
        let next = k + 1;
        let two = format!("<instance_node url='#n{next}'/>").repeat(2);
        format!("<node id='n{k}'>{two}</node>")
    };
    let levels: String = (0..60).map(level).collect();
    for last in [
        "<node id='n60'><instance_geometry url='#g'/></node>",
        "<node id='n60'/>",
    ] {
        let scene = format!("{levels}{last}");
        let error = dae::parse(&dae_text("", &polylist(), &scene)).unwrap_err();
        assert!(error.contains("instantiates more than 100000"), "{error}");
    }
    // Few nodes with long texts, walked over and over. The bound counts texts before it reads them; this one is
    // not read, so that the test takes no minute.
    let long = format!(
        "<node id='l'><extra>{}1 0 0</extra></node>",
        " ".repeat(1 << 20)
    );
    let many = "<instance_node url='#l'/>".repeat(2_000);
    let scene = format!("{long}<node>{many}</node>");
    let error = dae::parse(&dae_text("", &polylist(), &scene)).unwrap_err();
    assert!(error.contains("instantiates too much"), "{error}");
    let entity = "<!DOCTYPE COLLADA [<!ENTITY e 'x'>]><COLLADA>&e;</COLLADA>";
    assert!(dae::parse(entity).unwrap_err().contains("entity"));
}

#[test]
fn dae_layouts_that_make_no_sense() {
    let read = |from: &str, to: &str| {
        let text = dae_text(
            "",
            &polylist(),
            "<node><instance_geometry url='#g'/></node>",
        );
        assert!(text.contains(from), "{from}");
        dae::parse(&text.replace(from, to))
    };
    let offset = "offset=\"0\"";
    for wrong in [
        u64::MAX.to_string(),
        "1024".into(),
        "-1".into(),
        "1e3".into(),
    ] {
        let error = read(offset, &format!("offset='{wrong}'")).unwrap_err();
        assert!(
            error.contains(&wrong) && error.contains("0 to 1023"),
            "{error}"
        );
    }
    for (wrong, word) in [
        ("0", "0 components"),
        ("-3", "stride=\"-3\""),
        ("2", "2 components"),
    ] {
        let error = read("stride=\"3\"", &format!("stride='{wrong}'")).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
    // More than there is: no positions, so the first triangle names one that isn't there.
    let most = usize::MAX;
    for large in [
        format!("stride='{most}'"),
        format!("stride='3' offset='{most}'"),
    ] {
        assert!(
            read("stride=\"3\"", &large)
                .unwrap_err()
                .contains("names vertex")
        );
    }
}

/// As many triangles as may be, then one more; and a file that is too long.
#[test]
fn meshes_are_bounded() {
    let mut mesh = TriMesh {
        vertices: vec![Point3::origin()],
        triangles: vec![[0; 3]; MAX_TRIANGLES],
    };
    assert!(mesh.append(&TriMesh::default()).is_ok());
    let one = TriMesh {
        vertices: vec![Point3::origin()],
        triangles: vec![[0; 3]],
    };
    assert!(mesh.append(&one).unwrap_err().contains("5000000 triangles"));
    let mut welder = Welder::default();
    welder.mesh = mesh;
    assert!(welder.triangle([[0.0; 3]; 3]).is_err());
    let long = vec![b' '; MAX_BYTES + 1];
    let error = TriMesh::from_bytes(&long, MeshFormat::Obj).unwrap_err();
    assert!(error.contains("256 MiB"), "{error}");
    // What has no end is not read.
    let folder = std::env::temp_dir().join(format!("stickslip-mesh-{}.stl", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let error = TriMesh::read(&folder).unwrap_err();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(error.contains("regular file"), "{error}");
}
