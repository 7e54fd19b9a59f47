//! Embedders turn text into vectors; this module chooses one for a database.
//!
//! Vectors of two embedders are never compared, so the choice is made once per database: `Auto` keeps the embedder that the
//! database names, and chooses only for an empty one. The caller must compare the id of the opened embedder with the stored one.

pub mod bert;
mod encoder;
mod files;
mod gloss;
pub mod lexical;
mod weights;

use std::path::Path;
use std::sync::Arc;

use ports::embedder::{EmbedError, Embedder, EmbedderId, Vector};

/// Numbers in a vector of every embedder here.
pub const DIMENSIONS: usize = 384;

/// The configured choice of an embedder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EmbedderChoice {
    /// The embedder that the database names; for an empty database, `Bert` if its folder holds a model, else `Lexical`.
    #[default]
    Auto,
    Bert,
    Lexical,
}

/// Opens the embedder. `folder` is where a BERT model would be; `named` is the embedder that made the database's vectors.
///
/// Reads and hashes the whole model: a fraction of a second, on the calling thread.
pub fn open(choice: EmbedderChoice, folder: &Path, named: Option<&EmbedderId>) -> Result<Arc<dyn Embedder>, EmbedError> {
    let lexical = match (choice, named) {
        (EmbedderChoice::Lexical, _) => true,
        (EmbedderChoice::Bert, _) => false,
        (EmbedderChoice::Auto, Some(id)) => id.model == lexical::MODEL,
        (EmbedderChoice::Auto, None) => !folder.join(files::WEIGHTS_FILE).is_file(),
    };
    if lexical { Ok(Arc::new(lexical::Lexical::default())) } else { Ok(Arc::new(bert::Bert::open(folder)?)) }
}

/// The vector scaled to length 1; zeros stay zeros.
fn unit(mut vector: Vector) -> Vector {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        for x in &mut vector {
            *x /= length;
        }
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_keeps_to_what_the_database_names() {
        let empty = tempfile::tempdir().expect("a folder");
        let lexical = open(EmbedderChoice::Auto, empty.path(), None).expect("needs nothing");
        assert_eq!(lexical.id().model, "lexical");
        assert!(open(EmbedderChoice::Auto, empty.path(), Some(lexical.id())).is_ok());
        let bert = EmbedderId { model: "bert:gte-small".to_owned(), weights: "00".to_owned(), dimensions: DIMENSIONS };
        assert!(open(EmbedderChoice::Auto, empty.path(), Some(&bert)).is_err(), "never silently another embedder");
        assert!(open(EmbedderChoice::Bert, empty.path(), None).is_err());
    }
}
