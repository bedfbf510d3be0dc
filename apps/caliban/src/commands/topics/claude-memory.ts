import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode, readTextFile } from "@caliban/common/node";
import { MAX_BODY_BYTES, parseNewTopicSlug } from "@caliban/memory";
import type { Host } from "../../host.ts";

/** A topic file of another agent, or why it cannot be taken. */
export type ForeignTopic =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly problem: string };

/** Where Claude Code keeps what is the person's. */
export function claudeDirectory({ env, home }: Host): string | undefined {
  return env["CLAUDE_CONFIG_DIR"] ?? (home === undefined ? undefined : join(home, ".claude"));
}

/** Where Claude Code keeps its memory of a project: every character but letters and digits becomes a hyphen. */
export function claudeMemoryDirectory(host: Host, projectPath: string): string | undefined {
  const config = claudeDirectory(host);
  return config && join(config, "projects", projectPath.replaceAll(/[^A-Za-z0-9]/g, "-"), "memory");
}

/** The topic files of a directory, by name; `undefined` when there is no such directory. */
export async function readForeignTopics(
  directory: string,
): Promise<readonly ForeignTopic[] | undefined> {
  const names = namesIn(directory);
  if (names === undefined) return undefined;
  const topics = names.filter((name) => name.endsWith(".md") && name !== "MEMORY.md").toSorted();
  return await Promise.all(topics.map((name) => readForeignTopic(directory, name)));
}

async function readForeignTopic(directory: string, file: string): Promise<ForeignTopic> {
  const name = file.slice(0, -".md".length);
  const read = await readTextFile(join(directory, file), MAX_BODY_BYTES, { refuseLinks: true });
  if (read.kind !== "text")
    return { name, problem: read.kind === "missing" ? "it is gone" : read.message };
  if (read.readBytes < read.fileBytes)
    return { name, problem: `it has more than ${MAX_BODY_BYTES} bytes` };
  if (read.invalidAt !== undefined)
    return { name, problem: `line ${read.invalidAt.line} is not UTF-8` };
  try {
    return { name: parseNewTopicSlug(name), text: read.text };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { name, problem: error.message };
  }
}

function namesIn(directory: string): readonly string[] | undefined {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
