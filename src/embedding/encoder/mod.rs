//! The encoder as a graph of tract: a chain of few operators, each of which changes
//! the tokens' rows where they are. tract runs it; the arithmetic is in the package
//! `kernels`.

// tract's prelude for those who write operators; its macros name much of it
#![allow(clippy::wildcard_imports)]

mod attention;
mod dense;
mod forward;
mod norm;
mod rows;
mod words;

use assay_kernels::Matrix;
use tract_core::internal::*;

use super::EmbedError;
use super::pack::Pack;
use attention::Attention;
use dense::Dense;
use forward::Forward;
use norm::Norm;
use words::Words;

/// The graph, ready to run: the numbers of the word pieces of texts one after the
/// other and how many each text has in, a row for each piece out. A row depends on
/// the pieces of its own text alone.
pub fn plan(pack: &Pack) -> Result<Arc<TypedRunnableModel>, EmbedError> {
    Builder { pack }
        .build()
        .map_err(|error| EmbedError(format!("the model's graph cannot be built: {error:#}")))
}

struct Builder<'a> {
    pack: &'a Pack<'a>,
}

impl Builder<'_> {
    fn build(&self) -> TractResult<Arc<TypedRunnableModel>> {
        let mut model = TypedModel::default();
        let length = model.symbols.sym("length").to_dim();
        let ids = model.add_source("ids", i64::fact([length]))?;
        let texts = model.symbols.sym("texts").to_dim();
        let lengths = model.add_source("lengths", i64::fact([texts]))?;
        let words = Words {
            pieces: Arc::new(self.pack.rows("words")?),
            places: self.values("places")?,
            norm: self.norm("words.norm")?,
        };
        let mut hidden = model.wire_node("words", words, &[ids, lengths])?[0];
        for layer in 0..self.pack.header.layers {
            hidden = self.layer(&mut model, &format!("layer.{layer}"), [hidden, lengths])?;
        }
        model.select_output_outlets(&[hidden])?;
        model.into_runnable()
    }

    fn layer(
        &self,
        model: &mut TypedModel,
        name: &str,
        [input, lengths]: [OutletId; 2],
    ) -> TractResult<OutletId> {
        let part = |part: &str| format!("{name}.{part}");
        let attention = Attention {
            heads: self.pack.header.heads,
            joint: self.dense(&part("joint"), false)?,
            mixed: self.dense(&part("mixed"), false)?,
            norm: self.norm(&part("mixed.norm"))?,
        };
        let forward = Forward {
            wide: self.dense(&part("wide"), true)?,
            narrow: self.dense(&part("narrow"), false)?,
            norm: self.norm(&part("narrow.norm"))?,
        };
        let middle = model.wire_node(part("attention"), attention, &[input, lengths])?;
        Ok(model.wire_node(part("forward"), forward, &middle)?[0])
    }

    fn dense(&self, name: &str, gelu: bool) -> TractResult<Dense> {
        let (shape, weights) = self.pack.matrix(&format!("{name}.weight"))?;
        Ok(Dense {
            matrix: Arc::new(Matrix::new(shape[1], shape[0], &weights)),
            bias: self.values(&format!("{name}.bias"))?,
            gelu,
        })
    }

    fn norm(&self, name: &str) -> TractResult<Norm> {
        Ok(Norm {
            scale: self.values(&format!("{name}.weight"))?,
            bias: self.values(&format!("{name}.bias"))?,
            epsilon: self.pack.header.epsilon,
        })
    }

    fn values(&self, name: &str) -> Result<Arc<[f32]>, EmbedError> {
        Ok(self.pack.values(name)?.into())
    }
}
