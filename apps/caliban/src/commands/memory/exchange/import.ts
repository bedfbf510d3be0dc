import { sep } from "node:path";
import { type SpellCommand, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import {
  findImportSource,
  IMPORT_SOURCES,
  type ImportReport,
  type ImportSource,
  importSource,
} from "@caliban/memory/exchange";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { resolveUserPath } from "../../user-paths.ts";
import { type OpenTopics, openTopicsForWriting, USER } from "../topics/open-topics.ts";
import {
  type ImportRow,
  importRows,
  isPlanned,
  isUpToDate,
  renderImportRows,
} from "./import-rows.ts";

/** `caliban memory import`: shows what would be imported, asks, then does it. Nothing is overwritten. */
export async function importMemory(invocation: Invocation): Promise<CommandResult> {
  const request = parseRequest(invocation);
  const topics = await openTopicsForWriting(invocation);
  const job: ImportJob = { invocation, topics, source: findSource(invocation, topics, request) };
  const plan = await runImport(job, { isPreview: true });
  if (plan.rows.length === 0) return nothingToImport(job);
  const plannedCount = plan.rows.filter(isPlanned).length;
  const isDone = await isConfirmed(job, plan.rows, plannedCount);
  const { rows, change } = isDone ? await runImport(job, { isPreview: false }) : plan;
  return {
    stdout: invocation.json
      ? `${terminalSafeJson(toJson(job, rows, { isDone, change }))}\n`
      : renderOutcome(job, { rows, change, isDone, plannedCount }),
    stderr: topics.warnings,
    exitCode: rows.some(({ outcome }) => outcome === "not copied") ? EXIT.failed : EXIT.done,
  };
}

interface ImportRequest {
  readonly name: ImportSource["name"];
  /** An absolute path. */
  readonly path: string | undefined;
}

/**
 * Parses `--from` and the path after it. A value that is not the name of a source is a path.
 * @throws UsageError
 */
function parseRequest(invocation: Invocation): ImportRequest {
  const from = textOption(invocation, "from");
  const [path] = invocation.operands;
  const absolute = (text: string): string => resolveUserPath(invocation.host, text);
  const name = IMPORT_SOURCES.find((each) => each === from);
  if (from !== undefined && name === undefined) {
    if (path !== undefined) throw new UsageError("name one path, either with --from or without it");
    return { name: "dir", path: absolute(from) };
  }
  if (name === undefined)
    return path === undefined ? CLAUDE : { name: "dir", path: absolute(path) };
  if (name === "dir" && path === undefined)
    throw new UsageError(
      `--from dir requires a path: ${invocation.host.command("memory import --from dir <path>")}`,
    );
  if (path !== undefined && name !== "dir" && name !== "agents-md")
    throw new UsageError(`--from ${name} takes no path; it finds its files by itself`);
  return { name, path: path === undefined ? undefined : absolute(path) };
}

const CLAUDE: ImportRequest = { name: "claude", path: undefined };

interface ImportJob {
  readonly invocation: Invocation;
  readonly topics: OpenTopics;
  readonly source: ImportSource;
}

function findSource(
  { options }: Invocation,
  { project, projectPath }: OpenTopics,
  { name, path }: ImportRequest,
): ImportSource {
  return findImportSource(name, {
    ...project.environment,
    workspaceRoot: project.workspace.root,
    projectPath,
    path,
    includeExcluded: options["all"] === true,
  });
}

interface Imported {
  readonly rows: readonly ImportRow[];
  readonly change: ImportReport["change"];
}

/** A preview makes all the checks of a real run, so that its rows are right. */
async function runImport(
  { invocation, topics, source }: ImportJob,
  { isPreview }: { readonly isPreview: boolean },
): Promise<Imported> {
  const { store, locations, project, displayPath } = topics;
  const { globalFile } = locations;
  const report = await importSource({
    ...project.environment,
    source,
    store,
    globalFile,
    isPreview,
    author: USER,
  });
  return {
    rows: importRows(report, {
      isPreview,
      globalFile: displayPath(globalFile ?? ""),
      command: invocation.host.command,
    }),
    change: report.change,
  };
}

async function isConfirmed(
  job: ImportJob,
  rows: readonly ImportRow[],
  plannedCount: number,
): Promise<boolean> {
  const { host, options, json } = job.invocation;
  if (plannedCount === 0) return false;
  if (options["yes"] === true) return true;
  if (json || !host.isInteractive()) return false;
  host.stderr(renderTable(job, rows));
  return await host.confirm(`Import ${formatCount(plannedCount, "file")}?`);
}

function renderOutcome(
  job: ImportJob,
  outcome: Imported & { readonly isDone: boolean; readonly plannedCount: number },
): string {
  const { rows, change, isDone, plannedCount } = outcome;
  const { invocation } = job;
  const { command } = invocation.host;
  const undo = change === undefined ? "" : `${UNDO_HINT} ${command(`memory undo ${change}`)}\n`;
  if (isDone) return renderTable(job, rows) + undo;
  // A user who declined has just seen the table.
  const wasShown = plannedCount > 0 && invocation.host.isInteractive();
  return (wasShown ? "" : renderTable(job, rows)) + howToImport(invocation, rows);
}

const UNDO_HINT = "Undo the imported topics with:";

function renderTable(
  { invocation, source, topics }: ImportJob,
  rows: readonly ImportRow[],
): string {
  const { path: root } = source;
  const from = root ?? source.instructions[0];
  const notes = notesOf(source).map((note) => `  ${terminalSafeLine(note)}\n`);
  const displayPath = (path: string): string =>
    topics.displayPath(
      root !== undefined && path.startsWith(`${root}${sep}`) ? path.slice(root.length + 1) : path,
    );
  const table = renderImportRows(rows, { host: invocation.host, displayPath });
  return `from ${from === undefined ? source.name : topics.displayPath(from)}\n${table}${notes.join("")}`;
}

function notesOf({ files, notices }: ImportSource): readonly string[] {
  const hasExcluded = files.some((file) => "text" in file && file.excluded !== undefined);
  return [
    ...notices.map(({ message }) => message),
    ...(hasExcluded
      ? [
          "Codex has one memory for all projects; files that do not name this one are left out. Import them with --all",
        ]
      : []),
  ];
}

/** Keys and outcomes as other programs know them. */
function toJson(
  { source }: ImportJob,
  rows: readonly ImportRow[],
  { isDone, change }: { readonly isDone: boolean; readonly change: string | undefined },
): object {
  const topics = rows.map(({ message, ...row }) => ({ ...row, sentence: message }));
  const { name: agent, path } = source;
  return { agent, source: path, isDone, change, topics, notes: notesOf(source) };
}

function howToImport(invocation: Invocation, rows: readonly ImportRow[]): string {
  const plannedCount = rows.filter(isPlanned).length;
  if (plannedCount === 0)
    return rows.every(isUpToDate)
      ? "Nothing to import: everything is up to date.\n"
      : "Nothing was imported.\n";
  const from = textOption(invocation, "from");
  const words = [from, ...invocation.operands].flatMap((word) =>
    word === undefined ? [] : [/^[\w./~-]+$/.test(word) ? word : JSON.stringify(word)],
  );
  const flags = [
    ...(from === undefined ? [] : ["--from"]),
    ...words.map((word) => terminalSafeLine(word)),
    ...(invocation.options["all"] === true ? ["--all"] : []),
    "--yes",
  ];
  return `Nothing was imported. To import ${formatCount(plannedCount, "file")}, run: ${invocation.host.command(`memory import ${flags.join(" ")}`)}\n`;
}

function nothingToImport({ invocation, topics, source }: ImportJob): CommandResult {
  const { name, path } = source;
  const where = path === undefined ? undefined : topics.displayPath(path);
  const { command } = invocation.host;
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ agent: name, source: path, topics: [] })}\n`
      : "",
    stderr: [
      ...topics.warnings,
      ...source.notices.map(({ message }) => message),
      whyNothing(source, { where, command }),
    ],
    exitCode: EXIT.nothingFound,
  };
}

function whyNothing(
  { name, exists }: ImportSource,
  { where, command }: { readonly where: string | undefined; readonly command: SpellCommand },
): string {
  if (name === "agents-md" && where === undefined)
    return `nothing to import. ~/.agents/AGENTS.md and opencode's AGENTS.md do not exist. Name another file with: ${command("memory import --from agents-md <path>")}`;
  // A typo in the name of a source is taken for a path, too.
  if (name === "dir" && !exists)
    return `no such file or directory: ${where}. --from takes a path, or one of ${IMPORT_SOURCES.join(", ")}`;
  const missing = exists ? "" : "No such directory. ";
  return `nothing to import${where === undefined ? "" : ` in ${where}`}. ${missing}Name another one with: ${command("memory import <path>")}`;
}
