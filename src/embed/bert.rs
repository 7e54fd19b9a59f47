//! A BERT sentence encoder in this process: any model with 384 dimensions and mean pooling that sentence-transformers
//! could load, read from a folder with `config.json`, `tokenizer.json` and `model.safetensors`.
//!
//! An encoder without Indonesian in its vocabulary reads it glossed into English words (`gloss`).
//!
//! In process, because recall embeds the query while somebody waits, and because what people say should not leave the
//! machine only to be compared. Single precision: quantised weights are faster and flip merge decisions.
//! This file never fetches anything; `make model` does.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::{self, Display};
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};
// Named only to switch on its AVX-512 kernels in the copy that candle uses.
use gemm as _;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokenizers::{Tokenizer, TruncationParams};
use tokio::sync::Semaphore;

use super::{gloss, unit};
use crate::ports::embedder::{DIMENSIONS, EmbedError, Embedder, EmbedderFamily, EmbedderId, Vector};

pub(super) const WEIGHTS_FILE: &str = "model.safetensors";

/// Texts in one forward pass. More gain nothing on a CPU and make a recall wait longer behind a re-embedding.
const BATCH_TEXTS: usize = 32;
/// Tokens in one forward pass, padding included: bounds what a pass allocates to about 200 MB.
const BATCH_TOKENS: usize = 2048;
/// Shortest window that makes sense; below it a broken config is likelier than a tiny model.
const MIN_WINDOW_TOKENS: usize = 8;
/// A text is cut to this many characters per token of the window before it is tokenised, so that a megabyte of query costs
/// no more than a page. Real text has four or five characters a token.
const CUT_CHARS_PER_TOKEN: usize = 40;

/// A word that is a token of its own for every encoder that was trained on Indonesian: by word pieces, and by `SentencePiece`.
const INDONESIAN_WORD: [&str; 2] = ["tidak", "\u{2581}tidak"];

/// One loaded model. Cheap to share; at most as many forward passes run at a time as there are cores.
pub struct Bert {
    id: EmbedderId,
    encoder: Arc<Encoder>,
    slots: Arc<Semaphore>,
}

impl Bert {
    /// Loads the model in `folder` and hashes its weights.
    pub fn open(folder: &Path) -> Result<Self, EmbedError> {
        let weights_path = folder.join(WEIGHTS_FILE);
        if !weights_path.is_file() {
            return Err(EmbedError::Model(format!(
                "there is no {} (run `make model`, or choose the lexical embedder)",
                weights_path.display()
            )));
        }
        let name = folder.canonicalize().map_err(|e| unusable(folder, e))?;
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        let weights = read(&weights_path)?;
        let encoder = Encoder::load(folder, &weights)?;
        let read_through = if encoder.glosses { gloss::source() } else { Vec::new() };
        let hash = Sha256::new().chain_update(&weights).chain_update(read_through).finalize();
        let id = EmbedderId { model: format!("bert:{name}"), weights: format!("{hash:x}") };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self { id, encoder: Arc::new(encoder), slots: Arc::new(Semaphore::new(cores)) })
    }

    /// One batch on a thread that may block.
    async fn encode(&self, texts: Vec<String>) -> Result<Vec<Vector>, EmbedError> {
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(stopped)?;
        let encoder = Arc::clone(&self.encoder);
        let work = move || {
            let _slot = slot;
            encoder.encode(&texts)
        };
        tokio::task::spawn_blocking(work).await.map_err(stopped)?
    }
}

#[async_trait]
impl Embedder for Bert {
    fn id(&self) -> &EmbedderId {
        &self.id
    }

    fn family(&self) -> EmbedderFamily {
        if self.id.model.to_lowercase().contains("minilm") { EmbedderFamily::MiniLm } else { EmbedderFamily::Crowded }
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        // Texts of like length share a batch, so that little of it is padding. Bytes stand in for tokens well enough.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&place| Reverse(texts[place].len()));
        let mut vectors = vec![Vector::new(); texts.len()];
        for places in order.chunks(BATCH_TEXTS) {
            let batch = places.iter().map(|&place| texts[place].clone()).collect();
            for (&place, vector) in places.iter().zip(self.encode(batch).await?) {
                vectors[place] = vector;
            }
        }
        Ok(vectors)
    }
}

