//! Resources that stand in the list because their template lists them.

use std::{collections::BTreeMap, sync::Arc};

use super::{Pattern, definition::Definition};
use crate::handler::instances::Instance;

impl Pattern {
    /// The entries of the list, by their URI. What is none of the template's own is left out: it could
    /// not be read.
    pub(crate) fn definitions(&self, instances: Vec<Instance>, into: &mut BTreeMap<String, Arc<Definition>>) {
        for instance in instances {
            let uri = match &instance {
                Instance::Values(values) => self.template.expand(values),
                Instance::Link(link) => Some(link.uri.clone()),
            };
            let Some(uri) = uri.filter(|uri| self.template.matches(uri).is_some()) else {
                tracing::warn!(
                    template = self.definition.key(),
                    ?instance,
                    "a listed resource is none of its template"
                );
                continue;
            };
            into.entry(uri).or_insert_with_key(|uri| Arc::new(self.definition.instance(uri, instance)));
        }
    }
}
