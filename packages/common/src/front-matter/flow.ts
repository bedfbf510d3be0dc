import { parseJson } from "../json.ts";

/** A text, or lists and maps of texts. */
export type FlowValue =
  | string
  | readonly FlowValue[]
  | { readonly [key: string]: FlowValue | undefined };

/** Renders a value as one line of JSON, which is also valid YAML. */
export function renderFlow(value: FlowValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(renderFlow).join(", ")}]`;
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${JSON.stringify(key)}: ${renderFlow(item)}`],
  );
  return `{${entries.join(", ")}}`;
}

// As long as a header may be.
const MAX_CHARACTERS = 16_384;
const MAX_DEPTH = 4;
// Characters that JSON accepts in a text and that YAML rejects, or reads in another way.
const UNCLEAR = /[\p{Cc}\uFEFF]/u;
const KEY = /^[A-Za-z][\w-]*$/;

/**
 * Reads lists and maps of texts, exactly as `renderFlow` writes them. `undefined` for anything else, such as numbers, other
 * spaces or a repeated key: a YAML parser could read that differently.
 */
export function readFlow(source: string): FlowValue | undefined {
  if (source.length > MAX_CHARACTERS || UNCLEAR.test(source)) return undefined;
  const value = parseJson(source);
  return isFlow(value, 0) && renderFlow(value) === source ? value : undefined;
}

function isFlow(value: unknown, depth: number): value is FlowValue {
  if (typeof value === "string") return true;
  if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return false;
  if (!Array.isArray(value) && !Object.keys(value).every((key) => KEY.test(key))) return false;
  return Object.values(value).every((item: unknown) => isFlow(item, depth + 1));
}

function isList(value: FlowValue): value is readonly FlowValue[] {
  return Array.isArray(value);
}
