import { matchesAllowedPart } from "./match-command.ts";
import type { LineWord, SimpleCommand } from "./parse-line.ts";

/** Which programs and subcommands a prefix is offered for. All of them have a row of safe arguments. */
const OFFERED: ReadonlyMap<string, RegExp> = new Map([
  // Commands that publish, or can discard work, are approved one at a time.
  [
    "git",
    /^(?:add|blame|cat-file|commit|describe|diff|fetch|for-each-ref|grep|log|ls-files|ls-tree|merge-base|mv|rev-list|rev-parse|shortlog|show|show-ref|status)$/,
  ],
  ["cargo", /^(?:b|bench|build|c|check|clippy|doc|fmt|metadata|t|test|tree)$/],
  ["go", /^(?:build|doc|fmt|list|test|version|vet)$/],
  ...["bun", "npm", "pnpm", "yarn"].map((name): [string, RegExp] => [
    name,
    // Any other word may be a program that runs what its arguments say.
    /^(?:run|run-script|t|(?:bench|build|check|coverage|docs|e2e|fmt|format|integration|lint|test|tests|typecheck|type-check|types|unit)(?:[:.-][\w:.-]+)?)$/,
  ]),
  // A script and its arguments, never code in an argument.
  ["node", /^[\w./@-]+\.[cm]?[jt]s$/],
  ["python", /^[\w./@-]+\.py$/],
  ["python3", /^[\w./@-]+\.py$/],
  ["ruby", /^[\w./@-]+\.rb$/],
]);

/** Programs that always do the same kind of work. */
const WITHOUT_SUBCOMMAND: ReadonlySet<string> = new Set(
  "eslint jest prettier pytest tsc vitest".split(" "),
);

const NAMES_SCRIPT = /^run(?:-script)?$/;

/** Options before the subcommand that only choose packages or change the output. Those with a value take the next word. */
const BEFORE_SUBCOMMAND =
  /^(?:--no-pager|-r|--recursive|-s|--silent|--workspace-root|--(?:filter|workspace)=.+)$/;
const WITH_VALUE = /^(?:-F|--filter|--workspace)$/;

// Spelled the same with and without a shell, and without a meaning in patterns.
const PLAIN = /^[\w@./:=+-]+$/;

/**
 * The pattern that "always" offers instead of one exact command, such as `git status *`: the program, its subcommand, and
 * any arguments that neither write, run nor load something else. Returns `undefined` where no such pattern is sensible:
 * shells, interpreters with code, programs that run other programs, and programs whose options are not known.
 */
export function commandPrefix(command: SimpleCommand): string | undefined {
  const words = startOf(command.words);
  if (words === undefined || !words.every(({ source }) => PLAIN.test(source))) return undefined;
  const prefix = `${words.map(({ source }) => source).join(" ")} *`;
  return prefixCovers(prefix, command) ? prefix : undefined;
}

/** Whether a pattern that was offered for one command covers another one. Never with a path out of the workspace. */
export function prefixCovers(prefix: string, { text, words }: SimpleCommand): boolean {
  return matchesAllowedPart(prefix, text) && !words.some(leavesDirectory);
}

function leavesDirectory({ text }: LineWord): boolean {
  return /(?:^|[=:])(?:\/|~)|(?:^|[=:/\\])\.\.(?:[/\\]|$)|^-\w[/~]/.test(text);
}

function startOf(words: SimpleCommand["words"]): readonly LineWord[] | undefined {
  const [{ text: program }, ...rest] = words;
  if (WITHOUT_SUBCOMMAND.has(program)) return words.slice(0, 1);
  const pattern = OFFERED.get(program);
  const at = operandIndex(rest);
  const name = rest[at]?.text ?? "";
  if (pattern === undefined || !pattern.test(name)) return undefined;
  if (!NAMES_SCRIPT.test(name)) return words.slice(0, at + 2);
  const script = rest[at + 1]?.text ?? "-";
  return script.startsWith("-") ? undefined : words.slice(0, at + 3);
}

function operandIndex(words: readonly LineWord[]): number {
  let index = 0;
  for (;;) {
    const { text = "" } = words[index] ?? {};
    if (WITH_VALUE.test(text)) index += 2;
    else if (BEFORE_SUBCOMMAND.test(text)) index += 1;
    else return index;
  }
}
