import { nearest, terminalSafeLine } from "@caliban/common";
import type { Invocation } from "../../../command.ts";
import { UsageError } from "../../../usage-error.ts";
import type { OpenTopics } from "./open-topics.ts";

const MAX_SHOWN = 5;

/**
 * The topic that the user means: the one with this name, otherwise the only one whose name contains it; the text itself if
 * there is none. Programs, which ask for JSON, name a topic exactly.
 * @throws UsageError that lists the topics, if there are several
 */
export async function findTopicName(
  { json }: Pick<Invocation, "json">,
  { store }: Pick<OpenTopics, "store">,
  typed: string,
): Promise<string> {
  if (json || typed === "" || (await store.read(typed)) !== undefined) return typed;
  const { topics } = await store.list();
  return onlyMatch(
    typed,
    topics.map(({ slug }) => slug),
    "topics",
  );
}

/**
 * The only name that starts with what was typed, otherwise the only one that contains it; the text itself if none does.
 * @throws UsageError that lists the names, if there are several
 */
export function onlyMatch(typed: string, names: readonly string[], what: string): string {
  if (names.includes(typed)) return typed;
  const wanted = typed.toLowerCase();
  const starting = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const matches =
    starting.length > 0 ? starting : names.filter((name) => name.toLowerCase().includes(wanted));
  const [only, ...others] = matches;
  if (only === undefined || others.length === 0) return only ?? typed;
  const shown = matches.toSorted().slice(0, MAX_SHOWN).map(terminalSafeLine).join(", ");
  const more = matches.length > MAX_SHOWN ? ` and ${matches.length - MAX_SHOWN} more` : "";
  throw new UsageError(
    `several ${what} match ${JSON.stringify(typed)}: ${shown}${more}; type more of the name`,
  );
}

/** `; did you mean X?`, or nothing. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const similar = nearest(typed, names);
  return similar === undefined ? "" : `; did you mean ${terminalSafeLine(similar)}?`;
}
