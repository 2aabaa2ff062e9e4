//! Any bytes are a mesh or an error: no panic, no hang, bounded memory.
//!
//! The first byte chooses the format, so that one corpus serves all three.

#![no_main]

use libfuzzer_sys::fuzz_target;
use stickslip_urdf::mesh::{MAX_TRIANGLES, MeshFormat, TriMesh};

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else {
        return;
    };
    let format = match first {
        b's' => MeshFormat::Stl,
        b'o' => MeshFormat::Obj,
        _ => MeshFormat::Dae,
    };
    let Ok(mesh) = TriMesh::from_bytes(bytes, format) else {
        return;
    };
    assert!(!mesh.triangles.is_empty() && mesh.triangles.len() <= MAX_TRIANGLES);
    let count = mesh.vertices.len();
    assert!(
        mesh.triangles
            .iter()
            .flatten()
            .all(|&i| (i as usize) < count)
    );
    let (low, high) = mesh.bounds();
    assert!((0..3).all(|k| low[k] <= high[k]));
    let _ = mesh.volume_moments();
});
