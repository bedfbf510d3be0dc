import { utf8Bytes } from "@caliban/common";
import { checkArguments } from "../check-arguments.ts";
import { changeKey } from "../history/archived-change.ts";
import type { Change } from "../history/change.ts";
import type { BackendEntry, CommitRequest, CommitResult, TopicBackend } from "./topic-backend.ts";

export interface MapBackendInput {
  /** Milliseconds since 1970; the system clock if left out. */
  readonly now?: (() => number) | undefined;
  /** Entries to start with: topics by name, and the index as `MEMORY.md`. */
  readonly entries?: Readonly<Record<string, string>> | undefined;
}

/**
 * Keeps texts in memory: for tests, for agents without a disk, and as the smallest example of a backend.
 *
 * @example
 * import { createMapBackend, createTopicStore } from "@caliban/memory";
 *
 * const store = createTopicStore({ backend: createMapBackend() });
 * const { topics } = await store.list();
 */
export function createMapBackend(input: MapBackendInput = {}): TopicBackend {
  checkArguments("createMapBackend", { input }, { input: "object" });
  // oxlint-disable-next-line no-restricted-properties -- the default of a clock that callers may pass
  const { now = Date.now, entries: initial = {} } = input;
  let entries: ReadonlyMap<string, BackendEntry> = new Map();
  let changes: readonly Change[] = [];
  let lastVersion = 0;
  const watchers = new Set<() => void>();

  const put = (name: string, text: string): readonly [string, BackendEntry] => {
    lastVersion++;
    return [name, { name, text, version: `v${lastVersion}`, modifiedMs: now() }];
  };
  entries = new Map(Object.entries(initial).map(([name, text]) => put(name, text)));

  // Synchronous, so nothing can happen between the check and the change.
  const commit = (request: CommitRequest): CommitResult => {
    const names = request.changes
      .filter(({ name, expected }) => (entries.get(name)?.version ?? null) !== expected)
      .map(({ name }) => name);
    if (names.length > 0) return { kind: "conflict", names };
    const written = request.changes.flatMap(({ name, text }) =>
      text === null ? [] : [put(name, text)],
    );
    const changed = new Set(request.changes.map(({ name }) => name));
    const kept = [...entries].filter(([name]) => !changed.has(name));
    entries = new Map([...kept, ...written]);
    const rewritten = new Map(request.rewritten?.map((change) => [changeKey(change), change]));
    changes = changes.map((change) => rewritten.get(changeKey(change)) ?? change);
    if (request.record !== undefined) changes = [...changes, request.record];
    for (const notify of watchers) notify();
    const versions = new Map(written.map(([name, { version }]) => [name, version]));
    return { kind: "committed", versions };
  };

  return {
    list: async ({ after, limit }) => {
      const all = [...entries.values()]
        .filter(({ name }) => after === undefined || compareNames(name, after) > 0)
        .toSorted((one, other) => compareNames(one.name, other.name));
      const page = all.slice(0, limit).map(({ name, version, text, modifiedMs }) => ({
        name,
        version,
        modifiedMs,
        head: text,
        bytes: utf8Bytes(text),
      }));
      return { entries: page, hasMore: all.length > limit };
    },
    read: async (names) => names.flatMap((name) => entries.get(name) ?? []),
    commit: async (request) => commit(request),
    history: async () => ({ changes: changes.toReversed() }),
    watch: async (onChange) => {
      const notify = (): void => onChange();
      watchers.add(notify);
      return async () => void watchers.delete(notify);
    },
  };
}

/** Compares by code point, as databases do, and not by UTF-16 unit. */
export function compareNames(one: string, other: string): number {
  const [left, right] = [Array.from(one), Array.from(other)];
  for (const [at, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
