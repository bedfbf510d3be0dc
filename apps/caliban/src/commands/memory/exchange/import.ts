import { sep } from "node:path";
import { type SpellCommand, terminalSafeLine } from "@caliban/common";
import {
  IMPORT_SOURCES,
  type ImportPlan,
  type ImportRow,
  planImport,
} from "@caliban/memory/exchange";
import type { Forgotten } from "@caliban/memory/forgotten";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { readProjectForgotten } from "../../../project/forgotten.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { renderRows } from "../../render-rows.ts";
import { resolveUserPath } from "../../user-paths.ts";
import { output } from "../output.ts";
import { isUserScope, type OpenTopics, openTopicsForWriting } from "../topics/open-topics.ts";

/** `caliban memory import`: shows what would be imported, asks, then does it. Nothing is overwritten. */
export async function importMemory(invocation: Invocation): Promise<CommandResult> {
  const request = parseRequest(invocation);
  const topics = await openTopicsForWriting(invocation);
  const includeExcluded = invocation.options["all"] === true;
  const forgotten = await forgottenHere(invocation, topics);
  const plan = await planImport({ ...request, topics, includeExcluded, forgotten });
  const job: ImportJob = { invocation, topics, plan };
  if (plan.rows.length === 0) return nothingToImport(job);
  const isDone = await isConfirmed(job);
  const { rows, change } = isDone ? await plan.run() : { rows: plan.rows, change: undefined };
  const { command } = invocation.host;
  const withFixes = rows.map((row) => withFix(row, { command, userFlag: topics.userFlag }));
  const undo =
    change === undefined
      ? ""
      : `Undo the imported topics with: ${command(`memory undo ${change}${topics.userFlag}`)}\n`;
  return output(invocation, {
    data: {
      agent: plan.from,
      source: plan.path,
      isDone,
      change,
      topics: withFixes.map(rowJson),
      notes: notesOn(plan),
    },
    text: isDone ? renderTable(job, withFixes) + undo : renderDeclined(job, withFixes),
    stderr: topics.warnings,
    exitCode: rows.some(({ outcome }) => outcome === "not copied") ? EXIT.failed : EXIT.done,
  });
}

/** What is not imported, because the user forgot it here. */
async function forgottenHere(
  { options }: Invocation,
  { project, locations }: OpenTopics,
): Promise<Forgotten | undefined> {
  const { projectHome } = locations;
  if (projectHome === undefined || options["includeForgotten"] === true) return undefined;
  const { environment, workspace } = project;
  return await readProjectForgotten(projectHome, { ...environment, workspace });
}

/**
 * Parses `--from` and the path after it. A value that is not the name of a source is a path.
 * @throws UsageError
 */
function parseRequest(invocation: Invocation): {
  readonly from?: ImportPlan["from"];
  /** An absolute path. */
  readonly path?: string | undefined;
} {
  const given = textOption(invocation, "from");
  const [path] = invocation.operands;
  const absolute = (text: string): string => resolveUserPath(invocation.host, text);
  const from = IMPORT_SOURCES.find((each) => each === given);
  if (given !== undefined && from === undefined) {
    if (path !== undefined) throw new UsageError("name one path, either with --from or without it");
    return { from: "dir", path: absolute(given) };
  }
  if (from === undefined) return path === undefined ? {} : { from: "dir", path: absolute(path) };
  if (from === "dir" && path === undefined) {
    const usage = invocation.host.command("memory import --from dir <path>");
    throw new UsageError(`--from dir requires a path: ${usage}`);
  }
  if (path !== undefined && from !== "dir" && from !== "agents-md")
    throw new UsageError(`--from ${from} takes no path; it finds its files by itself`);
  return { from, path: path === undefined ? undefined : absolute(path) };
}

interface ImportJob {
  readonly invocation: Invocation;
  readonly topics: OpenTopics;
  readonly plan: ImportPlan;
}

async function isConfirmed(job: ImportJob): Promise<boolean> {
  const { host, options, json } = job.invocation;
  const { rows } = job.plan;
  const plannedCount = rows.filter(isPlanned).length;
  if (plannedCount === 0) return false;
  if (options["yes"] === true) return true;
  if (json || !host.isInteractive()) return false;
  const { userFlag } = job.topics;
  const withFixes = rows.map((row) => withFix(row, { command: host.command, userFlag }));
  host.stderr(renderTable(job, withFixes));
  return await host.confirm(`Import ${formatCount(plannedCount, "file")}?`);
}

/** Whether a confirmed import would change something. */
function isPlanned({ outcome }: ImportRow): boolean {
  return outcome.startsWith("to ");
}

