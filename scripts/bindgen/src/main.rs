//! Generates the browser files from `<keepsake.wasm>` in `<folder>`. Without arguments it prints its version.

use std::process::ExitCode;

use walrus::{FunctionBuilder, FunctionId, FunctionKind, LocalFunction, Module};
use wasm_bindgen_cli_support::Bindgen;

const NAME: &str = "keepsake";

/// What Leptos calls only where the whole page is hydrated with `hydrate_from_async`, or a part of it is loaded lazily. An island is
/// hydrated at once; but each view's table of functions holds the asynchronous way too, so that no tool can see that nothing calls it.
const NEVER_CALLED: &str = "hydrate_async";
/// A smaller function may be shared with another one that has the same code.
const LEAST_INSTRUCTIONS: u64 = 40;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [wasm, folder] = arguments.as_slice() else {
        println!("{}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    };
    let mut bindgen = Bindgen::new();
    bindgen.out_name(NAME).typescript(false);
    let made = Module::from_file(wasm).and_then(|mut module| {
        if empty(&mut module) == 0 {
            eprintln!("no function is named {NEVER_CALLED}: scripts/bindgen need not empty any");
        }
        bindgen.input_module(NAME, module).web(true)?.generate(folder)
    });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Replaces the functions that are never called by an instruction that stops the program, as wasm-snip does. Returns how many there were.
fn empty(module: &mut Module) -> usize {
    let large = |function: &LocalFunction| function.size() >= LEAST_INSTRUCTIONS;
    let found: Vec<(FunctionId, _)> = module
        .funcs
        .iter_local()
        .filter(|(id, function)| {
            large(function) && module.funcs.get(*id).name.as_ref().is_some_and(|name| name.contains(NEVER_CALLED))
        })
        .map(|(id, function)| (id, function.ty()))
        .collect();
    let count = found.len();
    for (id, kind) in found {
        let (takes, gives) = module.types.params_results(kind);
        let (takes, gives) = (takes.to_vec(), gives.to_vec());
        let mut stops = FunctionBuilder::new(&mut module.types, &takes, &gives);
        stops.func_body().unreachable();
        let locals = takes.iter().map(|kind| module.locals.add(*kind)).collect();
        module.funcs.get_mut(id).kind = FunctionKind::Local(stops.local_func(locals));
    }
    count
}
