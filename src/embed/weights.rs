//! The weights of a model, read from a `model.safetensors` one tensor at a time, so that unused tensors take no memory.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use sha2::{Digest, Sha256};

use super::files::unusable;
use ports::embedder::EmbedError;

/// Bytes hashed at a time.
const PIECE_BYTES: usize = 1 << 20;

pub(super) struct Weights {
    path: PathBuf,
    file: File,
    tensors: Metadata,
    /// The offset of the tensor data in the file.
    begin: u64,
    /// The prefix of every name, in files that contain a model inside another.
    prefix: &'static str,
}

impl Weights {
    /// The SHA-256 state after a file, to which more can be added.
    pub fn digest(path: &Path) -> Result<Sha256, EmbedError> {
        let mut file = File::open(path).map_err(|e| unusable(path, e))?;
        let mut piece = vec![0; PIECE_BYTES];
        let mut hash = Sha256::new();
        loop {
            match file.read(&mut piece).map_err(|e| unusable(path, e))? {
                0 => return Ok(hash),
                read => hash.update(&piece[..read]),
            }
        }
    }

    /// Reads the list of tensors. `known` is the name of one that must exist, with or without `prefix`.
    pub fn open(path: &Path, known: &str, prefix: &'static str) -> Result<Self, EmbedError> {
        let mut file = File::open(path).map_err(|e| unusable(path, e))?;
        let whole = file.metadata().map_err(|e| unusable(path, e))?.len();
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(|e| unusable(path, e))?;
        let length = u64::from_le_bytes(length);
        let begin = length.saturating_add(8);
        if begin > whole {
            return Err(unusable(path, "its list of tensors is cut off"));
        }
        let mut list = Vec::new();
        (&mut file).take(length).read_to_end(&mut list).map_err(|e| unusable(path, e))?;
        let tensors: Metadata = serde_json::from_slice(&list).map_err(|e| unusable(path, e))?;
        if begin + tensors.data_len() as u64 != whole {
            return Err(unusable(path, "its tensors do not fill it"));
        }
        let prefix = if tensors.info(known).is_some() { "" } else { prefix };
        Ok(Self { path: path.to_owned(), file, tensors, begin, prefix })
    }

    /// The numbers of one tensor, row by row.
    pub fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EmbedError> {
        let name = format!("{}{name}", self.prefix);
        let refuse = |path: &Path, why: &str| unusable(path, format!("{name}: {why}"));
        let info: TensorInfo = self.tensors.info(&name).cloned().ok_or_else(|| refuse(&self.path, "is not there"))?;
        if info.shape != shape {
            return Err(refuse(&self.path, &format!("has the shape {:?}, not {shape:?}", info.shape)));
        }
        let (start, end) = info.data_offsets;
        self.file.seek(SeekFrom::Start(self.begin + start as u64)).map_err(|e| unusable(&self.path, e))?;
        if info.dtype == Dtype::F32 {
            let mut numbers = vec![0.0; (end - start) / size_of::<f32>()];
            self.file.read_exact(bytemuck::cast_slice_mut(&mut numbers)).map_err(|e| unusable(&self.path, e))?;
            return Ok(numbers);
        }
        let widen = match info.dtype {
            Dtype::F16 => kernels::from_f16,
            Dtype::BF16 => kernels::from_bf16,
            other => return Err(refuse(&self.path, &format!("has numbers of the kind {other:?}"))),
        };
        let mut bytes = vec![0; end - start];
        self.file.read_exact(&mut bytes).map_err(|e| unusable(&self.path, e))?;
        Ok(widen(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with these tensors: name, kind and shape, bytes.
    fn file(list: &str, bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let whole = [&(list.len() as u64).to_le_bytes(), list.as_bytes(), bytes].concat();
        std::fs::write(file.path(), whole).expect("writes");
        file
    }

    const LIST: &str = r#"{"__metadata__":{"format":"pt"},
        "bert.one":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},
        "bert.half":{"dtype":"F16","shape":[2],"data_offsets":[8,12]},
        "bert.count":{"dtype":"I64","shape":[1],"data_offsets":[12,20]}}"#;

    #[test]
    fn tensors_are_read_by_name_in_any_order_and_widened() {
        let bytes = [&1.5_f32.to_le_bytes()[..], &(-2.0_f32).to_le_bytes(), &[0x00, 0x3c, 0x00, 0xc1], &[0; 8]].concat();
        let file = file(LIST, &bytes);
        let mut weights = Weights::open(file.path(), "one", "bert.").expect("opens");
        assert_eq!(weights.take("half", &[2]).expect("there"), [1.0, -2.5]);
        assert_eq!(weights.take("one", &[1, 2]).expect("there"), [1.5, -2.0]);
        let mut refusal = |name, shape| weights.take(name, shape).expect_err("refused").to_string();
        assert!(refusal("two", &[1]).contains("bert.two: is not there"));
        assert!(refusal("one", &[2, 1]).contains("shape [1, 2]"));
        assert!(refusal("count", &[1]).contains("I64"));
        let digest = Weights::digest(file.path()).expect("reads").finalize();
        assert_eq!(digest, Sha256::digest(std::fs::read(file.path()).expect("reads")));
    }

    #[test]
    fn a_file_that_is_cut_off_is_refused() {
        for bytes in [&b""[..], &[0; 7], &[0xff; 8], &[9; 40]] {
            let file = tempfile::NamedTempFile::new().expect("a file");
            std::fs::write(file.path(), bytes).expect("writes");
            assert!(Weights::open(file.path(), "one", "").is_err(), "{bytes:?}");
        }
        assert!(Weights::open(file(LIST, &[0; 19]).path(), "one", "bert.").is_err());
    }
}
