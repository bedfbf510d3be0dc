import { type SpellCommand, terminalSafeLine } from "@caliban/common";
import { INDEX_FILE } from "@caliban/memory";
import type { ImportReport } from "@caliban/memory/exchange";
import type { Host } from "../../../host.ts";
import { renderRows } from "../../render-rows.ts";

/** JSON output contains these. */
type ImportOutcome =
  | "to import"
  | "imported"
  | "to copy"
  | "copied"
  | "to merge"
  | "merged"
  | "there already"
  | "left out"
  | "left to you"
  | "not copied";

/** What happens to one file, or happened. */
export interface ImportRow {
  readonly outcome: ImportOutcome;
  /** The name of the topic here. */
  readonly name: string;
  readonly bytes?: number | undefined;
  readonly path: string;
  readonly message?: string | undefined;
}

/** Whether a confirmed import would change something. */
export function isPlanned({ outcome }: ImportRow): boolean {
  return outcome.startsWith("to ");
}

/** Whether the same text, or a newer one, exists here already. */
export function isUpToDate({ outcome }: ImportRow): boolean {
  return outcome === "there already";
}

/** One line per file: the outcome, the name, the size, the path, and the reason. */
export function renderImportRows(
  rows: readonly ImportRow[],
  { host, displayPath }: { readonly host: Host; readonly displayPath: (path: string) => string },
): string {
  const cells = rows.map(({ outcome, name, bytes, path, message }) => [
    (outcome === "there already" ? "unchanged" : outcome).padEnd("left to you".length),
    terminalSafeLine(name),
    bytes === undefined ? "" : formatSize(bytes),
    displayPath(path),
    message === undefined ? "" : `(${terminalSafeLine(message)})`,
  ]);
  return renderRows(cells, host);
}

function formatSize(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`;
}

interface RowOptions {
  readonly isPreview: boolean;
  /** The path of the global instruction file, as it is printed. */
  readonly globalFile: string;
  readonly command: SpellCommand;
}

export function importRows(report: ImportReport, options: RowOptions): readonly ImportRow[] {
  const { instructions, topics, index } = report;
  return [
    ...instructions.map((file) => instructionRow(file, options)),
    ...topics.map((topic) => topicRow(topic, options)),
    ...(index === undefined ? [] : [indexRow(index, options)]),
  ];
}

type Instruction = ImportReport["instructions"][number];

function instructionRow(
  { path, line, blockedBy }: Instruction,
  { isPreview, globalFile }: RowOptions,
): ImportRow {
  if (blockedBy === undefined) {
    const message = `with a line in ${globalFile}`;
    return { outcome: isPreview ? "to import" : "imported", name: "instructions", path, message };
  }
  const message = `${BLOCKED_BY[blockedBy]}; to import it, add the line ${line} to ${globalFile}`;
  return { outcome: "left to you", name: "instructions", path, message };
}

const BLOCKED_BY: Readonly<Record<NonNullable<Instruction["blockedBy"]>, string>> = {
  path: "its path does not fit into an import line",
  "global-file": "your global file exists already",
};

type Topic = ImportReport["topics"][number];

function topicRow(topic: Topic, options: RowOptions): ImportRow {
  const { file, result } = topic;
  const { name, path, bytes, note } = file;
  const row = { name, path, bytes };
  if ("problem" in file) return { ...row, outcome: "not copied", message: file.problem.message };
  if (file.excluded !== undefined)
    return { ...row, outcome: "left out", message: joinReasons(note, file.excluded) };
  if (result === undefined) return { ...row, outcome: "not copied" };
  return { ...row, ...resultOf(result, topic, options) };
}

function resultOf(
  result: NonNullable<Topic["result"]>,
  { file, headerProblem }: Topic,
  { isPreview, command }: RowOptions,
): Pick<ImportRow, "outcome" | "name" | "message"> {
  const { kind, name } = result;
  if (kind === "refused") return { name, outcome: "not copied", message: result.message };
  const { slug } = result;
  const renamed = name === slug ? undefined : `called ${JSON.stringify(name)} there`;
  if (kind === "exists") {
    const state = result.isSame ? "same text" : "imported before; your edits since then are kept";
    return { name: slug, outcome: "there already", message: joinReasons(state, renamed) };
  }
  const naming = result.isNameTaken ? `${name} exists with a different text` : renamed;
  const fix =
    headerProblem &&
    `${headerProblem.message} Fix it with: ${command(`memory edit ${quoted(slug)}`)}`;
  const message = joinReasons(file.note, naming, fix);
  return { name: slug, outcome: isPreview ? "to copy" : "copied", message };
}

function quoted(slug: string): string {
  return /\s/.test(slug) ? JSON.stringify(slug) : slug;
}

function indexRow(
  { file, result }: NonNullable<ImportReport["index"]>,
  { isPreview }: RowOptions,
): ImportRow {
  const row = { name: INDEX_FILE, path: file.path, bytes: file.bytes };
  if ("problem" in file) return { ...row, outcome: "not copied", message: file.problem.message };
  switch (result?.kind) {
    case "taken":
      return { ...row, outcome: isPreview ? "to copy" : "copied" };
    case "merged":
      return {
        ...row,
        outcome: isPreview ? "to merge" : "merged",
        message: "adds what is new to your index",
      };
    case "refused":
      return { ...row, outcome: "not copied", message: result.message };
    case "known":
    case undefined:
      return { ...row, outcome: "there already", message: "nothing new" };
  }
}

function joinReasons(...reasons: readonly (string | undefined)[]): string | undefined {
  const given = reasons.filter((reason) => reason !== undefined);
  return given.length === 0 ? undefined : given.join("; ");
}
