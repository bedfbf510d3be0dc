import { isRecord } from "@caliban/common";
import type { LangGraphItem, LangGraphList, LangGraphSearch } from "./langgraph-types.ts";

type MatchCondition = NonNullable<LangGraphList["matchConditions"]>[number];

export function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((label, at) => label === namespace[at]);
}

/** Every field of the filter must match. Fields are those at the top of the value. */
export function matchesFilter(
  { value }: LangGraphItem,
  filter: LangGraphSearch["filter"] = {},
): boolean {
  return Object.entries(filter).every(([field, expected]) =>
    matchesValue(Object.hasOwn(value, field) ? value[field] : undefined, expected),
  );
}

function matchesValue(found: unknown, expected: unknown): boolean {
  const operators = isRecord(expected)
    ? Object.entries(expected).filter(([name]) => name.startsWith("$"))
    : [];
  if (operators.length === 0) return isEqual(found, expected);
  return operators.every(([name, operand]) => {
    const compare = OPERATORS.get(name);
    if (compare === undefined) {
      const known = [...OPERATORS.keys()].join(", ");
      throw new Error(`unknown operator ${name} in a filter; use one of ${known}`);
    }
    return compare(found, operand);
  });
}

const OPERATORS: ReadonlyMap<string, (found: unknown, operand: unknown) => boolean> = new Map([
  ["$eq", isEqual],
  ["$ne", (found, operand) => !isEqual(found, operand)],
  ["$gt", (found, operand) => Number(found) > Number(operand)],
  ["$gte", (found, operand) => Number(found) >= Number(operand)],
  ["$lt", (found, operand) => Number(found) < Number(operand)],
  ["$lte", (found, operand) => Number(found) <= Number(operand)],
  ["$in", (found, operand) => listOf(operand).some((each) => isEqual(found, each))],
  ["$nin", (found, operand) => !listOf(operand).some((each) => isEqual(found, each))],
]);

function listOf(operand: unknown): readonly unknown[] {
  return Array.isArray(operand) ? operand : [];
}

/** Both are JSON, so this is a comparison of data; the order of keys does not matter. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isEqual(item, other[at]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  );
}

/** The namespaces that match, each once, in order. */
export function listNamespaces(
  all: readonly (readonly string[])[],
  { matchConditions = [], maxDepth, limit, offset }: LangGraphList,
): string[][] {
  const matching = all.filter((namespace) =>
    matchConditions.every((condition) => matchesCondition(namespace, condition)),
  );
  const unique = new Map(
    matching.map((namespace) => {
      const short = maxDepth === undefined ? namespace : namespace.slice(0, maxDepth);
      return [JSON.stringify(short), [...short]];
    }),
  );
  return [...unique]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, namespace]) => namespace)
    .slice(offset, offset + limit);
}

function matchesCondition(
  namespace: readonly string[],
  { matchType, path }: MatchCondition,
): boolean {
  if (path.length > namespace.length) return false;
  const start = matchType === "prefix" ? 0 : namespace.length - path.length;
  return path.every((label, at) => label === "*" || label === namespace[start + at]);
}
