import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { describe, expect, it } from "vitest";
import { copyMemory } from "../../../src/store/copy/copy-memory.ts";
import { createTopicStore } from "../../../src/store/create-topic-store.ts";
import { createMapBackend } from "../../../src/store/map-backend.ts";
import type { TopicBackend } from "../../../src/store/topic-backend.ts";
import type { TopicStore } from "../../../src/store/topic-store.ts";

const AUTHOR = { who: "agent", agent: "tester", session: "s1" } as const;

interface Side {
  readonly backend: TopicBackend;
  readonly store: TopicStore;
}

function createSide(): Side {
  const backend = createMapBackend();
  return { backend, store: createTopicStore({ backend }) };
}

async function write({ store }: Side, name: string, body: string): Promise<void> {
  const ifMatch = (await store.read(name))?.hash;
  await store.write({ name, description: name, type: "project", body, ifMatch, author: AUTHOR });
}

async function copy(from: Side, to: Side): ReturnType<typeof copyMemory> {
  return await copyMemory({ from: from.backend, to: to.backend });
}

async function textsOf({ store }: Side): Promise<Readonly<Record<string, string>>> {
  const { topics } = await store.list();
  const found = await store.readMany(topics.map(({ slug }) => slug));
  const texts = [...found].map(([name, { text }]) => [name, text] as const);
  return Object.fromEntries([...texts, ["index", (await store.storedIndex()) ?? ""]]);
}

describe("copyMemory", () => {
  it("copies texts, the index and the history exactly, and nothing when it is repeated", async () => {
    const [from, to] = [createSide(), createSide()];
    await write(from, "deploy", "one");
    await write(from, "deploy", "two");
    await write(from, "gone", "x");
    await from.store.remove({ name: "gone", author: AUTHOR });
    await from.store.editIndex(async (text) => `${text}\nMy own note.\n`);
    const before = await textsOf(from);

    expect(await copy(from, to)).toEqual({
      copied: ["deploy"],
      removed: [],
      kept: [],
      unchanged: 0,
      history: { copied: 4, leftOut: 0 },
    });
    expect(await textsOf(to)).toEqual(before);
    expect(await textsOf(from)).toEqual(before);
    expect(await to.store.log()).toEqual(await from.store.log());
    const again = { copied: [], removed: [], kept: [], unchanged: 1 };
    expect(await copy(from, to)).toMatchObject({ ...again, history: { copied: 0 } });
    expect(await copy(to, from)).toMatchObject({ ...again, history: { copied: 0 } });
  });

  it("copies later changes and removals, and keeps what changed in the target", async () => {
    const [from, to] = [createSide(), createSide()];
    for (const name of ["edited", "removed", "newer", "both"]) await write(from, name, "1");
    await copy(from, to);
    await write(from, "edited", "2");
    await from.store.remove({ name: "removed", author: AUTHOR });
    await write(to, "newer", "2");
    await write(from, "both", "2");
    await write(to, "both", "3");
    await write(to, "only-there", "1");

    expect(await copy(from, to)).toEqual({
      copied: ["edited"],
      removed: ["removed"],
      kept: [
        { name: "both", reason: "different" },
        { name: "newer", reason: "newer" },
      ],
      unchanged: 0,
      history: { copied: 2, leftOut: 1 },
    });
    expect((await to.store.read("both"))?.topic.body).toBe("3");
    expect((await to.store.read("newer"))?.topic.body).toBe("2");
    expect(await to.store.index()).toContain("only-there");
    expect(await to.store.index()).not.toContain("removed");
    // The other way, what is newer there follows, and the conflict stays one.
    expect(await copy(to, from)).toMatchObject({
      copied: ["newer", "only-there"],
      kept: [{ name: "both", reason: "different" }],
    });
    expect((await from.store.read("both"))?.topic.body).toBe("2");
  });

  it("leaves out a topic that was removed in the target since", async () => {
    const [from, to] = [createSide(), createSide()];
    await write(from, "deploy", "1");
    await copy(from, to);
    await to.store.remove({ name: "deploy", author: AUTHOR });
    expect(await copy(from, to)).toMatchObject({
      copied: [],
      kept: [{ name: "deploy", reason: "newer" }],
    });
    expect(await to.store.read("deploy")).toBeUndefined();
  });

  it("erases in the target what was erased in the source", async () => {
    const [from, to] = [createSide(), createSide()];
    await write(from, "secret", "the password");
    await copy(from, to);
    await from.store.remove({ name: "secret", author: AUTHOR });
    await from.store.erase("secret");
    await copy(from, to);
    expect(JSON.stringify(await to.store.log())).not.toContain("the password");
  });

  it("completes a copy that was interrupted after the texts", async () => {
    const [from, to] = [createSide(), createSide()];
    await write(from, "deploy", "1");
    const failing: TopicBackend = {
      ...to.backend,
      commit: async (request) => {
        if (request.record !== undefined) throw new Error("connection lost");
        return await to.backend.commit(request);
      },
    };
    await expect(copyMemory({ from: from.backend, to: failing })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    expect(await copy(from, to)).toMatchObject({ unchanged: 1, history: { copied: 1 } });
    expect(await to.store.log()).toEqual(await from.store.log());
  });

  it("completes a topic that changed while it was copied", async () => {
    const [from, to] = [createSide(), createSide()];
    await write(from, "deploy", "1");
    const busy: TopicBackend = {
      ...from.backend,
      list: async (request) => {
        await write(from, "deploy", "2");
        return await from.backend.list(request);
      },
    };
    await copyMemory({ from: busy, to: to.backend });
    await copy(from, to);
    expect(await textsOf(to)).toEqual(await textsOf(from));
    expect(await to.store.log()).toEqual(await from.store.log());
  });

  it("reports a target whose topics someone changes at the same time", async () => {
    const [from, to] = [createSide(), createSide()];
    await write(from, "deploy", "1");
    const contested: TopicBackend = {
      ...to.backend,
      commit: async (request) => {
        const result = await to.backend.commit(request);
        const expected = result.kind === "committed" ? result.versions.get("deploy") : undefined;
        const changes = [{ name: "deploy", expected: expected ?? null, text: "by another" }];
        await to.backend.commit({ changes });
        return result;
      },
    };
    await expect(copyMemory({ from: from.backend, to: contested })).rejects.toMatchObject({
      code: "CHANGED_MEANWHILE",
    });
  });

  it("never loses the last text of either side, in any order of writes and copies", async () => {
    const step = constantFrom("write-a", "write-b", "remove-a", "a-to-b", "b-to-a");
    await assert(
      asyncProperty(array(step, { maxLength: 8 }), async (steps) => {
        const [a, b] = [createSide(), createSide()];
        const actions: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
          "write-a": (text) => write(a, "t", text),
          "write-b": (text) => write(b, "t", text),
          "remove-a": () => a.store.remove({ name: "t", author: AUTHOR }),
          "a-to-b": () => copy(a, b),
          "b-to-a": () => copy(b, a),
        };
        for (const [at, name] of steps.entries()) {
          const before = await Promise.all([a, b].map(({ store }) => store.read("t")));
          await actions[name]?.(String(at));
          for (const [side, { store }] of [a, b].entries()) {
            const text = before[side]?.text;
            if (text === undefined || text === (await store.read("t"))?.text) continue;
            // Whatever was replaced is in the history, so that it can be undone.
            const files = (await store.log()).flatMap((change) => change.files);
            expect(files.map((file) => file.before)).toContain(text);
          }
        }
      }),
    );
  });
});
