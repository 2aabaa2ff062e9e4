//! STL, ASCII and binary. The two are told apart by the file size, never by the header alone:
//! some writers start the 80-byte header of a binary file with `solid`.

use super::triangles::{TriMesh, Welder};

const HEADER: usize = 84;
const FACET: usize = 50;

pub(super) fn parse(bytes: &[u8]) -> Result<TriMesh, String> {
    let facets = bytes
        .get(80..HEADER)
        .and_then(|b| <[u8; 4]>::try_from(b).ok())
        .map(|b| u32::from_le_bytes(b) as usize);
    let binary_size = facets
        .and_then(|n| n.checked_mul(FACET))
        .map(|n| n + HEADER);
    if binary_size == Some(bytes.len()) {
        return binary(bytes);
    }
    let looks_ascii = bytes.trim_ascii_start().starts_with(b"solid");
    if looks_ascii && let Ok(text) = std::str::from_utf8(bytes) {
        return ascii(text);
    }
    match (facets, binary_size) {
        // Some writers append colour tables or padding.
        (Some(n), Some(size)) if n > 0 && size < bytes.len() => binary(&bytes[..size]),
        (Some(n), _) => Err(format!(
            "binary STL announces {n} facets but holds {} bytes: truncated or not an STL",
            bytes.len()
        )),
        (None, _) => Err(format!("{} bytes are too few for an STL", bytes.len())),
    }
}

/// `bytes` is exactly one header and a whole number of facets.
fn binary(bytes: &[u8]) -> Result<TriMesh, String> {
    let mut out = Welder::default();
    for facet in bytes[HEADER..].chunks_exact(FACET) {
        let mut corners = [[0.0; 3]; 3];
        // Twelve bytes of normal, then three corners.
        for (k, word) in facet[12..48].chunks_exact(4).enumerate() {
            let word = <[u8; 4]>::try_from(word).map_err(|e| e.to_string())?;
            corners[k / 3][k % 3] = f64::from(f32::from_le_bytes(word));
        }
        out.triangle(corners)?;
    }
    Ok(out.mesh)
}

fn ascii(text: &str) -> Result<TriMesh, String> {
    let mut out = Welder::default();
    let mut corners: Vec<[f64; 3]> = Vec::new();
    for (line_no, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("vertex") => {
                let mut p = [0.0; 3];
                for x in &mut p {
                    *x = words
                        .next()
                        .and_then(|w| w.parse().ok())
                        .ok_or_else(|| format!("line {}: three numbers expected", line_no + 1))?;
                }
                corners.push(p);
            }
            Some("endloop") => {
                let n = corners.len();
                let t = <[[f64; 3]; 3]>::try_from(std::mem::take(&mut corners))
                    .map_err(|_| format!("line {}: facet with {n} corners", line_no + 1))?;
                out.triangle(t)?;
            }
            _ => {}
        }
    }
    if corners.is_empty() {
        Ok(out.mesh)
    } else {
        Err("the last facet is cut off".into())
    }
}
