/**
 * Every path that a text may name to the program that reads it: the text itself, the part after `=`, `@` or a short
 * option, and the words of a shell command line. Prefers too many over too few, because a path that does not exist costs
 * nothing.
 */
export function namedPaths(text: string): readonly string[] {
  const afterEquals = [...text.matchAll(/=/g)].map(({ index }) => text.slice(index + 1));
  // A shell and NODE_OPTIONS remove quotes and backslashes from the middle of a word.
  const unquoted = [text.replaceAll(/["'`]/g, ""), text.replaceAll("\\", "")].flatMap(shellTokens);
  const words = [text, ...afterEquals, ...text.split(QUOTES), ...shellTokens(text), ...unquoted];
  const once = [...new Set([...words, ...words.flatMap(unwrap)])];
  const paths = new Set([...once, ...once.flatMap(unwrap)]);
  return [...paths].filter(isPath);
}

const WORD_SEPARATORS = /[\s"'`;|&<>(){}[\],=:$]+/;
const QUOTES = /["'`]/;
const MAX_PATH_CHARACTERS = 4096;

function isPath(text: string): boolean {
  return text !== "" && text.length <= MAX_PATH_CHARACTERS && !text.includes("\0");
}

/** The words of a command line. A space after a backslash belongs to its word. No text in settings contains a NUL. */
function shellTokens(text: string): readonly string[] {
  const words = text.replaceAll("\\ ", "\0").split(WORD_SEPARATORS);
  return words.map((word) => word.replaceAll("\0", " "));
}

/** The path inside a marker that programs put before one, and inside a URL. */
const WRAPPERS: readonly RegExp[] = [
  /^@(.+)$/s,
  /^-\w(.+)$/s,
  /^file:\/\/(\/.+)$/s,
  /^(@?[^@]+)@[^/]*$/s,
  /^([^?#]+)[?#]/s,
  // `$PWD/x`, `$(pwd)/x`
  /^(?:PWD)?\/+([^/].*)$/s,
];

function unwrap(word: string): readonly string[] {
  const found = WRAPPERS.map((pattern) => pattern.exec(word)?.[1]);
  const module = /^\w+(?:\.\w+)+$/.test(word) ? word.replaceAll(".", "/") : undefined;
  return [...found, module, decoded(word)].filter((path) => path !== undefined);
}

/** `node --import ./a%2Ejs` is `./a.js`. */
function decoded(word: string): string | undefined {
  try {
    return word.includes("%") ? decodeURIComponent(word) : undefined;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return undefined;
  }
}

/** Suffixes that runtimes try when a name does not exist. */
export const SUFFIXES: readonly string[] = " .js .cjs .mjs .json .ts .mts .py .cmd .exe .bat".split(
  " ",
);

/** Files that a program starts with, or obeys, when it is given a directory. No other file in there is examined. */
export const ENTRY_FILES: readonly string[] = `
  package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml deno.json deno.jsonc
  index.js index.cjs index.mjs index.json index.ts index.node
  __main__.py __init__.py pyproject.toml uv.toml
  Makefile makefile GNUmakefile justfile Justfile .justfile Taskfile.yml Taskfile.yaml Rakefile
  Cargo.toml go.mod main.go flake.nix
  Gemfile composer.json pom.xml build.gradle build.gradle.kts
  Dockerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml
`
  .trim()
  .split(/\s+/);

/** Files that version managers obey, which decide what `node`, `python` and the like really run. */
export const VERSION_FILES: readonly string[] = [".tool-versions", "mise.toml", ".mise.toml"];

const RUNNERS = new Set(
  "npm npx pnpm pnpx yarn bun bunx deno make gmake just task rake mise cargo go uv uvx poetry pdm hatch docker podman nix bundle composer mvn gradle".split(
    " ",
  ),
);

/** Whether a program takes orders from files in the directory it is started in. */
export function isRunner(command: string): boolean {
  const name = command.split(/[\\/]/).at(-1) ?? "";
  return RUNNERS.has(name.replace(/\.(?:exe|cmd|bat)$/i, "").toLowerCase());
}
