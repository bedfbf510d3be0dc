import { describe, expect, it } from "vitest";
import { createTopicStore } from "../../src/store/create-topic-store.ts";
import { createMapBackend } from "../../src/store/map-backend.ts";
import type { TopicBackend } from "../../src/store/topic-backend.ts";
import type { TopicStore } from "../../src/store/topic-store.ts";

const TOPIC = {
  name: "deploy",
  description: "run migrations first",
  type: "project",
  body: "Then flip the flag.",
  author: { who: "agent" },
} as const;

const topicText = (description: string): string =>
  `---\ndescription: ${description}\nmetadata:\n  type: project\n---\n\nText.\n`;

interface BrokenStore {
  readonly backend: TopicBackend;
  readonly store: TopicStore;
}

/** A store on a backend with some topics, of which some methods are replaced. */
function broken(change: (backend: TopicBackend) => Partial<TopicBackend>): BrokenStore {
  const entries = { a: topicText("of a"), b: topicText("of b"), c: topicText("of c") };
  const backend = createMapBackend({ entries });
  const store = createTopicStore({
    backend: { ...backend, ...change(backend) },
    timeoutMs: 50,
  });
  return { backend, store };
}

const never = async (): Promise<never> => await new Promise(() => undefined);

const BROKEN: Readonly<
  Record<
    string,
    readonly [
      change: (backend: TopicBackend) => Partial<TopicBackend>,
      act: (store: TopicStore) => Promise<unknown>,
      code: string,
      message: RegExp,
    ]
  >
> = {
  "returns its list out of order": [
    ({ list }) => ({
      list: async (request) => {
        const page = await list(request);
        return { ...page, entries: page.entries.toReversed() };
      },
    }),
    async (store) => await store.list(),
    "INVALID_BACKEND",
    /out of order: "b" after "c"/,
  ],
  "never ends its list": [
    ({ list }) => ({ list: async () => ({ ...(await list({ limit: 1 })), hasMore: true }) }),
    async (store) => await store.list(),
    "INVALID_BACKEND",
    /out of order: "a" after "a"/,
  ],
  "returns an entry that was not requested": [
    ({ read }) => ({ read: async () => await read(["b"]) }),
    async (store) => await store.read("a"),
    "INVALID_BACKEND",
    /"b", which was not asked for/,
  ],
  "gives every text the same version": [
    ({ read, commit }) => ({
      read: async (names) =>
        (await read(names)).map((entry) => Object.assign({}, entry, { version: "v" })),
      commit: async ({ changes, ...request }) => {
        const current = new Map(
          (await read(changes.map(({ name }) => name))).map((entry) => [entry.name, entry]),
        );
        const result = await commit({
          ...request,
          changes: changes.map((change) => {
            const entry = current.get(change.name);
            const expected = entry !== undefined && "version" in entry ? entry.version : null;
            return Object.assign({}, change, { expected });
          }),
        });
        if (result.kind === "conflict") return result;
        return { ...result, versions: new Map(changes.map(({ name }) => [name, "v"])) };
      },
    }),
    async (store) => await store.write({ ...TOPIC, name: "a", replace: true }),
    "INVALID_BACKEND",
    /two texts of "a" the same version/,
  ],
  "reports a conflict without a name": [
    () => ({ commit: async () => ({ kind: "conflict", names: [] }) }),
    async (store) => await store.write(TOPIC),
    "INVALID_BACKEND",
    /without the names/,
  ],
  "repeats a page of its history": [
    ({ history }) => ({ history: async (request) => ({ ...(await history(request)), next: "1" }) }),
    async (store) => await store.log(),
    "INVALID_BACKEND",
    /the same page of the history twice/,
  ],
  "does not answer a read": [
    () => ({ read: never }),
    async (store) => await store.read("a"),
    "STORE_UNAVAILABLE",
    /took more than 0.05 s to read topics$/,
  ],
  "does not answer a commit": [
    () => ({ commit: never }),
    async (store) => await store.write(TOPIC),
    "STORE_UNAVAILABLE",
    /may or may not be saved, so read it again$/,
  ],
  "loses its connection": [
    () => ({
      commit: async () => {
        throw new Error("connection terminated");
      },
    }),
    async (store) => await store.write(TOPIC),
    "STORE_UNAVAILABLE",
    /could not save the change: connection terminated$/,
  ],
  "is always in conflict": [
    () => ({
      commit: async ({ changes }) => ({ kind: "conflict", names: [changes[0]?.name ?? ""] }),
    }),
    async (store) => await store.remove({ name: "a", author: { who: "person" } }),
    "STORE_BUSY",
    /nothing was written, try again$/,
  ],
};

describe("createTopicStore on a broken backend", () => {
  it.for(Object.entries(BROKEN))(
    "reports a backend that %s, and loses nothing",
    { timeout: 30_000 },
    async ([, [change, act, code, message]]) => {
      const { backend, store } = broken(change);
      await expect(act(store)).rejects.toMatchObject({
        name: "MemoryError",
        code,
        message: expect.stringMatching(message) as string,
      });
      const names = (await backend.list({ limit: 10 })).entries.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["a", "b", "c"]));
    },
  );

  it("reports entries that are not topics, and uses the others", async () => {
    const entries = { "../up": "x", big: "x".repeat(400_000), good: topicText("of good") };
    const store = createTopicStore({ backend: createMapBackend({ entries }) });
    const { topics, problems } = await store.list();
    expect(topics.map(({ slug }) => slug)).toEqual(["good"]);
    expect(problems.map(({ message }) => message)).toEqual([
      '"../up" is not the name of a topic; rename it in the database',
      'cannot use "big": it has 400000 bytes; the limit is 312320',
    ]);
    expect((await store.write(TOPIC)).kind).toBe("written");
  });

  it("reads a whole text if the list cuts its header", async () => {
    const text = `---\n# ${"long comment ".repeat(300)}\ndescription: found\nmetadata:\n  type: user\n---\n\nText.\n`;
    const backend = createMapBackend({ entries: { long: text } });
    const store = createTopicStore({
      backend: {
        ...backend,
        list: async (request) => {
          const { entries, hasMore } = await backend.list(request);
          return {
            entries: entries.map((entry) =>
              Object.assign({}, entry, { head: entry.head.slice(0, 100) }),
            ),
            hasMore,
          };
        },
      },
    });
    expect((await store.list()).topics).toMatchObject([{ description: "found", problems: [] }]);
  });
});
