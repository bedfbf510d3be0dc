import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { createFsCopyTarget } from "../../../src/node/topics/fs-copy-target.ts";
import { createFsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";
import { copyMemory } from "../../../src/store/copy/copy-memory.ts";
import { createTopicStore } from "../../../src/store/create-topic-store.ts";
import { createMapBackend } from "../../../src/store/map-backend.ts";
import type { TopicStore } from "../../../src/store/topic-store.ts";

const AUTHOR = { who: "agent" } as const;

async function write(store: TopicStore, name: string, body: string): Promise<void> {
  const ifMatch = (await store.read(name))?.hash;
  await store.write({ name, description: name, type: "project", body, ifMatch, author: AUTHOR });
}

async function createSides() {
  const backend = createMapBackend();
  const directory = await temporaryDirectory();
  return {
    backend,
    directory,
    store: createTopicStore({ backend }),
    files: createFsTopicStore({ directory }),
    target: createFsCopyTarget({ directory }),
  };
}

describe("createFsCopyTarget", () => {
  it("gets the same texts and records as the source, and no record of the copy", async () => {
    const { backend, store, files, target } = await createSides();
    await write(store, "deploy", "one");
    await write(store, "deploy", "two");
    await copyMemory({ from: backend, to: target });
    expect((await files.read("deploy"))?.text).toBe((await store.read("deploy"))?.text);
    expect(await files.storedIndex()).toBe(await store.storedIndex());
    expect(await files.recordExternalChanges()).toBe(0);
    expect(await files.log()).toEqual(await store.log());

    await write(store, "deploy", "three");
    await store.remove({ name: "deploy", author: AUTHOR });
    await write(store, "other", "one");
    await copyMemory({ from: backend, to: target });
    expect(await files.log()).toEqual(await store.log());
    expect((await files.list()).topics.map(({ slug }) => slug)).toEqual(["other"]);
    // The copied history works like any other.
    await files.undo({ id: (await files.log("deploy"))[0]?.id, author: AUTHOR });
    expect((await files.read("deploy"))?.topic.body).toBe("three");
    expect(await copyMemory({ from: target, to: backend })).toMatchObject({ copied: ["deploy"] });
  });

  it("takes over edits that a user made by hand, and never overwrites them", async () => {
    const { backend, directory, store, files, target } = await createSides();
    await write(files, "deploy", "one");
    await copyMemory({ from: target, to: backend });
    const text = `${(await files.read("deploy"))?.text}By hand.\n`;
    await writeFile(join(directory, "deploy.md"), text);
    expect(await copyMemory({ from: backend, to: target })).toMatchObject({
      copied: [],
      kept: [{ name: "deploy", reason: "different" }],
    });
    expect(await copyMemory({ from: target, to: backend })).toMatchObject({ copied: ["deploy"] });
    expect((await store.read("deploy"))?.text).toBe(text);
  });

  it("leaves a file alone that it cannot read", async () => {
    const { backend, directory, store, target } = await createSides();
    await write(store, "deploy", "one");
    await symlink("/dev/null", join(directory, "deploy.md"));
    expect(await copyMemory({ from: backend, to: target })).toMatchObject({
      copied: [],
      kept: [{ name: "deploy", reason: "unreadable" }],
    });
  });
});
