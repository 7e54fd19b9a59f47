//! Migrations that databases have applied must stay as they are, to the last comment: a database stores their checksums, and does not
//! open if one differs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use access::digest::sha256_hex;

/// Their checksums, as `sha256sum *.sql` prints them in the folder of migrations. A new migration gets a line, and no line changes.
const RELEASED: &str = include_str!("../data/migrations.sha256");

#[test]
fn released_migrations_stay_as_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/sqlite");
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        found.insert(name, sha256_hex(&fs::read(&path).expect("read")));
    }
    let released: BTreeMap<String, String> =
        RELEASED.lines().filter_map(|line| line.split_once("  ")).map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect();
    assert_eq!(found, released, "put a change into a new migration, and add its line to src/tests/data/migrations.sha256");
}
