//! An ONNX graph in tract: what it is asked, what it answers, and which of its operators tract
//! does not have.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use prost::Message;
use tract_onnx::pb::attribute_proto::AttributeType;
use tract_onnx::pb::{AttributeProto, GraphProto, ModelProto, NodeProto, ValueInfoProto};
use tract_onnx::pb::{tensor_proto, type_proto};
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::infer::Factoid;

use crate::embedding::EmbedError;
use crate::text::one_line;

/// Operators of these come with every runtime. An extension's may have the name of another.
const STANDARD: [&str; 3] = ["", "ai.onnx", "ai.onnx.ml"];
/// Operators in an error message.
const NAMED: usize = 6;
/// Lengths in tokens that a plan for any length has to come through.
const TRIED: [usize; 2] = [3, 5];
/// Lengths in tokens of plans that have one: the weights stand in the memory once for each.
const LENGTHS: [usize; 4] = [16, 48, 128, 512];
/// Characters of what tract says.
const CHARACTERS: usize = 400;

/// What a model is asked for of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Ids,
    Mask,
    Types,
}

impl Input {
    fn named(name: &str) -> Option<Self> {
        match name {
            "input_ids" => Some(Self::Ids),
            "attention_mask" => Some(Self::Mask),
            "token_type_ids" => Some(Self::Types),
            _ => None,
        }
    }
}

/// What comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// A vector for each token: the output's name.
    pub tokens: Option<String>,
    /// One for the text.
    pub text: Option<String>,
}

/// A graph that is ready to run.
pub struct Graph {
    plans: Plans,
    inputs: Vec<(Input, DatumType)>,
    /// What fills a text up.
    pad: u32,
}

/// How texts of different lengths are run.
enum Plans {
    /// By one plan.
    Any(Arc<TypedRunnableModel>),
    /// By a plan for each of a few lengths, made when it is first needed; a text is filled up.
    Single {
        model: InferenceModel,
        known: Mutex<BTreeMap<usize, Arc<TypedRunnableModel>>>,
    },
}

/// A file that was read and that tract has all operators of.
pub struct Read {
    proto: ModelProto,
    /// Its outputs.
    pub outputs: Outputs,
    /// The type that most of its weights have.
    pub weights: &'static str,
}

fn wrong(words: impl Into<String>) -> EmbedError {
    EmbedError(words.into())
}

/// Reads a file, whose bytes are given back to the memory then.
pub fn read(bytes: Vec<u8>) -> Result<Read, EmbedError> {
    let proto = ModelProto::decode(&*bytes).map_err(|error| {
        wrong(format!(
            "this is not an ONNX file, or only a part of one: {error}"
        ))
    })?;
    drop(bytes);
    let graph = proto.graph.as_ref();
    let graph = graph.ok_or_else(|| wrong("the ONNX file has no graph in it"))?;
    let is_elsewhere = |tensor: &tract_onnx::pb::TensorProto| {
        tensor.data_location == Some(tensor_proto::DataLocation::External as i32)
    };
    if let Some(tensor) = graph.initializer.iter().find(|tensor| is_elsewhere(tensor)) {
        let file = tensor
            .external_data
            .iter()
            .find(|entry| entry.key == "location");
        return Err(wrong(format!(
            "the weights are not in the ONNX file but in {}: export the model to one file",
            file.map_or("another one", |entry| &entry.value)
        )));
    }
    check_operators(graph)?;
    check_inputs(graph)?;
    let (outputs, weights) = (outputs(graph)?, weights(graph));
    Ok(Read {
        proto,
        outputs,
        weights,
    })
}

