import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executableName, hostTarget } from "../../scripts/executable/targets.ts";
import { root, workspaceNode } from "../../scripts/workspace.mjs";
import type { ModelServer } from "../../test/support/model-server/model-server.ts";
import { systemOf } from "../../test/support/model-server/received-request.ts";
import { programOf } from "../startup.ts";
import type { CapturedRequest } from "./captured-request.ts";
import { watchProcess } from "./watch-process.ts";

/** A program that asks a model once. */
export interface Program {
  readonly name: string;
  /** Node if left out. */
  readonly command?: string | undefined;
  readonly args: readonly string[];
}

const HERE = join(root, "bench/first-request");

export function caliban(name: string, checkout: string): Program {
  return { name, args: [programOf(checkout), "-p", "ping"] };
}

/** The standalone executable of this machine, if `pnpm executable` has built it. */
export function executable(): readonly Program[] {
  const command = join(root, "dist/executable", executableName(hostTarget()));
  return existsSync(command) ? [{ name: "the executable", command, args: ["-p", "ping"] }] : [];
}

/** The environment in which every program runs. */
export function environment(home: string): {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
} {
  return { cwd: join(home, "app"), env: { HOME: home, ANTHROPIC_API_KEY: "none-at-all" } };
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
