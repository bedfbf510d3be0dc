import { spellCommands, terminalSafe, terminalSafeLine } from "@caliban/common";
import { isMemoryError, type MemoryError } from "@caliban/memory";
import { isSessionsError, type SessionsError } from "@caliban/sessions";
import { renderDiagnostic, isSettingsError } from "@caliban/settings";
import { type ParsedCommandLine, parseCommandLine } from "./cli/parse.ts";
import { type CommandRow, commandName } from "./cli/table/command-row.ts";
import type { RunCommand } from "./command.ts";
import { COMMAND_LOADERS } from "./command-loaders.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { isUsageError, type UsageError } from "./usage-error.ts";

/** The whole program: parses the command line, runs one command and prints its result. */
export async function run(host: Host): Promise<ExitCode> {
  const parsed = parseCommandLine(host.argv);
  if (parsed.kind !== "run") return await answerWithoutCommand(parsed, host);
  try {
    const { path, ...invocation } = parsed;
    const command = await loadCommand(path);
    const result = await command({ host, ...invocation });
    for (const message of result.stderr ?? []) report(message, host);
    if (result.stdout !== "") host.stdout(result.stdout);
    return result.exitCode;
  } catch (error) {
    return reportFailure(error, host);
  }
}

async function loadCommand(path: readonly CommandRow[]): Promise<RunCommand> {
  const load = COMMAND_LOADERS[commandName(path)];
  if (load === undefined) throw new Error(`no loader for '${commandName(path)}'`);
  return await load();
}

async function answerWithoutCommand(
  parsed: Exclude<ParsedCommandLine, { readonly kind: "run" }>,
  host: Host,
): Promise<ExitCode> {
  if (parsed.kind === "version") {
    host.stdout(`${host.version}\n`);
    return EXIT.done;
  }
  if (parsed.kind === "help") {
    const { renderHelp } = await import("./cli/help.ts");
    const { command } = host;
    const input = { hasColor: host.hasColor("stdout"), columns: host.columns(), command };
    host.stdout(renderHelp(parsed.path, input));
    return EXIT.done;
  }
  report(spellCommands(parsed, host.command), host);
  const help = [...parsed.path.map(({ name }) => name), "--help"].join(" ");
  host.stderr(`Run '${host.command(help)}' for usage.\n`);
  return EXIT.usage;
}

/** Failures that the user can fix become messages; anything else is a bug and shows its stack, escaped. */
function reportFailure(error: unknown, host: Host): ExitCode {
  if (isSettingsError(error)) {
    for (const problem of error.problems) report(renderDiagnostic(problem, host.command), host);
    return error.code === "FILE_UNWRITABLE" ? EXIT.failed : EXIT.usage;
  }
  if (isFixable(error)) {
    const code = isUsageError(error) ? "USAGE" : error.code;
    report(`${spellCommands(error, host.command)}${HINTS[code] ?? ""}`, host);
    if (NOTHING_FOUND.has(code)) return EXIT.nothingFound;
    return FAILED.has(code) ? EXIT.failed : EXIT.usage;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  host.report("this is a bug in caliban, please report it:");
  host.stderr(`${terminalSafe(stack)}\n`);
  return EXIT.failed;
}

function report(message: string, host: Host): void {
  host.report(terminalSafeLine(message));
}

function isFixable(error: unknown): error is UsageError | MemoryError | SessionsError {
  return isUsageError(error) || isMemoryError(error) || isSessionsError(error);
}

const NOTHING_FOUND: ReadonlySet<string> = new Set(["NOTHING_TO_UNDO", "NOT_FOUND"]);

/** Remedies that only exist on the command line, not for other users of the packages. */
const HINTS: Readonly<Record<string, string>> = {
  WORKSPACE_NOT_FOUND: "; pass an existing directory with --workspace",
  SECRET_FOUND: "; pass --allow-secrets to write it anyway",
};

/** Valid requests that failed. All other codes are usage errors. */
const FAILED: ReadonlySet<string> = new Set([
  "APPROVALS_DAMAGED",
  "NOT_APPROVABLE",
  "NOTHING_TO_ADOPT",
  "UNWRITABLE",
  "INVALID_TOPIC",
  "SECRET_FOUND",
  "REFUSED_FILE",
  "STORE_BUSY",
  "CHANGED_SINCE",
  "NO_MEMORY_DIRECTORY",
  "UNKNOWN_PROJECT",
  "INVALID_BACKEND",
  "STORE_UNAVAILABLE",
  "STORE_INCOMPATIBLE",
  "IN_USE",
  "UNREADABLE",
]);
