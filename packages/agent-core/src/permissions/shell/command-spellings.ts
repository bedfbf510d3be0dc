const IFS = /\$IFS\b|\$\{IFS[^{}]*\}/g;

// Of what these stand for nothing is known, so it may be nothing: `rm$@ x`, `r${z}m x`, "r$(true)m x".
const EXPANSION = /\$\{[^{}]*\}|\$\([^()]*\)|\$\[[^[\]]*\]|`[^`]*`|\$(?:[A-Za-z_]\w*|[\d@*#?!$-])/g;

const WITH_DEFAULT = /\$\{\w+:?[-=+]([^{}]*)\}/g;

const REDIRECTION = /(?<!\d)\d*[<>]+[&|]?\s*[^\s;&|<>()]*/g;

const QUOTED_WORD = String.raw`(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+`;

const VALUED = "git-dir|work-tree|namespace|exec-path|super-prefix|config-env|attr-source";

/** What may stand between `git` and its subcommand. */
const GIT_OPTIONS = new RegExp(
  String.raw`(?<![\w.-])git(?:\s+(?:-[cC]\s+${QUOTED_WORD}|--(?:${VALUED})\s+${QUOTED_WORD}|-${QUOTED_WORD}))+`,
  "g",
);

const INNERMOST_BRACES = /\{([^{}]*)\}/g;

// Deeper than anybody nests them; each level is one more pass over the command.
const DEEPEST = 4;

/**
 * The texts that a shell may make of a command before it looks for the command's name: as it is, without quotes, with
 * nothing in place of an expansion or with its default, with braces expanded, without redirections and options of `git`.
 */
export function spellingsOf(command: string): readonly string[] {
  const given = unique([command, command.replace(GIT_OPTIONS, "git")]);
  const expanded = given.flatMap((text) => [text, emptied(text), emptied(withDefaults(text))]);
  const plain = unique(expanded).map(withoutQuoting);
  const spread = unique(plain).flatMap((text) => [text, withBraces(text)]);
  return unique([...given, ...unique(spread).flatMap((text) => [text, simplified(text)])]);
}

/** What a shell makes of quotes and backslashes within words: nothing. Blanks inside them become those between words. */
export function withoutQuoting(command: string): string {
  return command
    .replace(/\\\r?\n/g, "")
    .replace(IFS, " ")
    .replace(/\$(?=["'])/g, "")
    .replace(/["'\\]/g, "");
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function simplified(text: string): string {
  return text.replace(REDIRECTION, " ").replace(GIT_OPTIONS, "git");
}

function emptied(text: string): string {
  return repeatedly(text.replace(IFS, " "), (inner) => inner.replace(EXPANSION, ""));
}

function withDefaults(text: string): string {
  return repeatedly(text.replace(IFS, " "), (inner) => inner.replace(WITH_DEFAULT, "$1"));
}

/**
 * `r{m,x} y` becomes `rm x y`: a word with the first of its alternatives, and the others behind it. They are words of
 * their own rather than with all that stands around them, because their number times its length has no limit.
 */
function withBraces(text: string): string {
  if (!text.includes("{")) return text;
  return text.replace(/\S+/g, (word) => {
    if (!word.includes("{")) return word;
    const others: string[] = [];
    const first = repeatedly(word, (inner) =>
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

/** From the inside out. */
function repeatedly(text: string, step: (text: string) => string): string {
  let current = text;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const next = step(current);
    if (next === current) break;
    current = next;
  }
  return current;
}
