import type { SourceFile } from "../../exchange/source.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import { parseTopicHeader, type TopicProblem } from "../../topics/parse-topic.ts";
import type { ImportedIndex, ImportedTopic } from "../../store/imported-topics.ts";
import type { InstructionFile } from "./instructions.ts";

/** What happens to one file of a source, or happened. */
export interface ImportRow {
  readonly outcome: Planned | Done | "there already" | "left out" | "left to you" | "not copied";
  /** The name of the topic here. */
  readonly name: string;
  readonly bytes?: number | undefined;
  readonly path: string;
  readonly message?: string | undefined;
  /** Whether it is left out because the user forgot what it says. */
  readonly isForgotten?: boolean | undefined;
  /** The problem in the header of a copied file, with which the message ends. Files are copied unchanged. */
  readonly headerProblem?: TopicProblem | undefined;
}

type Planned = "to import" | "to copy" | "to merge";
type Done = "imported" | "copied" | "merged";

const PLANNED: ReadonlyMap<ImportRow["outcome"], Planned> = new Map<Done, Planned>([
  ["imported", "to import"],
  ["copied", "to copy"],
  ["merged", "to merge"],
]);

/** The row of a plan, for what would happen. */
export function toPlanned(row: ImportRow): ImportRow {
  return { ...row, outcome: PLANNED.get(row.outcome) ?? row.outcome };
}

type ImportableFile = Extract<SourceFile, { readonly text: string }>;

/** Whether a file is imported unless the store refuses it. */
export function isImportable(file: SourceFile): file is ImportableFile {
  return "text" in file && file.excluded === undefined;
}

export function instructionRow(
  { path, line, blockedBy }: InstructionFile,
  globalFile: string,
): ImportRow {
  const name = "instructions";
  if (blockedBy === undefined)
    return { outcome: "imported", name, path, message: `with a line in ${globalFile}` };
  const message = `${BLOCKED_BY[blockedBy]}; to import it, add the line ${line} to ${globalFile}`;
  return { outcome: "left to you", name, path, message };
}

const BLOCKED_BY: Readonly<Record<NonNullable<InstructionFile["blockedBy"]>, string>> = {
  path: "its path does not fit into an import line",
  "global-file": "your global file exists already",
};

/** For a file with a problem, or one that is not about this project. */
export function refusedRow(file: SourceFile): ImportRow {
  const { name, path, bytes, note } = file;
  const row = { name, path, bytes };
  return "problem" in file
    ? { ...row, outcome: "not copied", message: file.problem.message }
    : {
        ...row,
        outcome: "left out",
        message: joinReasons(note, file.excluded),
        ...(file.isForgotten === true ? { isForgotten: true } : {}),
      };
}

export function topicRow(
  { path, bytes, note, text }: ImportableFile,
  result: ImportedTopic | undefined,
): ImportRow {
  if (result === undefined || result.kind === "refused") {
    const name = result?.name ?? "";
    return { name, path, bytes, outcome: "not copied", message: result?.message };
  }
  const { kind, name, slug } = result;
  const row = { name: slug, path, bytes };
  const renamed = name === slug ? undefined : `called ${JSON.stringify(name)} there`;
  if (kind === "exists") {
    const state = result.isSame ? "same text" : "imported before; your edits since then are kept";
    return { ...row, outcome: "there already", message: joinReasons(state, renamed) };
  }
  const naming = result.isNameTaken ? `${name} exists with a different text` : renamed;
  const [headerProblem] = parseTopicHeader(text).problems;
  const message = joinReasons(note, naming, headerProblem?.message);
  return { ...row, outcome: "copied", message, headerProblem };
}

export function indexRow(file: SourceFile, result: ImportedIndex | undefined): ImportRow {
  const row = { name: INDEX_FILE, path: file.path, bytes: file.bytes };
  if ("problem" in file) return { ...row, outcome: "not copied", message: file.problem.message };
  switch (result?.kind) {
    case "taken":
      return { ...row, outcome: "copied" };
    case "merged":
      return { ...row, outcome: "merged", message: "adds what is new to your index" };
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
