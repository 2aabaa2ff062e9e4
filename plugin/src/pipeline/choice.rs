//! The model of a pipeline and its units.

use super::ContactPipeline;
use crate::base::convert::real;
use crate::base::error::StepError;
use crate::base::model::model;
use crate::correct::position::PositionCorrector;
use rapier::prelude::*;
use stickslip_core::models::{ContactModel, Model, ModelError, ModelName, ModelSettings};

impl ContactPipeline {
    /// Changes the model; the warm start of the old one is dropped.
    ///
    /// # Errors
    /// As [`ContactPipeline::new`]; the old model then stays.
    pub fn set_model(
        &mut self,
        name: ModelName,
        settings: ModelSettings,
    ) -> Result<(), ModelError> {
        self.replace(model(name, settings)?)
    }

    /// Changes to a model of the caller's, as [`Self::set_model`].
    ///
    /// # Errors
    /// As [`Model::own`]; the old model then stays.
    pub fn set_own_model(
        &mut self,
        model: Box<dyn ContactModel>,
        settings: ModelSettings,
    ) -> Result<(), ModelError> {
        self.replace(Model::own(model, settings)?)
    }

    fn replace(&mut self, model: Model) -> Result<(), ModelError> {
        let corrector = PositionCorrector::new(model.settings())?;
        self.settings = model.settings().clone();
        self.model = model;
        self.length_unit = 1.0;
        self.corrector = corrector;
        self.warm.clear();
        self.still.end();
        Ok(())
    }

    /// Takes over how long a metre is in the world's units, rapier's `length_unit`.
    pub(super) fn set_length_unit(&mut self, length_unit: Real) -> Result<(), StepError> {
        if length_unit == self.length_unit {
            return Ok(());
        }
        let refused = |_| StepError::BadLengthUnit {
            length_unit: real(length_unit),
        };
        let settings = self.settings.in_units(real(length_unit));
        self.model.set_settings(settings).map_err(refused)?;
        self.corrector
            .set_push_speed(self.model.settings().push_speed);
        self.length_unit = length_unit;
        Ok(())
    }

    /// The model in force, with its settings as they act: lengths and speeds in units of the world, of which a metre has
    /// rapier's `length_unit` since the last step.
    pub fn model(&self) -> &Model {
        &self.model
    }
}
