//! The schema migrations, in order. They are listed here because the `sqlx` macro that reads the folder would compile a second
//! SQLite for the build.

use std::sync::LazyLock;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Each is a file in `migrations/sqlite`: its name and its content.
macro_rules! steps {
    ($($name:literal,)+) => {
        [$(($name, include_str!(concat!("../../../migrations/sqlite/", $name, ".sql"))),)+]
    };
}

/// There is no 0014: it was withdrawn before it was released.
const STEPS: [(&str, &str); 20] = steps![
    "0001_foundation",
    "0002_memories",
    "0003_facts",
    "0004_inbox",
    "0005_people_at_the_desk",
    "0006_decisions",
    "0007_stats",
    "0008_fact_search",
    "0009_tuning",
    "0010_people_and_record",
    "0011_erasures",
    "0012_memory_search",
    "0013_facts_in_memory",
    "0015_changes_told",
    "0016_words_and_dimensions",
    "0017_corroborated",
    "0018_hashed_sessions",
    "0019_receipts_count_facts",
    "0020_arrivals",
    "0022_rights",
];

/// `NNNN_description`, as `sqlx` reads file names: existing databases store these names and checksums and are checked against
/// them.
pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let step = |(name, sql): (&str, &'static str)| {
        let (version, brings) = name.split_once('_').expect("a name with a number");
        let version = version.parse().expect("a number");
        Migration::new(version, brings.replace('_', " ").into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(STEPS.into_iter().map(step).collect())
});

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[tokio::test]
    async fn every_file_of_the_folder_is_a_step() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/sqlite");
        let files = Migrator::new(folder.as_path()).await.expect("read");
        let told = |migrator: &Migrator| -> Vec<_> {
            migrator.iter().map(|step| (step.version, step.description.clone(), step.checksum.clone(), step.no_tx)).collect()
        };
        assert_eq!(told(&MIGRATIONS), told(&files));
    }
}
