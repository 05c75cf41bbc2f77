//! The published schemas, by their names.

use std::path::PathBuf;

use jsonschema::{Retrieve, Uri, Validator};
use serde_json::Value;

/// The folder of the package.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A schema of `public/schema`.
pub fn schema(name: &str) -> Validator {
    let path = root()
        .join("public/schema")
        .join(name)
        .with_extension("json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(schema["$id"], format!("{name}.json"));
    assert!(jsonschema::meta::is_valid(&schema), "{name}");
    let options = jsonschema::options().with_retriever(Beside);
    options.build(&schema).expect("a schema")
}

/// Schemas refer to those that lie beside them.
struct Beside;

impl Retrieve for Beside {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let name = uri.as_str().rsplit('/').next().unwrap_or_default();
        let text = std::fs::read_to_string(root().join("public/schema").join(name))?;
        Ok(serde_json::from_str(&text)?)
    }
}

/// Fails with all that is wrong with a document.
pub fn assert_fits(schema: &Validator, document: &Value) {
    let wrong = schema.iter_errors(document);
    let wrong: Vec<String> = wrong
        .map(|one| format!("{}: {one}", one.instance_path()))
        .collect();
    assert_eq!(wrong, Vec::<String>::new(), "{document}");
}
