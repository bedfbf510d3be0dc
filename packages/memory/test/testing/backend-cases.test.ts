import { describe, expect, it } from "vitest";
import type { Change } from "../../src/history/change.ts";
import type { BackendEntry, CommitRequest, TopicBackend } from "../../src/store/topic-backend.ts";
import { topicBackendCases } from "../../src/testing/backend-cases.ts";

interface State {
  readonly entries: Map<string, BackendEntry>;
  readonly history: Change[];
  readonly watchers: Set<() => void>;
  count: number;
}

/** Breaks one promise of a correct backend. */
type Break = (backend: TopicBackend, state: State) => Partial<TopicBackend>;

const cases = (broken: Break): ReturnType<typeof topicBackendCases> =>
  topicBackendCases(async () => {
    const state: State = { entries: new Map(), history: [], watchers: new Set(), count: 0 };
    const open = (): TopicBackend => {
      const backend = createBackend(state);
      return { ...backend, ...broken(backend, state) };
    };
    return { backend: open(), reopen: async () => open() };
  });

describe("topicBackendCases on a correct backend", () => {
  it.for(cases(() => ({})))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

const BROKEN: Readonly<Record<string, readonly [Break, RegExp]>> = {
  "without isolation": [
    ({ commit, read }) => ({
      // Checks the versions, and only then waits for the disk.
      commit: async (request) => {
        const names = await conflicts(read, request);
        await pause();
        if (names.length > 0) return { kind: "conflict", names };
        return await commit(await withCurrentVersions(read, request));
      },
    }),
    /writers with the same version were both committed: the backend has no isolation/,
  ],
  "whose commits are torn for readers": [
    ({ commit, read }) => ({
      commit: async (request) => {
        const names = await conflicts(read, request);
        if (names.length > 0 || request.changes.length < 2) return await commit(request);
        const results = [];
        for (const change of request.changes) {
          results.push(await commit({ changes: [change] }));
          await pause();
        }
        return results.find(({ kind }) => kind === "conflict") ?? (await commit({ changes: [] }));
      },
    }),
    /commits are torn/,
  ],
  "whose commits stop in the middle": [
    ({ commit }) => ({
      commit: async (request) => {
        const versions = new Map<string, string>();
        for (const [position, change] of request.changes.entries()) {
          const isLast = position === request.changes.length - 1;
          const result = await commit({ ...(isLast ? request : {}), changes: [change] });
          if (result.kind === "conflict") return result;
          for (const [name, version] of result.versions) versions.set(name, version);
        }
        return request.changes.length === 0
          ? await commit(request)
          : { kind: "committed", versions };
      },
    }),
    /half of a commit was carried out: commits are torn/,
  ],
  "with an unstable order": [
    ({ list }, state) => ({
      list: async (request) => {
        const page = await list(request);
        state.count += 1;
        return state.count % 2 === 0
          ? { ...page, entries: page.entries.toReversed() }
          : { ...page, entries: page.entries };
      },
    }),
    /the list is not in the order of code points|the order of the list changes/,
  ],
  "that sorts by UTF-16 unit": [
    ({ list }) => ({
      list: async (request) => {
        const { entries } = await list({ limit: 1000 });
        const after = entries
          .toSorted((one, other) => (one.name < other.name ? -1 : 1))
          .filter(({ name }) => request.after === undefined || name > request.after);
        const page = after.slice(0, request.limit);
        return { entries: page, hasMore: after.length > page.length };
      },
    }),
    /the list is not in the order of code points/,
  ],
  "that loses entries between pages": [
    ({ list }) => ({
      list: async (request) => {
        const { entries, hasMore } = await list(request);
        return { entries: request.after === undefined ? entries : entries.slice(1), hasMore };
      },
    }),
    /lose, repeat or reorder entries|does not start with the next one/,
  ],
  "with versions that follow from the size": [
    ({ commit, read }, { entries }) => ({
      commit: async (request) => {
        const names = await conflicts(read, request);
        if (names.length > 0) return { kind: "conflict", names };
        const current = await withCurrentVersions(read, request);
        const result = await commit(current);
        for (const { name, text } of request.changes) {
          const entry = entries.get(name);
          if (entry !== undefined) entries.set(name, { ...entry, version: `v-${text?.length}` });
        }
        const written = request.changes.filter(({ text }) => text !== null);
        const versions = new Map(written.map(({ name, text }) => [name, `v-${text?.length}`]));
        return result.kind === "committed" ? { kind: "committed", versions } : result;
      },
    }),
    /a version was used again, so a stale writer can overwrite a change/,
  ],
  "that loses history": [
    ({ commit }, state) => ({
      commit: async (request) => {
        state.count += 1;
        return await commit(state.count % 3 === 0 ? { ...request, record: undefined } : request);
      },
    }),
    /a committed change is missing in the history/,
  ],
  "that records refused changes": [
    ({ commit }, { history }) => ({
      commit: async (request) => {
        const result = await commit(request);
        if (result.kind === "conflict" && request.record !== undefined)
          history.push(request.record);
        return result;
      },
    }),
    /a refused commit is in the history/,
  ],
  "that keeps what was rewritten": [
    ({ commit }, { history }) => ({
      commit: async (request) => {
        const before = [...history];
        const result = await commit(request);
        if (request.rewritten !== undefined) history.push(...before);
        return result;
      },
    }),
    /rewritten does not replace exactly/,
  ],
  "that ignores expected versions": [
    ({ commit, read }) => ({
      commit: async (request) => await commit(await withCurrentVersions(read, request)),
    }),
    /was not refused/,
  ],
  "that normalizes line ends": [
    ({ commit }) => ({
      commit: async (request) =>
        await commit({
          ...request,
          changes: request.changes.map((change) => ({
            ...change,
            text: change.text?.replaceAll("\r\n", "\n") ?? null,
          })),
        }),
    }),
    /a text with CRLF line ends is not kept exactly/,
  ],
  "that alters lone surrogates": [
    ({ commit }) => ({
      commit: async (request) =>
        await commit({
          ...request,
          changes: request.changes.map((change) => ({
            ...change,
            text: change.text?.toWellFormed() ?? null,
          })),
        }),
    }),
    /a text with a lone surrogate is committed, but altered: refuse it with INVALID_TOPIC/,
  ],
  "whose watchers are never stopped": [
    (_backend, { watchers }) => ({
      watch: async (onChange) => {
        watchers.add(onChange);
        return async () => undefined;
      },
    }),
    /watch reports changes after it was stopped/,
  ],
};

describe("topicBackendCases on broken backends", () => {
  it.for(Object.entries(BROKEN).map(([name, [broken, message]]) => ({ name, broken, message })))(
    "names the broken promise of a backend $name",
    async ({ broken, message }) => {
      const failures: string[] = [];
      for (const { run } of cases(broken)) {
        await run().catch((error: Error) => failures.push(error.message));
      }
      expect(failures.join("\n")).toMatch(message);
    },
  );
});

/** A correct backend over a map. Everything in a commit happens at once, because it waits for nothing. */
function createBackend(state: State): TopicBackend {
  const { entries, history, watchers } = state;
  return {
    list: async ({ after, limit }) => {
      const all = [...entries.values()]
        .toSorted((one, other) => compareCodePoints(one.name, other.name))
        .filter(({ name }) => after === undefined || compareCodePoints(name, after) > 0);
      const page = all.slice(0, limit).map(({ name, version, text, modifiedMs }) => ({
        name,
        version,
        modifiedMs,
        head: text.slice(0, 2000),
        bytes: Buffer.byteLength(text),
      }));
      return { entries: page, hasMore: all.length > limit };
    },
    read: async (names) => names.flatMap((name) => entries.get(name) ?? []),
    commit: async ({ changes, record, rewritten = [] }) => {
      const names = changes
        .filter(({ name, expected }) => (entries.get(name)?.version ?? null) !== expected)
        .map(({ name }) => name);
      if (names.length > 0) return { kind: "conflict", names };
      const versions = new Map<string, string>();
      for (const { name, text } of changes) {
        entries.delete(name);
        if (text === null) continue;
        state.count += 1;
        versions.set(name, String(state.count));
        entries.set(name, { name, text, version: String(state.count), modifiedMs: state.count });
      }
      for (const change of rewritten) {
        const position = history.findIndex(({ id, at }) => id === change.id && at === change.at);
        history[position] = change;
      }
      if (record !== undefined) history.push(record);
      for (const notify of watchers) notify();
      return { kind: "committed", versions };
    },
    history: async ({ cursor, limit }) => {
      const end = cursor === undefined ? history.length : Number(cursor);
      const start = Math.max(0, end - limit);
      const changes = history.slice(start, end).toReversed();
      return start === 0 ? { changes } : { changes, next: String(start) };
    },
    watch: async (onChange) => {
      watchers.add(onChange);
      return async () => {
        watchers.delete(onChange);
      };
    },
  };
}

function compareCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

async function conflicts(
  read: TopicBackend["read"],
  { changes }: CommitRequest,
): Promise<readonly string[]> {
  const current = await currentVersions(read, changes);
  return changes.flatMap(({ name, expected }) =>
    (current.get(name) ?? null) === expected ? [] : name,
  );
}

async function withCurrentVersions(
  read: TopicBackend["read"],
  request: CommitRequest,
): Promise<CommitRequest> {
  const current = await currentVersions(read, request.changes);
  const changes = request.changes.map((change) => ({
    ...change,
    expected: current.get(change.name) ?? null,
  }));
  return { ...request, changes };
}

async function currentVersions(
  read: TopicBackend["read"],
  changes: CommitRequest["changes"],
): Promise<ReadonlyMap<string, string>> {
  const entries = await read(changes.map(({ name }) => name));
  return new Map(
    entries.flatMap((entry) => ("version" in entry ? [[entry.name, entry.version] as const] : [])),
  );
}

async function pause(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
