//! Writes the few ONNX operators that a BERT encoder needs. Activations are
//! two-dimensional, tokens by features, because there is one text at a time.

use assay::embedding::pack::PackWriter;
use prost::Message;
use tract_onnx::pb::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TypeProto, ValueInfoProto, attribute_proto::AttributeType,
    tensor_proto::DataType, tensor_shape_proto, type_proto,
};

/// A graph under construction; a value is known by its name.
pub struct GraphBuilder<'a> {
    graph: GraphProto,
    tensors: &'a mut PackWriter,
}

impl<'a> GraphBuilder<'a> {
    /// An empty graph whose tensors go to `tensors`.
    pub fn new(tensors: &'a mut PackWriter) -> Self {
        let graph = GraphProto {
            name: "all-MiniLM-L6-v2".into(),
            ..GraphProto::default()
        };
        Self { graph, tensors }
    }

    /// An input of int64, one per token.
    pub fn input(&mut self, name: &str) -> String {
        self.graph
            .input
            .push(value_info(name, DataType::Int64, &[Dim::Length]));
        name.to_owned()
    }

    /// An initializer whose values go to the model file.
    pub fn tensor(&mut self, name: &str, shape: &[usize], values: &[f32], bits: u32) -> String {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "{name}");
        self.tensors.tensor(name, shape, values, bits);
        self.initializer(name, shape, DataType::Float, Vec::new())
    }

    /// Rows of a table by index.
    pub fn gather(&mut self, table: &str, indices: &str) -> String {
        self.node("Gather", &[table, indices], vec![integer("axis", 0)])
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
    pub fn dense(
        &mut self,
        name: &str,
        input: &str,
        width: usize,
        matrix: &[f32],
        bias: &[f32],
        bits: u32,
    ) -> String {
        let matrix = self.tensor(
            &format!("{name}.weight"),
            &[bias.len(), width],
            matrix,
            bits,
        );
        let bias = self.tensor(&format!("{name}.bias"), &[bias.len()], bias, 32);
        self.node("Gemm", &[input, &matrix, &bias], vec![integer("transB", 1)])
    }

    /// The exact gelu, x / 2 (1 + erf(x / sqrt 2)).
    pub fn gelu(&mut self, input: &str) -> String {
        let root = self.scalar("gelu.root", std::f32::consts::FRAC_1_SQRT_2);
        let one = self.scalar("gelu.one", 1.0);
        let half = self.scalar("gelu.half", 0.5);
        let scaled = self.node("Mul", &[input, &root], vec![]);
        let erf = self.node("Erf", &[&scaled], vec![]);
        let gate = self.node("Add", &[&erf, &one], vec![]);
        let product = self.node("Mul", &[input, &gate], vec![]);
        self.node("Mul", &[&product, &half], vec![])
    }

    /// Attention of queries, keys and values that stand side by side in
    /// `joint`, tokens by 3 x heads x size; the queries are scaled already.
    pub fn attend(&mut self, joint: &str, heads: usize, size: usize) -> String {
        let split = self.integers("attend.split", &[0, 3, heads as i64, size as i64]);
        let merge = self.integers("attend.merge", &[0, (heads * size) as i64]);
        let joint = self.node("Reshape", &[joint, &split], vec![]);
        let joint = self.node(
            "Transpose",
            &[&joint],
            vec![integers("perm", &[1, 2, 0, 3])],
        );
        let [query, key, value] = [0, 1, 2].map(|part| {
            let index = self.index("attend.part", part);
            self.node("Gather", &[&joint, &index], vec![integer("axis", 0)])
        });
        let key = self.node("Transpose", &[&key], vec![integers("perm", &[0, 2, 1])]);
        let scores = self.node("MatMul", &[&query, &key], vec![]);
        let weights = self.node("Softmax", &[&scores], vec![integer("axis", -1)]);
        let mixed = self.node("MatMul", &[&weights, &value], vec![]);
        let mixed = self.node("Transpose", &[&mixed], vec![integers("perm", &[1, 0, 2])]);
        self.node("Reshape", &[&mixed, &merge], vec![])
    }

    /// The mean of the tokens' rows.
    pub fn mean_over_tokens(&mut self, input: &str) -> String {
        let attributes = vec![integers("axes", &[0]), integer("keepdims", 0)];
        self.node("ReduceMean", &[input], attributes)
    }

    /// The model as ONNX bytes.
    pub fn finish(mut self, output: &str) -> Vec<u8> {
        self.graph
            .output
            .push(value_info(output, DataType::Float, &[Dim::Fixed(384)]));
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

    fn index(&mut self, name: &str, value: i64) -> String {
        self.initializer(
            &format!("{name}{value}"),
            &[],
            DataType::Int64,
            value.to_le_bytes().to_vec(),
        )
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
    Length,
    Fixed(i64),
}

fn value_info(name: &str, kind: DataType, dims: &[Dim]) -> ValueInfoProto {
    use tensor_shape_proto::dimension::Value;
    let dim = dims
        .iter()
        .map(|dim| tensor_shape_proto::Dimension {
            denotation: String::new(),
            value: Some(match dim {
                Dim::Length => Value::DimParam("length".into()),
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
