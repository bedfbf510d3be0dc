import type { Miniflare } from "miniflare";
import { rolldown } from "rolldown";
import { afterAll, describe, expect, it } from "vitest";
import { publishedPackages } from "../scripts/workspace-packages.ts";
import { hasTool } from "./support/optional-tool.ts";
import { entriesOf } from "./support/workspace.ts";

const rootEntries = publishedPackages()
  .flatMap(entriesOf)
  .filter(({ isNode }) => !isNode);

/** An expression over the exports of a root entry, by the specifier of the entry. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  "@caliban/memory": `async ({ createMapTopicStore, createStoreSearch }) => {
    const store = createMapTopicStore();
    const topic = { name: "deploy", description: "order", type: "project", body: "Migrations first." };
    await store.write({ ...topic, author: { who: "agent" } });
    const { topics } = await createStoreSearch(store).search({ query: "migrations" });
    return (await store.read(topics[0].name)).topic.body;
  }`,
};

interface Worker {
  readonly name: string;
  readonly script: string;
}

const started: Miniflare[] = [];
afterAll(async () => {
  await Promise.all(started.map((runtime) => runtime.dispose()));
});

const hasWorkerd = await hasTool("workerd", () =>
  startWorkers([{ name: "empty", script: "export default {}" }]),
);

/**
 * All entries in one process, because starting one takes a second. Undefined if any of them fails: then each test starts
 * its own process, so that only the test of the broken entry fails.
 */
const shared = hasWorkerd
  ? Promise.all(rootEntries.map(bundleWorker))
      .then(startWorkers)
      .catch(() => undefined)
  : Promise.resolve(undefined);

describe.skipIf(!hasWorkerd)("in workerd without nodejs_compat", () => {
  it.for(rootEntries)("imports $specifier in workerd without nodejs_compat", async (entry) => {
    expect(await ask(entry, "names")).not.toEqual([]);
  });

  it("stores topics of @caliban/memory in a map store in workerd", async () => {
    const entry = rootEntries.find(({ specifier }) => specifier === "@caliban/memory");
    if (entry === undefined) throw new Error("@caliban/memory has no root entry");
    expect(await ask(entry, "value")).toContain("Migrations first.");
  });
});

type RootEntry = (typeof rootEntries)[number];

/** Asks for the names of the exports, or for the value of the expression in EXPRESSIONS. */
async function ask(entry: RootEntry, question: "names" | "value"): Promise<unknown> {
  const runtime = (await shared) ?? (await startWorkers([await bundleWorker(entry)]));
  // Its own type needs the types of Cloudflare's runtime.
  const worker = (await runtime.getWorker(entry.specifier)) as unknown as {
    readonly fetch: (url: string) => Promise<Response>;
  };
  const response = await worker.fetch(`http://localhost/${question}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}

async function startWorkers(workers: readonly Worker[]): Promise<Miniflare> {
  const { Miniflare: Runtime } = await import("miniflare");
  const runtime = new Runtime({
    workers: workers.map((worker) => ({
      ...worker,
      modules: true,
      // Without nodejs_compat, so a Node module, `process` or `Buffer` fails as it would at Cloudflare.
      compatibilityDate: "2026-01-01",
    })),
  });
  started.push(runtime);
  await runtime.ready;
  return runtime;
}

/** Bundles a worker into one file, as deployed workers are. */
async function bundleWorker({ specifier, built }: RootEntry): Promise<Worker> {
  const id = "virtual:worker";
  const source = `import * as entry from ${JSON.stringify(built)};
const evaluate = ${EXPRESSIONS[specifier] ?? "() => null"};
export default {
  async fetch({ url }) {
    return Response.json(url.endsWith("/names") ? Object.keys(entry) : await evaluate(entry));
  },
};`;
  const bundled = await rolldown({
    input: id,
    platform: "neutral",
    resolve: { mainFields: ["module", "main"], conditionNames: ["worker", "import", "default"] },
    external: /^node:/,
    // Dependencies mention Node modules in code that never runs here.
    logLevel: "silent",
    plugins: [
      {
        name: "worker",
        resolveId: (requested) => (requested === id ? id : undefined),
        load: (requested) => (requested === id ? source : undefined),
      },
    ],
  });
  const [chunk] = (await bundled.generate({ format: "esm", codeSplitting: false })).output;
  if (chunk.imports.length > 0) throw new Error(`${specifier} imports ${chunk.imports.join(", ")}`);
  return { name: specifier, script: chunk.code };
}
