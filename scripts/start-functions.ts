// `pnpm start-functions`: notes the functions that the built program calls in a start, for scripts/build/eager-functions.ts.
// A list that is out of date costs a little time, nothing else.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeFullMemory } from "../test/support/full-memory.ts";
import { startModelServer } from "../test/support/model-server/model-server.ts";
import { build, root, workspaceNode } from "./workspace.mjs";

const LIST = join(root, "scripts/build/start-functions.txt");
const PROGRAM = join(root, "apps/caliban/dist/bin.js");

const COMMANDS: readonly (readonly string[])[] = [
  ["memory"],
  ["memory", "explain"],
  ["prompt"],
  ["settings"],
  ["-p", "ping"],
];

/** Loaded before the program: the start ends with the first request. */
const UNTIL_FIRST_REQUEST = `
  import { subscribe } from "node:diagnostics_channel";
  import { stopCoverage, takeCoverage } from "node:v8";
  subscribe("http.client.request.start", () => {
    takeCoverage();
    stopCoverage();
  });`;

/** What V8 writes for each process. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

await build();
const home = await mkdtemp(join(tmpdir(), "caliban-start-"));
const server = await startModelServer({ script: [{ text: "pong" }] });
try {
  await writeFullMemory(home, server.baseUrl("anthropic"));
  for (const args of COMMANDS) await run(args);
  const names = await calledFunctions();
  await writeFile(LIST, `${names.join("\n")}\n`);
  console.log(`${names.length} functions`);
} finally {
  await server.close();
  await rm(home, { recursive: true });
}

async function run(args: readonly string[]): Promise<void> {
  const env = { HOME: home, ANTHROPIC_API_KEY: "none-at-all", NODE_V8_COVERAGE: coverage() };
  const preload = `data:text/javascript,${encodeURIComponent(UNTIL_FIRST_REQUEST)}`;
  const command = ["--import", preload, PROGRAM, ...args];
  await promisify(execFile)(workspaceNode, command, { cwd: join(home, "app"), env });
}

function coverage(): string {
  return join(home, "coverage");
}

async function calledFunctions(): Promise<readonly string[]> {
  const files = await readdir(coverage());
  const texts = await Promise.all(files.map((name) => readFile(join(coverage(), name), "utf8")));
  const names = texts
    .flatMap((text) => (JSON.parse(text) as Coverage).result)
    .filter(({ url }) => url.includes("/apps/caliban/dist/"))
    .flatMap(({ functions }) => functions)
    .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName }) => functionName)
    .filter((name) => /^[\w$]+$/.test(name))
    // The bundler numbers what has the same name in two files, which changes with every file.
    .map((name) => name.replace(/\$\d+$/, ""));
  return [...new Set(names)].toSorted();
}
