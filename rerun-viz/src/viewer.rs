//! A viewer: starting one, and a connection to it.
//!
//! Over Rerun's client itself. `re_sdk` would do the same, but compiles readers of robot logs, pictures and
//! films along, which is a large share of the whole.

use crate::error::RerunError;
use crate::program::{PROGRAM, VERSION};
use crate::sink::proxy_uri;
use re_build_info::CrateVersion;
use re_grpc_client::write::{Client, ClientConnectionState, Options};
use re_log_types::LogMsg;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long a viewer may take to answer.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a freshly started viewer may take to answer.
pub(crate) const SPAWN_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a viewer may take to accept what is still on its way at the end.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(30);

/// Where a viewer listens unless told otherwise.
pub(crate) fn default_address() -> String {
    format!("127.0.0.1:{}", re_uri::DEFAULT_PROXY_PORT)
}

/// Starts a viewer at the default address, unless something listens there already. It outlives this process.
///
/// # Errors
/// [`RerunError::Spawn`].
pub(crate) fn start() -> Result<(), RerunError> {
    let port = re_uri::DEFAULT_PROXY_PORT;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    if TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).is_ok() {
        return Ok(());
    }
    // A viewer that does not tell its version is taken as it is.
    let told = Command::new(PROGRAM).arg("--version").output().ok();
    let theirs = told.and_then(|out| {
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        CrateVersion::try_parse_from_build_info_string(text).ok()
    });
    if let Some(theirs) = theirs.filter(|theirs| !theirs.is_compatible_with(VERSION)) {
        eprintln!(
            "the Rerun viewer in PATH is of version {theirs}, recordings are of {VERSION}: it may not show them"
        );
    }
    let mut command = Command::new(PROGRAM);
    command
        .stdin(Stdio::null())
        .arg(format!("--port={port}"))
        .args(["--memory-limit=75%", "--server-memory-limit=1GiB"])
        .args(["--expect-data-soon", "--hide-welcome-screen"]);
    // Ctrl-C ends the run, not the viewer.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    match command.spawn() {
        Ok(_) => Ok(()),
        Err(error) => Err(RerunError::spawn(&error)),
    }
}

/// A connection to a viewer.
pub(crate) struct LiveOutlet {
    client: Client,
    url: String,
}

impl LiveOutlet {
    /// Connects, waiting at most `timeout` for an answer.
    ///
    /// # Errors
    /// [`RerunError::Url`], [`RerunError::Connect`].
    pub fn connect(url: &str, timeout: Duration) -> Result<Self, RerunError> {
        let uri = proxy_uri(url)?;
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
        let client = Client::new(uri, Options::default());
        while matches!(client.status(), ClientConnectionState::Connecting { .. }) {
            if start.elapsed() >= timeout + CONNECT_TIMEOUT {
                return Err(fail(
                    "it listens, but does not speak Rerun's protocol".to_owned(),
                ));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let outlet = Self {
            client,
            url: url.clone(),
        };
        outlet.alive()?;
        Ok(outlet)
    }

    /// Whether the viewer is still there.
    fn alive(&self) -> Result<(), RerunError> {
        match self.client.status() {
            ClientConnectionState::Disconnected(how) => Err(self.lost(match how {
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

    /// Passes a message on.
    ///
    /// # Errors
    /// [`RerunError::Lost`].
    pub fn send(&mut self, message: LogMsg) -> Result<(), RerunError> {
        self.alive()?;
        self.client.send_blocking(message);
        Ok(())
    }

    /// Waits until the viewer has everything.
    ///
    /// # Errors
    /// [`RerunError::Lost`].
    pub fn finish(&mut self) -> Result<(), RerunError> {
        self.client
            .flush_blocking(FLUSH_TIMEOUT)
            .map_err(|error| self.lost(error.to_string()))
    }
}
