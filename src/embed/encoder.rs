//! The forward pass of a BERT with mean pooling: tokens in, one vector per text out.
//!
//! The tokens of all texts are stacked without padding: layers see rows, attention sees one text at a time. So a text's vector is
//! the same in every batch, to the last bit. One pass runs on one thread.

use std::ops::Range;
use std::path::Path;

use kernels::{Activation, Attention, GRAIN, LayerNorm, Linear, Room};
use serde::Deserialize;

use super::DIMENSIONS;
use super::files::{WEIGHTS_FILE, parse, unusable};
use super::unit;
use super::weights::Weights;
use ports::embedder::{EmbedError, Vector};

/// `config.json`.
#[derive(Debug, Deserialize)]
pub(super) struct EncoderConfig {
    pub hidden_size: usize,
    pub max_position_embeddings: usize,
    vocab_size: usize,
    type_vocab_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    hidden_act: String,
    layer_norm_eps: f32,
    position_embedding_type: Option<String>,
}

impl EncoderConfig {
    pub fn read(folder: &Path) -> Result<Self, EmbedError> {
        let config: Self = parse(&folder.join("config.json"))?;
        let (hidden, heads) = (config.hidden_size, config.num_attention_heads);
        if hidden != DIMENSIONS {
            return Err(unusable(folder, format!("it makes {hidden} numbers a vector, {DIMENSIONS} are needed")));
        }
        if heads == 0 || !hidden.is_multiple_of(heads) {
            return Err(unusable(folder, format!("{heads} heads cannot share {hidden} numbers")));
        }
        if !config.intermediate_size.is_multiple_of(GRAIN) {
            return Err(unusable(folder, format!("its intermediate_size is no multiple of {GRAIN}")));
        }
        // Other position embeddings would need a different attention computation.
        if let Some(other) = config.position_embedding_type.as_deref().filter(|kind| *kind != "absolute") {
            return Err(unusable(folder, format!("its positions are {other}, not absolute")));
        }
        Ok(config)
    }

    fn activation(&self, folder: &Path) -> Result<Activation, EmbedError> {
        match self.hidden_act.as_str() {
            "gelu" => Ok(Activation::Gelu),
            "relu" => Ok(Activation::Relu),
            other => Err(unusable(folder, format!("its activation {other} is not known"))),
        }
    }
}

pub(super) struct Encoder {
    words: Vec<f32>,
    /// Includes the embedding of the first sentence type, which all tokens have.
    positions: Vec<f32>,
    norm: LayerNorm,
    layers: Vec<Layer>,
    attention: Attention,
    activation: Activation,
}

struct Layer {
    /// Query, key and value in one product.
    attended: Linear,
    joined: Linear,
    joined_norm: LayerNorm,
    widened: Linear,
    narrowed: Linear,
    narrowed_norm: LayerNorm,
}

impl Encoder {
    pub fn load(folder: &Path, config: &EncoderConfig) -> Result<Self, EmbedError> {
        const WORDS: &str = "embeddings.word_embeddings.weight";
        let activation = config.activation(folder)?;
        let mut weights = Weights::open(&folder.join(WEIGHTS_FILE), WORDS, "bert.")?;
        let hidden = config.hidden_size;
        let words = weights.take(WORDS, &[config.vocab_size, hidden])?;
        let mut positions = weights.take("embeddings.position_embeddings.weight", &[config.max_position_embeddings, hidden])?;
        let types = weights.take("embeddings.token_type_embeddings.weight", &[config.type_vocab_size, hidden])?;
        for position in positions.chunks_exact_mut(hidden) {
            position.iter_mut().zip(&types).for_each(|(x, first)| *x += first);
        }
        let mut read = WeightReader { weights, config };
        let norm = read.norm("embeddings.LayerNorm")?;
        let layers = (0..config.num_hidden_layers).map(|nth| read.layer(nth)).collect::<Result<_, _>>()?;
        let heads = config.num_attention_heads;
        Ok(Self { words, positions, norm, layers, attention: Attention { heads, size: hidden / heads }, activation })
    }

