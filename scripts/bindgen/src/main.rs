//! Generates the browser files from `<keepsake.wasm>` in `<folder>`. Without arguments it prints its version.

use std::process::ExitCode;

use walrus::{FunctionBuilder, FunctionId, FunctionKind, Module};
use wasm_bindgen_cli_support::Bindgen;

const NAME: &str = "keepsake";

/// What Leptos calls only where the whole page is hydrated with `hydrate_from_async`, or a part of it is loaded lazily. An island is
/// hydrated at once; but each view's table of functions holds the asynchronous way too, so that no tool can see that nothing calls it.
/// These are the functions that make its futures and those that poll them. What stands inside of them may have the same code as
/// something that is called, and then it is one function.
const NEVER_CALLED: [&str; 2] = ["13hydrate_async17h", "13hydrate_async28_$u7b$$u7b$closure$u7d$$u7d$17h"];

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
            eprintln!("no function is named {NEVER_CALLED:?}: scripts/bindgen need not empty any");
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
    let never_called = |id: &FunctionId| {
        let name = module.funcs.get(*id).name.as_deref().unwrap_or_default();
        !name.contains("drop_in_place") && NEVER_CALLED.iter().any(|part| name.contains(part))
    };
    let found: Vec<FunctionId> = module.funcs.iter_local().map(|(id, _)| id).filter(never_called).collect();
    let count = found.len();
    for id in found {
        let (takes, gives) = module.types.params_results(module.funcs.get(id).ty());
        let (takes, gives) = (takes.to_vec(), gives.to_vec());
        let mut stops = FunctionBuilder::new(&mut module.types, &takes, &gives);
        stops.func_body().unreachable();
        let locals = takes.iter().map(|kind| module.locals.add(*kind)).collect();
        module.funcs.get_mut(id).kind = FunctionKind::Local(stops.local_func(locals));
    }
    count
}
