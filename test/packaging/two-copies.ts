import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tarball } from "../../scripts/release/pack-packages.ts";
import { npm } from "./runtimes.ts";
import { packVersions } from "./tarballs.ts";

export const OTHER_VERSION = "99.0.0";

/** Uses stores and a search of the project's own `@caliban/memory` with tools that have another copy of it. */
export const PROGRAM = `
import { createToolRunner } from "@caliban/agent-core";
import { createMapTopicStore, createStoreSearch } from "@caliban/memory";
import { createFsTopicStore } from "@caliban/memory/node";
import { createMemoryTools } from "@caliban/tools-builtin";
import { anthropicMemoryHandler } from "@caliban/tools-builtin/anthropic";

declare const console: { log(...values: unknown[]): void };

const topic = { name: "deploy", description: "how we deploy", type: "project" };
const secret = "key: AK" + "IAQWERTYUIOPASDFGH";

for (const store of [createFsTopicStore({ directory: "memory" }), createMapTopicStore()]) {
  const tools = createMemoryTools({ store, search: createStoreSearch(store) });
  const runner = createToolRunner({ tools });
  for (const body of [secret, "Run pnpm ship."]) {
    const { isError, data } = await runner.run({ name: "WriteMemoryTopic", input: { ...topic, body } });
    console.log(isError === true ? data : "written");
  }
  const { text } = await runner.run({ name: "MemorySearch", input: { query: "ship" } });
  console.log(text.includes("deploy"));
  const handler = anthropicMemoryHandler(store, { onError: "return" });
  const answer = await handler.create({ command: "create", path: "/memories/keys.md", file_text: secret });
  console.log(String(answer).startsWith("Error: this looks like a secret"));
}
`;

export const PROGRAM_OUTPUT = "{ code: 'SECRET_FOUND' }\nwritten\ntrue\ntrue\n".repeat(2);

/**
 * Installs the tools with the version of `@caliban/memory` that they ask for, next to another version that the project
 * itself asks for. Everything else is in the cache of npm by now.
 */
export async function installTwoCopies(
  project: string,
  tarballs: ReadonlyMap<string, Tarball>,
): Promise<void> {
  const path = (name: string): string => `file:${tarballs.get(name)?.path}`;
  const others = await packVersions(
    join(project, "other"),
    new Map([["@caliban/memory", OTHER_VERSION]]),
  );
  const manifest = {
    private: true,
    type: "module",
    dependencies: {
      "@caliban/memory": `file:${others.get("@caliban/memory")?.path}`,
      "@caliban/agent-core": path("@caliban/agent-core"),
      "@caliban/tools-builtin": path("@caliban/tools-builtin"),
    },
    overrides: { "@caliban/tools-builtin": { "@caliban/memory": path("@caliban/memory") } },
  };
  await writeFile(join(project, "package.json"), JSON.stringify(manifest));
  await npm(["install", "--offline"], project);
}