impl fmt::Debug for Bert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bert").field("id", &self.id).finish_non_exhaustive()
    }
}

struct Encoder {
    tokenizer: Tokenizer,
    model: BertModel,
    window_tokens: usize,
    pad: u32,
    /// Indonesian is put into English first.
    glosses: bool,
}

impl Encoder {
    fn load(folder: &Path, weights: &[u8]) -> Result<Self, EmbedError> {
        let config: Config = parse(&folder.join("config.json"))?;
        if config.hidden_size != DIMENSIONS {
            return Err(unusable(folder, format!("it makes {} numbers a vector, {DIMENSIONS} are needed", config.hidden_size)));
        }
        refuse_other_pooling(folder)?;
        let window_tokens = window_tokens(folder, &config)?;

        let tokenizer_path = folder.join("tokenizer.json");
        let mut tokenizer = Tokenizer::from_bytes(read(&tokenizer_path)?).map_err(|e| unusable(&tokenizer_path, e))?;
        // The file's own settings are those of its training, often 128 tokens.
        tokenizer
            .with_padding(None)
            .with_truncation(Some(TruncationParams { max_length: window_tokens, ..TruncationParams::default() }))
            .map_err(|e| unusable(&tokenizer_path, e))?;

        let weights = VarBuilder::from_slice_safetensors(weights, DType::F32, &Device::Cpu);
        let model = weights.and_then(|weights| BertModel::load(weights, &config)).map_err(|e| unusable(folder, e))?;
        let pad = u32::try_from(config.pad_token_id).map_err(|e| unusable(folder, e))?;
        let glosses = INDONESIAN_WORD.iter().all(|word| tokenizer.token_to_id(word).is_none());
        Ok(Self { tokenizer, model, window_tokens, pad, glosses })
    }

    fn encode(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        let cut = texts.iter().map(|text| first_chars(text, self.window_tokens * CUT_CHARS_PER_TOKEN));
        let read: Vec<Cow<'_, str>> = cut.map(|text| if self.glosses { gloss::english(text) } else { text.into() }).collect();
        let encodings = self.tokenizer.encode_batch_fast(read, true).map_err(|e| EmbedError::Model(e.to_string()))?;
        let mut rest: Vec<&[u32]> = encodings.iter().map(tokenizers::Encoding::get_ids).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        while !rest.is_empty() {
            let later = rest.split_off(rows_that_fit(&rest));
            vectors.extend(self.forward(&rest).map_err(|e| EmbedError::Model(e.to_string()))?);
            rest = later;
        }
        Ok(vectors)
    }

    fn forward(&self, rows: &[&[u32]]) -> candle_core::Result<Vec<Vector>> {
        let longest = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let mut ids = Vec::with_capacity(rows.len() * longest);
        let mut mask = Vec::with_capacity(rows.len() * longest);
        for row in rows {
            let padding = longest - row.len();
            ids.extend_from_slice(row);
            ids.extend(std::iter::repeat_n(self.pad, padding));
            mask.extend(std::iter::repeat_n(1_f32, row.len()));
            mask.extend(std::iter::repeat_n(0_f32, padding));
        }
        let ids = Tensor::from_vec(ids, (rows.len(), longest), &Device::Cpu)?;
        let mask = Tensor::from_vec(mask, (rows.len(), longest), &Device::Cpu)?;
        let hidden = self.model.forward(&ids, &ids.zeros_like()?, Some(&mask))?;
        // Mean pooling; the sum points where the mean points, and only the direction is kept.
        let sums = mask.unsqueeze(1)?.matmul(&hidden)?.squeeze(1)?;
        Ok(sums.to_vec2::<f32>()?.into_iter().map(unit).collect())
    }
}

/// How many of the first rows make up one forward pass: at least one.
fn rows_that_fit(rows: &[&[u32]]) -> usize {
    let mut longest = 0;
    let fits = rows.iter().enumerate().take_while(|(before, row)| {
        longest = longest.max(row.len());
        (before + 1) * longest <= BATCH_TOKENS
    });
    fits.count().max(1)
}

