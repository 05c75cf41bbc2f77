//! Writes the few ONNX operators that a BERT encoder needs, with the inputs and
//! the output that such models customarily have.

use prost::Message;
use tract_onnx::pb::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TypeProto, ValueInfoProto, attribute_proto::AttributeType,
    tensor_proto::DataType, tensor_shape_proto, type_proto,
};

/// A graph under construction; a value is known by its name.
pub struct GraphBuilder {
    graph: GraphProto,
}

impl GraphBuilder {
    /// An empty graph.
    pub fn new() -> Self {
        let graph = GraphProto {
            name: "all-MiniLM-L6-v2".into(),
            ..GraphProto::default()
        };
        Self { graph }
    }

    /// An input of int64, one per text and token.
    pub fn input(&mut self, name: &str) -> String {
        let dims = [Dim::Named("batch"), Dim::Named("length")];
        let info = value_info(name, DataType::Int64, &dims);
        self.graph.input.push(info);
        name.to_owned()
    }

    /// A tensor of float32.
    pub fn tensor(&mut self, name: &str, shape: &[usize], values: &[f32]) -> String {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "{name}");
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        self.initializer(name, shape, DataType::Float, bytes.collect())
    }

    /// Rows of a table by index.
    pub fn gather(&mut self, table: &str, indices: &str) -> String {
        self.node("Gather", &[table, indices], vec![integer("axis", 0)])
    }

    /// The first rows of a table, as many as there are tokens.
    pub fn first_rows(&mut self, table: &str, ids: &str) -> String {
        let shape = self.node("Shape", &[ids], vec![]);
        let [zero, one, two] = [0, 1, 2].map(|i| self.integers(&format!("number.{i}"), &[i]));
        let length = self.node("Slice", &[&shape, &one, &two], vec![]);
        self.node("Slice", &[table, &zero, &length, &zero], vec![])
    }

    /// Sum.
    pub fn add(&mut self, a: &str, b: &str) -> String {
        self.node("Add", &[a, b], vec![])
    }

    /// Layer normalisation over the features.
    pub fn layer_norm(&mut self, input: &str, scale: &str, bias: &str, epsilon: f32) -> String {
        let attributes = vec![integer("axis", -1), float("epsilon", epsilon)];
        self.node("LayerNormalization", &[input, scale, bias], attributes)
    }

    /// input x matrix^T + bias; the matrix is given row by row, a row per output.
    pub fn dense(&mut self, name: &str, input: &str, matrix: &[f32], bias: &[f32]) -> String {
        let (outputs, inputs) = (bias.len(), matrix.len() / bias.len());
        let columns: Vec<f32> = (0..matrix.len())
            .map(|i| matrix[i % outputs * inputs + i / outputs])
            .collect();
        let matrix = self.tensor(&format!("{name}.weight"), &[inputs, outputs], &columns);
        let bias = self.tensor(&format!("{name}.bias"), &[outputs], bias);
        let product = self.node("MatMul", &[input, &matrix], vec![]);
        self.add(&product, &bias)
    }

    /// The exact gelu, x / 2 (1 + erf(x / sqrt 2)).
    pub fn gelu(&mut self, input: &str) -> String {
        let root = self.scalar("gelu.root", std::f32::consts::SQRT_2);
        let one = self.scalar("gelu.one", 1.0);
        let half = self.scalar("gelu.half", 0.5);
        let scaled = self.node("Div", &[input, &root], vec![]);
        let erf = self.node("Erf", &[&scaled], vec![]);
        let gate = self.add(&erf, &one);
        let product = self.node("Mul", &[input, &gate], vec![]);
        self.node("Mul", &[&product, &half], vec![])
    }

    /// What is added to the scores: 0 for tokens that count, else a number so
    /// small that nothing is left of their weight.
    pub fn mask(&mut self, mask: &str) -> String {
        let axes = self.integers("mask.axes", &[1, 2]);
        let mask = self.node("Unsqueeze", &[mask, &axes], vec![]);
        let to_float = vec![integer("to", DataType::Float as i64)];
        let mask = self.node("Cast", &[&mask], to_float);
        let one = self.scalar("mask.one", 1.0);
        let least = self.scalar("mask.least", f32::MIN);
        let missing = self.node("Sub", &[&one, &mask], vec![]);
        self.node("Mul", &[&missing, &least], vec![])
    }

    /// Attention of queries, keys and values in heads of `size`.
    pub fn attend(
        &mut self,
        [query, key, value]: [&str; 3],
        mask: &str,
        heads: usize,
        size: usize,
    ) -> String {
        let split = self.integers("attend.split", &[0, 0, heads as i64, size as i64]);
        let merge = self.integers("attend.merge", &[0, 0, (heads * size) as i64]);
        let scale = self.scalar("attend.scale", (size as f32).sqrt());
        let mut in_heads = |input: &str, order: &[i64]| {
            let split = self.node("Reshape", &[input, &split], vec![]);
            self.node("Transpose", &[&split], vec![integers("perm", order)])
        };
        let query = in_heads(query, &[0, 2, 1, 3]);
        let key = in_heads(key, &[0, 2, 3, 1]);
        let value = in_heads(value, &[0, 2, 1, 3]);
        let scores = self.node("MatMul", &[&query, &key], vec![]);
        let scores = self.node("Div", &[&scores, &scale], vec![]);
        let scores = self.add(&scores, mask);
        let weights = self.node("Softmax", &[&scores], vec![integer("axis", -1)]);
        let mixed = self.node("MatMul", &[&weights, &value], vec![]);
        let order = vec![integers("perm", &[0, 2, 1, 3])];
        let mixed = self.node("Transpose", &[&mixed], order);
        self.node("Reshape", &[&mixed, &merge], vec![])
    }

    /// The model as ONNX bytes; its output is called `name`.
    pub fn finish(mut self, output: &str, name: &str) -> Vec<u8> {
        self.graph.node.push(NodeProto {
            name: name.into(),
            op_type: "Identity".into(),
            input: vec![output.into()],
            output: vec![name.into()],
            ..NodeProto::default()
        });
        let dims = [Dim::Named("batch"), Dim::Named("length"), Dim::Fixed(384)];
        let info = value_info(name, DataType::Float, &dims);
        self.graph.output.push(info);
        ModelProto {
            ir_version: 8,
            opset_import: vec![OperatorSetIdProto {
                domain: String::new(),
                version: 17,
            }],
            producer_name: "assay export-model".into(),
            graph: Some(self.graph),
            ..ModelProto::default()
        }
        .encode_to_vec()
    }

    fn node(&mut self, operator: &str, inputs: &[&str], attribute: Vec<AttributeProto>) -> String {
        let name = format!("{}_{}", operator.to_lowercase(), self.graph.node.len());
        self.graph.node.push(NodeProto {
            name: name.clone(),
            op_type: operator.into(),
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![name.clone()],
            attribute,
            ..NodeProto::default()
        });
        name
    }

    fn initializer(
        &mut self,
        name: &str,
        shape: &[usize],
        kind: DataType,
        raw_data: Vec<u8>,
    ) -> String {
        if self
            .graph
            .initializer
            .iter()
            .all(|other| other.name != name)
        {
            self.graph.initializer.push(TensorProto {
                name: name.into(),
                dims: shape.iter().map(|&dim| dim as i64).collect(),
                data_type: kind as i32,
                raw_data,
                ..TensorProto::default()
            });
        }
        name.to_owned()
    }

    fn scalar(&mut self, name: &str, value: f32) -> String {
        self.initializer(name, &[], DataType::Float, value.to_le_bytes().to_vec())
    }

    fn integers(&mut self, name: &str, values: &[i64]) -> String {
        let bytes = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.initializer(name, &[values.len()], DataType::Int64, bytes)
    }
}

