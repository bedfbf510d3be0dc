import type { FlowValue } from "@caliban/common/front-matter";

/** What a topic applies to. Its text is shown when a tool touches one of the files or runs one of the commands. */
export interface Applies {
  /** Globs, relative to the workspace root. */
  readonly paths: readonly string[];
  /** Commands as in permission rules: `npm *`. */
  readonly commands: readonly string[];
}

/** A part of a file that supports a topic, so that code can tell whether the topic may be out of date. */
export interface Evidence {
  /** Relative to the workspace root, with forward slashes. */
  readonly path: string;
  /** Of the exact bytes of the whole file, in hexadecimal. */
  readonly sha256: string;
  /** A short part of the file, as it is written there. */
  readonly snippet: string;
}

/** Where the text of a topic comes from. */
export const MEMORY_ORIGINS = ["user", "agent", "tool", "web", "import", "other-agent"] as const;

/**
 * `user`: the user's words; `agent`: the agent's conclusion; `tool`: the output of a tool, such as a file; `web`: a web
 * page; `import`: a file of another program; `other-agent`: an agent that uses the store through a protocol.
 */
export type MemoryOrigin = (typeof MEMORY_ORIGINS)[number];

/** The fields of a header that decide when a topic is shown. All are optional, and other programs ignore them. */
export interface TopicFields {
  readonly applies?: Applies | undefined;
  readonly evidence?: readonly Evidence[] | undefined;
  /** The names of older topics that this one replaces. */
  readonly supersedes?: readonly string[] | undefined;
  /** Questions with their answers that learned memory must still answer: `Which tool deploys? pnpm ship`. */
  readonly expect?: readonly string[] | undefined;
  readonly origin?: MemoryOrigin | undefined;
}

/** The keys of a header that hold fields, in the order in which they are written. */
export const FIELD_KEYS = ["applies", "supersedes", "evidence", "expect"] as const;

export type FieldKey = (typeof FIELD_KEYS)[number];

/** The value of a key in a header; `undefined` for an empty field, which has no key. */
export function fieldValue(
  key: FieldKey,
  { applies, supersedes, evidence, expect }: TopicFields,
): FlowValue | undefined {
  const values: Readonly<Record<FieldKey, FlowValue | undefined>> = {
    applies: applies && withoutEmpty({ paths: applies.paths, commands: applies.commands }),
    supersedes: unlessEmpty(supersedes),
    evidence: unlessEmpty(
      evidence?.map(({ path, sha256, snippet }) => ({ path, sha256, snippet })),
    ),
    expect: unlessEmpty(expect),
  };
  return values[key];
}

function withoutEmpty(lists: Readonly<Record<string, readonly string[]>>): FlowValue | undefined {
  const entries = Object.entries(lists).filter(([, list]) => list.length > 0);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function unlessEmpty<T extends FlowValue>(
  list: readonly T[] | undefined,
): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

/** The fields of a topic, where those that are left out keep the values they had. */
export function withKeptFields<T extends TopicFields>(topic: T, before: TopicFields): T {
  const kept = FIELD_KEYS.filter((key) => topic[key] === undefined && before[key] !== undefined);
  return { ...topic, ...Object.fromEntries(kept.map((key) => [key, before[key]])) };
}

/** A header from anywhere may have any number of them. */
const MAX_ITEMS = 100;
const MAX_CHARACTERS = 1_000;
const SHA256 = /^[0-9a-f]{64}$/;

type Values = Readonly<Record<string, unknown>>;

/** Reads the fields from front matter. A value of the wrong shape counts as absent. */
export function parseTopicFields(data: Values, metadata: Values): TopicFields {
  const applies = parseApplies(data["applies"]);
  const evidence = parseEvidence(data["evidence"]);
  const supersedes = textsOf(data["supersedes"]);
  const expect = textsOf(data["expect"]);
  const origin = MEMORY_ORIGINS.find((known) => known === metadata["origin"]);
  return {
    ...(applies === undefined ? {} : { applies }),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(supersedes.length === 0 ? {} : { supersedes }),
    ...(expect.length === 0 ? {} : { expect }),
    ...(origin === undefined ? {} : { origin }),
  };
}

function parseApplies(value: unknown): Applies | undefined {
  if (!isMap(value)) return undefined;
  const [paths, commands] = [textsOf(value["paths"]), textsOf(value["commands"])];
  return paths.length + commands.length === 0 ? undefined : { paths, commands };
}

function parseEvidence(value: unknown): readonly Evidence[] {
  return itemsOf(value).flatMap((item) => {
    if (!isMap(item)) return [];
    const [path, sha256, snippet] = [item["path"], item["sha256"], item["snippet"]];
    if (!isShortText(path) || !isShortText(snippet)) return [];
    return typeof sha256 === "string" && SHA256.test(sha256) ? [{ path, sha256, snippet }] : [];
  });
}

/** A list of texts, or a single one. */
function textsOf(value: unknown): readonly string[] {
  return itemsOf(value).filter(isShortText);
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.slice(0, MAX_ITEMS);
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= MAX_CHARACTERS;
}

function isMap(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
