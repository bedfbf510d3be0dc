import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { defineConfig, type UserConfig } from "tsdown/config";
import { asciiCode } from "../../scripts/build/ascii-code.ts";
import { cheapBuiltins, importerOfBuiltin } from "../../scripts/build/cheap-builtins.ts";
import { eagerFunctions } from "../../scripts/build/eager-functions.ts";
import { lazySchemas } from "../../scripts/build/lazy-schemas.ts";
import { lazyRuntime } from "../../scripts/build/lazy-runtime.ts";
import { leanHeaders } from "../../scripts/build/lean-headers.ts";
import { noFacades } from "../../scripts/build/no-facades.ts";
import { pageClient } from "../../scripts/build/page-client.ts";
import { staticClosure } from "../../scripts/build/static-closure.ts";
import { thirdPartyLicenses } from "../../scripts/build/third-party-licenses.ts";
import { library, SOURCE_CONDITIONS } from "../../tsdown.config.ts";

const SOURCE = join(import.meta.dirname, "src");
const PACKAGES = join(import.meta.dirname, "../../packages");

/**
 * The files that are loaded together: each chunk has what its files import statically and no earlier chunk has. What
 * they import dynamically is left to the bundler, which gives every rare thing a file of its own.
 */
const CHUNKS = {
  // Small, because it runs before the compile cache is on.
  start: ["main.ts"],
  // `--help` and the parser.
  cli: ["cli/help.ts"],
  // The usual commands.
  core: [
    "run.ts",
    "commands/memory/show.ts",
    "commands/prompt.ts",
    "commands/settings/show.ts",
    // Most users have settings and learned memory, and loading a file takes longer than loading a larger one.
    join(PACKAGES, "settings/src/file/parse-file.ts"),
    "project/learned-memory.ts",
  ],
  // What it takes to talk to a model.
  agent: [
    "commands/chat/chat.ts",
    "conversation/open-conversation.ts",
    "conversation/prompt/compose-agent.ts",
    // Shared by the providers.
    join(PACKAGES, "providers/src/call-defaults.ts"),
    // What they load of Node is loaded with the first request.
    join(PACKAGES, "providers/src/node/http/http-transport.ts"),
    join(PACKAGES, "providers/src/node/http/https-transport.ts"),
  ],
  // Finds a note for a message, in every conversation with topics.
  recall: [join(PACKAGES, "memory/src/node/search/note-from-lines.ts")],
  // Finds notes for calls, and searches memory.
  search: [
    join(PACKAGES, "memory/src/node/search/open-index.ts"),
    join(PACKAGES, "memory/src/node/notes/find-note.ts"),
    "project/search-sources.ts",
  ],
  // What the screen shares with editors.
  slash: [
    "commands/chat/slash/run-slash.ts",
    "commands/chat/slash/slash-table.ts",
    "commands/chat/slash/captured-run.ts",
    join(PACKAGES, "tui/src/input/parse-slash.ts"),
    join(PACKAGES, "tui/src/transcript/tool-summary.ts"),
    join(PACKAGES, "tui/src/input/format-mention.ts"),
  ],
  screen: ["commands/chat/terminal/run-terminal.ts", ...sourceFiles("commands/chat/slash")],
} as const;

/** Libraries that several rare files share; otherwise the bundler would put them where all of them are loaded: into the core. */
const LIBRARIES = {
  yaml: /[\\/]node_modules[\\/]yaml[\\/]/,
  postgres:
    /[\\/](?:packages[\\/]memory-postgres|node_modules[\\/](?:pg|pg-[a-z0-9-]+|pgpass|postgres-[a-z]+|split2|xtend))[\\/]/,
  zod: /[\\/]node_modules[\\/]zod[\\/]|^\0used-zod$/,
  "mcp-core": /[\\/]node_modules[\\/]@modelcontextprotocol[\\/]core[\\/]/,
  "mcp-client": /[\\/]node_modules[\\/]@modelcontextprotocol[\\/]client[\\/]/,
  "mcp-server": /[\\/]node_modules[\\/]@modelcontextprotocol[\\/]server[\\/]/,
  "provider-utils":
    /[\\/]node_modules[\\/](?:@ai-sdk[\\/]provider-utils|@workflow[\\/]serde|eventsource-parser)[\\/]|^\0lazy-zod$/,
} as const;

/** Libraries that belong to a chunk. */
const LIBRARIES_OF = {
  core: /[\\/]node_modules[\\/]smol-toml[\\/]/,
  agent: /[\\/]node_modules[\\/]@ai-sdk[\\/]provider[\\/]/,
  recall: /[\\/]node_modules[\\/]stemmer[\\/]/,
  hook: /[\\/]node_modules[\\/]stemmer[\\/]/,
  screen: /[\\/]node_modules[\\/](?:@earendil-works[\\/]pi-tui|marked|get-east-asian-width)[\\/]/,
} as const;

