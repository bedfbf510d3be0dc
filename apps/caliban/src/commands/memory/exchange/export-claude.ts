import { join } from "node:path";
import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import {
  errorCode,
  nodeDisk,
  readTextFile,
  realPathIfExists,
  type TextFile,
  writeFileAtomic,
} from "@caliban/common/node";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "@caliban/memory";
import { claudeMemoryDirectory } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { renderRows } from "../topics/list.ts";
import type { ExportJob } from "./export.ts";
import { writeNewWhole } from "./write-output.ts";

interface ExportRow {
  readonly outcome:
    | "to write"
    | "written"
    | "to replace"
    | "replaced"
    | "there already"
    | "not written";
  readonly name: string;
  readonly sentence?: string | undefined;
}

interface OutgoingFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The files as they are, in Claude Code's layout, which is ours. Into Claude Code's own directory only after a look
 * at what would be written; over another text only when that is asked for.
 */
export async function exportToClaude(job: ExportJob): Promise<CommandResult> {
  const { invocation, topics, files, output, warnings } = job;
  const target = output ?? claudeMemoryDirectory(invocation.host, topics.projectPath);
  if (target === undefined) throw new UsageError("no home directory is known; name --output");
  if (realPathIfExists(target) === realPathIfExists(topics.directory)) {
    const same = `caliban: ${topics.shown(target)} is where the topics are; there is nothing to export\n`;
    return { stdout: "", stderr: warnings + same, exitCode: EXIT.done };
  }
  const outgoing: readonly OutgoingFile[] = [
    ...files.topics.map(({ slug, text }) => ({ name: `${slug}.md`, text })),
    ...(files.index === null ? [] : [{ name: INDEX_FILE, text: files.index }]),
  ];
  const planned = await Promise.all(outgoing.map((file) => planFile(invocation, target, file)));
  const plan = planned.map(({ row }) => row);
  const wanted = plan.filter(({ outcome }) => outcome.startsWith("to ")).length;
  const shown = topics.shown(target);
  const isDone =
    wanted > 0 &&
    (output !== undefined || (await isConfirmed(invocation, render(plan, shown), wanted)));
  const rows = isDone ? await writeAll(target, planned) : plan;
  const table = render(rows, shown);
  const text = isDone || wanted === 0 ? table : leftUndone(invocation, table, wanted);
  return {
    stdout: invocation.json ? `${terminalSafeJson({ target, isDone, files: rows })}\n` : text,
    stderr: warnings,
    exitCode: rows.some(({ outcome }) => outcome === "not written") ? EXIT.failed : EXIT.done,
  };
}

/** What is to become of a file, and the text that was there when that was decided. */
interface PlannedFile {
  readonly file: OutgoingFile;
  readonly row: ExportRow;
  readonly there: string | undefined;
}

async function planFile(
  { options }: Invocation,
  target: string,
  file: OutgoingFile,
): Promise<PlannedFile> {
  const { name, text } = file;
  const there = await textAt(join(target, name));
  if (there.kind === "missing")
    return { file, row: { name, outcome: "to write" }, there: undefined };
  if (there.kind !== "text") {
    const row = { name, outcome: "not written", sentence: there.message } as const;
    return { file, row, there: undefined };
  }
  const isSame = there.text === text && there.invalidAt === undefined;
  const row: ExportRow = isSame
    ? { name, outcome: "there already", sentence: "the same text" }
    : options["replace"] === true
      ? { name, outcome: "to replace" }
      : { name, outcome: "not written", sentence: "another text is there; --replace replaces it" };
  return { file, row, there: there.text };
}

async function textAt(path: string): Promise<TextFile> {
  return readTextFile(path, MAX_TOPIC_BYTES * 64, { refuseLinks: true });
}

async function writeAll(
  target: string,
  planned: readonly PlannedFile[],
): Promise<readonly ExportRow[]> {
  const rows: ExportRow[] = [];
  // oxlint-disable-next-line no-await-in-loop -- the index last
  for (const each of planned) rows.push(await writeOne(target, each));
  return rows;
}

async function writeOne(target: string, { file, row, there }: PlannedFile): Promise<ExportRow> {
  const path = join(target, file.name);
  try {
    if (row.outcome === "to write") {
      await nodeDisk.makeDirectory(target);
      await writeNewWhole(path, file.text);
      return { ...row, outcome: "written" };
    }
    if (row.outcome !== "to replace") return row;
    // Somebody may have thought about the question for a while, and the other program writes on.
    const now = await textAt(path);
    if (now.kind !== "text" || now.text !== there)
      return { ...row, outcome: "not written", sentence: "somebody changed it meanwhile" };
    await writeFileAtomic(path, file.text);
    return { ...row, outcome: "replaced" };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const why = code === "EEXIST" ? "somebody made it meanwhile" : `the system says ${code}`;
    return { ...row, outcome: "not written", sentence: why };
  }
}

async function isConfirmed(
  { host, options, json }: Invocation,
  plan: string,
  wanted: number,
): Promise<boolean> {
  if (options["yes"] === true) return true;
  if (json || !host.isInteractive()) return false;
  host.stderr(plan);
  return await host.confirm(`Write ${wanted} into Claude Code's directory?`);
}

function leftUndone({ host, options }: Invocation, table: string, wanted: number): string {
  // Who said no has just seen it.
  const shown = host.isInteractive() ? "" : table;
  const replace = options["replace"] === true ? " --replace" : "";
  return `${shown}Nothing was written. \`caliban memory export --to claude${replace} --yes\` writes ${wanted}; --output names another directory.\n`;
}

function render(rows: readonly ExportRow[], target: string): string {
  const cells = rows.map(({ outcome, name, sentence }) => [
    outcome.padEnd(13),
    terminalSafeLine(name),
    sentence === undefined ? "" : `(${terminalSafeLine(sentence)})`,
  ]);
  return `to ${target}\n${renderRows(cells).replaceAll(/ +$/gm, "")}`;
}