enum Dim {
    Named(&'static str),
    Fixed(i64),
}

fn value_info(name: &str, kind: DataType, dims: &[Dim]) -> ValueInfoProto {
    use tensor_shape_proto::dimension::Value;
    let dim = dims
        .iter()
        .map(|dim| tensor_shape_proto::Dimension {
            denotation: String::new(),
            value: Some(match dim {
                Dim::Named(name) => Value::DimParam((*name).into()),
                Dim::Fixed(value) => Value::DimValue(*value),
            }),
        })
        .collect();
    ValueInfoProto {
        name: name.into(),
        r#type: Some(TypeProto {
            denotation: String::new(),
            value: Some(type_proto::Value::TensorType(type_proto::Tensor {
                elem_type: kind as i32,
                shape: Some(TensorShapeProto { dim }),
            })),
        }),
        ..ValueInfoProto::default()
    }
}

fn integer(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: name.into(),
        r#type: AttributeType::Int as i32,
        i: value,
        ..AttributeProto::default()
    }
}

fn float(name: &str, value: f32) -> AttributeProto {
    AttributeProto {
        name: name.into(),
        r#type: AttributeType::Float as i32,
        f: value,
        ..AttributeProto::default()
    }
}

fn integers(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto {
        name: name.into(),
        r#type: AttributeType::Ints as i32,
        ints: values.to_vec(),
        ..AttributeProto::default()
    }
}
