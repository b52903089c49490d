//! A tool whose schema is given: all of it is listed, as it is.

use mcp_runtime::{DynamicTool, prelude::*};
use serde_json::Value;

const SCHEMA: &str = r##"{
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"}
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false
}"##;

/// Takes arguments of every keyword.
pub(crate) fn json_schema_2020_12_tool() -> DynamicTool {
    DynamicTool::new("json_schema_2020_12_tool", SCHEMA, |contact: Value, _: Context| async move {
        Ok(format!("Contact: {contact}"))
    })
    .description("A tool with a JSON Schema of 2020-12.")
}