function withFix(
  row: ImportRow,
  { command, userFlag }: { readonly command: SpellCommand; readonly userFlag: string },
): ImportRow {
  const { name, message, headerProblem } = row;
  if (headerProblem === undefined) return row;
  const slug = /\s/.test(name) ? JSON.stringify(name) : name;
  return {
    ...row,
    message: `${message} Fix it with: ${command(`memory edit ${slug}${userFlag}`)}`,
  };
}

/** One line per file: the outcome, the name, the size, the path, and the reason. */
function renderTable({ invocation, topics, plan }: ImportJob, rows: readonly ImportRow[]): string {
  const { from, path: root } = plan;
  const displayPath = (path: string): string =>
    topics.displayPath(
      root !== undefined && path.startsWith(`${root}${sep}`) ? path.slice(root.length + 1) : path,
    );
  const cells = rows.map(({ outcome, name, bytes, path, message }) => [
    (outcome === "there already" ? "unchanged" : outcome).padEnd("left to you".length),
    terminalSafeLine(name),
    bytes === undefined ? "" : formatSize(bytes),
    displayPath(path),
    message === undefined ? "" : `(${terminalSafeLine(message)})`,
  ]);
  const title = `from ${root === undefined ? from : topics.displayPath(root)}\n`;
  const notes = notesOn(plan).map((note) => `  ${terminalSafeLine(note)}\n`);
  return `${title}${renderRows(cells, invocation.host)}${notes.join("")}`;
}

function formatSize(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`;
}

const EXCLUDED =
  "Codex has one memory for all projects; files that do not name this one are left out. Import them with --all";

const FORGOTTEN =
  "You forgot what some files say, so they are left out. Import them with --include-forgotten";

function notesOn({ rows, notices }: ImportPlan): readonly string[] {
  const leftOut = rows.filter(({ outcome }) => outcome === "left out");
  return [
    ...notices.map(({ message }) => message),
    ...(leftOut.some(({ isForgotten }) => isForgotten !== true) ? [EXCLUDED] : []),
    ...(leftOut.some(({ isForgotten }) => isForgotten === true) ? [FORGOTTEN] : []),
  ];
}

/** Keys and outcomes as other programs know them. */
function rowJson(row: ImportRow): object {
  const { message, headerProblem: _, ...rest } = row;
  return { ...rest, sentence: message };
}

function renderDeclined(job: ImportJob, rows: readonly ImportRow[]): string {
  const { host, options, operands } = job.invocation;
  const plannedCount = rows.filter(isPlanned).length;
  if (plannedCount === 0) {
    const isUpToDate = rows.every(({ outcome }) => outcome === "there already");
    const result = isUpToDate
      ? "Nothing to import: everything is up to date.\n"
      : "Nothing was imported.\n";
    return renderTable(job, rows) + result;
  }
  const from = textOption(job.invocation, "from");
  const words = [from, ...operands].flatMap((word) =>
    word === undefined ? [] : [/^[\w./~-]+$/.test(word) ? word : JSON.stringify(word)],
  );
  const flags = [
    ...(from === undefined ? [] : ["--from"]),
    ...words.map((word) => terminalSafeLine(word)),
    ...(options["all"] === true ? ["--all"] : []),
    ...(options["includeForgotten"] === true ? ["--include-forgotten"] : []),
    ...(isUserScope(job.invocation) ? ["--user"] : []),
    "--yes",
  ];
  // A user who declined has just seen the table.
  const table = host.isInteractive() ? "" : renderTable(job, rows);
  const command = host.command(`memory import ${flags.join(" ")}`);
  return `${table}Nothing was imported. To import ${formatCount(plannedCount, "file")}, run: ${command}\n`;
}

function nothingToImport(job: ImportJob): CommandResult {
  const { invocation, topics, plan } = job;
  const { from, path, notices } = plan;
  return output(invocation, {
    data: { agent: from, source: path, topics: [] },
    text: "",
    stderr: [...topics.warnings, ...notices.map(({ message }) => message), whyNothing(job)],
    exitCode: EXIT.nothingFound,
  });
}

function whyNothing({ invocation, topics, plan }: ImportJob): string {
  const { from, path, exists } = plan;
  const { command } = invocation.host;
  if (from === "agents-md" && path === undefined)
    return `nothing to import. ~/.agents/AGENTS.md and opencode's AGENTS.md do not exist. Name another file with: ${command("memory import --from agents-md <path>")}`;
  const where = path === undefined ? undefined : topics.displayPath(path);
  // A typo in the name of a source is taken for a path, too.
  if (from === "dir" && !exists)
    return `no such file or directory: ${where}. --from takes a path, or one of ${IMPORT_SOURCES.join(", ")}`;
  const missing = exists ? "" : "No such directory. ";
  return `nothing to import${where === undefined ? "" : ` in ${where}`}. ${missing}Name another one with: ${command("memory import <path>")}`;
}
