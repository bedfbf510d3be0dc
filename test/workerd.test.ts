import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { publishedPackages } from "../scripts/workspace-packages.ts";
import { EXERCISES } from "./runtimes/exercises.ts";
import { bundle } from "./support/bundle.ts";
import { hasTool } from "./support/optional-tool.ts";
import { entriesOf } from "./support/workspace.ts";

const rootEntries = publishedPackages()
  .flatMap(entriesOf)
  .filter(({ isNode }) => !isNode);

const started: Miniflare[] = [];
afterAll(async () => {
  await Promise.all(started.map((runtime) => runtime.dispose()));
});

const hasWorkerd = await hasTool("workerd", () => startWorker("export default {}"));
const worker = hasWorkerd ? createWorker().then(startWorker) : undefined;

it("exercises every root entry", () => {
  const exercised = new Set<string>(EXERCISES.map(({ entry }) => entry));
  expect(
    rootEntries.map(({ specifier }) => specifier).filter((name) => !exercised.has(name)),
  ).toEqual([]);
});

describe.skipIf(!hasWorkerd)("in workerd without nodejs_compat", () => {
  it.for(EXERCISES)("$entry in workerd: $title", async (exercise) => {
    expect(await ask(EXERCISES.indexOf(exercise))).toEqual(exercise.expected);
  });
});

/** Asks for the outcome of an exercise. */
async function ask(index: number): Promise<unknown> {
  // Its own type needs the types of Cloudflare's runtime.
  const fetcher = (await (await worker)?.getWorker()) as unknown as {
    readonly fetch: (url: string) => Promise<Response>;
  };
  return await (await fetcher.fetch(`http://localhost/${index}`)).json();
}

async function startWorker(script: string): Promise<Miniflare> {
  const { Miniflare: Runtime } = await import("miniflare");
  // Without nodejs_compat, so a Node module, `process` or `Buffer` fails as it would at Cloudflare.
  const runtime = new Runtime({ script, modules: true, compatibilityDate: "2026-01-01" });
  started.push(runtime);
  await runtime.ready;
  return runtime;
}

/** One worker with all entries. Each is evaluated by its first exercise, so that a broken one fails only its own. */
async function createWorker(): Promise<string> {
  const loaders = rootEntries.map(
    ({ specifier, built }) =>
      `${JSON.stringify(specifier)}: () => import(${JSON.stringify(built)})`,
  );
  const source = `import { EXERCISES, outcomeOf } from ${JSON.stringify(join(root, "test/runtimes/exercises.ts"))};
const LOADERS = { ${loaders.join(", ")} };
export default {
  async fetch({ url }) {
    const exercise = EXERCISES[Number(new URL(url).pathname.slice(1))];
    return Response.json(await outcomeOf(exercise, (name) => LOADERS[name]()));
  },
};`;
  const [chunk] = await bundle({ source, files: "single" });
  if (chunk === undefined) throw new Error("the bundler returned no file");
  if (chunk.imports.length > 0) throw new Error(`a root entry imports ${chunk.imports.join(", ")}`);
  return chunk.code;
}
