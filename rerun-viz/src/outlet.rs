//! The last stage: messages to a file (whole or not at all) or to a viewer.

use crate::error::RerunError;
use crate::sink::Sink;
use crate::viewer::{self, CONNECT_TIMEOUT, LiveOutlet, SPAWN_TIMEOUT, VERSION};
use re_log_encoding::rrd::{Encoder, EncodingOptions};
use re_log_types::LogMsg;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Where messages go.
pub(crate) enum Outlet {
    /// A file.
    File(FileOutlet),
    /// A viewer.
    Live(LiveOutlet),
}

impl Outlet {
    /// Opens the sink.
    ///
    /// # Errors
    /// A path that can't be written, a viewer that can't be started or doesn't answer.
    pub fn open(sink: &Sink) -> Result<Self, RerunError> {
        match sink {
            Sink::File(path) => FileOutlet::create(path).map(Self::File),
            Sink::Spawn => {
                viewer::start()?;
                LiveOutlet::connect(&viewer::default_address(), SPAWN_TIMEOUT).map(Self::Live)
            }
            Sink::Connect(url) => {
                let url = url.clone().unwrap_or_else(viewer::default_address);
                LiveOutlet::connect(&url, CONNECT_TIMEOUT).map(Self::Live)
            }
        }
    }

    /// Passes a message on.
    ///
    /// # Errors
    /// A failed write, or a viewer that has gone.
    pub fn send(&mut self, message: LogMsg) -> Result<(), RerunError> {
        match self {
            Self::File(file) => file.send(&message),
            Self::Live(live) => live.send(message),
        }
    }

    /// Completes the recording: the file appears under its name, the viewer has everything.
    ///
    /// # Errors
    /// A failed write or rename, or a viewer that has gone.
    pub fn finish(&mut self) -> Result<(), RerunError> {
        match self {
            Self::File(file) => file.finish(),
            Self::Live(live) => live.finish(),
        }
    }
}

/// A file that appears whole: written beside its place under another name, renamed at the end, removed
/// when dropped before that.
pub(crate) struct FileOutlet {
    /// The name asked for.
    path: PathBuf,
    /// The name it has until then.
    temporary: Option<PathBuf>,
    /// `None` once finished or failed.
    encoder: Option<Encoder<BufWriter<Box<dyn SyncWrite>>>>,
}

/// A writer that can force its bytes onto the medium.
pub(crate) trait SyncWrite: Write + Send {
    /// Forces what was written onto the medium.
    fn sync(&mut self) -> std::io::Result<()>;
}

impl SyncWrite for File {
    fn sync(&mut self) -> std::io::Result<()> {
        self.sync_all()
    }
}

impl FileOutlet {
    /// Creates the temporary file beside `path`.
    ///
    /// # Errors
    /// [`RerunError::NotAFile`] and [`RerunError::Create`], both with the path.
    fn create(path: &Path) -> Result<Self, RerunError> {
        let fail = |source| RerunError::Create {
            path: path.to_owned(),
            source,
        };
        // Renaming over a link would replace the link, over a device the device.
        let target = match path.canonicalize() {
            Ok(target) if target.is_file() => target,
            Ok(_) => {
                return Err(RerunError::NotAFile {
                    path: path.to_owned(),
                });
            }
            Err(_) => path.to_owned(),
        };
        let Some(name) = target.file_name() else {
            return Err(RerunError::NotAFile {
                path: path.to_owned(),
            });
        };
        let mut attempt = 0;
        let (temporary, file) = loop {
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{attempt}.partial", std::process::id()));
            let temporary = target.with_file_name(hidden);
            let file = OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&temporary);
            match file {
                Ok(file) => break (temporary, file),
                // A killed run with the same process id may have left one.
                Err(e) if e.kind() == ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(fail(error)),
            }
        };
        Self::over(target, Some(temporary), Box::new(file))
    }

    /// An outlet over any writer; `temporary` is renamed to `path` at the end.
    pub fn over(
        path: PathBuf,
        temporary: Option<PathBuf>,
        writer: Box<dyn SyncWrite>,
    ) -> Result<Self, RerunError> {
        let mut outlet = Self {
            path,
            temporary,
            encoder: None,
        };
        let encoder = Encoder::new_eager(
            VERSION,
            EncodingOptions::PROTOBUF_COMPRESSED,
            BufWriter::with_capacity(1 << 18, writer),
        );
        match encoder {
            Ok(encoder) => outlet.encoder = Some(encoder),
            Err(error) => return Err(outlet.fail(error)),
        }
        Ok(outlet)
    }

    /// Gives up: removes the temporary file and says why.
    fn fail(&mut self, reason: impl std::fmt::Display) -> RerunError {
        self.encoder = None;
        if let Some(temporary) = self.temporary.take() {
            // A file that can't be removed can't be mended from here either.
            let _ = std::fs::remove_file(temporary);
        }
        RerunError::Write {
            path: self.path.clone(),
            reason: reason.to_string(),
        }
    }

    fn send(&mut self, message: &LogMsg) -> Result<(), RerunError> {
        let Some(encoder) = self.encoder.as_mut() else {
            return Err(self.fail("an earlier write failed"));
        };
        match encoder.append(message) {
            Ok(_) => Ok(()),
            Err(error) => Err(self.fail(error)),
        }
    }

    fn finish(&mut self) -> Result<(), RerunError> {
        let Some(mut encoder) = self.encoder.take() else {
            return Err(self.fail("an earlier write failed"));
        };
        if let Err(error) = encoder.finish() {
            return Err(self.fail(error));
        }
        let closed = encoder
            .into_inner()
            .map_err(|e| e.to_string())
            .and_then(|mut buffer| {
                buffer.flush().map_err(|e| e.to_string())?;
                buffer.get_mut().sync().map_err(|e| e.to_string())
            });
        if let Err(reason) = closed {
            return Err(self.fail(reason));
        }
        if let Some(temporary) = &self.temporary
            && let Err(error) = std::fs::rename(temporary, &self.path)
        {
            return Err(self.fail(error));
        }
        self.temporary = None;
        Ok(())
    }
}

impl Drop for FileOutlet {
    fn drop(&mut self) {
        // The encoder writes its footer when dropped: let it, then remove the file.
        self.encoder = None;
        if let Some(temporary) = self.temporary.take() {
            let _ = std::fs::remove_file(temporary);
        }
    }
}
