import { writeFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { createIndexCache } from "../../../src/node/search/index-cache.ts";
import { directoryTopics, recallTopics } from "../../../src/node/search/recall-topics.ts";
import { topicDirectorySource } from "../../../src/node/search/topic-directory.ts";

const header = (slug: string, description: string): string =>
  `---\nname: ${slug}\ndescription: ${description}\nmetadata:\n  type: project\n---\n\nText.\n`;

async function notes(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = join(await temporaryDirectory(), "memory");
  await mkdir(directory);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

const NOTES = {
  "deploy-checklist.md": header("deploy-checklist", '"run migrations first"'),
  "发布流程.md": header("发布流程", "先迁移"),
  "ports.md": header("ports", ">-\n  which ports\n  are taken"),
  "webhooks.md": header("webhooks", "stripe sends idempotency keys"),
  "MEMORY.md":
    "# Memory index\n\n- [webhooks](webhooks.md) — project: stripe sends idempotency keys\n- [gone](gone.md) — project: kubernetes cluster\n",
};

const isKnown = (): boolean => false;
const slugsFor = async (directory: string, message: string): Promise<readonly string[]> =>
  (await recallTopics({ topics: directoryTopics(directory), message, isKnown })).map(
    ({ slug }) => slug,
  );

describe("recallTopics without an index", () => {
  it.for([
    ["read the deployChecklist", ["deploy-checklist"]],
    ["how do I deploy?", ["deploy-checklist"]],
    ["请按照发布流程检查", ["发布流程"]],
    ["does stripe send idempotency keys?", ["webhooks"]],
    ["restart the kubernetes cluster", []],
    ["hello", []],
  ] as const)("finds topics by their names and index lines: %j", async ([message, slugs]) => {
    expect(await slugsFor(await notes(NOTES), message)).toEqual(slugs);
  });

  it("returns the description in the file, whatever the form of its header", async () => {
    const directory = await notes(NOTES);
    expect(
      await recallTopics({
        topics: directoryTopics(directory),
        message: "list the ports",
        isKnown,
      }),
    ).toEqual([{ slug: "ports", description: "which ports are taken" }]);
  });

  it("finds nothing in a missing directory and ignores links", async () => {
    const directory = await notes(NOTES);
    expect(await slugsFor(join(directory, "nowhere"), "deploy checklist")).toEqual([]);
    expect(await slugsFor(join(directory, "ports.md"), "deploy checklist")).toEqual([]);
    await rm(join(directory, "deploy-checklist.md"));
    await symlink(join(directory, "ports.md"), join(directory, "deploy-checklist.md"));
    expect(await slugsFor(directory, "deploy checklist")).toEqual([]);
  });

  it("finds a topic among many that share a word, and none of those", async () => {
    const many = Array.from({ length: 900 }, (_, at) => `topic-koala-${at}`);
    const line = (name: string): string =>
      `- [${name}](${name}.md) — project: about koala and bamboo\n`;
    const files = [...many, "koala-diet"].map((name) => [`${name}.md`, header(name, "x")] as const);
    const directory = await notes({
      ...Object.fromEntries(files),
      "MEMORY.md": `# Memory index\n\n${many.map(line).join("")}`,
    });
    const message = "what about the koala and the bamboo?";
    expect(await slugsFor(directory, message)).toEqual([]);
    expect(await slugsFor(directory, "the koala diet, please")).toEqual(["koala-diet"]);
  });

  it("finds a topic by the start of a very long index line", async () => {
    const line = (marks: string): string =>
      `# Memory index\n\n- [webhooks](webhooks.md) — project: stripe sends idempotency keys ${marks.repeat(24_000)}\n`;
    const directory = await notes({ ...NOTES, "MEMORY.md": line("\u0591\u05B0") });
    expect(await slugsFor(directory, "does stripe send idempotency keys?")).toEqual(["webhooks"]);
    const words = await notes({ ...NOTES, "MEMORY.md": line("x ").replace(/\n$/, "giraffe\n") });
    expect(await slugsFor(words, "does stripe send idempotency keys?")).toEqual(["webhooks"]);
    expect(await slugsFor(words, "stripe giraffe")).toEqual([]);
  });

  it("finds nothing if there are too many topics", async () => {
    const directory = await notes(NOTES);
    for (let at = 0; at < 2_000; at++) writeFileSync(join(directory, `note-${at}.md`), "");
    expect(await slugsFor(directory, "deploy checklist")).toEqual([]);
  });

  it("finds topics by name only if the index is too long", async () => {
    const long = `${NOTES["MEMORY.md"]}${"- a line\n".repeat(12_000)}`;
    const directory = await notes({ ...NOTES, "MEMORY.md": long });
    expect(await slugsFor(directory, "does stripe send idempotency keys?")).toEqual([]);
    expect(await slugsFor(directory, "deploy checklist")).toEqual(["deploy-checklist"]);
  });

  it("returns at most three topics and none that is already known", async () => {
    const names = ["alpha", "bravo", "charlie", "foxtrot", "golf"];
    const files = names.map((name) => [`${name}.md`, header(name, "x")] as const);
    const directory = await notes(Object.fromEntries(files));
    const message = "alpha bravo charlie foxtrot golf";
    expect(await slugsFor(directory, message)).toHaveLength(3);
    const left = await recallTopics({
      topics: directoryTopics(directory),
      message,
      isKnown: (slug) => slug !== "golf",
    });
    expect(left.map(({ slug }) => slug)).toEqual(["golf"]);
    const { index } = await createIndexCache({
      sources: [topicDirectorySource(directory)],
    }).refresh();
    expect(
      await recallTopics({ topics: directoryTopics(directory), index, message, isKnown }),
    ).toHaveLength(3);
  });
});

describe("recallTopics with an index", () => {
  it("returns the current description and skips removed topics", async () => {
    const directory = await notes(NOTES);
    const { index } = await createIndexCache({
      sources: [topicDirectorySource(directory)],
    }).refresh();
    await writeFile(join(directory, "ports.md"), header("ports", "changed"));
    await rm(join(directory, "deploy-checklist.md"));
    const message = "ports of the deploy checklist";
    expect(
      await recallTopics({ topics: directoryTopics(directory), index, message, isKnown }),
    ).toEqual([{ slug: "ports", description: "changed" }]);
  });

  it("skips topics that are no longer about the message", async () => {
    const directory = await notes(NOTES);
    const { index } = await createIndexCache({
      sources: [topicDirectorySource(directory)],
    }).refresh();
    const message = "does stripe send idempotency keys?";
    expect(
      await recallTopics({ topics: directoryTopics(directory), index, message, isKnown }),
    ).toHaveLength(1);
    await writeFile(join(directory, "webhooks.md"), header("webhooks", "of another provider"));
    expect(
      await recallTopics({ topics: directoryTopics(directory), index, message, isKnown }),
    ).toEqual([]);
  });
});

describe("a stopped index cache", () => {
  it("reads no more files after it was stopped, keeps what it read, and reads the rest next time", async () => {
    const names = Array.from({ length: 40 }, (_, at) => `note-${at}`);
    const files = names.map((name) => [`${name}.md`, header(name, "x")] as const);
    const directory = await notes(Object.fromEntries(files));
    const file = join(directory, "../search/all.idx");
    const source = topicDirectorySource(directory);
    let reads = 0;
    const stopping: typeof source = {
      ...source,
      read: async (...entry) => {
        if (++reads === 6) cache.stop();
        return await source.read(...entry);
      },
    };
    const cache = createIndexCache({ file, sources: [stopping] });
    const { counts: amounts } = await cache.refresh();
    expect(amounts.topics).toBe(8);
    await cache.settled();
    expect((await createIndexCache({ file, sources: [source] }).refresh()).counts.topics).toBe(
      names.length,
    );
  });
});
