/** Deeper values are likely a mistake, and could not be written down in readable lines. */
const MAX_DEPTH = 100;

/** Says why a value would not come back the same from JSON; `undefined` if it would. */
export function findJsonProblem(value: unknown, path = "value", depth = 0): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? undefined
      : `${path} is ${Object.is(value, -0) ? "-0" : value}, which JSON cannot represent`;
  }
  if (typeof value !== "object")
    return `${path} is ${describe(value)}, which JSON cannot represent; leave it out`;
  if (depth > MAX_DEPTH)
    return `${path} is nested more than ${MAX_DEPTH} levels deep, or in itself`;
  if (Array.isArray(value)) {
    return firstProblem(
      Array.from(value, (item, at) => [`${path}[${at}]`, item]),
      depth,
    );
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    return `${path} is a ${value.constructor.name}; convert it to a plain object, a text or a number`;
  }
  if (Object.getOwnPropertySymbols(value).length > 0)
    return `${path} has a symbol as a key, which JSON cannot represent`;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    `${path}.${key}`,
    item,
  ]);
  return firstProblem(entries, depth);
}

function firstProblem(
  entries: readonly (readonly [path: string, value: unknown])[],
  depth: number,
): string | undefined {
  for (const [path, item] of entries) {
    const problem = findJsonProblem(item, path, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function describe(value: unknown): string {
  return value === undefined ? "undefined" : `a ${typeof value}`;
}
