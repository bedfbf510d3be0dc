import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, rename, rm, symlink, truncate, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { createEvidenceCheck } from "../../../src/node/evidence/check-evidence.ts";
import { containsSnippet } from "../../../src/node/evidence/contains-snippet.ts";
import type { Evidence } from "../../../src/topics/topic-fields.ts";

const POOL = "export const pool = {\n\tmax: 20,\n};\n";
const EVIDENCE: Evidence = { path: "src/db/pool.ts", sha256: sha256Of(POOL), snippet: "max: 20," };

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function workspace(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await temporaryDirectory();
  await writeFiles(root, { "src/db/pool.ts": POOL, ...files });
  return root;
}

describe("createEvidenceCheck", () => {
  it.for([
    ["the file is unchanged", {}, "ok"],
    ["the file changed elsewhere", { "src/db/pool.ts": `// new\n\n${POOL}` }, "ok"],
    ["the value changed", { "src/db/pool.ts": POOL.replace("20", "200") }, "changed"],
    ["the spaces changed", { "src/db/pool.ts": POOL.replace(": ", ":  ") }, "changed"],
    [
      "the line is in another file of the same name",
      { "src/db/pool.ts": "", "lib/pool.ts": `// moved\n${POOL}` },
      "moved",
    ],
    [
      "the value changed, and another file of the same name has the old one",
      { "src/db/pool.ts": POOL.replace("20", "30"), "lib/pool.ts": `// other\n${POOL}` },
      "changed",
    ],
    [
      "only a copy in a directory of builds has the line",
      { "src/db/pool.ts": "", "dist/pool.ts": POOL, "node_modules/x/pool.ts": POOL },
      "changed",
    ],
  ] as const)("finds when %s that the evidence is %s", async ([, files, state]) => {
    const root = await workspace(files);
    expect(await createEvidenceCheck({ root }).stateOf([EVIDENCE])).toBe(state);
  });

  it("finds a file that was moved, and says where it is now", async () => {
    const root = await workspace();
    await mkdir(join(root, "lib"));
    await rename(join(root, "src/db/pool.ts"), join(root, "lib/pool.ts"));
    const { sha256 } = EVIDENCE;
    expect(await createEvidenceCheck({ root }).check([EVIDENCE])).toEqual([
      { evidence: EVIDENCE, state: "moved", movedTo: { path: "lib/pool.ts", sha256 } },
    ]);
    await writeFiles(root, { "other/pool.ts": POOL });
    const [moved] = await createEvidenceCheck({ root }).check([EVIDENCE]);
    expect(moved).toEqual({ evidence: EVIDENCE, state: "moved" });
  });

  const LINE = "export const maxConnections = 20;";

  it.for([
    ["the same bytes", POOL, EVIDENCE, "src/db/renamed.ts"],
    ["the same bytes far away", POOL, EVIDENCE, "docs/a/b/c.ts"],
    [
      "the line and other changes",
      `// new\n${LINE}\n`,
      { ...EVIDENCE, snippet: LINE },
      "src/db/größe 池.ts",
    ],
  ] as const)("finds %s under another name", async ([, text, evidence, path]) => {
    const root = await workspace({ [path]: text, "src/db/other.ts": "export const other = 1;\n" });
    await rm(join(root, "src/db/pool.ts"));
    const movedTo = { path, sha256: sha256Of(text) };
    const { check } = createEvidenceCheck({ root });
    expect(await check([evidence])).toEqual([{ evidence, state: "moved", movedTo }]);
  });

  it.for([
    ["a short line", "x.ts", `// new\n${POOL}`, EVIDENCE],
    ["a line in a file of another kind", "x.md", LINE, { ...EVIDENCE, snippet: LINE }],
    ["a line in a hidden directory", ".cache/x.ts", LINE, { ...EVIDENCE, snippet: LINE }],
  ] as const)("does not take %s for a renamed file", async ([, path, text, evidence]) => {
    const root = await workspace({ [path]: text });
    await rm(join(root, "src/db/pool.ts"));
    expect(await createEvidenceCheck({ root }).stateOf([evidence])).toBe("gone");
  });

  it("prefers the same bytes to the line, and the same name to another one", async () => {
    const evidence = { ...EVIDENCE, snippet: LINE };
    const root = await workspace({ "a/x.ts": LINE, "b/pool.ts": `${LINE} // b` });
    await rm(join(root, "src/db/pool.ts"));
    const movedTo = async (): Promise<string | undefined> =>
      (await createEvidenceCheck({ root }).check([evidence]))[0]?.movedTo?.path;
    expect(await movedTo()).toBe("b/pool.ts");
    await writeFiles(root, { "c/y.ts": POOL });
    expect(await movedTo()).toBe("c/y.ts");
  });

  it("waits no longer than it may for the search for what moved, and knows it later", async () => {
    const root = await workspace({ "lib/pool.ts": POOL });
    await rm(join(root, "src/db/pool.ts"));
    const listing = Promise.withResolvers<readonly string[]>();
    let lists = 0;
    const listFiles = (): Promise<readonly string[]> => {
      lists += 1;
      return listing.promise;
    };
    const { stateOf } = createEvidenceCheck({ root, listFiles });
    expect(await stateOf([EVIDENCE], 0)).toBe("gone");
    const found = stateOf([EVIDENCE]);
    listing.resolve([join(root, "lib/pool.ts")]);
    expect(await found).toBe("moved");
    expect(lists).toBe(1);
  });

  it("lists the files once for any number of topics, and again after a while", async () => {
    const root = await workspace();
    let [lists, nowMs] = [0, 0];
    const listFiles = async (): Promise<readonly string[]> => {
      lists += 1;
      return [];
    };
    const { check } = createEvidenceCheck({ root, listFiles, now: () => nowMs });
    const gone = ["a", "b"].map((name) => Object.assign({}, EVIDENCE, { path: `src/${name}.ts` }));
    await check(gone);
    expect(lists).toBe(1);
    nowMs = -60_000;
    await check(gone);
    expect(lists).toBe(2);
  });

  it("says when a file cannot be verified", async () => {
    const root = await workspace({ "dir.ts/x": "" });
    const [checked] = await createEvidenceCheck({ root }).check([{ ...EVIDENCE, path: "dir.ts" }]);
    expect(checked).toMatchObject({ state: "changed", isUnverifiable: true });
  });

  it("reports a missing file, and the worst state of several", async () => {
    const root = await workspace();
    const { check, stateOf } = createEvidenceCheck({ root });
    const gone = { ...EVIDENCE, path: "src/db/none.ts", sha256: "0".repeat(64) };
    const changed = { ...EVIDENCE, sha256: "0".repeat(64), snippet: "max: 30," };
    const states = (await check([EVIDENCE, changed, gone])).map(({ state }) => state);
    expect(states).toEqual(["ok", "changed", "gone"]);
    expect(await stateOf([EVIDENCE, changed])).toBe("changed");
    expect(await stateOf([])).toBe("ok");
  });

  it("notices a change of a file that it has read before, also within one clock tick", async () => {
    const root = await workspace();
    const file = join(root, "src/db/pool.ts");
    const { stateOf } = createEvidenceCheck({ root });
    const time = new Date(1_000_000_000_000);
    await utimes(file, time, time);
    expect([await stateOf([EVIDENCE]), await stateOf([EVIDENCE])]).toEqual(["ok", "ok"]);
    await writeFiles(root, { "src/db/pool.ts": POOL.replace("20", "30") });
    await utimes(file, time, time);
    expect(await stateOf([EVIDENCE])).toBe("changed");
  });

  it("waits for no named pipe, and reads no directory or large file", async () => {
    const root = await workspace({ "large.ts": POOL, "dir.ts/x": "" });
    execFileSync("mkfifo", [join(root, "pipe.ts")]);
    // Takes no space on disk.
    await truncate(join(root, "large.ts"), 100 * 1024 * 1024);
    const { stateOf } = createEvidenceCheck({ root });
    for (const path of ["pipe.ts", "large.ts", "dir.ts"]) {
      expect([path, await stateOf([{ ...EVIDENCE, path }])]).toEqual([path, "changed"]);
    }
  });

  it("follows no link out of the workspace, and no path that leaves it", async () => {
    const [root, outside] = [await workspace(), await workspace()];
    await symlink(join(outside, "src/db/pool.ts"), join(root, "link.ts"));
    await symlink(join(outside, "src"), join(root, "linked"));
    await rm(join(root, "src"), { recursive: true });
    const { stateOf } = createEvidenceCheck({ root });
    const paths = ["link.ts", "linked/db/pool.ts", "../x.ts", join(outside, "src/db/pool.ts"), ""];
    for (const path of paths) {
      expect([path, await stateOf([{ ...EVIDENCE, path }])]).toEqual([path, "changed"]);
    }
  });
});

describe("containsSnippet", () => {
  it.for([
    ["max: 20", "max: 20", true],
    ["max: 200", "max: 20", false],
    ["max: 20.5", "max: 20", false],
    ["The max: 20.", "max: 20", true],
    ["xmax: 20", "max: 20", false],
    ["maximum: 20 max: 20", "max: 20", true],
    ["größer", "größe", false],
    ["a", "", false],
  ] as const)("finds in %j the snippet %j: %j", ([text, snippet, isFound]) => {
    expect(containsSnippet(Buffer.from(text), snippet)).toBe(isFound);
  });
});
