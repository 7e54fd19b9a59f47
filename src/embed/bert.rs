//! A BERT sentence encoder in this process: any model with 384 dimensions and mean pooling that sentence-transformers can load,
//! read from a folder with `config.json`, `tokenizer.json` and `model.safetensors`.
//!
//! If an encoder has no Indonesian in its vocabulary, Indonesian text is translated word by word first (`gloss`).
//!
//! It runs in this process because recall embeds the query while the user waits, and because users' text should not leave the
//! machine just to be compared. It uses single precision: quantised weights are faster, but they change merge decisions. This
//! file never downloads anything; `make model` does.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use sha2::Digest;
use tokenizers::{Tokenizer, TruncationParams};
use tokio::sync::Semaphore;

use super::DIMENSIONS;
use super::encoder::{Encoder, EncoderConfig};
use super::files::{WEIGHTS_FILE, parse, read, unusable};
use super::gloss;
use super::weights::Weights;
use ports::embedder::{EmbedError, Embedder, EmbedderFamily, EmbedderId, Vector};

/// Texts per batch on one thread. Larger batches are no faster, and make a recall wait longer behind a re-embedding.
const TURN_TEXTS: usize = 8;
/// Tokens in one forward pass, which limits its memory to about 8 MB.
const PASS_TOKENS: usize = 512;
/// A shorter window more likely means a broken config than a tiny model.
const MIN_WINDOW_TOKENS: usize = 8;
/// Texts are cut to this many characters per token of the window before tokenisation, so that a megabyte of query costs no more
/// than a page. Real text has four or five characters per token.
const CUT_CHARS_PER_TOKEN: usize = 40;

/// A word that is a single token in every encoder trained on Indonesian: as a word piece, and in `SentencePiece`.
const INDONESIAN_WORD: [&str; 2] = ["tidak", "\u{2581}tidak"];

/// One loaded model. Cheap to share. It runs at most as many forward passes at a time as there are cores.
pub struct Bert {
    id: EmbedderId,
    model: Arc<Model>,
    cores: usize,
    slots: Arc<Semaphore>,
}

impl Bert {
    /// Loads the model in `folder` and hashes its weights.
    pub fn open(folder: &Path) -> Result<Self, EmbedError> {
        let weights = folder.join(WEIGHTS_FILE);
        if !weights.is_file() {
            return Err(EmbedError::Model(format!(
                "there is no {} (run `make model`, or choose the lexical embedder)",
                weights.display()
            )));
        }
        let name = folder.canonicalize().map_err(|e| unusable(folder, e))?;
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        let model = Model::load(folder)?;
        let read_through = if model.glosses { gloss::source() } else { Vec::new() };
        let hash = Weights::digest(&weights)?.chain_update(read_through).finalize();
        let id = EmbedderId { model: format!("bert:{name}"), weights: format!("{hash:x}"), dimensions: DIMENSIONS };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self { id, model: Arc::new(model), cores, slots: Arc::new(Semaphore::new(cores)) })
    }

    /// Embeds some texts on a blocking thread.
    async fn encode(&self, texts: Vec<String>) -> Result<Vec<Vector>, EmbedError> {
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(stopped)?;
        let model = Arc::clone(&self.model);
        let work = move || {
            let _slot = slot;
            model.encode(&texts)
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
        let turns: Vec<_> = texts.chunks(TURN_TEXTS).map(|texts| self.encode(texts.to_vec())).collect();
        // At most as many at a time as there are cores, so that the next caller does not wait for all of them.
        let vectors: Vec<Vec<Vector>> = stream::iter(turns).buffered(self.cores).try_collect().await?;
        Ok(vectors.into_iter().flatten().collect())
    }
}

impl fmt::Debug for Bert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bert").field("id", &self.id).finish_non_exhaustive()
    }
}

struct Model {
    tokenizer: Tokenizer,
    encoder: Encoder,
    window_tokens: usize,
    /// Indonesian is translated to English first.
    glosses: bool,
}

impl Model {
    fn load(folder: &Path) -> Result<Self, EmbedError> {
        let config = EncoderConfig::read(folder)?;
        refuse_other_pooling(folder)?;
        let window_tokens = window_tokens(folder, &config)?;

        let tokenizer_path = folder.join("tokenizer.json");
        let mut tokenizer = Tokenizer::from_bytes(read(&tokenizer_path)?).map_err(|e| unusable(&tokenizer_path, e))?;
        // The file's own settings come from training and often allow only 128 tokens.
        tokenizer
            .with_padding(None)
            .with_truncation(Some(TruncationParams { max_length: window_tokens, ..TruncationParams::default() }))
            .map_err(|e| unusable(&tokenizer_path, e))?;

        let encoder = Encoder::load(folder, &config)?;
        let glosses = INDONESIAN_WORD.iter().all(|word| tokenizer.token_to_id(word).is_none());
        Ok(Self { tokenizer, encoder, window_tokens, glosses })
    }

    fn encode(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        let tokens = texts.iter().map(|text| self.tokens(text)).collect::<Result<Vec<_>, _>>()?;
        let mut rest: Vec<&[u32]> = tokens.iter().map(Vec::as_slice).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        while !rest.is_empty() {
            let later = rest.split_off(texts_that_fit(&rest));
            vectors.extend(self.encoder.forward(&rest)?);
            rest = later;
        }
        Ok(vectors)
    }

