//! Triangle meshes: STL (ASCII and binary), OBJ and COLLADA (DAE) to one plain type.

mod dae;
mod obj;
mod stl;
#[cfg(test)]
pub(crate) mod tests;
mod triangles;

use std::{io::Read, path::Path};

pub use dae::MAX_INSTANCES;
pub use triangles::{MAX_TRIANGLES, TriMesh, VolumeMoments};

/// Bytes of a mesh file: tens of times the largest of public robots.
pub const MAX_BYTES: usize = 256 << 20;

/// The formats of mesh files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MeshFormat {
    /// STL, ASCII or binary.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// COLLADA.
    Dae,
}

impl MeshFormat {
    /// The format of a file by its extension (`stl`, `obj`, `dae`, any case).
    ///
    /// # Errors
    /// A sentence that names the extension and what to do.
    pub fn of(path: &Path) -> Result<Self, String> {
        let extension = path
            .extension()
            .map(|e| e.to_string_lossy().to_lowercase())
            .unwrap_or_default();
        match extension.as_str() {
            "stl" => Ok(Self::Stl),
            "obj" => Ok(Self::Obj),
            "dae" => Ok(Self::Dae),
            other => Err(format!(
                "format `{other}` is not supported; convert it to STL, OBJ or DAE"
            )),
        }
    }
}

impl TriMesh {
    /// Reads a mesh file; the format follows from the extension (`stl`, `obj`, `dae`, any case).
    ///
    /// COLLADA files are brought to metres and z up as their `<asset>` says. STL and OBJ are taken
    /// as they are. Cost: linear in the file size and in what a COLLADA scene instantiates.
    ///
    /// # Errors
    /// A sentence about what is wrong: unreadable file, unknown extension, malformed content,
    /// no triangles, a vertex that is not finite, or more than [`MAX_BYTES`], [`MAX_TRIANGLES`] or
    /// [`MAX_INSTANCES`].
    pub fn read(path: &Path) -> Result<Self, String> {
        let format = MeshFormat::of(path)?;
        let unreadable = |e: std::io::Error| format!("cannot be read: {e}");
        let file = std::fs::File::open(path).map_err(unreadable)?;
        if !file.metadata().map_err(unreadable)?.is_file() {
            return Err("is not a regular file".into());
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        Self::from_bytes(&bytes, format)
    }

    /// The same from the content of a file.
    ///
    /// # Errors
    /// As [`TriMesh::read`].
    pub fn from_bytes(bytes: &[u8], format: MeshFormat) -> Result<Self, String> {
        if bytes.len() > MAX_BYTES {
            return Err(format!("is larger than {} MiB; reduce it", MAX_BYTES >> 20));
        }
        let mesh = match format {
            MeshFormat::Stl => stl::parse(bytes)?,
            MeshFormat::Obj => obj::parse(&text(bytes)?)?,
            MeshFormat::Dae => dae::parse(&text(bytes)?)?,
        };
        if mesh.triangles.is_empty() {
            return Err("has no triangles".into());
        }
        match mesh
            .vertices
            .iter()
            .position(|v| !v.coords.iter().all(|x| x.is_finite()))
        {
            Some(i) => Err(format!("vertex {i} is not finite")),
            None => Ok(mesh),
        }
    }
}

fn text(bytes: &[u8]) -> Result<String, String> {
    // A byte-order mark is legal in both text formats and confuses their readers.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Ok(String::from_utf8_lossy(bytes).into_owned())
}
