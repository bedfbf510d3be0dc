import type { JsonSchema } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { isNestedWithin, sanitizeLine, sanitizeText } from "./untrusted.ts";

/** A tool as its server names it, made fit for a prompt. */
export interface ListedTool {
  /** What the server is called with: as it came. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export interface ParsedTools {
  readonly tools: readonly ListedTool[];
  /** What was left out or cut, in sentences. */
  readonly problems: readonly string[];
}

/** Some providers take no more in a request. */
const MOST_TOOLS = 128;
const NAME_CHARACTERS = 128;
const DESCRIPTION_CHARACTERS = 2_048;
const SCHEMA_CHARACTERS = 32 * 1024;
const SCHEMA_DEPTH = 32;
/** All tools of a server together stand in every request. */
const LIST_CHARACTERS = 256 * 1024;

/** What a server offers, checked one by one: a bad tool costs that tool. What it gives back it takes again unchanged. */
export function parseTools(raw: readonly unknown[]): ParsedTools {
  const problems: string[] = [];
  const tools = new Map<string, ListedTool>();
  let [characters, tooMany] = [0, 0];
  for (const item of raw) {
    const parsed = parseTool(item);
    if ("problem" in parsed) {
      problems.push(parsed.problem);
      continue;
    }
    const { tool, notes } = parsed;
    if (tools.has(tool.name)) {
      problems.push(`${shown(tool.name)} is there twice; the first counts`);
      continue;
    }
    const size = JSON.stringify(tool).length;
    if (tools.size === MOST_TOOLS || characters + size > LIST_CHARACTERS) {
      tooMany += 1;
      continue;
    }
    characters += size;
    tools.set(tool.name, tool);
    problems.push(...notes);
  }
  if (tooMany > 0) problems.push(leftOut(tooMany));
  return { tools: [...tools.values()], problems: shortened(problems) };
}

type ParsedTool =
  | { readonly problem: string }
  | { readonly tool: ListedTool; readonly notes: readonly string[] };

function parseTool(item: unknown): ParsedTool {
  const { name, description, inputSchema }: Record<string, unknown> = isRecord(item) ? item : {};
  if (typeof name !== "string" || name === "") {
    return { problem: "a tool without a name is left out" };
  }
  if (name.length > NAME_CHARACTERS || name !== sanitizeLine(name, NAME_CHARACTERS)) {
    return { problem: `${shown(name)} is left out: its name is too long, or not plain text` };
  }
  if (!isObjectSchema(inputSchema)) {
    return {
      problem: `${shown(name)} is left out: the schema of its input is not one of an object`,
    };
  }
  if (!isNestedWithin(inputSchema, SCHEMA_DEPTH)) {
    return { problem: `${shown(name)} is left out: the schema of its input is nested too deep` };
  }
  const schema = harmlessValue(inputSchema);
  const problem = schemaProblem(schema);
  if (problem !== undefined) return { problem: `${shown(name)} is left out: ${problem}` };
  const words = cutDescription(typeof description === "string" ? description : "");
  const loose = loosened(schema);
  const tool = { name, description: words.text, inputSchema: { ...loose, type: "object" } };
  const isLoose = Object.keys(loose).length < Object.keys(schema).length;
  return {
    tool,
    notes: [
      ...(words.isCut ? [`the description of ${shown(name)} is cut`] : []),
      ...(isLoose ? [`the schema of ${shown(name)} is loosened, as providers need it`] : []),
    ],
  };
}

/** One schema that a provider refuses would make it refuse every request. */
function schemaProblem(schema: Record<string, unknown>): string | undefined {
  if (JSON.stringify(schema).length > SCHEMA_CHARACTERS) {
    return "the schema of its input is too long";
  }
  const field = refusedField(schema);
  return field === undefined ? undefined : `providers take no field called ${shown(field)}`;
}

function isObjectSchema(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && (value["type"] ?? "object") === "object";
}

/** Whatever stands in a schema is read by the model: names of fields and choices, too. */
function harmlessValue(value: Record<string, unknown>): Record<string, unknown> {
  const clean = (item: unknown): unknown => {
    if (typeof item === "string") return sanitizeText(item);
    if (Array.isArray(item)) return item.map(clean);
    return isRecord(item) ? harmlessValue(item) : item;
  };
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [sanitizeText(key), clean(item)]),
  );
}

const CUT = " […]";

function cutDescription(text: string): { readonly text: string; readonly isCut: boolean } {
  // What is taken out of a long text may leave room for more; nobody needs much of it.
  const clean = sanitizeText(text.slice(0, DESCRIPTION_CHARACTERS * 4)).trim();
  const isCut = clean.length > DESCRIPTION_CHARACTERS || text.length > DESCRIPTION_CHARACTERS * 4;
  if (!isCut) return { text: clean, isCut };
  const kept = clean.slice(0, DESCRIPTION_CHARACTERS - CUT.length).toWellFormed();
  return { text: `${kept.trimEnd()}${CUT}`, isCut };
}

function leftOut(count: number): string {
  const tools = count === 1 ? "1 tool is" : `${count.toLocaleString("en-US")} tools are`;
  return `${tools} left out: a server has at most ${MOST_TOOLS}, and room for ${LIST_CHARACTERS / 1024} KB of them`;
}

const MOST_PROBLEMS = 8;

function shortened(problems: readonly string[]): readonly string[] {
  if (problems.length <= MOST_PROBLEMS) return problems;
  const rest = problems.length - MOST_PROBLEMS + 1;
  // The last one counts what is left out, and is the one that matters most.
  return [
    ...problems.slice(0, MOST_PROBLEMS - 2),
    `and ${rest} more like these`,
    ...problems.slice(-1),
  ];
}

function shown(name: string): string {
  return sanitizeLine(name, 80);
}

/** The names of fields that every provider takes. */
const FIELD = /^[A-Za-z0-9_.-]{1,64}$/;

/** What some providers refuse at the top of a schema, and with it the whole request. */
const NOT_AT_THE_TOP: ReadonlySet<string> = new Set(
  "oneOf anyOf allOf not if then else $ref $dynamicRef dependentSchemas".split(" "),
);

/** A field whose name providers refuse; `undefined` where there is none. */
export function refusedField({
  properties,
}: Readonly<Record<string, unknown>>): string | undefined {
  return isRecord(properties)
    ? Object.keys(properties).find((name) => !FIELD.test(name))
    : undefined;
}

/** The same schema without what providers refuse at its top: it takes more, and the server checks what it gets itself. */
export function loosened(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !NOT_AT_THE_TOP.has(key)));
}
