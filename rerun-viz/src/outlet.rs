//! The last stage: messages to a file (whole or not at all) or to a viewer.

use crate::error::RerunError;
use crate::sink::{Sink, proxy_uri};
use re_sdk::external::re_log_encoding::rrd::{Encoder, EncodingOptions};
use re_sdk::external::re_uri::ProxyUri;
use re_sdk::log::LogMsg;
use re_sdk::sink::{GrpcSink, GrpcSinkConnectionState, LogSink as _};
use std::io::{BufWriter, ErrorKind, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stickslip_files::Draft;

/// How long a viewer may take to answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a freshly started viewer may take to answer.
const SPAWN_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a viewer may take to accept what is still on its way at the end.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(30);

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
                let info = re_sdk::spawn(&re_sdk::SpawnOptions {
                    hide_welcome_screen: true,
                    ..Default::default()
                })
                .map_err(Box::new)?;
                let uri = proxy_uri(&format!("127.0.0.1:{}", info.port))?;
                LiveOutlet::connect(uri, SPAWN_TIMEOUT).map(Self::Live)
            }
            Sink::Connect(url) => {
                let uri = proxy_uri(url.as_deref().unwrap_or(re_sdk::DEFAULT_CONNECT_URL))?;
                LiveOutlet::connect(uri, CONNECT_TIMEOUT).map(Self::Live)
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
            re_sdk::build_info().version,
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

/// A connection to a viewer.
pub(crate) struct LiveOutlet {
    sink: GrpcSink,
    url: String,
}

impl LiveOutlet {
    /// Connects, waiting at most `timeout` for an answer.
    fn connect(uri: ProxyUri, timeout: Duration) -> Result<Self, RerunError> {
        let url = uri.to_string();
        let address = format!("{}:{}", uri.origin.host, uri.origin.port);
        let fail = |reason: String| RerunError::Connect {
            url: url.clone(),
            reason,
        };
        // The client retries for ever on its own; so first see whether anybody listens.
        let start = Instant::now();
        loop {
            let attempt = address
                .to_socket_addrs()
                .and_then(|mut all| all.next().ok_or_else(|| ErrorKind::NotFound.into()))
                .and_then(|one| TcpStream::connect_timeout(&one, CONNECT_TIMEOUT));
            match attempt {
                Ok(_) => break,
                Err(error) if start.elapsed() >= timeout => return Err(fail(error.to_string())),
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
        let sink = GrpcSink::new(uri);
        while matches!(sink.status(), GrpcSinkConnectionState::Connecting { .. }) {
            if start.elapsed() >= timeout + CONNECT_TIMEOUT {
                return Err(fail(
                    "it listens, but does not speak Rerun's protocol".to_owned(),
                ));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let outlet = Self {
            sink,
            url: url.clone(),
        };
        outlet.alive()?;
        Ok(outlet)
    }

    /// Whether the viewer is still there.
    fn alive(&self) -> Result<(), RerunError> {
        match self.sink.status() {
            GrpcSinkConnectionState::Disconnected(how) => Err(self.lost(match how {
                Ok(()) => "it closed the connection".to_owned(),
                Err(error) => error.to_string(),
            })),
            _ => Ok(()),
        }
    }

    fn lost(&self, reason: String) -> RerunError {
        RerunError::Lost {
            url: self.url.clone(),
            reason,
        }
    }

    fn send(&mut self, message: LogMsg) -> Result<(), RerunError> {
        self.alive()?;
        self.sink.send(message);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RerunError> {
        self.sink
            .flush_blocking(FLUSH_TIMEOUT)
            .map_err(|error| self.lost(error.to_string()))
    }
}
