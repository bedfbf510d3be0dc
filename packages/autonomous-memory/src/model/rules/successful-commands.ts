import type { TranscriptTurn } from "../../transcript/transcript-turn.ts";
import { cleanLine } from "../../text/clean-text.ts";

/** A command that succeeded. */
export interface SuccessfulCommand {
  readonly command: string;
  readonly times: number;
  /** Whether the same program had failed before. */
  readonly fixesFailure: boolean;
}

const SHELL_TOOL =
  /^(?:.*__)?(?:bash|shell|exec|exec_command|local_shell|run_shell_command|terminal)$/iu;
const INPUT_KEY = /^(?:command|cmd|script):\s*/iu;
/** Other keys of the call, which follow the command on its line. */
const FURTHER_KEYS =
  /\s(?:description|timeout(?:_ms)?|workdir|cwd|run_in_background|justification|with_escalated_permissions|sandbox_permissions|yield_time_ms|max_output_tokens|login|shell|is_background|directory): .*$/iu;
const WRAPPER = /^(?:\/bin\/)?(?:ba|z)?sh -l?c\s+/u;
/** Programs that test, build, check, format, release or install. */
const NOTABLE_PROGRAM =
  /^(?:(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?!ls\b|list\b|view\b|info\b|why\b|root\b|bin\b|config\b)\w|(?:npx|bunx|pnpx|deno|turbo|nx|vitest|jest|mocha|ava|playwright|cypress|tsc|eslint|oxlint|prettier|biome|vite|tsdown|tsup|make|just|task|rake|pytest|tox|nox|ruff|mypy|black|rspec|mvn|gradle|ctest|cmake|ninja|bazel|helm|wrangler|vercel|flyctl?|ansible-playbook|alembic|prisma)\b|\.\/(?:gradlew|mvnw)\b|(?:uv|poetry|pipenv|hatch) (?:run|sync|install)\b|python3? (?:-m \w|manage\.py\b|setup\.py\b|\S*(?:test|build|deploy)\S*\.py\b)|pip3? install\b|go (?:test|build|vet|run|generate|install)\b|cargo (?:\+\w+ )?(?:test|build|clippy|run|fmt|check|nextest|bench)\b|dotnet (?:test|build|run|publish)\b|swift (?:test|build|run)\b|mix \w|bundle (?:exec|install)\b|docker(?:-compose| compose| build| run)\b|kubectl (?:apply|rollout)\b|terraform (?:plan|apply|validate|init)\b|(?:(?:ba|z)?sh )?(?:\.\/|scripts?\/|bin\/|tools?\/|\.ci\/)[\w./-]+|node (?:--\S+ )*\S*(?:scripts?|test|build|bench)\S*)/u;
const ASKS_FOR_INFO = /(?:^|\s)(?:--version|-v|-V|--help|-h)(?:\s|$)/u;
const FAILED_RESULT =
  /\bexit(?:ed)?(?: with)?(?: status| code)?:? *[1-9]\d{0,2}\b|\bcommand not found\b|\bNo such file or directory\b/iu;
const MAX_COMMAND_CHARS = 160;

/** Commands worth remembering: those that fixed a failure first, then the most frequent, then in order. */
export function successfulCommands(turns: readonly TranscriptTurn[]): readonly SuccessfulCommand[] {
  const worked = new Map<string, SuccessfulCommand>();
  const failed = new Set<string>();
  for (const { command, isFailed } of runsOf(turns)) {
    const program = programOf(command);
    if (isFailed) {
      failed.add(program);
      continue;
    }
    const before = worked.get(command);
    const isCure = failed.delete(program) || before?.fixesFailure === true;
    worked.set(command, { command, times: (before?.times ?? 0) + 1, fixesFailure: isCure });
  }
  return [...worked.values()].toSorted(
    (one, other) =>
      Number(other.fixesFailure) - Number(one.fixesFailure) || other.times - one.times,
  );
}

interface Run {
  readonly command: string;
  readonly isFailed: boolean;
}

/** Calls with their results, which arrive in the order of the calls. */
function runsOf(turns: readonly TranscriptTurn[]): readonly Run[] {
  const runs: Run[] = [];
  const waiting: TranscriptTurn[] = [];
  for (const turn of turns) {
    // Across a gap, results cannot be matched to calls.
    if ((turn.omittedBefore ?? 0) > 0) waiting.length = 0;
    if (turn.kind === "call") waiting.push(turn);
    if (turn.kind === "user") waiting.length = 0;
    if (turn.kind !== "result") continue;
    const at = waiting.findIndex(({ tool }) => tool === turn.tool);
    const [call] = at === -1 ? [] : waiting.splice(at, 1);
    const command = call === undefined ? undefined : notableCommand(call);
    if (command === undefined) continue;
    runs.push({ command, isFailed: turn.isError === true || FAILED_RESULT.test(turn.text) });
  }
  return runs;
}

function notableCommand({ tool = "", text }: TranscriptTurn): string | undefined {
  if (!SHELL_TOOL.test(tool)) return undefined;
  const command = cleanLine(text)
    .replace(INPUT_KEY, "")
    .replace(FURTHER_KEYS, "")
    .replace(WRAPPER, "")
    .trim();
  const isPlain = command.length <= MAX_COMMAND_CHARS && !/<<|[`…]|\[secret removed/u.test(command);
  return isPlain && partsOf(command).some(isNotable) ? command : undefined;
}

function isNotable(part: string): boolean {
  return NOTABLE_PROGRAM.test(part) && !ASKS_FOR_INFO.test(part);
}

/** The commands of a line, without variable assignments. */
function partsOf(command: string): readonly string[] {
  return command
    .split(/&&|\|\||[;|]/u)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+)*(?:time\s+)?/u, ""));
}

/** The program of a command, to match a failure with its fix. */
function programOf(command: string): string {
  const notable = partsOf(command).find(isNotable) ?? command;
  return notable.split(/\s+/u)[0] ?? "";
}
