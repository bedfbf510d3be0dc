/** Tools that read or write memory; compared without case and separators. */
const MEMORY_TOOLS: ReadonlySet<string> = new Set([
  "deletememorytopic",
  "memorysearch",
  "readmemorytopic",
  "skill",
  "updatememory",
  "writememorytopic",
]);
/** Input keys that identify a file or address. */
const PATH_KEYS: ReadonlySet<string> = new Set(
  "absolutepath cmd command commands file filename filepath filepaths files glob input notebookpath path paths script targetfile uri url".split(
    " ",
  ),
);
const NAME_KEYS: ReadonlySet<string> = new Set(["action", "name", "query", "skill", "slug"]);
const MAX_PATH_CHARS = 65_536;
const MAX_DEPTH = 8;

const MEMORY_PATHS: readonly RegExp[] = [
  /\bmemory:\/\//i,
  // A complete file name, so that `docs/about-claude.md` does not match.
  /(?:^|[\s/\\'"`=:,(@<>])(?:CLAUDE(?:\.local)?|AGENTS(?:\.override)?|GEMINI|\.caliban|SKILL|MEMORY|memory_summary|raw_memories)\.md\b/i,
  /\.(?:claude|caliban)[/\\](?:rules|skills)\b/i,
  // Project directories of caliban and Claude Code.
  /[/\\]projects[/\\][^/\\\s]{1,255}[/\\](?:memory|autonomous)(?:[/\\\s'"`]|$)/i,
  /\b(?:rollout_summaries|autonomous[/\\]generations)\b/i,
];

const KEY_FILE = String.raw`(?:\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|\bid_(?:rsa|dsa|ecdsa|ed25519)|\.vault-token)(?![\w.-])`;
const KEY_FILES: readonly RegExp[] = [
  new RegExp(String.raw`^\S{1,4096}${KEY_FILE}$`, "i"),
  new RegExp(
    String.raw`\b(?:cat|bat|less|more|head|tail|type|gc|get-content|xxd|od|base64|strings)\b[^|;&\n]{0,400}${KEY_FILE}`,
    "i",
  ),
];

/** The relevant part of a call. */
export interface NamedCall {
  readonly name: string;
  readonly input: unknown;
}

/** Whether a call reads or writes memory, instructions or skills, with a memory tool, a file tool or a shell. */
export function isMemoryCall({ name, input }: NamedCall, directories: readonly string[]): boolean {
  if (isMemoryTool(name)) return true;
  return pathsIn(input, 0).some(
    (path) =>
      MEMORY_PATHS.some((pattern) => pattern.test(path)) ||
      directories.some((directory) => directory !== "" && isInside(path, directory)),
  );
}

/** Whether a text names a directory or something in it, and not just another one with the same prefix. */
function isInside(path: string, directory: string): boolean {
  for (let at = path.indexOf(directory); at !== -1; at = path.indexOf(directory, at + 1)) {
    if (/^(?:$|[^\w.-])/.test(path.slice(at + directory.length, at + directory.length + 1)))
      return true;
  }
  return false;
}

/** Whether a call shows a file that contains only a key: its name reveals that, its text may not. */
export function isKeyFileCall({ input }: NamedCall): boolean {
  return pathsIn(input, 0).some((path) => KEY_FILES.some((pattern) => pattern.test(path)));
}

/** Whether a tool is a memory tool, even if a server exposes it under a longer name. */
export function isMemoryTool(name: string): boolean {
  const own = name.split(/__|[./:]/).at(-1) ?? name;
  return MEMORY_TOOLS.has(keyOf(own));
}

/** The part of a memory call's input that identifies the memory, without its content. */
export function namesInMemoryCall(input: unknown): Readonly<Record<string, string>> {
  if (typeof input !== "object" || input === null) return { input: firstLine(input) };
  const named = Object.entries(input).flatMap(([key, value]) =>
    NAME_KEYS.has(keyOf(key)) || PATH_KEYS.has(keyOf(key)) ? [[key, firstLine(value)]] : [],
  );
  return Object.fromEntries(named);
}

function firstLine(value: unknown): string {
  const text = Array.isArray(value) ? value.join(" ") : value;
  // The lines below a shell command may contain the memory it writes.
  return typeof text === "string" ? (text.slice(0, MAX_PATH_CHARS).split("\n")[0] ?? "") : "";
}

function pathsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value.slice(0, MAX_PATH_CHARS)];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, depth + 1));
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === "object" || PATH_KEYS.has(keyOf(key)) ? pathsIn(item, depth + 1) : [],
  );
}

function keyOf(name: string): string {
  return name.replaceAll(/[_\s-]/g, "").toLowerCase();
}