/** The screen and its commands have only their own files: what they share with rare files must not make those load the screen. */
const SCREEN_FILES = /[\\/]packages[\\/]tui[\\/]|[\\/]commands[\\/]chat[\\/]/;

/** Of a hook that another agent waits for. It has a copy of what it needs, and loads nothing else. */
const HOOK_CHUNKS = {
  // Small, because it runs before the compile cache is on.
  start: ["hook-main.ts"],
  hook: ["commands/hook/run.ts", join(PACKAGES, "memory/src/node/notes/find-note.ts")],
} as const;

type Chunks = Readonly<Record<string, readonly string[]>>;

// Everything is in the bundle, and the usual commands need few files of it: resolving and reading dozens of files
// would take most of the time until the first answer.
const program: UserConfig = {
  ...library,
  // The pipeline's thread starts with a file of its own.
  entry: { bin: "src/bin.ts", "pipeline-worker": "src/pipeline/worker.ts" },
  dts: false,
  sourcemap: false,
  // Names stay, so that a stack trace is useful; the rest is shortened, because Node loads less text faster.
  minify: { compress: true, mangle: false, codegen: true },
  deps: { alwaysBundle: [/./], onlyBundle: false },
  // Required by the exact chunks below.
  inputOptions: {
    resolve: {
      conditionNames: SOURCE_CONDITIONS,
      alias: { ...postgresDriver(), ...jsonParser() },
    },
    preserveEntrySignatures: "allow-extension",
  },
  outputOptions: outputOf(CHUNKS),
  plugins: [
    hookBundle(),
    cheapBuiltins(),
    leanHeaders(),
    lazySchemas(),
    pageClient(join(PACKAGES, "page/dist")),
    thirdPartyLicenses([join(PACKAGES, "page/dist")]),
    noFacades(),
    lazyRuntime(),
    asciiCode(),
    eagerFunctions(),
  ],
};

export default defineConfig([
  program,
  {
    ...program,
    entry: { "hook-main": "src/hook-main.ts" },
    outDir: "dist/hook",
    outputOptions: outputOf(HOOK_CHUNKS),
    plugins: [
      cheapBuiltins(),
      leanHeaders(),
      noFacades(),
      lazyRuntime(),
      asciiCode(),
      eagerFunctions(),
    ],
  },
]);

function outputOf(chunks: Chunks): NonNullable<UserConfig["outputOptions"]> {
  const chunkOf = assignChunks(chunks);
  return {
    codeSplitting: {
      groups: [
        ...Object.entries(LIBRARIES).map(([name, test]) => ({
          name,
          test,
          includeDependenciesRecursively: false,
        })),
        ...Object.keys(chunks).map((name) => ({
          name,
          test: (id: string) => chunkOf(id) === name,
          // A chunk has exactly its files: a dependency that belongs to an earlier chunk, or to a rare file, stays there.
          includeDependenciesRecursively: false,
        })),
      ],
    },
  };
}

/** The program imports the other bundle. */
function hookBundle() {
  return {
    name: "hook-bundle",
    resolveId: (source: string) =>
      source === "./hook-main.ts"
        ? { id: "./hook/hook-main.js", external: true as const }
        : undefined,
  };
}

/** The parts of the driver require one another, but the conditions above are those of an import. */
function postgresDriver(): Record<string, string> {
  const user = createRequire(join(import.meta.dirname, "../../packages/memory-postgres/src"));
  const driver = createRequire(user.resolve("pg"));
  const parts = ["pg-pool", "pg-protocol", "pg-connection-string"];
  return {
    pg: user.resolve("pg"),
    ...Object.fromEntries(parts.map((name) => [name, driver.resolve(name)])),
  };
}

/** Its usual entry requires its parts in a way that bundlers do not see. */
function jsonParser(): Record<string, string> {
  const main = createRequire(SOURCE).resolve("jsonc-parser");
  return { "jsonc-parser": main.replace(/([\\/])umd([\\/])/, "$1esm$2") };
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(join(SOURCE, folder)).map((name) => `${folder}/${name}`);
}

function isOfScreen(chunk: string): boolean {
  return chunk === "screen" || chunk === "slash";
}

function assignChunks(all: Chunks): (id: string) => string | undefined {
  const chunks = new Map<string, string>();
  for (const [name, files] of Object.entries(all)) {
    const closure = staticClosure(
      files.map((file) => resolve(SOURCE, file)),
      PACKAGES,
    );
    for (const file of closure) {
      if (chunks.has(file) || (isOfScreen(name) && !SCREEN_FILES.test(file))) continue;
      chunks.set(file, name);
    }
  }
  return (id) => {
    // A built-in module of Node belongs to the file that imports it.
    const file = importerOfBuiltin(id) ?? id;
    return (
      chunks.get(file) ??
      Object.entries(LIBRARIES_OF).find(([name, pattern]) => name in all && pattern.test(file))?.[0]
    );
  };
}