/// Says which operators tract does not have, those of graphs in graphs too.
fn check_operators(graph: &GraphProto) -> Result<(), EmbedError> {
    let known = onnx().op_register;
    let mut missing: BTreeMap<String, usize> = BTreeMap::new();
    let mut graphs = vec![graph];
    while let Some(graph) = graphs.pop() {
        for node in &graph.node {
            let is_standard = STANDARD.contains(&&*node.domain);
            if !is_standard || !known.0.contains_key(&node.op_type) {
                *missing.entry(operator(node)).or_default() += 1;
            }
            let inner = node.attribute.iter().filter_map(|a| a.g.as_ref());
            graphs.extend(inner);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let shown = missing.iter().take(NAMED).map(|(name, times)| match times {
        1 => name.clone(),
        _ => format!("{name} ({times} times)"),
    });
    let mut shown: Vec<String> = shown.collect();
    if missing.len() > NAMED {
        shown.push(format!("{} more", missing.len() - NAMED));
    }
    let has_extension = missing.keys().any(|name| name.contains('.'));
    Err(wrong(format!(
        "this model cannot be run here: tract has no operator {}. {}",
        shown.join(", "),
        if has_extension {
            "A file that was optimised for one runtime has its operators; the plain export (model.onnx) has not"
        } else {
            "An export with another version of the operators (opset 14 to 18) may do without"
        }
    )))
}

fn operator(node: &NodeProto) -> String {
    if STANDARD.contains(&&*node.domain) {
        node.op_type.clone()
    } else {
        format!("{}.{}", node.domain, node.op_type)
    }
}

/// The inputs that are no weights.
fn free_inputs(graph: &GraphProto) -> impl Iterator<Item = &ValueInfoProto> {
    let is_weight = |name: &str| graph.initializer.iter().any(|tensor| tensor.name == name);
    graph
        .input
        .iter()
        .filter(move |input| !is_weight(&input.name))
}

fn check_inputs(graph: &GraphProto) -> Result<(), EmbedError> {
    let names: Vec<&str> = free_inputs(graph).map(|input| &*input.name).collect();
    if let Some(name) = names.iter().find(|name| Input::named(name).is_none()) {
        return Err(wrong(format!(
            "the model asks for {name:?}, which a text does not have. Known are input_ids, attention_mask and token_type_ids"
        )));
    }
    if !names.contains(&"input_ids") {
        return Err(wrong(format!(
            "the model takes no input_ids: it has {}, so it is not a model of texts",
            if names.is_empty() {
                "no inputs".to_owned()
            } else {
                names.join(", ")
            }
        )));
    }
    Ok(())
}

/// Which output is what, by its name, its type and the number of its dimensions.
fn outputs(graph: &GraphProto) -> Result<Outputs, EmbedError> {
    let float = [
        tensor_proto::DataType::Float,
        tensor_proto::DataType::Float16,
        tensor_proto::DataType::Double,
    ];
    let with_rank = |rank: usize| {
        graph.output.iter().filter(move |output| {
            let shape = tensor_type(output).and_then(|tensor| {
                let is_float = float.iter().any(|kind| *kind as i32 == tensor.elem_type);
                is_float.then_some(tensor.shape.as_ref()?.dim.len())
            });
            shape == Some(rank)
        })
    };
    let named = |rank, names: &[&str]| {
        let found = with_rank(rank).find(|output| names.contains(&&*output.name));
        found.map(|output| output.name.clone())
    };
    let tokens = named(3, &["last_hidden_state", "token_embeddings"])
        .or_else(|| with_rank(3).next().map(|output| output.name.clone()));
    // what BERT's own pooler makes was trained for something else
    let text = named(2, &["sentence_embedding", "text_embeds", "embeddings"]);
    let alone = || {
        (graph.output.len() == 1)
            .then(|| named_first(with_rank(2)))
            .flatten()
    };
    let text = text.or_else(|| tokens.is_none().then(alone).flatten());
    if tokens.is_none() && text.is_none() {
        let outputs: Vec<&str> = graph.output.iter().map(|output| &*output.name).collect();
        return Err(wrong(format!(
            "no output of the model is a vector for each token (last_hidden_state) or one for the text (sentence_embedding): it has {}",
            outputs.join(", ")
        )));
    }
    Ok(Outputs { tokens, text })
}

fn named_first<'a>(mut outputs: impl Iterator<Item = &'a ValueInfoProto>) -> Option<String> {
    outputs.next().map(|output| output.name.clone())
}

fn tensor_type(info: &ValueInfoProto) -> Option<&type_proto::Tensor> {
    let type_proto::Value::TensorType(tensor) = info.r#type.as_ref()?.value.as_ref()?;
    Some(tensor)
}

/// The type that most of the weights' bytes have, those that stand in nodes included.
fn weights(graph: &GraphProto) -> &'static str {
    let mut bytes: BTreeMap<&'static str, usize> = BTreeMap::new();
    let in_nodes = graph.node.iter().flat_map(|node| &node.attribute);
    let in_nodes = in_nodes
        .filter(|attribute| attribute.r#type == AttributeType::Tensor as i32)
        .filter_map(|attribute| attribute.t.as_ref());
    for tensor in graph.initializer.iter().chain(in_nodes) {
        let count = tensor.dims.iter().product::<i64>().max(0) as usize;
        let kind = tensor_proto::DataType::try_from(tensor.data_type);
        let (kind, size) = match kind {
            Ok(tensor_proto::DataType::Float) => ("float32", 4),
            Ok(tensor_proto::DataType::Float16) => ("float16", 2),
            Ok(tensor_proto::DataType::Double) => ("float64", 8),
            Ok(tensor_proto::DataType::Int8 | tensor_proto::DataType::Uint8) => ("int8", 1),
            _ => continue,
        };
        *bytes.entry(kind).or_default() += count.saturating_mul(size);
    }
    let most = bytes.into_iter().max_by_key(|(_, bytes)| *bytes);
    most.map_or("without weights", |(kind, _)| kind)
}

impl Read {
    /// Makes it ready to run for this output. `pad` is the id of what fills a text up.
    pub fn plan(mut self, output: &str, pad: u32) -> Result<Graph, EmbedError> {
        if let Some(graph) = &mut self.proto.graph {
            graph.output.retain(|other| other.name == output);
            // shapes that an exporter noted can contradict the length of one text
            graph.value_info.clear();
            count_in_32_bits(graph);
        }
        let build = || -> TractResult<Graph> {
            let framework = onnx()
                .with_ignore_output_shapes(true)
                .with_ignore_output_types(true)
                .with_ignore_value_info(true);
            let model = framework.parse(&self.proto, None)?.model;
            drop(self);
            let mut inputs = Vec::new();
            for outlet in model.input_outlets()? {
                let kind = Input::named(&model.node(outlet.node).name);
                let fact = model.outlet_fact(*outlet)?;
                let datum = fact.datum_type.concretize().unwrap_or(i64::datum_type());
                // checked when the file was read
                inputs.push((kind.unwrap_or(Input::Mask), datum));
            }
            let plans = Plans::of(model, &inputs)?;
            Ok(Graph { plans, inputs, pad })
        };
        build().map_err(|error| {
            wrong(format!(
                "this model cannot be run here: tract stops {}",
                chain(&error)
            ))
        })
    }
}

/// tract casts to 64 bits as to a dimension, of which it makes no running sums (CumSum). Models
/// of RoBERTa's kind count their places so: the sum is made in 32 bits then.
fn count_in_32_bits(graph: &mut GraphProto) {
    let is_wide = |node: &&NodeProto| {
        let mut attributes = node.attribute.iter();
        let to = attributes.find(|attribute| attribute.name == "to");
        node.op_type == "Cast" && to.is_some_and(|to| to.i == tensor_proto::DataType::Int64 as i64)
    };
    let wide = graph
        .node
        .iter()
        .filter(is_wide)
        .flat_map(|node| node.output.clone());
    let wide: Vec<String> = wide.collect();
    let mut nodes = Vec::with_capacity(graph.node.len());
    for mut node in std::mem::take(&mut graph.node) {
        let from = node
            .input
            .first()
            .filter(|from| wide.contains(from))
            .cloned();
        let (Some(from), "CumSum") = (from, &*node.op_type) else {
            nodes.push(node);
            continue;
        };
        let (narrow, sum) = (format!("{from}.narrow"), format!("{from}.sum"));
        nodes.push(cast(&from, &narrow, tensor_proto::DataType::Int32));
        node.input[0].clone_from(&narrow);
        let output = node
            .output
            .first_mut()
            .map(|output| std::mem::replace(output, sum.clone()));
        nodes.push(node);
        if let Some(output) = output {
            nodes.push(cast(&sum, &output, tensor_proto::DataType::Int64));
        }
    }
    graph.node = nodes;
}

fn cast(from: &str, to: &str, kind: tensor_proto::DataType) -> NodeProto {
    NodeProto {
        name: format!("{to}.cast"),
        op_type: "Cast".into(),
        input: vec![from.to_owned()],
        output: vec![to.to_owned()],
        attribute: vec![AttributeProto {
            name: "to".into(),
            r#type: AttributeType::Int as i32,
            i: kind as i64,
            ..AttributeProto::default()
        }],
        ..NodeProto::default()
    }
}

impl Plans {
    /// A plan for texts of any length, if tract can follow the length through the graph and
    /// two texts come out; else the graph, for plans of single lengths.
    fn of(model: InferenceModel, inputs: &[(Input, DatumType)]) -> TractResult<Self> {
        let any = || -> TractResult<Arc<TypedRunnableModel>> {
            let length = model.symbols.sym("length").to_dim();
            let plan = compiled(model.clone(), inputs, &length)?;
            for length in TRIED {
                run(&plan, inputs, &vec![1; length], &vec![1; length])?;
            }
            Ok(plan)
        };
        match any() {
            Ok(plan) => Ok(Self::Any(plan)),
            Err(error) => {
                let known = Mutex::default();
                let plans = Self::Single { model, known };
                // why it was not to be had for any length is what there is to say
                plans.single(TRIED[0], inputs).map_err(|_| error)?;
                Ok(plans)
            }
        }
    }

    /// The plan of the next larger of a few lengths, and that length.
    fn single(
        &self,
        length: usize,
        inputs: &[(Input, DatumType)],
    ) -> TractResult<(Arc<TypedRunnableModel>, usize)> {
        let (model, known) = match self {
            Self::Any(plan) => return Ok((plan.clone(), length)),
            Self::Single { model, known } => (model, known),
        };
        let length = LENGTHS
            .into_iter()
            .find(|one| *one >= length)
            .unwrap_or(length);
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = known.get(&length) {
            return Ok((plan.clone(), length));
        }
        let plan = compiled(model.clone(), inputs, &length.to_dim())?;
        known.insert(length, plan.clone());
        Ok((plan, length))
    }
}

fn compiled(
    mut model: InferenceModel,
    inputs: &[(Input, DatumType)],
    length: &TDim,
) -> TractResult<Arc<TypedRunnableModel>> {
    for (at, (_, datum)) in inputs.iter().enumerate() {
        let shape = [1.to_dim(), length.clone()];
        model.set_input_fact(at, InferenceFact::dt_shape(*datum, shape))?;
    }
    model.into_optimized()?.into_runnable()
}

/// Rows of an equal length, and that length.
fn run(
    plan: &Arc<TypedRunnableModel>,
    inputs: &[(Input, DatumType)],
    ids: &[i64],
    mask: &[i64],
) -> TractResult<(Vec<f32>, usize)> {
    let mut tensors = tvec!();
    for (kind, datum) in inputs {
        let tensor = match kind {
            Input::Ids => tensor1(ids),
            Input::Mask => tensor1(mask),
            Input::Types => tensor1(&vec![0_i64; ids.len()]),
        };
        let tensor = tensor.into_shape(&[1, ids.len()])?;
        tensors.push(tensor.cast_to_dt(*datum)?.into_owned().into());
    }
    let outputs = plan.run(tensors)?;
    let width = outputs[0].shape().last().copied().unwrap_or_default();
    let rows = outputs[0].cast_to::<f32>()?;
    let rows = rows.to_plain_array_view::<f32>()?.iter().copied().collect();
    Ok((rows, width))
}

/// An error from its first to its last word, without what stands twice.
fn chain(error: &TractError) -> String {
    let mut words: Vec<String> = Vec::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if words.last().is_none_or(|last| !last.contains(&cause)) {
            words.push(cause);
        }
    }
    let words = one_line(&words.join(": "));
    match words.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

impl Graph {
    /// Runs it on the ids of a text: rows of an equal length, and that length. One row where
    /// the model pools by itself.
    pub fn run(&self, ids: &[u32]) -> Result<(Vec<f32>, usize), EmbedError> {
        let told = || -> TractResult<(Vec<f32>, usize)> {
            let (plan, length) = self.plans.single(ids.len(), &self.inputs)?;
            let filled = |values: &mut dyn Iterator<Item = i64>, filler: i64| {
                let mut values: Vec<i64> = values.collect();
                values.resize(length, filler);
                values
            };
            let mask = filled(&mut ids.iter().map(|_| 1), 0);
            let all = filled(
                &mut ids.iter().map(|&id| i64::from(id)),
                i64::from(self.pad),
            );
            let (mut rows, width) = run(&plan, &self.inputs, &all, &mask)?;
            rows.truncate(ids.len() * width);
            Ok((rows, width))
        };
        told().map_err(|error| wrong(format!("the model could not be run: {}", chain(&error))))
    }
}
