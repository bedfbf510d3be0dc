const IFS = /\$IFS\b|\$\{IFS[^{}]*\}/g;

// The values are unknown, so they may be empty: `rm$@ x`, `r${z}m x`, "r$(true)m x".
const EXPANSION = /\$\{[^{}]*\}|\$\([^()]*\)|\$\[[^[\]]*\]|`[^`]*`|\$(?:[A-Za-z_]\w*|[\d@*#?!$-])/g;

const WITH_DEFAULT = /\$\{\w+:?[-=+]([^{}]*)\}/g;

const REDIRECTION = /(?<!\d)\d*[<>]+[&|]?\s*[^\s;&|<>()]*/g;

const QUOTED_WORD = String.raw`(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+`;

const OPTIONS_WITH_VALUE =
  "git-dir|work-tree|namespace|exec-path|super-prefix|config-env|attr-source";

/** Options that may come between `git` and its subcommand. */
const GIT_OPTIONS = new RegExp(
  String.raw`(?<![\w.-])git(?:\s+(?:-[cC]\s+${QUOTED_WORD}|--(?:${OPTIONS_WITH_VALUE})\s+${QUOTED_WORD}|-${QUOTED_WORD}))+`,
  "g",
);

const INNERMOST_BRACES = /\{([^{}]*)\}/g;

// Deeper than anyone nests them; each level processes the command once more.
const MAX_DEPTH = 4;

/**
 * Lists the texts that a shell may turn a command into before it looks up the command's name: unchanged, without quotes,
 * with expansions empty or replaced by their defaults, with braces expanded, without redirections and options of `git`.
 */
export function commandSpellings(command: string): readonly string[] {
  const given = unique([command, command.replace(GIT_OPTIONS, "git")]);
  const expanded = given.flatMap((text) => [
    text,
    withoutExpansions(text),
    withoutExpansions(withDefaults(text)),
  ]);
  const plain = unique(expanded).map(removeQuotes);
  const spread = unique(plain).flatMap((text) => [text, expandBraces(text)]);
  return unique([...given, ...unique(spread).flatMap((text) => [text, simplify(text)])]);
}

/** Removes quotes and backslashes as a shell does. Spaces inside quotes then separate words. */
export function removeQuotes(command: string): string {
  return command
    .replace(/\\\r?\n/g, "")
    .replace(IFS, " ")
    .replace(/\$(?=["'])/g, "")
    .replace(/["'\\]/g, "");
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function simplify(text: string): string {
  return text.replace(REDIRECTION, " ").replace(GIT_OPTIONS, "git");
}

function withoutExpansions(text: string): string {
  return untilStable(text.replace(IFS, " "), (inner) => inner.replace(EXPANSION, ""));
}

function withDefaults(text: string): string {
  return untilStable(text.replace(IFS, " "), (inner) => inner.replace(WITH_DEFAULT, "$1"));
}

/**
 * Turns `r{m,x} y` into `rm x y`: the word with its first alternative, then the other alternatives. These become words of
 * their own without the text around them, because the full expansion has no limit in size.
 */
function expandBraces(text: string): string {
  if (!text.includes("{")) return text;
  return text.replace(/\S+/g, (word) => {
    if (!word.includes("{")) return word;
    const others: string[] = [];
    const first = untilStable(word, (inner) =>
      inner.replace(INNERMOST_BRACES, (braces, inside: string) => {
        const [head = "", ...rest] = inside.split(inside.includes(",") ? "," : "..");
        if (rest.length === 0) return braces;
        for (const other of rest) others.push(other);
        return head;
      }),
    );
    return [first, ...others].join(" ");
  });
}

/** Repeats a step that works from the inside out. */
function untilStable(text: string, step: (text: string) => string): string {
  let current = text;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = step(current);
    if (next === current) break;
    current = next;
  }
  return current;
}
