import { isUtf8 } from "node:buffer";
import { terminalSafe, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { type ExportedFile, type ExportPlan, planExport } from "@caliban/memory/exchange";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { outputPath, writeOutputFile } from "../../output-file.ts";
import { renderRows } from "../../render-rows.ts";
import { output } from "../output.ts";
import { type OpenTopics, openTopics } from "../topics/open-topics.ts";

interface ExportJob {
  readonly invocation: Invocation;
  readonly topics: OpenTopics;
  readonly plan: ExportPlan;
  /** The absolute path of `--output`. */
  readonly path: string | undefined;
  /** Printed on stderr, whatever the result. */
  readonly warnings: readonly string[];
}

const FORMATS = {
  claude: exportToClaude,
  "agents-md": exportToAgentsMd,
  json: exportToJson,
  tar: exportToTar,
} satisfies Record<string, (job: ExportJob) => Promise<CommandResult>>;

/** `caliban memory export`: all topics and the index, in a format that other programs read. */
export async function exportMemory(invocation: Invocation): Promise<CommandResult> {
  const format = parseFormat(textOption(invocation, "to"));
  const topics = await openTopics(invocation);
  const path = outputPath(invocation, topics.project.workspace);
  const plan = await planExport(topics);
  const stderr = [...topics.warnings, ...plan.problems.map(({ message }) => message)];
  if (plan.isEmpty) {
    const message = `nothing to export in ${topics.where}`;
    return { stdout: "", stderr: [...stderr, message], exitCode: EXIT.nothingFound };
  }
  const secrets = plan.secrets.map(
    ({ path: name, line, message }) => `${name}:${line}: ${message}`,
  );
  const warnings = [...stderr, ...secrets];
  if (secrets.length > 0 && invocation.options["allowSecrets"] !== true) {
    const fix = invocation.host.command(`memory doctor --fix${topics.userFlag}`);
    const refusal = `nothing was exported. Remove the secrets with: ${fix}, or pass --allow-secrets`;
    return { stdout: "", stderr: [...warnings, refusal], exitCode: EXIT.failed };
  }
  const result = await FORMATS[format]({ invocation, topics, plan, path, warnings });
  return plan.problems.length > 0 ? { ...result, exitCode: EXIT.failed } : result;
}

/** @throws UsageError */
function parseFormat(to: string | undefined): keyof typeof FORMATS {
  const names = Object.keys(FORMATS).join(", ");
  if (to === undefined) throw new UsageError(`--to is required: one of ${names}`);
  if (to === "claude" || to === "agents-md" || to === "json" || to === "tar") return to;
  throw new UsageError(`--to must be one of ${names}, not ${JSON.stringify(to)}`);
}

async function exportToAgentsMd(job: ExportJob): Promise<CommandResult> {
  const { invocation, topics, plan, path, warnings: stderr } = job;
  if (path === undefined) {
    const document = plan.toAgentsMd();
    const text = invocation.host.isTerminal ? terminalSafe(document) : document;
    return output(invocation, { data: { document }, text, stderr });
  }
  const updated = await plan.updateAgentsMd(path);
  const shown = topics.displayPath(updated.path);
  if (updated.kind === "refused") {
    const message = `cannot write ${shown}: ${updated.problem.message}`;
    return { stdout: "", stderr: [...stderr, message], exitCode: EXIT.failed };
  }
  const stdout = updated.kind === "unchanged" ? `${shown} is up to date\n` : `wrote ${shown}\n`;
  return { stdout, stderr, exitCode: EXIT.done };
}

async function exportToJson(job: ExportJob): Promise<CommandResult> {
  const memory = await job.plan.toJson(job.invocation.host.now());
  return await printOrWrite(job, `${terminalSafeJson(memory)}\n`);
}

async function exportToTar(job: ExportJob): Promise<CommandResult> {
  if (job.path === undefined && job.invocation.host.isTerminal)
    throw new UsageError(
      "cannot print a tar file to a terminal; add --output notes.tar, or use a pipe",
    );
  const bytes = Buffer.from(await job.plan.toTar());
  // Topics are valid UTF-8 and everything else in the archive is ASCII, so it can be printed as text.
  if (!isUtf8(bytes)) throw new Error("the tar file is not valid UTF-8");
  return await printOrWrite(job, bytes.toString("utf8"));
}

async function printOrWrite(
  { invocation, path, warnings: stderr }: ExportJob,
  text: string,
): Promise<CommandResult> {
  if (path === undefined) return { stdout: text, stderr, exitCode: EXIT.done };
  return await writeOutputFile(invocation, { path, text, stderr });
}

/**
 * Copies the files into Claude Code's directory, or into another one: the layouts are the same. Claude Code's own
 * directory is only changed after the user has seen what would be written.
 */
async function exportToClaude(job: ExportJob): Promise<CommandResult> {
  const { invocation, topics, plan, path, warnings: stderr } = job;
  const target = path ?? plan.claudeDirectory;
  if (target === undefined) throw new UsageError("no home directory found; pass --output");
  const shown = topics.displayPath(target);
  const copy = plan.toDirectory(target, { replace: invocation.options["replace"] === true });
  if (copy === undefined) {
    const message = `nothing to export: the topics are already in ${shown}`;
    return { stdout: "", stderr: [...stderr, message], exitCode: EXIT.done };
  }
  const count = copy.files.filter(({ state }) => CHANGING.has(state)).length;
  const table = (files: readonly ExportedFile[]): string =>
    `to ${shown}\n${renderTable(files, invocation)}`;
  const isDone =
    count > 0 && (path !== undefined || (await isConfirmed(invocation, table(copy.files), count)));
  const files = isDone ? await copy.write() : copy.files;
  return output(invocation, {
    data: { target, isDone, files: files.map(fileJson) },
    text: isDone || count === 0 ? table(files) : declined(invocation, table(files), count),
    stderr,
    exitCode: files.some(({ state }) => state === "refused") ? EXIT.failed : EXIT.done,
  });
}

const CHANGING: ReadonlySet<ExportedFile["state"]> = new Set(["create", "replace", "extend"]);

async function isConfirmed(
  { host, options, json }: Invocation,
  table: string,
  count: number,
): Promise<boolean> {
  if (options["yes"] === true) return true;
  if (json || !host.isInteractive()) return false;
  host.stderr(table);
  return await host.confirm(`Write ${formatCount(count, "file")} into Claude Code's directory?`);
}

function declined({ host, options }: Invocation, table: string, count: number): string {
  // A user who declined has just seen the table.
  const shown = host.isInteractive() ? "" : table;
  const replace = options["replace"] === true ? " --replace" : "";
  const command = host.command(`memory export --to claude${replace} --yes`);
  return `${shown}Nothing was written. To write ${formatCount(count, "file")}, run: ${command}, or pass --output <directory>\n`;
}

/** JSON output contains these. */
const OUTCOMES: Readonly<Record<ExportedFile["state"], string>> = {
  create: "to write",
  created: "written",
  replace: "to replace",
  replaced: "replaced",
  extend: "to extend",
  extended: "extended",
  unchanged: "there already",
  refused: "not written",
};

function fileJson(file: ExportedFile): object {
  return { name: file.name, outcome: OUTCOMES[file.state], sentence: reasonFor(file) };
}

function renderTable(files: readonly ExportedFile[], { host }: Invocation): string {
  const cells = files.map((file) => {
    const reason = reasonFor(file);
    return [
      (file.state === "unchanged" ? file.state : OUTCOMES[file.state]).padEnd("not written".length),
      terminalSafeLine(file.name),
      reason === undefined ? "" : `(${terminalSafeLine(reason)})`,
    ];
  });
  return renderRows(cells, host);
}

function reasonFor({ state, problem, addedLines }: ExportedFile): string | undefined {
  if (addedLines === 0) return "lists every topic";
  if (addedLines !== undefined) return `${formatCount(addedLines, "line")} more; its text is kept`;
  if (state === "unchanged") return "same text";
  const remedy = problem?.code === "DIFFERENT" ? "; replace it with --replace" : "";
  return problem === undefined ? undefined : `${problem.message}${remedy}`;
}
