import { isRecord, parseJsonRecord } from "@caliban/common";
import type { AddedBlock, EditRecord } from "./find-edits.ts";

/** The record stored with a generation: what was generated, and which hand edits were known. */
export interface GenerationRecord {
  readonly number: number;
  /** The generation that was current before; `undefined` for the first. */
  readonly previous: number | undefined;
  readonly madeAt: string;
  /** The digest of every file as it was generated, by path. */
  readonly files: Digests;
  readonly memoryMd: EditRecord;
  readonly memorySummary: EditRecord;
  /** Directories of skills that the user wrote or edited. */
  readonly keptSkills: readonly string[];
  /** Names of skills that the user deleted, in lower case. */
  readonly deletedSkills: readonly string[];
  /** The digests of earlier generations when they were last read, by number. */
  readonly seen: Readonly<Record<string, Digests>>;
}

export type Digests = Readonly<Record<string, string>>;

const VERSION = 1;

export function renderRecord(record: GenerationRecord): string {
  return `${JSON.stringify({ version: VERSION, ...record }, undefined, 2)}\n`;
}

/** Parses the record of a generation; `undefined` when it is invalid or was written by a newer version. */
export function parseRecord(text: string): GenerationRecord | undefined {
  const data = parseJsonRecord(text);
  if (data?.["version"] !== VERSION) return undefined;
  const { number, previous, madeAt } = data;
  if (typeof number !== "number" || typeof madeAt !== "string") return undefined;
  if (previous !== undefined && typeof previous !== "number") return undefined;
  const known = knownEdits(data);
  const [files, seen] = [digests(data["files"]), recordOf(data["seen"])];
  if (known === undefined || files === undefined || seen === undefined) return undefined;
  const snapshots = Object.entries(seen).map(
    ([key, value]) => [key, digests(value) ?? {}] as const,
  );
  return { number, previous, madeAt, files, ...known, seen: Object.fromEntries(snapshots) };
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

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

function digests(value: unknown): Digests | undefined {
  const entries = Object.entries(recordOf(value) ?? { invalid: undefined });
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
  const data = recordOf(value);
  const removed = texts(data?.["removed"]);
  const written = data?.["added"];
  if (removed === undefined || !Array.isArray(written)) return undefined;
  const blocks: readonly unknown[] = written;
  const added = blocks.flatMap((item) => block(item) ?? []);
  return added.length === blocks.length ? { added, removed } : undefined;
}

function block(value: unknown): AddedBlock | undefined {
  const data = recordOf(value);
  const lines = texts(data?.["lines"]);
  if (data === undefined || lines === undefined) return undefined;
  return {
    lines,
    above: textOrUndefined(data["above"]),
    below: textOrUndefined(data["below"]),
    heading: textOrUndefined(data["heading"]),
    hasBlankAbove: data["hasBlankAbove"] === true,
    hasBlankBelow: data["hasBlankBelow"] === true,
  };
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
