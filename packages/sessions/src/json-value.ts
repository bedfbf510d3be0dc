/** What JSON can hold, read-only all the way down. */
export type JsonValue =
  | null
  | string
  | number
  | boolean
  | Readonly<JsonObject>
  | readonly JsonValue[];

// An index signature only, so that what providers attach to a message fits in both directions.
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

const MAX_DEPTH = 256;
/** No model says so many in one answer. */
const MAX_VALUES = 100_000;

/** Whether a value that came from JSON is an object, and not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `undefined` for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Nesting without end is a RangeError on some engines.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Whether a value that came from JSON is nested further, or holds more values, than anything we write: writing it again
 * could end the process, and each walk over it takes seconds.
 */
export function isTooLarge(value: unknown): boolean {
  let level: readonly object[] = isObject(value) ? [value] : [];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= MAX_DEPTH) return true;
    for (const item of level) {
      // Counted before any is looked up, which is what takes the time.
      values += Array.isArray(item) ? item.length : Object.keys(item).length;
      if (values > MAX_VALUES) return true;
    }
    level = level.flatMap((item) => Object.values(item).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
