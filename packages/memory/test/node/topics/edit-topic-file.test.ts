import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { command, withCommands } from "@caliban/common";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { MemoryError } from "../../../src/errors.ts";
import {
  type Draft,
  type EditedTopicFile,
  editTopicFile,
  removeDrafts,
} from "../../../src/node/topics/edit-topic-file.ts";
import { createMapTopicStore } from "../../../src/store/map-topic-store.ts";

const TOPIC = { name: "deploy", description: "d", type: "project", body: "Old." } as const;
const AUTHOR = { who: "person" } as const;

interface Edits {
  readonly store: ReturnType<typeof createMapTopicStore>;
  readonly draftsDirectory: string;
  readonly seen: readonly Draft[];
  readonly edit: (
    change: (text: string) => string,
    failure?: string,
  ) => Promise<EditedTopicFile | undefined>;
}

async function edits(): Promise<Edits> {
  const store = createMapTopicStore();
  await store.write({ ...TOPIC, author: AUTHOR });
  const draftsDirectory = join(await temporaryDirectory(), "drafts");
  const seen: Draft[] = [];
  return {
    store,
    draftsDirectory,
    seen,
    edit: async (change, failure) =>
      await editTopicFile(
        { store, draftsDirectory },
        {
          name: "deploy",
          edit: async (draft) => {
            seen.push(draft);
            await writeFile(draft.path, change(await readFile(draft.path, "utf8")));
            return failure;
          },
        },
      ),
  };
}

const broken = (text: string): string => text.replace("description:", "description: [");

describe("editTopicFile", () => {
  it("saves a valid edit and removes the draft", async () => {
    const { store, draftsDirectory, edit } = await edits();
    expect(await edit((text) => text.replace("Old.", "New."))).toMatchObject({
      kind: "edited",
      message: "saved deploy",
      draft: undefined,
    });
    expect((await store.read("deploy"))?.topic.body).toBe("New.");
    expect(await readdir(draftsDirectory)).toEqual([]);
  });

  it("keeps an invalid edit, continues it, and mentions it once the topic has changed", async () => {
    const { store, seen, edit } = await edits();
    const refused = await edit(broken);
    expect(refused).toMatchObject({ kind: "INVALID_TOPIC", draft: seen[0]?.path });
    await edit(broken);
    expect(seen[1]).toMatchObject({ path: seen[0]?.path, isContinued: true, olderPaths: [] });
    await store.write({ ...TOPIC, body: "Newer.", replace: true, author: AUTHOR });
    await edit((text) => text);
    expect(seen[2]).toMatchObject({ isContinued: false, olderPaths: [seen[0]?.path] });
  });

  it("keeps an edit when the editor fails, but no unchanged draft", async () => {
    const { draftsDirectory, edit } = await edits();
    expect(await edit((text) => text, "ed failed")).toMatchObject({
      kind: "failed",
      message: "ed failed; nothing was saved",
      draft: undefined,
    });
    expect(await readdir(draftsDirectory)).toEqual([]);
    expect((await edit((text) => `${text}x`, "ed failed"))?.draft).toBeDefined();
  });

  it.for([
    ["conflict", "deploy was changed while you were editing it"],
    ["missing", "deploy was removed while you were editing it"],
  ] as const)("keeps an edit that ends with the result %s", async ([kind, message]) => {
    const { store, draftsDirectory } = await edits();
    const edited = await editTopicFile(
      { store, draftsDirectory },
      {
        name: "deploy",
        edit: async ({ path }) => {
          if (kind === "missing") await store.remove({ name: "deploy", author: AUTHOR });
          else await store.write({ ...TOPIC, body: "x", replace: true, author: AUTHOR });
          await writeFile(path, `${await readFile(path, "utf8")}Mine.\n`);
          return undefined;
        },
      },
    );
    expect(edited).toMatchObject({ kind, message });
    expect(existsSync(edited?.draft ?? "")).toBe(true);
  });

  it("passes on the commands that an error names, on one line and without a period", async () => {
    const { store, draftsDirectory } = await edits();
    const refuse = async (): Promise<never> => {
      const message = withCommands`no\nroom; run: ${command("memory doctor")}.`;
      throw new MemoryError("UNWRITABLE", message);
    };
    const edited = await editTopicFile(
      { store: { read: store.read, edit: refuse }, draftsDirectory },
      { name: "deploy", edit: async () => undefined },
    );
    expect(edited).toMatchObject({
      kind: "UNWRITABLE",
      message: "deploy.md: no\\u{a}room; run: caliban memory doctor",
      parts: ["deploy.md: no\\u{a}room; run: ", { command: "memory doctor" }, ""],
    });
  });

  it("reports a draft that another edit has used, and a topic that does not exist", async () => {
    const { store, draftsDirectory } = await edits();
    const edit = async ({ path }: Draft): Promise<undefined> =>
      await rm(path).then(() => undefined);
    const topics = { store, draftsDirectory };
    expect(await editTopicFile(topics, { name: "deploy", edit })).toMatchObject({ kind: "gone" });
    expect(await editTopicFile(topics, { name: "other", edit })).toBeUndefined();
  });
});

it("removes all drafts of a topic, and those of no other", async () => {
  const directory = await temporaryDirectory();
  const names = ["a.0123456789ab.md", "a.ba9876543210.md", "a.b.0123456789ab.md", "a.md"];
  for (const name of names) await writeFile(join(directory, name), "");
  removeDrafts(directory, "a");
  expect((await readdir(directory)).toSorted()).toEqual(["a.b.0123456789ab.md", "a.md"]);
});
