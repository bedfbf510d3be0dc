import { parsePositiveInteger } from "@caliban/common";
import { TOPIC_TYPES } from "@caliban/memory";
import {
  type MemorySearchRequest,
  parseSince,
  SEARCHED_KINDS,
  SINCE_FORMS,
} from "@caliban/memory/search";
import { type Invocation, textOption } from "../../../../command.ts";
import { UsageError } from "../../../../usage-error.ts";

const MOST_HITS = 1_000;

/**
 * What is to be searched for, as the command line says it.
 * @throws UsageError that names what is allowed
 */
export function readSearchWish(invocation: Invocation): MemorySearchRequest {
  const query = invocation.operands.join(" ").trim();
  if (query === "") throw new UsageError("say what to search for: caliban memory search WORDS");
  const kind = oneOf(invocation, "kind", SEARCHED_KINDS);
  const type = oneOf(invocation, "type", TOPIC_TYPES);
  if (kind === "sessions" && type !== undefined) {
    throw new UsageError("--type is for topics: sessions have none, so leave out one of the two");
  }
  return { query, limit: limitOf(invocation), kind, type, sinceMs: sinceOf(invocation) };
}

function oneOf<T extends string>(
  invocation: Invocation,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const text = textOption(invocation, name);
  const known = allowed.find((each) => each === text);
  if (text === undefined || known !== undefined) return known;
  const names = `${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`;
  throw new UsageError(`--${name} must be ${names}, not ${JSON.stringify(text)}`);
}

function limitOf(invocation: Invocation): number | undefined {
  const text = textOption(invocation, "limit");
  if (text === undefined) return undefined;
  const limit = parsePositiveInteger(text);
  if (limit !== undefined && limit <= MOST_HITS) return limit;
  throw new UsageError(
    `--limit must be a whole number from 1 to ${MOST_HITS}, not ${JSON.stringify(text)}`,
  );
}

function sinceOf(invocation: Invocation): number | undefined {
  const text = textOption(invocation, "since");
  if (text === undefined) return undefined;
  const sinceMs = parseSince(text, invocation.host.now());
  if (sinceMs !== undefined) return sinceMs;
  throw new UsageError(
    `--since must be ${SINCE_FORMS}, up to now, and not ${JSON.stringify(text)}; days and times are UTC`,
  );
}
