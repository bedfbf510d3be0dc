import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import { type ExportedFile, planDirectoryExport } from "@caliban/memory/exchange";
import { claudeMemoryDirectory } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { renderRows } from "../../render-rows.ts";
import type { ExportJob } from "./export.ts";

/**
 * Copies the files into Claude Code's directory, or into another one: the layouts are the same. Claude Code's own
 * directory is only changed after the user has seen what would be written.
 */
export async function exportToClaude(job: ExportJob): Promise<CommandResult> {
  const { invocation, topics, files, output, warnings } = job;
  const target = output ?? claudeMemoryDirectory(invocation.host, topics.projectPath);
  if (target === undefined) throw new UsageError("no home directory found; pass --output");
  const shown = topics.displayPath(target);
  if (realPathIfExists(target) === realPathIfExists(topics.directory)) {
    const stderr = [...warnings, `nothing to export: the topics are already in ${shown}`];
    return { stdout: "", stderr, exitCode: EXIT.done };
  }
  const replace = invocation.options["replace"] === true;
  const plan = planDirectoryExport({ directory: target, files, replace });
  const plannedCount = plan.files.filter(isPlanned).length;
  const table = (rows: readonly ExportedFile[]): string =>
    `to ${shown}\n${renderTable(rows, invocation)}`;
  const isDone =
    plannedCount > 0 &&
    (output !== undefined || (await isConfirmed(invocation, table(plan.files), plannedCount)));
  const rows = isDone ? await plan.write() : plan.files;
  const text =
    isDone || plannedCount === 0 ? table(rows) : declined(invocation, table(rows), plannedCount);
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ target, isDone, files: rows.map(toJson) })}\n`
      : text,
    stderr: warnings,
    exitCode: rows.some(({ state }) => state === "refused") ? EXIT.failed : EXIT.done,
  };
}

function isPlanned({ state }: ExportedFile): boolean {
  return state === "create" || state === "replace";
}

async function isConfirmed(
  { host, options, json }: Invocation,
  plan: string,
  plannedCount: number,
): Promise<boolean> {
  if (options["yes"] === true) return true;
  if (json || !host.isInteractive()) return false;
  host.stderr(plan);
  return await host.confirm(
    `Write ${formatCount(plannedCount, "file")} into Claude Code's directory?`,
  );
}

function declined({ host, options }: Invocation, table: string, plannedCount: number): string {
  // A user who declined has just seen the table.
  const shown = host.isInteractive() ? "" : table;
  const replace = options["replace"] === true ? " --replace" : "";
  return `${shown}Nothing was written. To write ${formatCount(plannedCount, "file")}, run: ${host.command(`memory export --to claude${replace} --yes`)}, or pass --output <directory>\n`;
}

/** JSON output contains these. */
const OUTCOMES: Readonly<Record<ExportedFile["state"], string>> = {
  create: "to write",
  created: "written",
  replace: "to replace",
  replaced: "replaced",
  unchanged: "there already",
  refused: "not written",
};

function toJson(file: ExportedFile): object {
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

function reasonFor({ state, problem }: ExportedFile): string | undefined {
  if (state === "unchanged") return "same text";
  const remedy = problem?.code === "DIFFERENT" ? "; replace it with --replace" : "";
  return problem === undefined ? undefined : `${problem.message}${remedy}`;
}
