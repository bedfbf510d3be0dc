import { parseJson } from "@caliban/common";
import type { Origin, TopicType } from "@caliban/memory";
import { fieldOf } from "./json-field.ts";

/** The version of the form; it goes up when a reader of an older one would be wrong. */
export const MEMORY_JSON_VERSION = 1;

/** Everything in a memory, for programs. */
export interface MemoryJson {
  readonly format: "caliban-memory";
  readonly version: typeof MEMORY_JSON_VERSION;
  readonly exported: string;
  /** The path that names the project. */
  readonly project: string;
  /** MEMORY.md as it is; `null` when there is none. */
  readonly index: string | null;
  readonly topics: readonly MemoryJsonTopic[];
}

export interface MemoryJsonTopic {
  readonly name: string;
  readonly type: TopicType | null;
  readonly description: string;
  readonly updated: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Where it was taken over from, the last first. */
  readonly provenance: readonly (Origin & { readonly at: string; readonly change: string })[];
  /** The whole file. */
  readonly text: string;
}

/** What can be taken over of an export, or why it is none. */
export type ParsedMemoryJson =
  | {
      readonly index: string | undefined;
      readonly topics: readonly { readonly name: string; readonly text: string }[];
    }
  | { readonly problem: string };

export function parseMemoryJson(text: string): ParsedMemoryJson {
  const value = parseJson(text);
  if (fieldOf(value, "format") !== "caliban-memory")
    return { problem: 'it is no memory that caliban exported: "format" is not "caliban-memory"' };
  const version = fieldOf(value, "version");
  if (version !== MEMORY_JSON_VERSION)
    return { problem: `its version ${JSON.stringify(version)} is not ${MEMORY_JSON_VERSION}` };
  const list = fieldOf(value, "topics");
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const topics = items.map((item) => ({
    name: fieldOf(item, "name"),
    text: fieldOf(item, "text"),
  }));
  const broken = topics.findIndex(
    ({ name, text: body }) => typeof name !== "string" || typeof body !== "string",
  );
  if (!Array.isArray(list) || broken !== -1)
    return { problem: `its topic ${broken + 1} has no name or no text` };
  const index = fieldOf(value, "index");
  return {
    index: typeof index === "string" ? index : undefined,
    topics: topics.map(({ name, text: body }) => ({ name: String(name), text: String(body) })),
  };
}
