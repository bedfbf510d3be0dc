import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { thisMachine } from "@caliban/common/node";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { diagnoseTopics, repairTopics } from "../../../src/node/topics/doctor.ts";
import { createMapTopicStore } from "../../../src/store/map-topic-store.ts";
import type { TopicStore } from "../../../src/store/topic-store.ts";
import type { Evidence } from "../../../src/topics/topic-fields.ts";
import { storeHome } from "./store-home.ts";
import { topic } from "./topic-input.ts";

const GUARD = ".lock.0c5d6c64-6f0a-4f0e-9a3c-2b1c8c1f7a11.dead";

/** A directory in which a process took over the lock from another one. */
async function withGuard(pid: number, start: string) {
  const home = await storeHome();
  await home.open().write(topic("known"));
  const { host, boot } = thisMachine();
  const record = { host, boot, pid, start, token: "taker" };
  await writeFile(join(home.directory, GUARD), `${JSON.stringify(record)}\n`);
  const [store, draftsDirectory] = [home.open(), join(home.directory, "none")];
  return { home, input: { store, directory: home.directory, draftsDirectory } };
}

it("reports and removes the guard of a killed process", async () => {
  const { home, input } = await withGuard(2 ** 22 + 1, "1");
  expect(await diagnoseTopics(input)).toMatchObject([{ path: GUARD, isFixable: true }]);
  const repaired = await repairTopics(input);
  expect(repaired).toMatchObject([{ finding: { path: GUARD }, isFixed: true }]);
  expect(await home.names()).toEqual(["MEMORY.md", "known.md"]);
});

it("leaves the guard of a live process alone", async () => {
  const { pid, start } = thisMachine();
  const { home, input } = await withGuard(pid, start);
  expect(await diagnoseTopics(input)).toEqual([]);
  await repairTopics(input);
  expect(await home.names()).toContain(GUARD);
});

