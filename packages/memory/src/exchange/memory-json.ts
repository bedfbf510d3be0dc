import { parseJson, utf8Bytes } from "@caliban/common";
import type { Change, Origin } from "../history/change.ts";
import type { StoredTopic } from "../store/topic-store.ts";
import type { TopicType } from "../topics/topic-type.ts";
import { jsonField } from "./json-field.ts";

/** The version of the format. It increases when a reader of the previous version would misread a file. */
const VERSION = 1;

/** Everything in a memory directory, as JSON for other programs. */
export interface MemoryJson {
  readonly format: "caliban-memory";
  readonly version: typeof VERSION;
  /** An ISO 8601 time. */
  readonly exported: string;
  /** The path that identifies the project. */
  readonly project: string;
  /** The text of MEMORY.md; `null` when there is none. */
  readonly index: string | null;
  readonly topics: readonly MemoryJsonTopic[];
}

interface MemoryJsonTopic {
  readonly name: string;
  readonly type: TopicType | null;
  readonly description: string;
  readonly updated: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Where the topic was imported from, newest first. */
  readonly provenance: readonly (Origin & { readonly at: string; readonly change: string })[];
  /** The whole file. */
  readonly text: string;
}

export interface MemoryJsonInput {
  readonly files: { readonly index: string | null; readonly topics: readonly StoredTopic[] };
  /** The history, newest first. */
  readonly changes: readonly Change[];
  readonly projectPath: string;
  readonly nowMs: number;
}

/** Apart from the time of the export, the same memory results in the same JSON. */
export function createMemoryJson(
  { files, changes, projectPath, nowMs }: MemoryJsonInput,
  sha256: (text: string) => string,
): MemoryJson {
  return {
    format: "caliban-memory",
    version: VERSION,
    exported: new Date(nowMs).toISOString(),
    project: projectPath,
    index: files.index,
    topics: files.topics.map(({ slug, text, topic, updatedMs }) => ({
      name: slug,
      type: topic.type ?? null,
      description: topic.description,
      updated: new Date(updatedMs).toISOString(),
      bytes: utf8Bytes(text),
      sha256: sha256(text),
      provenance: provenanceOf(slug, changes),
      text,
    })),
  };
}

function provenanceOf(slug: string, changes: readonly Change[]): MemoryJsonTopic["provenance"] {
  return changes.flatMap(({ id, at, files }) =>
    files.flatMap(({ slug: name, from }) =>
      name === slug && from !== undefined ? [{ ...from, at, change: id }] : [],
    ),
  );
}

/** The importable part of an export, or why the text is not one. */
export type ParsedMemoryJson =
  | { readonly index: string | undefined; readonly topics: readonly ParsedJsonTopic[] }
  | { readonly problem: string };

/** A topic of an export. */
export interface ParsedJsonTopic {
  readonly name: string;
  readonly text: string;
  /** Whether the text has the hash of the entry. An entry of another program may have none. */
  readonly isIntact: boolean;
}

export function parseMemoryJson(
  text: string,
  sha256Hex: (text: string) => string,
): ParsedMemoryJson {
  const value = parseJson(text);
  if (jsonField(value, "format") !== "caliban-memory")
    return { problem: 'not a memory export: "format" is not "caliban-memory"' };
  const version = jsonField(value, "version");
  if (version !== VERSION)
    return { problem: `unsupported version ${JSON.stringify(version)}, expected ${VERSION}` };
  const list = jsonField(value, "topics");
  if (!Array.isArray(list)) return { problem: '"topics" is not a list' };
  const topics: ParsedJsonTopic[] = [];
  for (const item of list as readonly unknown[]) {
    const topic = parseTopic(item, sha256Hex);
    if (topic === undefined)
      return { problem: `topic ${topics.length + 1} has no name or no text` };
    topics.push(topic);
  }
  const index = jsonField(value, "index");
  return { index: typeof index === "string" ? index : undefined, topics };
}

function parseTopic(
  item: unknown,
  sha256Hex: (text: string) => string,
): ParsedJsonTopic | undefined {
  const [name, text, sha256] = ["name", "text", "sha256"].map((field) => jsonField(item, field));
  if (typeof name !== "string" || typeof text !== "string") return undefined;
  return { name, text, isIntact: sha256 === undefined || sha256 === sha256Hex(text) };
}
