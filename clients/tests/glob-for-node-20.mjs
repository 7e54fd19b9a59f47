// The conformance suite imports `globSync`, which Node has from version 22 on, for a part of it that is not used here. With this it
// starts in Node 20 too.
import * as fs from "node:fs";
import { register } from "node:module";

if (!("globSync" in fs)) {
  const module = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];";
  const shim = `data:text/javascript,${encodeURIComponent(module)}`;
  const hook = `export async function resolve(specifier, context, next) {
    const ours = specifier === "fs" && context.parentURL?.includes("/conformance/");
    return ours ? { url: ${JSON.stringify(shim)}, shortCircuit: true } : next(specifier, context);
  }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
