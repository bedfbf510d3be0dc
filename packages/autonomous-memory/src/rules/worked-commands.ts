import type { TranscriptTurn } from "../transcript/transcript-turn.ts";
import { cleanLine } from "../transcript/clean-text.ts";

/** A command that ended well. */
export interface WorkedCommand {
  readonly command: string;
  readonly times: number;
  /** Whether one of its kind had failed before. */
  readonly isCure: boolean;
}

const SHELL_TOOL =
  /^(?:.*__)?(?:bash|shell|exec|exec_command|local_shell|run_shell_command|terminal)$/iu;
const INPUT_KEY = /^(?:command|cmd|script):\s*/iu;
/** Other keys of a call, which stand behind the command on its line. */
const FURTHER_KEYS =
  /\s(?:description|timeout(?:_ms)?|workdir|cwd|run_in_background|justification|with_escalated_permissions|sandbox_permissions|yield_time_ms|max_output_tokens|login|shell|is_background|directory): .*$/iu;
const WRAPPER = /^(?:\/bin\/)?(?:ba|z)?sh -l?c\s+/u;
/** Programs that test, build, check, format, release or set up. */
const TELLING =
  /^(?:(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?!ls\b|list\b|view\b|info\b|why\b|root\b|bin\b|config\b)\w|(?:npx|bunx|pnpx|deno|turbo|nx|vitest|jest|mocha|ava|playwright|cypress|tsc|eslint|oxlint|prettier|biome|vite|tsdown|tsup|make|just|task|rake|pytest|tox|nox|ruff|mypy|black|rspec|mvn|gradle|ctest|cmake|ninja|bazel|helm|wrangler|vercel|flyctl?|ansible-playbook|alembic|prisma)\b|\.\/(?:gradlew|mvnw)\b|(?:uv|poetry|pipenv|hatch) (?:run|sync|install)\b|python3? (?:-m \w|manage\.py\b|setup\.py\b|\S*(?:test|build|deploy)\S*\.py\b)|pip3? install\b|go (?:test|build|vet|run|generate|install)\b|cargo (?:\+\w+ )?(?:test|build|clippy|run|fmt|check|nextest|bench)\b|dotnet (?:test|build|run|publish)\b|swift (?:test|build|run)\b|mix \w|bundle (?:exec|install)\b|docker(?:-compose| compose| build| run)\b|kubectl (?:apply|rollout)\b|terraform (?:plan|apply|validate|init)\b|(?:(?:ba|z)?sh )?(?:\.\/|scripts?\/|bin\/|tools?\/|\.ci\/)[\w./-]+|node (?:--\S+ )*\S*(?:scripts?|test|build|bench)\S*)/u;
const LOOKS_ONLY = /(?:^|\s)(?:--version|-v|-V|--help|-h)(?:\s|$)/u;
const FAILED_RESULT =
  /\bexit(?:ed)?(?: with)?(?: status| code)?:? *[1-9]\d{0,2}\b|\bcommand not found\b|\bNo such file or directory\b/iu;
const LONGEST = 160;

/** Commands worth knowing: what cured a failure first, then what was run most often, then in order. */
export function workedCommands(turns: readonly TranscriptTurn[]): readonly WorkedCommand[] {
  const worked = new Map<string, WorkedCommand>();
  const failed = new Set<string>();
  for (const { command, isFailed } of runsOf(turns)) {
    const program = programOf(command);
    if (isFailed) {
      failed.add(program);
      continue;
    }
    const before = worked.get(command);
    const isCure = failed.delete(program) || before?.isCure === true;
    worked.set(command, { command, times: (before?.times ?? 0) + 1, isCure });
  }
  return [...worked.values()].toSorted(
    (one, other) => Number(other.isCure) - Number(one.isCure) || other.times - one.times,
  );
}

interface Run {
  readonly command: string;
  readonly isFailed: boolean;
}

/** Calls with their results, which come in the order of the calls. */
function runsOf(turns: readonly TranscriptTurn[]): readonly Run[] {
  const runs: Run[] = [];
  const waiting: TranscriptTurn[] = [];
  for (const turn of turns) {
    // Over a gap, nobody knows which result is whose.
    if ((turn.omittedBefore ?? 0) > 0) waiting.length = 0;
    if (turn.kind === "call") waiting.push(turn);
    if (turn.kind === "user") waiting.length = 0;
    if (turn.kind !== "result") continue;
    const at = waiting.findIndex(({ tool }) => tool === turn.tool);
    const [call] = at === -1 ? [] : waiting.splice(at, 1);
    const command = call === undefined ? undefined : tellingCommand(call);
    if (command === undefined) continue;
    runs.push({ command, isFailed: turn.isError === true || FAILED_RESULT.test(turn.text) });
  }
  return runs;
}

function tellingCommand({ tool = "", text }: TranscriptTurn): string | undefined {
  if (!SHELL_TOOL.test(tool)) return undefined;
  const command = cleanLine(text)
    .replace(INPUT_KEY, "")
    .replace(FURTHER_KEYS, "")
    .replace(WRAPPER, "")
    .trim();
  const isPlain = command.length <= LONGEST && !/<<|[`…]|\[secret removed/u.test(command);
  return isPlain && partsOf(command).some(isTelling) ? command : undefined;
}

function isTelling(part: string): boolean {
  return TELLING.test(part) && !LOOKS_ONLY.test(part);
}

/** The commands of a line, without the variables that are set for them. */
function partsOf(command: string): readonly string[] {
  return command
    .split(/&&|\|\||[;|]/u)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+)*(?:time\s+)?/u, ""));
}

/** What a command is about, so that a failure and its cure are seen as one thing. */
function programOf(command: string): string {
  const telling = partsOf(command).find(isTelling) ?? command;
  return telling.split(/\s+/u)[0] ?? "";
}
