//! JSON Schema (draft 2020-12) of what goes over the wire, made from the types. Without `$ref`,
//! which several clients do not follow.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

use crate::answer::AnswersShape;
use crate::request::Request;

/// The schema of a request. Strict: the lenient shapes are not advertised.
pub fn request() -> Value {
    schema::<Request>()
}

/// The schema of a complete answer.
pub fn answer() -> Value {
    schema::<AnswersShape>()
}

fn schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value()
}
