/**
 * Every path that a text may name, for whatever reads it: itself, what stands behind `=`, `@` or a short option, and the
 * words of a command line for a shell. Rather too many than too few: what does not exist costs nothing.
 */
export function namedPaths(text: string): readonly string[] {
  const behindEquals = [...text.matchAll(/=/g)].map(({ index }) => text.slice(index + 1));
  // A shell and NODE_OPTIONS take quotes and backslashes out of the middle of a word.
  const bare = [text.replaceAll(/["'`]/g, ""), text.replaceAll("\\", "")].flatMap(wordsOf);
  const words = [text, ...behindEquals, ...text.split(QUOTES), ...wordsOf(text), ...bare];
  const once = [...new Set([...words, ...words.flatMap(unwrapped)])];
  const paths = new Set([...once, ...once.flatMap(unwrapped)]);
  return [...paths].filter(isPath);
}

const BETWEEN_WORDS = /[\s"'`;|&<>(){}[\],=:$]+/;
const QUOTES = /["'`]/;
const LONGEST_PATH = 4096;

function isPath(text: string): boolean {
  return text !== "" && text.length <= LONGEST_PATH && !text.includes("\0");
}

/** The words of a command line; a blank behind a backslash is part of one. No text of settings has a NUL. */
function wordsOf(text: string): readonly string[] {
  const words = text.replaceAll("\\ ", "\0").split(BETWEEN_WORDS);
  return words.map((word) => word.replaceAll("\0", " "));
}

/** What is behind marks that programs put before a path, and around one that is part of a URL. */
const MARKS: readonly RegExp[] = [
  /^@(.+)$/s,
  /^-\w(.+)$/s,
  /^file:\/\/(\/.+)$/s,
  /^(@?[^@]+)@[^/]*$/s,
  /^([^?#]+)[?#]/s,
  // `$PWD/x`, `$(pwd)/x`
  /^(?:PWD)?\/+([^/].*)$/s,
];

function unwrapped(word: string): readonly string[] {
  const found = MARKS.map((pattern) => pattern.exec(word)?.[1]);
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

/** What runtimes add to a name that they do not find. */
export const SUFFIXES: readonly string[] = " .js .cjs .mjs .json .ts .mts .py .cmd .exe .bat".split(
  " ",
);

/** What a program starts with, or obeys, when it is given a directory. What else is in there is not looked at. */
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

/** What version managers obey that stand in front of `node`, `python` and the like: it may say where those are. */
export const VERSION_FILES: readonly string[] = [".tool-versions", "mise.toml", ".mise.toml"];

const RUNNERS = new Set(
  "npm npx pnpm pnpx yarn bun bunx deno make gmake just task rake mise cargo go uv uvx poetry pdm hatch docker podman nix bundle composer mvn gradle".split(
    " ",
  ),
);

/** Whether a program does what files of the directory say that it is started in. */
export function isRunner(command: string): boolean {
  const name = command.split(/[\\/]/).at(-1) ?? "";
  return RUNNERS.has(name.replace(/\.(?:exe|cmd|bat)$/i, "").toLowerCase());
}
