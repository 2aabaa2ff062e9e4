//! The last stage: messages to a file (whole or not at all), to a viewer, or to a stream of the SDK.

use crate::error::RerunError;
use crate::program::VERSION;
use crate::sink::Sink;
#[cfg(feature = "sdk")]
use crate::stream::StreamOutlet;
use crate::viewer::{self, CONNECT_TIMEOUT, LiveOutlet, SPAWN_TIMEOUT};
use re_chunk::Chunk;
use re_log_encoding::rrd::{Encoder, EncodingOptions};
use re_log_types::{LogMsg, StoreId};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use stickslip_files::Draft;

/// Where messages go.
pub(crate) enum Outlet {
    /// A file.
    File(FileOutlet),
    /// A viewer.
    Live(LiveOutlet),
    /// A stream of the SDK.
    #[cfg(feature = "sdk")]
    Stream(StreamOutlet),
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

    /// Whether the recording has other things than what is sent here.
    pub fn is_shared(&self) -> bool {
        match self {
            Self::File(_) | Self::Live(_) => false,
            #[cfg(feature = "sdk")]
            Self::Stream(_) => true,
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
            #[cfg(feature = "sdk")]
            Self::Stream(stream) => {
                stream.send(message);
                Ok(())
            }
        }
    }

    /// Passes a chunk of a store on.
    ///
    /// # Errors
    /// As [`Self::send`], and a chunk that cannot be encoded.
    pub fn send_chunk(&mut self, id: &StoreId, chunk: Chunk) -> Result<(), RerunError> {
        #[cfg(feature = "sdk")]
        if let Self::Stream(stream) = self {
            return stream.send_chunk(id, chunk);
        }
        let message = chunk.to_arrow_msg();
        let message = message.map_err(|e| RerunError::encode(chunk.entity_path(), e))?;
        self.send(LogMsg::ArrowMsg(id.clone(), message))
    }

    /// Completes the recording: the file appears under its name, the viewer has everything.
    ///
    /// # Errors
    /// A failed write or rename, or a viewer that has gone.
    pub fn finish(&mut self) -> Result<(), RerunError> {
        match self {
            Self::File(file) => file.finish(),
            Self::Live(live) => live.finish(),
            #[cfg(feature = "sdk")]
            Self::Stream(stream) => stream.finish(),
        }
    }
}

/// A file that appears whole: a draft until the end, removed when dropped before that.
pub(crate) struct FileOutlet {
    /// The name asked for.
    path: PathBuf,
    /// `None` once finished or failed.
    encoder: Option<Encoder<BufWriter<Box<dyn Medium>>>>,
}

/// What a recording is written on; nothing is left of one that isn't kept.
pub(crate) trait Medium: Write + Send {
    /// Makes what was written last.
    fn keep(self: Box<Self>) -> std::io::Result<()>;
}

impl Medium for Draft {
    fn keep(self: Box<Self>) -> std::io::Result<()> {
        Self::keep(*self)
    }
}

impl FileOutlet {
    /// Starts a draft of `path`.
    ///
    /// # Errors
    /// [`RerunError::NotAFile`] and [`RerunError::Create`], both with the path.
    fn create(path: &Path) -> Result<Self, RerunError> {
        let draft = Draft::create(path).map_err(|source| {
            let path = path.to_owned();
            match source.kind() {
                ErrorKind::InvalidInput => RerunError::NotAFile { path },
                _ => RerunError::Create { path, source },
            }
        })?;
        Self::over(path.to_owned(), Box::new(draft))
    }

    /// An outlet over any medium.
    pub fn over(path: PathBuf, medium: Box<dyn Medium>) -> Result<Self, RerunError> {
        let mut outlet = Self {
            path,
            encoder: None,
        };
        let encoder = Encoder::new_eager(
            VERSION,
            EncodingOptions::PROTOBUF_COMPRESSED,
            BufWriter::with_capacity(1 << 18, medium),
        );
        match encoder {
            Ok(encoder) => outlet.encoder = Some(encoder),
            Err(error) => return Err(outlet.fail(error)),
        }
        Ok(outlet)
    }

    /// Gives up, which removes the draft, and says why.
    fn fail(&mut self, reason: impl std::fmt::Display) -> RerunError {
        self.encoder = None;
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
        let kept = encoder
            .into_inner()
            .map_err(|e| e.to_string())
            .and_then(|buffer| buffer.into_inner().map_err(|e| e.to_string()))
            .and_then(|medium| medium.keep().map_err(|e| e.to_string()));
        kept.map_err(|reason| self.fail(reason))
    }
}