describe("the fields of topics", () => {
  const FILE = "export const pool = { max: 20 };\n";
  const evidence = (path: string, snippet: string): Evidence => ({
    path,
    sha256: createHash("sha256").update(FILE).digest("hex"),
    snippet,
  });

  /** Stores of both kinds, and a workspace in which a file was moved. */
  async function stores(): Promise<readonly { store: TopicStore; workspaceRoot: string }[]> {
    const workspaceRoot = await temporaryDirectory();
    await writeFiles(workspaceRoot, { "lib/pool.ts": FILE, "src/other.ts": "" });
    const files = (await storeHome()).open();
    return [files, createMapTopicStore()].map((store) => ({ store, workspaceRoot }));
  }

  it("lists doubtful evidence, and points to where it moved", async () => {
    for (const input of await stores()) {
      const moved = evidence("src/pool.ts", "max: 20");
      const changed = evidence("src/other.ts", "timeout: 5");
      const gone = { ...evidence("src/none.ts", "gone: true"), sha256: "0".repeat(64) };
      await input.store.write({ ...topic("pool"), evidence: [moved, changed, gone] });
      const before = await input.store.read("pool");
      const findings = await diagnoseTopics(input);
      expect(findings.map(({ code, message, isFixable }) => [code, message, isFixable])).toEqual([
        ["EVIDENCE", 'Its evidence "max: 20" moved from src/pool.ts to lib/pool.ts.', true],
        ["EVIDENCE", expect.stringContaining("is not in src/other.ts any more."), false],
        ["EVIDENCE", expect.stringContaining("was in src/none.ts, which does not"), false],
      ]);
      const repaired = await repairTopics(input);
      expect(repaired.map(({ isFixed }) => isFixed)).toEqual([true, false, false]);
      const after = await input.store.read("pool");
      const fixed = [{ ...moved, path: "lib/pool.ts" }, changed, gone];
      expect(after?.topic).toEqual({ ...before?.topic, evidence: fixed });
      const [change] = await input.store.log("pool");
      expect(change).toMatchObject({ action: "fix", who: "person" });
    }
  });

  it("lets a topic apply to the file to which its evidence moved", async () => {
    for (const input of await stores()) {
      const applies = { paths: ["src/pool.ts", "src/db/**"], commands: ["psql *"] };
      await input.store.write({
        ...topic("pool"),
        applies,
        evidence: [evidence("src/pool.ts", "max: 20")],
      });
      await repairTopics(input);
      expect((await input.store.read("pool"))?.topic.applies).toEqual({
        ...applies,
        paths: ["lib/pool.ts", "src/db/**"],
      });
    }
  });

  it("says why evidence cannot be verified", async () => {
    for (const input of await stores()) {
      await writeFiles(input.workspaceRoot, { "src/none.ts/x": "" });
      const directory = { ...evidence("src/none.ts", "none: 1"), sha256: "0".repeat(64) };
      await input.store.write({ ...topic("pool"), evidence: [directory] });
      const [finding] = await diagnoseTopics(input);
      expect(finding?.message).toContain("src/none.ts is not a file of at most 1 MB");
    }
  });

  it.for([
    ["../x", 'must not contain ".."'],
    ["[a-z]+x", "must have a backslash"],
    ["app/(shop)/**", "must have a backslash"],
    ["*a*a*a*a*b", "too many stars"],
  ] as const)("reports a glob that another program wrote: %s", async ([glob, problem]) => {
    for (const input of await stores()) {
      await input.store.write({ ...topic("pool"), applies: { paths: ["x"], commands: [] } });
      const { text = "", hash } = (await input.store.read("pool")) ?? {};
      const changed = text.replace('"x"', JSON.stringify(glob));
      const edit = {
        name: "pool",
        text: changed,
        ifMatch: hash,
        author: { who: "person" },
      } as const;
      await input.store.edit({ ...edit, allowMalformed: true });
      const [finding] = await diagnoseTopics(input);
      expect(finding).toMatchObject({ code: "MALFORMED", path: "pool.md" });
      expect(finding?.message).toContain(problem);
    }
  });

  it("reports circles and removes names that do not exist from supersedes", async () => {
    for (const input of await stores()) {
      await input.store.write({ ...topic("one"), supersedes: ["gone"] });
      await input.store.write({ ...topic("two"), supersedes: ["one", "gone"] });
      const one = await input.store.read("one");
      const text = one?.text.replace('["gone"]', '["two"]') ?? "";
      const author = { who: "person" } as const;
      const edit = { name: "one", text, ifMatch: one?.hash, author };
      await input.store.edit({ ...edit, allowMalformed: true });
      const repaired = await repairTopics(input);
      const shown = repaired
        .filter(({ finding }) => finding.code === "SUPERSEDES")
        .map(({ finding, isFixed }) => [finding.path, isFixed, finding.message]);
      const circle = expect.stringMatching(/^It supersedes itself: \w+ → \w+ → /);
      expect(shown).toHaveLength(2);
      expect(shown).toContainEqual([expect.any(String), false, circle]);
      expect(shown).toContainEqual(["two.md", true, "It supersedes gone, which does not exist."]);
      expect((await input.store.read("two"))?.topic.supersedes).toEqual(["one"]);
    }
  });

  it("proposes to merge topics that contradict each other", async () => {
    for (const input of await stores()) {
      const description = "Install packages with npm";
      await input.store.write({ ...topic("old"), description });
      await input.store.write({ ...topic("new"), description: "Install packages with pnpm" });
      const finding = (await diagnoseTopics(input)).find(({ code }) => code === "CONTRADICTION");
      expect(finding).toMatchObject({ path: "new.md", isFixable: false });
      expect(finding?.message).toBe(
        "It may contradict old.md (pnpm here, npm there). If this one is current, add what is still true of the other: caliban memory edit new, and then: caliban memory rm old",
      );
    }
  });
});

it("finds secrets with the scanner of its caller", async () => {
  const home = await storeHome();
  await home.open().write(topic("known", "The code name is bluebird."));
  const findSecrets = async (text: string) =>
    text.includes("bluebird") ? [{ kind: "a code name", line: 8 }] : [];
  const input = { store: home.open(), directory: home.directory };
  expect(await diagnoseTopics(input)).toEqual([]);
  expect(await diagnoseTopics({ ...input, findSecrets })).toMatchObject([
    { code: "SECRET", path: "known.md", line: 8 },
    { code: "SECRET", path: "known.md", message: expect.stringContaining("in the history") },
  ]);
});
