import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { MemoryError } from "@caliban/memory";
import { SessionsError } from "@caliban/sessions";
import { renderProblem, SettingsError } from "@caliban/settings";
import type { ParsedCommandLine } from "./cli/parse.ts";
import { plainCommand } from "./cli/plain-command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { UsageError } from "./usage-error.ts";

/** The whole program: reads the command line, runs one command, prints what it answers. */
export async function run(host: Host): Promise<ExitCode> {
  const parsed = await readCommandLine(host);
  if (parsed.kind === "help") {
    host.stdout(parsed.text);
    return EXIT.done;
  }
  if (parsed.kind === "mistake") {
    host.stderr(terminalSafe(parsed.text));
    return EXIT.usage;
  }
  try {
    const command = await parsed.load();
    const result = await command({ host, ...parsed });
    if (result.stderr !== undefined) host.stderr(result.stderr);
    if (result.stdout !== "") host.stdout(result.stdout);
    return result.exitCode;
  } catch (error) {
    return reportFailure(error, host);
  }
}

async function readCommandLine({ argv, version }: Host): Promise<ParsedCommandLine> {
  const plain = plainCommand(argv);
  if (plain !== undefined) return plain;
  const { parseCommandLine } = await import("./cli/parse.ts");
  return parseCommandLine(argv, version);
}

/** Failures a person can mend become sentences; anything else is our bug and shows its stack, made harmless. */
function reportFailure(error: unknown, host: Host): ExitCode {
  if (error instanceof SettingsError) {
    for (const problem of error.problems) {
      host.stderr(`caliban: ${terminalSafeLine(renderProblem(problem))}\n`);
    }
    return error.code === "FILE_UNWRITABLE" ? EXIT.failed : EXIT.usage;
  }
  if (isMendable(error)) {
    const code = error instanceof UsageError ? "USAGE" : error.code;
    const hint = HINTS[code] ?? "";
    host.stderr(`caliban: ${terminalSafeLine(error.message)}${hint}\n`);
    if (NOTHING_FOUND.has(code)) return EXIT.nothingFound;
    return FAILED.has(code) ? EXIT.failed : EXIT.usage;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  host.stderr(`caliban: this is a bug in caliban, please report it:\n${terminalSafe(stack)}\n`);
  return EXIT.failed;
}

function isMendable(error: unknown): error is UsageError | MemoryError | SessionsError {
  return (
    error instanceof UsageError || error instanceof MemoryError || error instanceof SessionsError
  );
}

const NOTHING_FOUND: ReadonlySet<string> = new Set(["NOTHING_TO_UNDO", "NOT_FOUND"]);

/** What a person at the command line can do that others who use the packages cannot. */
const HINTS: Readonly<Record<string, string>> = {
  WORKSPACE_NOT_FOUND: "; name an existing directory with --workspace",
  SECRET_FOUND: "; --allow-secrets writes it all the same",
};

/** What was asked for rightly and could not be done; the rest was asked for wrongly. */
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
  "IN_USE",
  "UNREADABLE",
]);
