//! Lists the messages of `assets/languages/en.ftl` for `src/domain/language.rs`, as `ids! { Plant Called … }`: a misspelt
//! message does not compile, and one that nothing says is named as dead code.

use std::io::{self, Write as _};
use std::path::Path;
use std::{env, fs};

const ENGLISH: &str = "assets/languages/en.ftl";

fn main() -> io::Result<()> {
    writeln!(io::stdout(), "cargo::rerun-if-changed={ENGLISH}")?;
    let messages = fs::read_to_string(ENGLISH)?;
    let begins = |line: &&str| line.starts_with(|letter: char| letter.is_ascii_lowercase());
    let ids = messages.lines().filter(begins).filter_map(|line| line.split_once(" ="));
    let ids: Vec<_> = ids.map(|(id, _)| id.split('-').map(capitalized).collect::<String>()).collect();
    #[expect(clippy::disallowed_methods, reason = "cargo names the folder in a variable")]
    let folder = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&folder).join("ids.rs"), format!("ids! {{ {} }}", ids.join(" ")))
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
