//! How a run ended, in words.

use crate::digits::number;
use crate::result::RunResult;
use crate::verdict::{Criterion, Warned};

impl RunResult {
    /// Whether every bound is kept; `None` where the scenario sets none, or the run has no outcome.
    pub fn is_met(&self) -> Option<bool> {
        if self.error.is_some() {
            return Some(false);
        }
        let criteria = &self.criteria;
        (!criteria.is_empty()).then(|| criteria.iter().all(|c| c.met))
    }

    /// Whether it ended otherwise than it should: something fell, slid away, was dropped or out of reach, or a bound of a
    /// scene file is missed.
    pub fn has_missed(&self) -> bool {
        const BAD: [&str; 9] = [
            "dropped",
            "fell",
            "left the terrain",
            "missed",
            "not lifted",
            "out of reach",
            "slid",
            "stumbled",
            "toppled",
        ];
        BAD.contains(&&*self.outcome)
    }

    /// One line: which run, what happened, against which bounds.
    pub fn verdict(&self) -> String {
        let run = format!("{} with {} by {}", self.scenario, self.model, self.solver);
        let mut parts: Vec<_> = self.criteria.iter().map(Criterion::text).collect();
        if self.error.is_none() && parts.is_empty() {
            parts.push("no bound".to_owned());
        }
        let outcome = self.outcome.to_uppercase();
        let verdict = match parts.is_empty() {
            true => format!("{run}: {outcome}"),
            false => format!("{run}: {outcome} ({})", parts.join("; ")),
        };
        let remarks = self.remarks.iter().cloned();
        let remarks = remarks.chain(self.ignored.text(self.model));
        remarks.fold(verdict, |verdict, remark| format!("{verdict}; {remark}"))
    }

    /// What a recording says of the run at its end, in Markdown: a paragraph with the verdict, then main figures and warnings.
    pub(crate) fn conclusion(&self) -> String {
        let outcome = self.outcome.to_uppercase();
        let criteria = match &self.criteria[..] {
            [] => "no bound".to_owned(),
            criteria => {
                let criteria: Vec<_> = criteria.iter().map(Criterion::text).collect();
                criteria.join("; ")
            }
        };
        let (model, solver) = (self.model, &self.solver);
        let mut lines = vec![format!("**{outcome}** ({model} by {solver}): {criteria}")];
        lines.extend(self.remarks.iter().cloned());
        lines.extend(self.ignored.text(self.model));
        if let Some(error) = &self.error {
            lines.push(error.clone());
        }
        let main = self.summary.iter().filter_map(|name| {
            let value = self.metric(name)?;
            Some(format!("{name} {}", number(value)))
        });
        let main: Vec<_> = main.collect();
        if !main.is_empty() {
            lines.push(main.join(", "));
        }
        lines.extend(self.warnings.iter().map(Warned::text));
        lines.join("\n\n")
    }
}
