/** Deeper values are likely a mistake, and could not be written down in readable lines. */
const MAX_DEPTH = 100;

/** Where in a value the search is. */
interface Position {
  readonly path: string;
  readonly depth: number;
}

/** Says why a value would not come back the same from JSON; `undefined` if it would. */
export function findJsonProblem(
  value: unknown,
  position: Position = { path: "value", depth: 0 },
): string | undefined {
  const { path, depth } = position;
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return findNumberProblem(value, path);
  if (typeof value !== "object") {
    const kind = value === undefined ? "undefined" : `a ${typeof value}`;
    return `${path} is ${kind}, which JSON cannot represent; leave it out`;
  }
  if (depth > MAX_DEPTH)
    return `${path} is nested more than ${MAX_DEPTH} levels deep, or in itself`;
  if (!Array.isArray(value)) return findObjectProblem(value, position);
  const items = Array.from(value, (item, at): Part => [`${path}[${at}]`, item]);
  return firstProblem(items, depth);
}

function findNumberProblem(value: number, path: string): string | undefined {
  if (Object.is(value, -0)) return `${path} is -0, which JSON cannot represent`;
  return Number.isFinite(value) ? undefined : `${path} is ${value}, which JSON cannot represent`;
}

function findObjectProblem(value: object, { path, depth }: Position): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype)
    return `${path} is a ${value.constructor.name}; convert it to a plain object, a text or a number`;
  if (Object.getOwnPropertySymbols(value).length > 0)
    return `${path} has a symbol as a key, which JSON cannot represent`;
  const items = Object.entries(value).map(([key, item]): Part => [`${path}.${key}`, item]);
  return firstProblem(items, depth);
}

type Part = readonly [path: string, value: unknown];

function firstProblem(parts: readonly Part[], depth: number): string | undefined {
  for (const [path, item] of parts) {
    const problem = findJsonProblem(item, { path, depth: depth + 1 });
    if (problem !== undefined) return problem;
  }
  return undefined;
}
