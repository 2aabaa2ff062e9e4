//! A stream of Rerun's SDK, into which a program logs other things too.

use crate::error::RerunError;
use re_chunk::Chunk;
use re_log_types::{LogMsg, StoreId, StoreKind};
use rerun::RecordingStream;
use std::time::Duration;

/// How long a stream may take to pass on what is still on its way at the end.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(30);

/// Chunks to the stream's own recording; a layout as the messages it consists of.
pub(crate) struct StreamOutlet {
    stream: RecordingStream,
}

impl StreamOutlet {
    /// An outlet into a stream, and the identity of the stream's recording.
    ///
    /// # Errors
    /// [`RerunError::Disabled`].
    pub fn new(stream: RecordingStream) -> Result<(Self, StoreId), RerunError> {
        let info = stream.store_info().filter(|_| stream.is_enabled());
        let id = info.ok_or(RerunError::Disabled)?.store_id;
        Ok((Self { stream }, id))
    }

    /// Passes a message on; the stream has announced its own recording already.
    pub fn send(&mut self, message: LogMsg) {
        if message.store_id().kind() == StoreKind::Blueprint {
            self.stream.record_msg(message);
        }
    }

    /// Passes a chunk on.
    ///
    /// # Errors
    /// A chunk that cannot be encoded.
    pub fn send_chunk(&mut self, id: &StoreId, chunk: Chunk) -> Result<(), RerunError> {
        if id.kind() == StoreKind::Recording {
            self.stream.send_chunk(chunk);
            return Ok(());
        }
        let message = chunk.to_arrow_msg();
        let message = message.map_err(|e| RerunError::encode(chunk.entity_path(), e))?;
        self.stream
            .record_msg(LogMsg::ArrowMsg(id.clone(), message));
        Ok(())
    }

    /// Waits until the stream's sink has everything; the stream stays open.
    ///
    /// # Errors
    /// [`RerunError::Stream`].
    pub fn finish(&mut self) -> Result<(), RerunError> {
        let flushed = self.stream.flush_with_timeout(FLUSH_TIMEOUT);
        flushed.map_err(|error| RerunError::Stream {
            reason: error.to_string(),
        })
    }
}
