//! A table by collider as a list in the order of the handles, so that the same state has the same bytes.

use rapier::prelude::ColliderHandle;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;

pub(crate) fn serialize<S: Serializer, T: Serialize>(
    table: &HashMap<ColliderHandle, T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut list: Vec<_> = table.iter().collect();
    list.sort_unstable_by_key(|(handle, _)| handle.into_raw_parts());
    list.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<HashMap<ColliderHandle, T>, D::Error> {
    Ok(Vec::deserialize(deserializer)?.into_iter().collect())
}
