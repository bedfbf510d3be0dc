import type { AddedBlock, EditRecord } from "./hand-edits.ts";

/** What is kept beside a generation: what was made, and what people did before. */
export interface GenerationRecord {
  readonly number: number;
  /** The one that was current before; `undefined` for the first. */
  readonly previous: number | undefined;
  readonly madeAt: string;
  /** Digest of every file as it was made, by its path. */
  readonly files: Digests;
  readonly memoryMd: EditRecord;
  readonly memorySummary: EditRecord;
  /** Directories of skills that a person wrote or edited. */
  readonly keptSkills: readonly string[];
  /** Names of skills that a person deleted, in lower case. */
  readonly deletedSkills: readonly string[];
  /** The files of earlier generations as they were when they were last looked at, by their number. */
  readonly seen: Readonly<Record<string, Digests>>;
}

export type Digests = Readonly<Record<string, string>>;

const VERSION = 1;

export function renderRecord(record: GenerationRecord): string {
  return `${JSON.stringify({ version: VERSION, ...record }, undefined, 2)}\n`;
}

/** Reads the record of a generation; `undefined` when it is none, or one of a newer version. */
export function parseRecord(text: string): GenerationRecord | undefined {
  const data = asMap(parseJson(text));
  if (data?.["version"] !== VERSION) return undefined;
  const { number, previous, madeAt } = data;
  if (typeof number !== "number" || typeof madeAt !== "string") return undefined;
  if (previous !== undefined && typeof previous !== "number") return undefined;
  const known = knownEdits(data);
  const [files, seen] = [digests(data["files"]), asMap(data["seen"])];
  if (known === undefined || files === undefined || seen === undefined) return undefined;
  const looked = Object.entries(seen).map(([key, value]) => [key, digests(value) ?? {}] as const);
  return { number, previous, madeAt, files, ...known, seen: Object.fromEntries(looked) };
}

type KnownEdits = Pick<
  GenerationRecord,
  "memoryMd" | "memorySummary" | "keptSkills" | "deletedSkills"
>;

function knownEdits(data: Readonly<Record<string, unknown>>): KnownEdits | undefined {
  const [memoryMd, memorySummary] = [edits(data["memoryMd"]), edits(data["memorySummary"])];
  const [keptSkills, deletedSkills] = [texts(data["keptSkills"]), texts(data["deletedSkills"])];
  if (memoryMd === undefined || memorySummary === undefined) return undefined;
  if (keptSkills === undefined || deletedSkills === undefined) return undefined;
  return { memoryMd, memorySummary, keptSkills, deletedSkills };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function asMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

function digests(value: unknown): Digests | undefined {
  const entries = Object.entries(asMap(value) ?? { none: undefined });
  const proven = entries.flatMap(([path, digest]) =>
    typeof digest === "string" ? [[path, digest] as const] : [],
  );
  return proven.length === entries.length ? Object.fromEntries(proven) : undefined;
}

function texts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  const proven = items.flatMap((item) => (typeof item === "string" ? [item] : []));
  return proven.length === items.length ? proven : undefined;
}

function edits(value: unknown): EditRecord | undefined {
  const data = asMap(value);
  const removed = texts(data?.["removed"]);
  const written = data?.["added"];
  if (removed === undefined || !Array.isArray(written)) return undefined;
  const blocks: readonly unknown[] = written;
  const added = blocks.flatMap((item) => block(item) ?? []);
  return added.length === blocks.length ? { added, removed } : undefined;
}

function block(value: unknown): AddedBlock | undefined {
  const data = asMap(value);
  const lines = texts(data?.["lines"]);
  if (data === undefined || lines === undefined) return undefined;
  return {
    lines,
    above: textOrNone(data["above"]),
    below: textOrNone(data["below"]),
    heading: textOrNone(data["heading"]),
    hasBlankAbove: data["hasBlankAbove"] === true,
    hasBlankBelow: data["hasBlankBelow"] === true,
  };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
