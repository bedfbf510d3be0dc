/** What the user typed after the name of a command. */
export interface CommandArguments {
  /** As typed. */
  readonly rest: string;
  /** The same, split into words; quotes keep words together. */
  readonly words: readonly string[];
}

/** How long a text may become: an argument can be used many times. */
const MAX_CHARACTERS = 262_144;

// `$10` is neither the first nor the tenth argument, and `$1,000` is an amount only a reader can tell from one.
const PLACEHOLDER = /\\(\$(?:ARGUMENTS\b|[1-9](?!\d)))|\$ARGUMENTS\b|\$([1-9])(?!\d)/g;

/**
 * Fills the arguments into a text, once: what they contain is never filled in again. `$ARGUMENTS` is everything as typed,
 * `$1` to `$9` are words, and `\$1` stays as `$1`. `undefined` when the result would be too long.
 */
export function expandArguments(
  body: string,
  { rest, words }: CommandArguments,
): string | undefined {
  let characters = body.length;
  for (const match of body.matchAll(PLACEHOLDER)) {
    characters += replacement(match, { rest, words }).length;
    if (characters > MAX_CHARACTERS) return undefined;
  }
  return body.replaceAll(PLACEHOLDER, (...match: readonly string[]) =>
    replacement(match, { rest, words }),
  );
}

function replacement(
  [, escaped, position]: readonly (string | undefined)[],
  { rest, words }: CommandArguments,
): string {
  if (escaped !== undefined) return escaped;
  return position === undefined ? rest : (words[Number(position) - 1] ?? "");
}

/** The commands in a text that another program would run before sending it: !`git status`. */
export function inlineCommands(body: string): readonly string[] {
  return [...body.matchAll(/(?:^|[\s(])!`([^`\n]+)`/gm)].map(([, command = ""]) => command);
}
