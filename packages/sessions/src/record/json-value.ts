/** Any JSON value, deeply read-only. */
export type JsonValue =
  | null
  | string
  | number
  | boolean
  | Readonly<JsonObject>
  | readonly JsonValue[];

// Only an index signature, so that provider metadata is assignable in both directions.
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

const MAX_DEPTH = 256;
/** No model produces this many in one answer. */
const MAX_VALUES = 100_000;

/** Whether a JSON value is an object, and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a JSON value is nested deeper, or has more values, than anything we write. Writing it again could crash the
 * process, and each walk over it takes seconds.
 */
export function isTooLarge(value: unknown): boolean {
  let level: readonly object[] = isObject(value) ? [value] : [];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= MAX_DEPTH) return true;
    for (const item of level) {
      // Counted before any lookup, which is the slow part.
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
