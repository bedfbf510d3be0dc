import type { JsonSchema } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { isNestedWithin, sanitizeLine, sanitizeText } from "./untrusted.ts";

/** A tool of a server, made safe for a prompt. */
export interface ListedTool {
  /** The name that the server is called with, unchanged. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export interface ParsedTools {
  readonly tools: readonly ListedTool[];
  /** What was left out, truncated or simplified. */
  readonly problems: readonly string[];
}

/** Some providers accept no more per request. */
const MAX_TOOLS = 128;
const MAX_NAME_CHARACTERS = 128;
const MAX_DESCRIPTION_CHARACTERS = 2_048;
const MAX_SCHEMA_CHARACTERS = 32 * 1024;
const MAX_SCHEMA_DEPTH = 32;
/** Every request contains all tools of a server. */
const MAX_LIST_CHARACTERS = 256 * 1024;

/** Checks each tool of a server on its own, so that a bad one never affects the others. Parsing its result changes nothing. */
export function parseTools(raw: readonly unknown[]): ParsedTools {
  const problems: string[] = [];
  const tools = new Map<string, ListedTool>();
  let [characters, leftOut] = [0, 0];
  for (const item of raw) {
    const parsed = parseTool(item);
    if ("problem" in parsed) {
      problems.push(parsed.problem);
      continue;
    }
    const { tool, notes } = parsed;
    if (tools.has(tool.name)) {
      problems.push(`duplicate tool ${shown(tool.name)}; using the first`);
      continue;
    }
    const size = JSON.stringify(tool).length;
    if (tools.size === MAX_TOOLS || characters + size > MAX_LIST_CHARACTERS) {
      leftOut += 1;
      continue;
    }
    characters += size;
    tools.set(tool.name, tool);
    problems.push(...notes);
  }
  if (leftOut > 0) problems.push(tooManyTools(leftOut));
  return { tools: [...tools.values()], problems: abridged(problems) };
}

type ParsedTool =
  | { readonly problem: string }
  | { readonly tool: ListedTool; readonly notes: readonly string[] };

function parseTool(item: unknown): ParsedTool {
  const { name, description, inputSchema }: Record<string, unknown> = isRecord(item) ? item : {};
  if (typeof name !== "string" || name === "") return { problem: "ignored a tool without a name" };
  if (name.length > MAX_NAME_CHARACTERS || name !== sanitizeLine(name, MAX_NAME_CHARACTERS))
    return ignored(name, "its name is too long or not plain text");
  if (!isObjectSchema(inputSchema))
    return ignored(name, "its input schema does not describe an object");
  if (!isNestedWithin(inputSchema, MAX_SCHEMA_DEPTH))
    return ignored(name, "its input schema is nested too deeply");
  const schema = sanitizeSchema(inputSchema);
  const problem = schemaProblem(schema);
  if (problem !== undefined) return ignored(name, problem);
  const short = truncateDescription(typeof description === "string" ? description : "");
  const simplified = withoutRefusedKeywords(schema);
  const isSimplified = Object.keys(simplified).length < Object.keys(schema).length;
  return {
    tool: { name, description: short.text, inputSchema: { ...simplified, type: "object" } },
    notes: [
      ...(short.isTruncated ? [`truncated the description of ${shown(name)}`] : []),
      ...(isSimplified ? [`simplified the schema of ${shown(name)} for model providers`] : []),
    ],
  };
}

function ignored(name: string, reason: string): ParsedTool {
  return { problem: `ignored ${shown(name)}: ${reason}` };
}

function isObjectSchema(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && (value["type"] ?? "object") === "object";
}

/** The model reads everything in a schema, including the names of fields and choices. */
function sanitizeSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const clean = (item: unknown): unknown => {
    if (typeof item === "string") return sanitizeText(item);
    if (Array.isArray(item)) return item.map(clean);
    return isRecord(item) ? sanitizeSchema(item) : item;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([key, item]) => [sanitizeText(key), clean(item)]),
  );
}

/** Field names that every provider accepts. */
const FIELD_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** One schema that a provider refuses would make it refuse every request. */
function schemaProblem(schema: Record<string, unknown>): string | undefined {
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) return "its input schema is too long";
  const { properties } = schema;
  const field = isRecord(properties)
    ? Object.keys(properties).find((name) => !FIELD_NAME.test(name))
    : undefined;
  return field === undefined
    ? undefined
    : `model providers do not accept a field named ${shown(field)}`;
}

/** Keywords that make some providers refuse a schema, and with it the request, when used at the top level. */
const REFUSED_KEYWORDS: ReadonlySet<string> = new Set(
  "oneOf anyOf allOf not if then else $ref $dynamicRef dependentSchemas".split(" "),
);

/** Accepts more than the server's schema does; the server checks its input itself. */
function withoutRefusedKeywords(
  schema: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !REFUSED_KEYWORDS.has(key)));
}

const TRUNCATION_MARK = " […]";

function truncateDescription(text: string): {
  readonly text: string;
  readonly isTruncated: boolean;
} {
  const limit = MAX_DESCRIPTION_CHARACTERS;
  // Sanitizing can shorten a long text, so more than the limit is looked at, but not all of it.
  const clean = sanitizeText(text.slice(0, limit * 4)).trim();
  const isTruncated = clean.length > limit || text.length > limit * 4;
  if (!isTruncated) return { text: clean, isTruncated };
  const kept = clean.slice(0, limit - TRUNCATION_MARK.length).toWellFormed();
  return { text: `${kept.trimEnd()}${TRUNCATION_MARK}`, isTruncated };
}

function tooManyTools(count: number): string {
  const tools = count === 1 ? "1 tool" : `${count.toLocaleString("en-US")} tools`;
  return `ignored ${tools}: the limits per server are ${MAX_TOOLS} tools and ${MAX_LIST_CHARACTERS / 1024} KB`;
}

const MAX_PROBLEMS = 8;

function abridged(problems: readonly string[]): readonly string[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const rest = problems.length - MAX_PROBLEMS + 1;
  return [
    ...problems.slice(0, MAX_PROBLEMS - 2),
    `${rest} more like these`,
    // The last one counts the tools over the limit and matters most.
    ...problems.slice(-1),
  ];
}

function shown(name: string): string {
  return sanitizeLine(name, 80);
}
