//! Columns to chunks to messages, with reproducible ids.
//!
//! Rerun's own stream stamps rows with the wall clock and random ids. Here ids are counted, so that two
//! runs with the same records give the same messages, byte for byte.

use crate::error::RerunError;
use crate::names::Names;
use crate::outlet::Outlet;
use crate::paths;
use re_chunk::{Chunk, ChunkId, RowId, TimeColumn};
use re_log_types::external::re_tuid::Tuid;
use re_log_types::{BlueprintActivationCommand, SetStoreInfo, StoreInfo, StoreSource};
use re_log_types::{EntityPath, LogMsg, StoreId, TimePoint, Timeline, TimelineName};
use re_sdk_types::{AsComponents, SerializationResult, SerializedComponentColumn};

/// The times of the rows of a batch, on both timelines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    nanos: Vec<i64>,
    steps: Vec<i64>,
}

impl Times {
    /// Adds a row.
    pub fn push(&mut self, step: u64, time: f64) {
        // `as` saturates: 292 years of simulated time.
        self.nanos.push((time * 1e9).round() as i64);
        self.steps.push(i64::try_from(step).unwrap_or(i64::MAX));
    }

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Starts over, keeping the memory.
    pub fn clear(&mut self) {
        self.nanos.clear();
        self.steps.clear();
    }

    fn columns(&self, [time, step]: [TimelineName; 2]) -> [TimeColumn; 2] {
        [
            TimeColumn::new(
                Some(true),
                Timeline::new_duration(time),
                self.nanos.clone().into(),
            ),
            TimeColumn::new(
                Some(true),
                Timeline::new_sequence(step),
                self.steps.clone().into(),
            ),
        ]
    }
}

/// The identity of a store (a recording or a blueprint), and what it has numbered so far.
pub(crate) struct Store {
    id: StoreId,
    next: u64,
    /// Upper half of all ids; keeps the ids of a recording and of its blueprint apart.
    series: u64,
    /// What its entities and timelines are called.
    names: Names,
    /// Whose entities these are, where there are several runs.
    pub track: Option<String>,
}

impl Store {
    /// A store; nothing is sent yet.
    pub fn new(id: StoreId, series: u64, names: Names) -> Self {
        Self {
            id,
            next: 0,
            series,
            names,
            track: None,
        }
    }

    /// A store of the same recording that numbers its rows apart.
    pub fn with_series(&self, series: u64) -> Self {
        Self::new(self.id.clone(), series, self.names.clone())
    }

    /// What its entities and timelines are called.
    pub fn names(&self) -> &Names {
        &self.names
    }

    fn tuid(&mut self) -> Tuid {
        self.next += 1;
        Tuid::from_nanos_and_inc(self.series, self.next)
    }

    /// Writes what is of this store to an outlet.
    pub fn writer<'a>(&'a mut self, outlet: &'a mut Outlet) -> Writer<'a> {
        Writer {
            store: self,
            outlet,
        }
    }
}

/// Makes chunks of one store and sends them.
pub(crate) struct Writer<'a> {
    store: &'a mut Store,
    pub outlet: &'a mut Outlet,
}

impl Writer<'_> {
    /// Where an entity of this track stands.
    pub fn path(&self, path: &str) -> EntityPath {
        paths::of_track(path, self.track())
    }

    /// Whose entities these are, where there are several runs.
    pub fn track(&self) -> Option<&str> {
        self.store.track.as_deref()
    }

    /// Announces the store.
    pub fn announce(&mut self) -> Result<(), RerunError> {
        let row_id = self.store.tuid();
        let source = StoreSource::Other("stickslip".to_owned());
        let info = StoreInfo::new(self.store.id.clone(), source);
        let message = LogMsg::SetStoreInfo(SetStoreInfo { row_id, info });
        self.outlet.send(message)
    }

    /// Makes the store, a blueprint, the default one of the application and active.
    pub fn activate(&mut self) -> Result<(), RerunError> {
        let command = BlueprintActivationCommand {
            blueprint_id: self.store.id.clone(),
            make_active: true,
            make_default: true,
        };
        let message = LogMsg::BlueprintActivationCommand(command);
        self.outlet.send(message)
    }

    /// Sends one archetype without time.
    pub fn put_static(
        &mut self,
        path: &EntityPath,
        data: &dyn AsComponents,
    ) -> Result<(), RerunError> {
        self.put_row(path, TimePoint::default(), data)
    }

    /// Sends one archetype at one time.
    pub fn put_row(
        &mut self,
        path: &EntityPath,
        time: TimePoint,
        data: &dyn AsComponents,
    ) -> Result<(), RerunError> {
        let chunk = ChunkId::from_tuid(self.store.tuid());
        let row = RowId::from_tuid(self.store.tuid());
        let place = self.store.names.place(path);
        let chunk = Chunk::builder_with_id(chunk, place)
            .with_serialized_batches(row, time, data.as_serialized_batches())
            .build();
        self.send(path, chunk)
    }

    /// Sends a batch of rows.
    pub fn put_columns<I>(
        &mut self,
        path: &EntityPath,
        times: &Times,
        columns: SerializationResult<I>,
    ) -> Result<(), RerunError>
    where
        I: Iterator<Item = SerializedComponentColumn>,
    {
        let columns = columns.map_err(|e| RerunError::encode(path, e))?;
        let chunk = ChunkId::from_tuid(self.store.tuid());
        let rows: Vec<RowId> = (0..times.len())
            .map(|_| RowId::from_tuid(self.store.tuid()))
            .collect();
        let chunk = Chunk::from_native_row_ids(
            chunk,
            self.store.names.place(path),
            Some(true),
            &rows,
            times
                .columns(self.store.names.timelines)
                .into_iter()
                .map(|c| (*c.timeline().name(), c))
                .collect(),
            columns.collect(),
        );
        self.send(path, chunk)
    }

    fn send(
        &mut self,
        path: &EntityPath,
        chunk: Result<Chunk, re_chunk::ChunkError>,
    ) -> Result<(), RerunError> {
        let chunk = chunk.map_err(|e| RerunError::encode(path, e))?;
        self.outlet.send_chunk(&self.store.id, chunk)
    }
}
