/** What an answer has in it. */
export type FoundObject =
  | { readonly kind: "object"; readonly object: JsonObject }
  /** An object begins and does not end. */
  | { readonly kind: "cut" }
  /** JSON, and no object. */
  | { readonly kind: "other" }
  | { readonly kind: "none" };

export type JsonObject = Readonly<Record<string, unknown>>;

/** Each try reads the rest of the text once, so their number is what keeps the time linear. */
const MOST_TRIES = 16;

/** The object that a text is, or the first one in it: models put prose and fences around it. */
export function findJsonObject(text: string): FoundObject {
  const whole = parseJson(text);
  if (whole !== undefined) {
    return isObject(whole.value) ? { kind: "object", object: whole.value } : { kind: "other" };
  }
  let isCut = false;
  let start = nextStart(text, 0);
  for (let tries = 0; start !== -1 && tries < MOST_TRIES; tries++) {
    const end = endOfObject(text, start);
    if (end === -1) isCut = true;
    const parsed = end === -1 ? undefined : parseJson(text.slice(start, end));
    if (isObject(parsed?.value)) return { kind: "object", object: parsed.value };
    start = nextStart(text, start + 1);
  }
  return { kind: isCut ? "cut" : "none" };
}

/** Where the next object begins that has a key; braces in prose and in code mostly have none. */
function nextStart(text: string, from: number): number {
  const start = /\{\s*"/g;
  start.lastIndex = from;
  return start.exec(text)?.index ?? -1;
}

/** Behind the brace that closes the one at `start`; braces in strings do not count. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else at += 1;
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