/// sentence-transformers says how far a model was trained to read; without that file, as far as it has positions.
fn window_tokens(folder: &Path, config: &Config) -> Result<usize, EmbedError> {
    #[derive(Deserialize)]
    struct SentenceBert {
        max_seq_length: usize,
    }
    let path = folder.join("sentence_bert_config.json");
    let trained = if path.is_file() { parse::<SentenceBert>(&path)?.max_seq_length } else { config.max_position_embeddings };
    Ok(trained.clamp(MIN_WINDOW_TOKENS, config.max_position_embeddings.max(MIN_WINDOW_TOKENS)))
}

/// A model trained for another pooling would load, and compare badly without a word.
fn refuse_other_pooling(folder: &Path) -> Result<(), EmbedError> {
    #[derive(Deserialize)]
    struct Pooling {
        pooling_mode_mean_tokens: bool,
    }
    let path = folder.join("1_Pooling").join("config.json");
    if path.is_file() && !parse::<Pooling>(&path)?.pooling_mode_mean_tokens {
        return Err(unusable(folder, "it was trained for another pooling than the mean"));
    }
    Ok(())
}

fn first_chars(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

fn read(path: &Path) -> Result<Vec<u8>, EmbedError> {
    std::fs::read(path).map_err(|e| unusable(path, e))
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, EmbedError> {
    serde_json::from_slice(&read(path)?).map_err(|e| unusable(path, e))
}

fn unusable(path: &Path, cause: impl Display) -> EmbedError {
    EmbedError::Model(format!("{}: {cause}", path.display()))
}

fn stopped(cause: impl Display) -> EmbedError {
    EmbedError::Model(format!("the forward pass was stopped: {cause}"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// The model that the reference vectors were made with.
    const MINILM_SHA256: &str = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";
    const SENTENCES: &str = include_str!("../tests/data/embedding/sentences.txt");
    const REFERENCE: &[u8] = include_bytes!("../tests/data/embedding/minilm-vectors.f32");
    const AGREEMENT: f32 = 0.9999;

    #[allow(clippy::disallowed_methods, reason = "a test finds the model where the script puts it")]
    fn minilm_folder() -> PathBuf {
        let var = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = || var("XDG_CACHE_HOME").or_else(|| Some(var("HOME")?.join(".cache"))).unwrap_or_default();
        var("KEEPSAKE_MODEL_DIR").unwrap_or_else(|| cache().join("keepsake/models/all-MiniLM-L6-v2"))
    }

    fn minilm() -> Bert {
        let folder = minilm_folder();
        let model = Bert::open(&folder)
            .unwrap_or_else(|e| panic!("this test needs all-MiniLM-L6-v2 in {}; run `make model` first: {e}", folder.display()));
        let weights = read(&folder.join(WEIGHTS_FILE)).expect("just read");
        assert_eq!(
            format!("{:x}", Sha256::digest(weights)),
            MINILM_SHA256,
            "{} holds another model than all-MiniLM-L6-v2; run `make model` and unset KEEPSAKE_MODEL_DIR",
            folder.display()
        );
        model
    }

    fn sentences() -> Vec<String> {
        SENTENCES.lines().map(str::to_owned).collect()
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    fn vector(model: &Bert, text: &str) -> Vector {
        tokio::runtime::Runtime::new().expect("a runtime").block_on(model.embed(&[text.to_owned()])).expect("embeds").remove(0)
    }

    #[tokio::test]
    async fn agrees_with_sentence_transformers_in_batches_and_one_by_one() {
        let (model, sentences) = (minilm(), sentences());
        let reference: Vec<f32> =
            REFERENCE.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four bytes"))).collect();
        assert_eq!(reference.len(), sentences.len() * DIMENSIONS);

        let batched = model.embed(&sentences).await.expect("embeds");
        for (sentence, (ours, theirs)) in sentences.iter().zip(batched.iter().zip(reference.chunks_exact(DIMENSIONS))) {
            let alone = model.embed(std::slice::from_ref(sentence)).await.expect("embeds").remove(0);
            for ours in [ours, &alone] {
                let (agreement, length) = (cosine(ours, theirs), cosine(ours, ours));
                assert!(agreement >= AGREEMENT, "{agreement} for {sentence}");
                assert!((length - 1.0).abs() < 1e-5, "length² {length}");
            }
        }
    }

    const QUESTIONS: &str = include_str!("../tests/data/questions.tsv");
    /// Items that an answer has room for.
    const ANSWER: usize = 5;
    /// Of a hundred questions so many find their memory, and so many times as many as without the gloss.
    const FOUND: usize = 70;
    const TIMES_RAW: usize = 5;

    /// How many of a hundred Indonesian questions have their memory among the nearest.
    fn found(encoder: &Encoder) -> usize {
        let lines = QUESTIONS.lines().filter_map(|line| line.split_once('\t')?.1.split_once('\t'));
        let pairs: Vec<(&str, &str)> = lines.collect();
        let vectors = |texts: Vec<&str>| {
            let texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
            texts.chunks(BATCH_TEXTS).flat_map(|batch| encoder.encode(batch).expect("encodes")).collect::<Vec<_>>()
        };
        let (asked, held) = pairs.iter().copied().unzip();
        let (asked, held) = (vectors(asked), vectors(held));
        let nearer = |at: usize| {
            let own = cosine(&asked[at], &held[at]);
            held.iter().filter(|other| cosine(&asked[at], other) > own).count()
        };
        100 * (0..pairs.len()).filter(|at| nearer(*at) < ANSWER).count() / pairs.len()
    }

    #[test]
    fn indonesian_questions_find_their_memories_through_the_gloss() {
        let folder = minilm_folder();
        let mut encoder =
            Encoder::load(&folder, &read(&folder.join(WEIGHTS_FILE)).expect("run `make model` first")).expect("loads");
        assert!(encoder.glosses, "all-MiniLM-L6-v2 has no Indonesian");
        let glossed = found(&encoder);
        encoder.glosses = false;
        let raw = found(&encoder);
        assert!(glossed >= FOUND && glossed >= TIMES_RAW * raw, "{glossed} of 100 glossed, {raw} raw");
    }

    #[tokio::test]
    async fn nothing_in_nothing_out_and_an_empty_text_has_a_vector() {
        let model = minilm();
        assert!(model.embed(&[]).await.expect("embeds").is_empty());
        let empty = model.embed(&[String::new()]).await.expect("embeds").remove(0);
        assert!((cosine(&empty, &empty) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn long_texts_are_cut_to_the_window() {
        let model = minilm();
        assert_eq!(model.encoder.window_tokens, 256);
        let page = "the nightly backup failed again ".repeat(60);
        let megabyte = page.repeat(500);
        assert!(cosine(&vector(&model, &page), &vector(&model, &megabyte)) > AGREEMENT);
    }

    #[test]
    fn a_pass_is_bounded_in_rows_times_the_longest() {
        let ids = [0; BATCH_TOKENS + 1];
        assert_eq!(rows_that_fit(&[&ids[..10]; 32]), 32);
        assert_eq!(rows_that_fit(&[&ids[..512]; 32]), BATCH_TOKENS / 512);
        assert_eq!(rows_that_fit(&[&ids]), 1);
    }

    #[test]
    fn other_models_are_refused_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let refusal = |folder: &Path| Bert::open(folder).expect_err("unusable").to_string();
        assert!(refusal(folder.path()).contains("make model"));

        let config = std::fs::read_to_string(minilm_folder().join("config.json")).expect("run `make model` first");
        std::fs::write(folder.path().join(WEIGHTS_FILE), "").expect("writes");
        std::fs::write(folder.path().join("config.json"), config.replace("384", "768")).expect("writes");
        assert!(refusal(folder.path()).contains("768 numbers"));

        std::fs::write(folder.path().join("config.json"), config).expect("writes");
        std::fs::create_dir(folder.path().join("1_Pooling")).expect("creates");
        std::fs::write(folder.path().join("1_Pooling/config.json"), r#"{"pooling_mode_mean_tokens":false}"#).expect("writes");
        assert!(refusal(folder.path()).contains("pooling"));
    }
}
