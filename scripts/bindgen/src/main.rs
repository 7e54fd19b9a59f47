//! Generates the browser files from `<keepsake.wasm>` in `<folder>`. Without arguments it prints its version.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

const NAME: &str = "keepsake";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [wasm, folder] = arguments.as_slice() else {
        println!("{}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen.input_path(wasm).out_name(NAME).typescript(false).web(true).and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
