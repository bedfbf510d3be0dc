import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type StoreHome, storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";

const author = { who: "person" } as const;

/** A store with a topic that another program then overwrote. */
async function overwritten(): Promise<{ home: StoreHome; ours: string; theirs: string }> {
  const home = await storeHome();
  await home.open().write(topic("deploy", "Ours."));
  const ours = await home.text("deploy.md");
  const theirs = "---\nname: deploy\ndescription: theirs\ntype: user\n---\n\nTheirs.\n";
  await writeFile(join(home.directory, "deploy.md"), theirs);
  return { home, ours, theirs };
}

describe("external changes", () => {
  it("records an external change with the next write to any topic, and can undo it", async () => {
    const { home, ours, theirs } = await overwritten();
    await home.open().write(topic("other"));
    const store = home.open();
    const [, change] = await store.log();
    expect(change).toMatchObject({
      who: "other",
      action: "edit",
      files: [{ slug: "deploy", before: ours, after: theirs }],
    });
    await store.undo({ id: change?.id, author });
    expect(await home.text("deploy.md")).toBe(ours);
  });

  it("records an external change once on request, and writes nothing if there is none", async () => {
    const { home } = await overwritten();
    const path = join(home.historyDirectory, "changes.jsonl");
    expect(await home.open().recordExternalChanges()).toBe(1);
    const { mtimeMs, size } = await stat(path);
    expect(await home.open().recordExternalChanges()).toBe(0);
    expect(await stat(path)).toMatchObject({ mtimeMs, size });
    expect((await home.open().log()).map(({ who }) => who)).toEqual(["other", "agent"]);
  });

  it("records an external change before our own next change", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("deploy", "Ours."));
    await writeFile(join(home.directory, "deploy.md"), "Theirs.\n");
    await store.write({ ...topic("deploy", "Ours again."), replace: true });
    const texts = (await store.log()).map(({ who, files }) => [
      who,
      files[0]?.before?.trim().slice(-7),
    ]);
    expect(texts).toEqual([
      ["agent", "Theirs."],
      ["other", "\n\nOurs."],
      ["agent", undefined],
    ]);
  });

  it("records the external removal and creation of a topic", async () => {
    const home = await storeHome();
    await home.open().write(topic("deploy", "Ours."));
    const ours = await home.text("deploy.md");
    await rm(join(home.directory, "deploy.md"));
    const store = home.open();
    expect(await store.recordExternalChanges()).toBe(1);
    const [removal] = await store.log();
    expect(removal).toMatchObject({ who: "other", action: "remove", files: [{ after: null }] });
    await store.undo({ id: removal?.id, author });
    expect(await home.text("deploy.md")).toBe(ours);
    await store.remove({ name: "deploy", author });
    await writeFile(join(home.directory, "deploy.md"), "Again.\n");
    expect(await home.open().recordExternalChanges()).toBe(1);
    expect((await store.log())[0]).toMatchObject({ who: "other", action: "write" });
  });

  it("undoes an external change only by id", async () => {
    const { home, theirs } = await overwritten();
    const store = home.open();
    await store.write(topic("other"));
    const { undone } = await store.undo({ author });
    expect(undone.files[0]?.slug).toBe("other");
    await expect(store.undo({ author })).rejects.toMatchObject({ code: "CHANGED_SINCE" });
    expect(await home.text("deploy.md")).toBe(theirs);
  });

  it("records neither topics that were never written here nor erased texts", async () => {
    const home = await storeHome({ "theirs.md": "Theirs.\n" });
    const store = home.open();
    await store.write(topic("ours"));
    await store.erase("ours");
    await writeFile(join(home.directory, "theirs.md"), "Changed.\n");
    await writeFile(join(home.directory, "ours.md"), "Changed.\n");
    expect(await home.open().recordExternalChanges()).toBe(0);
  });

  it("reports a conflict to a writer who has not seen an external change", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("deploy", "Ours."));
    const seen = await store.read("deploy");
    await writeFile(join(home.directory, "deploy.md"), "Theirs.\n");
    const result = await store.write({ ...topic("deploy", "Ours again."), ifMatch: seen?.hash });
    expect(result).toMatchObject({
      kind: "conflict",
      reason: "changed",
      current: { text: "Theirs.\n" },
    });
  });
});

describe("a topic written by Claude Code", () => {
  it("keeps the keys, comments, order and index line of Claude Code", async () => {
    const home = await storeHome({
      "MEMORY.md": "# Memory\n\n- [How we deploy](deploy_steps.md) — first the flag\n",
      "deploy_steps.md":
        "---\n# kept\nname: deploy_steps\ndescription: first the flag\ntype: project\noriginSessionId: abc\n---\n\nFlag.\n",
    });
    const store = home.open();
    const seen = await store.read("deploy_steps");
    const written = await store.write({
      ...topic("deploy_steps", "Migrations, then the flag."),
      description: "migrations first",
      ifMatch: seen?.hash,
    });
    expect(written).toMatchObject({
      indexLine: "- [How we deploy](deploy_steps.md) — migrations first",
    });
    expect(
      (await home.text("deploy_steps.md")).startsWith(
        "---\n# kept\nname: deploy_steps\ndescription: migrations first\ntype: project\noriginSessionId: abc\n",
      ),
    ).toBe(true);
    expect(await home.text("MEMORY.md")).toBe(
      "# Memory\n\n- [How we deploy](deploy_steps.md) — migrations first\n",
    );
  });

  it("never has a file next to it during a write that Claude Code would read as a topic", async () => {
    const { interceptedDisk } = await import("../intercepted-disk.ts");
    const home = await storeHome({ "theirs.md": "Theirs.\n" });
    const seen = new Set<string>();
    const look = async (): Promise<void> => {
      for (const name of await home.names()) seen.add(name);
    };
    const { readdirSync } = await import("node:fs");
    const store = home.open({
      disk: interceptedDisk({
        after: () => {
          for (const name of readdirSync(home.directory)) seen.add(name);
        },
      }),
    });
    await store.write(topic("ours"));
    await store.write({ ...topic("ours", "New."), replace: true });
    await look();
    const markdown = [...seen].filter((name) => name.endsWith(".md"));
    expect(markdown.toSorted()).toEqual(["MEMORY.md", "ours.md", "theirs.md"]);
    expect(await home.names()).toEqual(["MEMORY.md", "ours.md", "theirs.md"]);
  });
});
