//! A tool to offer, whatever it was made from.

use std::fmt;

#[cfg(feature = "dynamic")]
use super::DynamicTool;
use crate::handler::def::ToolDef;

/// A tool to offer: a function under `#[tool]`, as `tools![…]` names it, or a `DynamicTool`.
#[non_exhaustive]
pub enum Tool {
    /// A function under `#[tool]`.
    Function(&'static ToolDef),
    /// A tool that was made while the program runs.
    #[cfg(feature = "dynamic")]
    Dynamic(Box<DynamicTool>),
}

impl From<&'static ToolDef> for Tool {
    fn from(def: &'static ToolDef) -> Self {
        Self::Function(def)
    }
}

impl Tool {
    /// What a macro told of it, if one did.
    pub(super) fn def(&self) -> Option<&'static ToolDef> {
        match self {
            Self::Function(def) => Some(def),
            #[cfg(feature = "dynamic")]
            Self::Dynamic(_) => None,
        }
    }
}

#[cfg(feature = "dynamic")]
impl From<DynamicTool> for Tool {
    fn from(tool: DynamicTool) -> Self {
        Self::Dynamic(Box::new(tool))
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Function(def) => def.common.name,
            #[cfg(feature = "dynamic")]
            Self::Dynamic(tool) => tool.name(),
        };
        f.debug_tuple("Tool").field(&name).finish()
    }
}