    /// One vector per text, of length 1; a text without tokens gets zeros. A text may have at most as many tokens as there are
    /// positions.
    pub fn forward(&self, texts: &[&[u32]]) -> Result<Vec<Vector>, EmbedError> {
        let tokens: usize = texts.iter().map(|text| text.len()).sum();
        let mut state = Vec::with_capacity(tokens * DIMENSIONS);
        for text in texts {
            for (id, position) in text.iter().zip(self.positions.chunks_exact(DIMENSIONS)) {
                let word = self.words.chunks_exact(DIMENSIONS).nth(*id as usize).ok_or_else(|| unlisted(*id))?;
                state.extend(word.iter().zip(position).map(|(word, position)| word + position));
            }
        }
        self.norm.apply(&mut state);

        let mut places: Vec<Range<usize>> = Vec::with_capacity(texts.len());
        for text in texts {
            let start = places.last().map_or(0, |place| place.end);
            places.push(start..start + text.len());
        }
        let rows = |place: &Range<usize>, size: usize| place.start * size..place.end * size;
        let mut room = Room::default();
        let mut attended = vec![0.0; tokens * 3 * DIMENSIONS];
        let mut mixed = vec![0.0; tokens * DIMENSIONS];
        let mut wide = vec![0.0; self.layers.first().map_or(0, |layer| tokens * layer.widened.outputs())];
        for layer in &self.layers {
            layer.attended.put(&state, &mut attended);
            for place in &places {
                let input = &attended[rows(place, 3 * DIMENSIONS)];
                self.attention.apply(&mut room, input, &mut mixed[rows(place, DIMENSIONS)]);
            }
            layer.joined.add(&mixed, &mut state);
            layer.joined_norm.apply(&mut state);
            layer.widened.put_through(self.activation, &state, &mut wide);
            layer.narrowed.add(&wide, &mut state);
            layer.narrowed_norm.apply(&mut state);
        }
        Ok(places.iter().map(|place| pooled(&state[rows(place, DIMENSIONS)])).collect())
    }
}

/// Mean pooling. It computes the sum, because only the direction is kept.
fn pooled(rows: &[f32]) -> Vector {
    let mut sum = vec![0.0; DIMENSIONS];
    for row in rows.chunks_exact(DIMENSIONS) {
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    unit(sum)
}

fn unlisted(id: u32) -> EmbedError {
    EmbedError::Model(format!("tokenizer.json has a token {id}, for which there are no weights"))
}

/// Reads layers from the weights.
struct WeightReader<'a> {
    weights: Weights,
    config: &'a EncoderConfig,
}

impl WeightReader<'_> {
    fn layer(&mut self, nth: usize) -> Result<Layer, EmbedError> {
        let (hidden, wide) = (self.config.hidden_size, self.config.intermediate_size);
        let name = |part: &str| format!("encoder.layer.{nth}.{part}");
        let parts = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        Ok(Layer {
            attended: self.linear(&parts, hidden, hidden)?,
            joined: self.linear(&[name("attention.output.dense")], hidden, hidden)?,
            joined_norm: self.norm(&name("attention.output.LayerNorm"))?,
            widened: self.linear(&[name("intermediate.dense")], hidden, wide)?,
            narrowed: self.linear(&[name("output.dense")], wide, hidden)?,
            narrowed_norm: self.norm(&name("output.LayerNorm"))?,
        })
    }

    /// Joins layers with the same input into one.
    fn linear(&mut self, names: &[String], inputs: usize, outputs: usize) -> Result<Linear, EmbedError> {
        let (mut all, mut biases) = (Vec::new(), Vec::new());
        for name in names {
            all.extend(self.weights.take(&format!("{name}.weight"), &[outputs, inputs])?);
            biases.extend(self.weights.take(&format!("{name}.bias"), &[outputs])?);
        }
        Ok(Linear::new(&all, biases, inputs))
    }

    fn norm(&mut self, name: &str) -> Result<LayerNorm, EmbedError> {
        let shape = [self.config.hidden_size];
        let scale = self.weights.take(&format!("{name}.weight"), &shape)?;
        let bias = self.weights.take(&format!("{name}.bias"), &shape)?;
        Ok(LayerNorm { scale, bias, epsilon: self.config.layer_norm_eps })
    }
}
