import { rolldown } from "rolldown";
import { describe, expect, it, onTestFinished } from "vitest";
import { publishedPackages } from "../scripts/workspace-packages.ts";
import { hasTool } from "./support/optional-tool.ts";
import { type Entry, entriesOf } from "./support/workspace.ts";

const rootEntries = publishedPackages()
  .flatMap(entriesOf)
  .filter(({ specifier }) => !specifier.endsWith("/node"));

const hasWorkerd = await hasTool("workerd", async () => {
  const { Miniflare } = await import("miniflare");
  const worker = new Miniflare({ modules: true, script: "export default {}" });
  await worker.ready;
  await worker.dispose();
});

/** Evaluates an expression over the exports of built entries in workerd, and returns its result as JSON. */
async function evaluate(entries: readonly Entry[], expression: string): Promise<unknown> {
  const imports = entries.map(
    ({ built }, index) => `import * as e${index} from ${JSON.stringify(built)};`,
  );
  const source = `${imports.join("\n")}
const entries = [${entries.map((_, index) => `e${index}`).join(", ")}];
export default { async fetch() { return Response.json(await (${expression})(...entries)); } };`;
  const { Miniflare } = await import("miniflare");
  // No nodejs_compat: a Node built-in, `process` or `Buffer` fails as it would at Cloudflare.
  const worker = new Miniflare({
    modules: true,
    script: await bundle(source),
    compatibilityDate: "2026-01-01",
  });
  onTestFinished(() => worker.dispose());
  const response = await worker.dispatchFetch("http://localhost/");
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}

/** One file, as deployed workers are. */
async function bundle(source: string): Promise<string> {
  const worker = "virtual:worker";
  const bundled = await rolldown({
    input: worker,
    platform: "neutral",
    resolve: { mainFields: ["module", "main"], conditionNames: ["worker", "import", "default"] },
    external: /^node:/,
    plugins: [
      {
        name: "worker",
        resolveId: (id) => (id === worker ? id : undefined),
        load: (id) => (id === worker ? source : undefined),
      },
    ],
  });
  const { output } = await bundled.generate({ format: "esm", codeSplitting: false });
  return output[0].code;
}

function entry(specifier: string): Entry {
  const found = rootEntries.find((each) => each.specifier === specifier);
  if (found === undefined) throw new Error(`no entry ${specifier}`);
  return found;
}

describe.skipIf(!hasWorkerd)("in workerd without nodejs_compat", () => {
  it.for(rootEntries)("$specifier can be imported", async (each) => {
    const names = await evaluate([each], "(entry) => Object.keys(entry)");
    expect(names).not.toEqual([]);
  });

  it("@caliban/memory keeps topics in a map store", async () => {
    const text = await evaluate(
      [entry("@caliban/memory")],
      `async ({ createMapTopicStore, parseNewTopicSlug }) => {
        const store = createMapTopicStore();
        const name = parseNewTopicSlug("deploy");
        await store.write({ name, description: "order", type: "project", body: "Migrations first." });
        return (await store.read(name)).body;
      }`,
    );
    expect(text).toContain("Migrations first.");
  });
});
