//! Wavefront OBJ: positions and faces of all objects and groups in the file, as one mesh.
//! Normals, texture coordinates, materials, lines and points are passed over.

use super::triangles::{TriMesh, Welder};

pub(super) fn parse(text: &str) -> Result<TriMesh, String> {
    let mut positions: Vec<[f64; 3]> = Vec::new();
    let mut out = Welder::default();
    // A backslash at the end of a line continues it.
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    for (line_no, line) in joined.lines().enumerate() {
        let at = |what: &str| format!("line {}: {what}", line_no + 1);
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut p = [0.0; 3];
                for x in &mut p {
                    *x = words
                        .next()
                        .and_then(|w| w.parse().ok())
                        .ok_or_else(|| at("three numbers expected"))?;
                }
                positions.push(p);
            }
            Some("f") => {
                let face = words
                    .map(|w| corner(w, &positions).ok_or_else(|| at(&format!("bad corner `{w}`"))))
                    .collect::<Result<Vec<_>, _>>()?;
                // Fewer than three corners enclose nothing.
                for k in 1..face.len().saturating_sub(1) {
                    out.triangle([face[0], face[k], face[k + 1]])?;
                }
            }
            _ => {}
        }
    }
    Ok(out.mesh)
}

/// `7`, `7/1`, `7/1/3`, `7//3`; counted from 1, or from the latest vertex when negative.
fn corner(word: &str, positions: &[[f64; 3]]) -> Option<[f64; 3]> {
    let i: i64 = word.split('/').next()?.parse().ok()?;
    let k = if i < 0 {
        i64::try_from(positions.len()).ok()? + i
    } else {
        i - 1
    };
    positions.get(usize::try_from(k).ok()?).copied()
}
