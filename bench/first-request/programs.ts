import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, workspaceNode } from "../../scripts/workspace.mjs";
import type { ModelServer } from "../../test/support/model-server/model-server.ts";
import { systemOf } from "../../test/support/model-server/received-request.ts";
import { programOf } from "../startup.ts";
import type { CapturedRequest } from "./captured-request.ts";
import { watchProcess } from "./watch-process.ts";

/** A program that asks a model once. */
export interface Program {
  readonly name: string;
  readonly args: readonly string[];
}

const HERE = join(root, "bench/first-request");

export function caliban(name: string, checkout: string): Program {
  return { name, args: [programOf(checkout), "-p", "ping"] };
}

/** The environment in which every program runs. */
export function environment(home: string): {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
} {
  return { cwd: join(home, "app"), env: { HOME: home, ANTHROPIC_API_KEY: "none-at-all" } };
}

/** Writes a home directory with content in every memory tier, like that of a daily user. */
export function writeHome(home: string, server: ModelServer): void {
  const config = join(home, ".config/caliban");
  mkdirSync(config, { recursive: true });
  mkdirSync(join(home, "app/.git/objects"), { recursive: true });
  mkdirSync(join(home, "app/.git/refs"), { recursive: true });
  writeFileSync(join(home, "app/.git/HEAD"), "ref: refs/heads/main\n");
  const slug = join(home, "app").slice(1).replaceAll("/", "-");
  const memory = join(home, ".local/share/caliban/projects", slug, "memory");
  mkdirSync(memory, { recursive: true });
  const topics = Array.from({ length: 20 }, (_, index) => `topic-${index}`);
  for (const topic of topics) {
    const header = `---\nname: ${topic}\ndescription: "a fact"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n`;
    writeFileSync(join(memory, `${topic}.md`), `${header}A fact.\n`);
  }
  const lines = topics.map((topic) => `- [${topic}](${topic}.md) — project: a fact\n`);
  writeFileSync(join(memory, "MEMORY.md"), `# Memory index\n\n${lines.join("")}`);
  writeFileSync(join(config, "CLAUDE.md"), "- Be brief.\n".repeat(50));
  writeFileSync(join(home, "app/CLAUDE.md"), "- Use pnpm, never npm.\n".repeat(200));
  const provider = `[providers.anthropic]\nbase_url = "${server.baseUrl("anthropic")}"\n`;
  writeFileSync(join(config, "settings.toml"), provider);
}

/** Runs caliban once, and writes programs that send the same request in simpler ways. */
export async function writeBaselines(
  home: string,
  server: ModelServer,
): Promise<readonly [Program, Program]> {
  await watchProcess(workspaceNode, caliban("caliban", root).args, environment(home));
  const request = server.requests.at(-1);
  if (request === undefined) throw new Error("caliban sent no request; run `pnpm build` first");
  const captured: CapturedRequest = {
    model: String(request.body["model"]),
    system: systemOf(request),
    prompt: "ping",
    tools: request.body["tools"] as CapturedRequest["tools"],
  };
  writeFileSync(join(home, "request.json"), JSON.stringify(captured));
  writeFileSync(join(home, "body.json"), request.text);
  await bundleAiSdk(home);
  return [
    {
      name: "one fetch",
      args: [join(HERE, "bare-fetch.mjs"), server.url, join(home, "body.json")],
    },
    {
      name: "ai + provider, bundled, compile cache",
      args: [
        join(home, "entry.mjs"),
        server.url,
        join(home, "request.json"),
        join(home, "compiled"),
      ],
    },
  ];
}

async function bundleAiSdk(directory: string): Promise<void> {
  const { build } = await import("tsdown");
  await build({
    config: false,
    logLevel: "silent",
    entry: { "ai-sdk": join(HERE, "ai-sdk.ts") },
    outDir: directory,
    clean: false,
    format: "esm",
    platform: "node",
    target: "node22.19",
    minify: true,
    dts: false,
    fixedExtension: true,
    deps: { alwaysBundle: [/./], onlyBundle: false },
    outputOptions: { codeSplitting: false },
  });
  copyFileSync(join(HERE, "ai-sdk-entry.mjs"), join(directory, "entry.mjs"));
}