    fn tokens(&self, text: &str) -> Result<Vec<u32>, EmbedError> {
        let text = first_chars(text, self.window_tokens * CUT_CHARS_PER_TOKEN);
        let text = if self.glosses { gloss::english(text) } else { Cow::Borrowed(text) };
        let encoding = self.tokenizer.encode_fast(text, true).map_err(|e| EmbedError::Model(e.to_string()))?;
        Ok(encoding.get_ids().to_vec())
    }
}

/// How many of the first texts fit into one forward pass; at least one.
fn texts_that_fit(texts: &[&[u32]]) -> usize {
    let mut tokens = 0;
    let fits = texts.iter().take_while(|text| {
        tokens += text.len();
        tokens <= PASS_TOKENS
    });
    fits.count().max(1)
}

/// The maximum length in sentence-transformers' config; without that file, the number of positions.
fn window_tokens(folder: &Path, config: &EncoderConfig) -> Result<usize, EmbedError> {
    #[derive(Deserialize)]
    struct SentenceBert {
        max_seq_length: usize,
    }
    let path = folder.join("sentence_bert_config.json");
    let trained = if path.is_file() { parse::<SentenceBert>(&path)?.max_seq_length } else { config.max_position_embeddings };
    Ok(trained.clamp(MIN_WINDOW_TOKENS, config.max_position_embeddings.max(MIN_WINDOW_TOKENS)))
}

/// A model with another pooling would load, and then silently give bad similarities.
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

fn stopped(cause: impl Display) -> EmbedError {
    EmbedError::Model(format!("the forward pass was stopped: {cause}"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use sha2::Sha256;

    use super::*;
    use crate::embed::DIMENSIONS;

    /// The model with which the reference vectors were made.
    const MINILM_SHA256: &str = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";
    const SENTENCES: &str = include_str!("../tests/data/embedding/sentences.txt");
    const REFERENCE: &[u8] = include_bytes!("../tests/data/embedding/minilm-vectors.f32");
    /// Allowed difference to sentence-transformers in each number of a vector.
    const AGREEMENT: f32 = 1e-5;

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
    async fn agrees_with_sentence_transformers_and_is_the_same_alone_and_in_company() {
        let (model, sentences) = (minilm(), sentences());
        let reference: Vec<f32> =
            REFERENCE.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four bytes"))).collect();
        assert_eq!(reference.len(), sentences.len() * DIMENSIONS);

        let together = model.embed(&sentences).await.expect("embeds");
        for (sentence, (ours, theirs)) in sentences.iter().zip(together.iter().zip(reference.chunks_exact(DIMENSIONS))) {
            let alone = model.embed(std::slice::from_ref(sentence)).await.expect("embeds").remove(0);
            let apart = ours.iter().zip(theirs).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
            assert!(apart <= AGREEMENT, "{apart} for {sentence}");
            assert!((cosine(ours, ours) - 1.0).abs() < 1e-5, "{sentence}");
            assert!(alone.iter().zip(ours).all(|(x, y)| x.to_bits() == y.to_bits()), "another vector alone: {sentence}");
        }
    }

    /// Number of items in an answer.
    const ANSWER: usize = 5;
    /// Percentage of questions that must find their memory, and how many times as many as without the gloss.
    const FOUND: usize = 70;
    const TIMES_RAW: usize = 5;

    /// The percentage of Indonesian questions whose memory is among the nearest.
    fn found(model: &Model) -> usize {
        let pairs: Vec<(&str, &str)> = language::questions().into_iter().map(|line| (line.question, line.memory)).collect();
        let vectors = |texts: Vec<&str>| {
            let texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
            model.encode(&texts).expect("encodes")
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
        let mut model = Model::load(&folder).expect("run `make model` first");
        assert!(model.glosses, "all-MiniLM-L6-v2 has no Indonesian");
        let glossed = found(&model);
        model.glosses = false;
        let raw = found(&model);
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
        assert_eq!(model.model.window_tokens, 256);
        let page = "the nightly backup failed again ".repeat(60);
        let megabyte = page.repeat(500);
        assert!(cosine(&vector(&model, &page), &vector(&model, &megabyte)) > 0.9999);
    }

    #[test]
    fn a_pass_is_bounded_in_tokens() {
        let ids = [0; PASS_TOKENS + 1];
        assert_eq!(texts_that_fit(&[&ids[..10]; 8]), 8);
        assert_eq!(texts_that_fit(&[&ids[..200]; 8]), PASS_TOKENS / 200);
        assert_eq!(texts_that_fit(&[&ids]), 1);
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

        std::fs::write(folder.path().join("config.json"), config.replace("absolute", "relative_key")).expect("writes");
        assert!(refusal(folder.path()).contains("relative_key"));

        std::fs::write(folder.path().join("config.json"), config).expect("writes");
        std::fs::create_dir(folder.path().join("1_Pooling")).expect("creates");
        std::fs::write(folder.path().join("1_Pooling/config.json"), r#"{"pooling_mode_mean_tokens":false}"#).expect("writes");
        assert!(refusal(folder.path()).contains("pooling"));
    }
}
