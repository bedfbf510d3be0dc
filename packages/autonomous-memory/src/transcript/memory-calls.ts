/** Tools whose result is memory or whose input becomes it; compared without case and separators. */
const MEMORY_TOOLS: ReadonlySet<string> = new Set([
  "deletememorytopic",
  "memorysearch",
  "readmemorytopic",
  "skill",
  "updatememory",
  "writememorytopic",
]);
/** Of an input, what says which file or address is meant. */
const PLACE_KEYS: ReadonlySet<string> = new Set(
  "absolutepath cmd command commands file filename filepath filepaths files glob input notebookpath path paths script targetfile uri url".split(
    " ",
  ),
);
const NAME_KEYS: ReadonlySet<string> = new Set(["action", "name", "query", "skill", "slug"]);
const LONGEST_PLACE = 65_536;
const DEEPEST = 8;

const MEMORY_PLACES: readonly RegExp[] = [
  /\bmemory:\/\//i,
  // The name of a whole file, so that `docs/about-claude.md` is none.
  /(?:^|[\s/\\'"`=:,(@<>])(?:CLAUDE(?:\.local)?|AGENTS(?:\.override)?|GEMINI|\.caliban|SKILL|MEMORY|memory_summary|raw_memories)\.md\b/i,
  /\.(?:claude|caliban)[/\\](?:rules|skills)\b/i,
  // Homes of projects, as caliban and Claude Code have them.
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

/** A call as far as this is concerned. */
export interface NamedCall {
  readonly name: string;
  readonly input: unknown;
}

/** Whether a call reads or writes memory, instructions or skills, with a tool for it, with a file tool or in a shell. */
export function isMemoryCall({ name, input }: NamedCall, homes: readonly string[]): boolean {
  if (isMemoryTool(name)) return true;
  return placesIn(input, 0).some(
    (place) =>
      MEMORY_PLACES.some((pattern) => pattern.test(place)) ||
      homes.some((home) => home !== "" && leadsInto(place, home)),
  );
}

/** Whether a text names a directory or something in it, and not only another one whose name begins alike. */
function leadsInto(place: string, home: string): boolean {
  for (let at = place.indexOf(home); at !== -1; at = place.indexOf(home, at + 1)) {
    if (/^(?:$|[^\w.-])/.test(place.slice(at + home.length, at + home.length + 1))) return true;
  }
  return false;
}

/** Whether a call shows a file that holds nothing but a key: what it is by its name, its text may not tell. */
export function isKeyFileCall({ input }: NamedCall): boolean {
  return placesIn(input, 0).some((place) => KEY_FILES.some((pattern) => pattern.test(place)));
}

/** Whether a tool is one of memory, also when a server lends it under a longer name. */
export function isMemoryTool(name: string): boolean {
  const own = name.split(/__|[./:]/).at(-1) ?? name;
  return MEMORY_TOOLS.has(keyOf(own));
}

/** Of the input of such a call, what says which memory is meant, and nothing that is or becomes memory itself. */
export function namesInMemoryCall(input: unknown): Readonly<Record<string, string>> {
  if (typeof input !== "object" || input === null) return { input: firstLine(input) };
  const named = Object.entries(input).flatMap(([key, value]) =>
    NAME_KEYS.has(keyOf(key)) || PLACE_KEYS.has(keyOf(key)) ? [[key, firstLine(value)]] : [],
  );
  return Object.fromEntries(named);
}

function firstLine(value: unknown): string {
  const text = Array.isArray(value) ? value.join(" ") : value;
  // A shell may write memory in the lines below its command.
  return typeof text === "string" ? (text.slice(0, LONGEST_PLACE).split("\n")[0] ?? "") : "";
}

function placesIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value.slice(0, LONGEST_PLACE)];
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, depth + 1));
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === "object" || PLACE_KEYS.has(keyOf(key)) ? placesIn(item, depth + 1) : [],
  );
}

function keyOf(name: string): string {
  return name.replaceAll(/[_\s-]/g, "").toLowerCase();
}
