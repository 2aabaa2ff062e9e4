//! Where a recording goes, and the command's words for it.

use crate::error::RerunError;
use re_uri::ProxyUri;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a recording goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sink {
    /// To a file, which appears under its name when the recording is finished.
    File(PathBuf),
    /// To a viewer started for it, or to the one already listening at the default port. Needs `rerun`
    /// on the search path.
    Spawn,
    /// To a running viewer, at the default address if none is given.
    Connect(Option<String>),
}

impl Sink {
    /// Reads the command's text `off | FILE.rrd | spawn | connect | connect=URL`; `off` is `None`.
    ///
    /// `URL` is `rerun+http://HOST:PORT/proxy`, or short `HOST:PORT`.
    ///
    /// # Errors
    /// [`RerunError::Sink`] for any other word (a file name must end in `.rrd`, so that a misspelt
    /// `spawn` never becomes a file), [`RerunError::Url`] for a malformed address.
    pub fn parse(text: &str) -> Result<Option<Self>, RerunError> {
        let refuse = |reason: &str| {
            Err(RerunError::Sink {
                text: text.to_owned(),
                reason: reason.to_owned(),
            })
        };
        match text {
            "" => return refuse("it is empty"),
            "off" => return Ok(None),
            "spawn" => return Ok(Some(Self::Spawn)),
            "connect" => return Ok(Some(Self::Connect(None))),
            _ => {}
        }
        if let Some(url) = text.strip_prefix("connect=") {
            if url.is_empty() {
                return refuse("no address follows connect=");
            }
            let url = proxy_uri(url)?.to_string();
            return Ok(Some(Self::Connect(Some(url))));
        }
        let path = PathBuf::from(text);
        if path.extension().is_none_or(|e| e != "rrd") || path.file_stem().is_none() {
            return refuse("neither a keyword nor a file name that ends in .rrd");
        }
        Ok(Some(Self::File(path)))
    }

    /// Whether a viewer waits for what is recorded.
    pub(crate) fn is_live(&self) -> bool {
        !matches!(self, Self::File(_))
    }

    /// The name of the file, by which a recording goes unless it is given another.
    pub(crate) fn name(&self) -> Option<String> {
        match self {
            Self::File(path) => path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned()),
            Self::Spawn | Self::Connect(_) => None,
        }
    }
}

/// The address of a viewer, `HOST:PORT` being short for `rerun+http://HOST:PORT/proxy`.
///
/// # Errors
/// [`RerunError::Url`] when it is neither.
pub(crate) fn proxy_uri(text: &str) -> Result<ProxyUri, RerunError> {
    let full = if text.contains("://") {
        text.to_owned()
    } else {
        format!("rerun+http://{text}/proxy")
    };
    ProxyUri::from_str(&full).map_err(|error| RerunError::Url {
        url: text.to_owned(),
        reason: error.to_string(),
    })
}
