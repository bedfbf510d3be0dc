import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { learnedSource } from "@caliban/autonomous-memory/node";
import { openTestProject, said, started, formatTurns, writeGeneration } from "./test-project.ts";

const MEMORY = `Kept by hand: nothing.

# Preferences

## Tests
- Run the tests with vitest, never with jest. They are fast.

\`\`\`sh
# this is not a heading
\`\`\`

## Deployment
Deploy with \`make ship\` from the flamingo machine.
`;
const SKILL = `---
name: release-notes
description: "How release notes are written here."
---

Begin with the ostrich.
`;

describe("learnedSource", () => {
  it("finds sections and skills, with the address to read them", async () => {
    const here = await openTestProject();
    writeGeneration(here, { "MEMORY.md": MEMORY, "skills/release-notes/SKILL.md": SKILL });
    const { topics, searched } = await here.find("flamingo ostrich");
    expect(
      topics.map(({ kind, name, address, description }) => ({ kind, name, address, description })),
    ).toEqual(
      expect.arrayContaining([
        {
          kind: "section",
          name: "Preferences › Deployment",
          address: "memory://root/MEMORY.md",
          description: "Deploy with `make ship` from the flamingo machine.",
        },
        {
          kind: "skill",
          name: "release-notes",
          address: "memory://root/skills/release-notes/SKILL.md",
          description: "How release notes are written here.",
        },
      ]),
    );
    expect(searched.topics).toBe(4);
  });

  it("finds learned memory as the user edits it", async () => {
    const here = await openTestProject();
    writeGeneration(here, { "MEMORY.md": MEMORY });
    const search = await here.open();
    expect((await search.search({ query: "flamingo" })).topics).toHaveLength(1);
    writeGeneration(here, { "MEMORY.md": MEMORY.replace("flamingo", "pelican") });
    expect((await search.search({ query: "flamingo" })).topics).toEqual([]);
    expect((await search.search({ query: "pelican" })).topics).toHaveLength(1);
  });

  it("finds only the current generation, and nothing after it was cleared", async () => {
    const here = await openTestProject();
    writeGeneration(here, { "MEMORY.md": MEMORY });
    const search = await here.open();
    expect((await search.search({ query: "flamingo" })).topics).toHaveLength(1);
    writeGeneration(here, { "MEMORY.md": "# New\nAbout the ibis.\n" }, 2);
    const found = await search.search({ query: "flamingo ibis" });
    expect(found.topics.map(({ name }) => name)).toEqual(["New"]);
    expect((await here.machine.caliban("memory", "clear", "--force")).exitCode).toBe(0);
    expect((await search.search({ query: "ibis" })).topics).toEqual([]);
    expect((await here.find("ibis")).topics).toEqual([]);
  });

  it("shows learned memory without terminal control characters", async () => {
    const here = await openTestProject();
    const skill = SKILL.replace("Begin with", "Begin\u001B[31m\u202E with");
    const files = { "MEMORY.md": "# Bi\u001B[2Jrds\n\nA flamingo\u0007.\n" };
    writeGeneration(here, { ...files, "skills/release-notes/SKILL.md": skill });
    const { topics } = await here.find("flamingo ostrich");
    expect(topics).toHaveLength(2);
    expect(JSON.stringify(topics)).not.toMatch(/\\u00(?:1b|07)|\u202E/i);
  });

  it("searches at most 200 skills", async () => {
    const here = await openTestProject();
    const names = Array.from({ length: 201 }, (_, at) => `skills/skill-${at}/SKILL.md`);
    writeGeneration(here, Object.fromEntries(names.map((name) => [name, SKILL])));
    expect((await here.find("ostrich")).searched.topics).toBe(200);
  });

  it("shows only its own files, whatever id is requested", async () => {
    const here = await openTestProject();
    writeGeneration(here, { "skills/release-notes/SKILL.md": SKILL });
    here.write("autonomous/SKILL.md", SKILL);
    const { show } = learnedSource(join(here.home, "autonomous"));
    expect(await show("learned:skills/release-notes#")).toMatchObject({ name: "release-notes" });
    for (const key of ["../..", "skills/../../..", "skills/release-notes/../../../.."])
      expect(await show(`learned:${key}#`)).toBeUndefined();
  });

  it("finds no learned memory while learning is off", async () => {
    const here = await openTestProject("");
    writeGeneration(here, { "MEMORY.md": MEMORY });
    here.write(
      "sessions/20261110-100000-aaaa.jsonl",
      started("20261110-100000-aaaa") + said("flamingo"),
    );
    expect(await here.find("flamingo")).toMatchObject({ topics: [], sessions: [{}] });
  });

  it("refuses links, and ignores skills with invalid names", async () => {
    const here = await openTestProject();
    writeGeneration(here, { "raw_memories.md": "", "skills/.hidden/SKILL.md": "flamingo" });
    const root = join(here.home, "autonomous/generations/1");
    const outside = join(here.machine.home, "SKILL.md");
    writeFileSync(outside, "# Out\nflamingo\n");
    symlinkSync(outside, join(root, "MEMORY.md"));
    symlinkSync(here.machine.home, join(root, "skills/linked"));
    expect((await here.find("flamingo")).topics).toEqual([]);
    const source = learnedSource(join(here.home, "autonomous"));
    expect(await source.read({ key: "MEMORY.md", fingerprint: "" }, undefined)).toMatchObject({
      documents: [],
      problem: expect.stringContaining("memory://root/MEMORY.md is not searched"),
    });
    expect(await source.show("learned:MEMORY.md#0")).toBeUndefined();
    rmSync(join(here.home, "autonomous/generations"), { recursive: true });
    symlinkSync(here.machine.home, join(here.home, "autonomous/generations"));
    expect((await here.find("flamingo")).topics).toEqual([]);
  });
});

describe("learned facts", () => {
  it("ignores facts behind links", async () => {
    const here = await openTestProject();
    here.write(FILE, started(ID) + said("please use port 8443 for the gateway", "fine"));
    writeGeneration(here, { "skills/none.md": "" });
    const root = join(here.home, "autonomous/generations/1");
    const outside = join(here.machine.home, "facts.md");
    writeFileSync(outside, raw("- The gateway has port 8443, alias ostrich"));
    symlinkSync(outside, join(root, "raw_memories.md"));
    expect((await here.find("gateway")).sessions).toHaveLength(1);
    expect((await here.find("ostrich")).sessions).toEqual([]);
  });

  const ID = "20261110-100000-aaaa";
  const FILE = `sessions/${ID}.jsonl`;
  const raw = (...facts: readonly string[]): string =>
    `# What each session left, newest first\n\n## Session ${ID} (2026-11-10)\n\n${facts.join("\n")}\n`;

  it("finds the turn that a fact comes from, and shows the turn itself", async () => {
    const here = await openTestProject();
    here.write(
      FILE,
      started(ID) +
        said(
          "hello there",
          "hi",
          "please use port 8443 for the gateway",
          "I will use port 8443",
          "bye",
        ),
    );
    writeGeneration(here, {
      "raw_memories.md": raw(
        `- [environment] The gateway listens on port 8443, alias ostrich (session ${ID}, 2026-11-10)`,
      ),
    });
    const found = await here.find("ostrich");
    expect(formatTurns(found)).toEqual(
      expect.arrayContaining([
        "hi",
        "please use port 8443 for the gateway",
        "I will use port 8443",
      ]),
    );
    expect(formatTurns(await here.find("gateway"))).toContain(
      "[please use port 8443 for the gateway]",
    );
  });

  it("finds a session by its summary and by facts that match no turn", async () => {
    const here = await openTestProject();
    const other = "20261111-100000-bbbb";
    here.write(FILE, started(ID) + said("the report", "done"));
    here.write(`sessions/${other}.jsonl`, started(other) + said("the report", "done"));
    writeGeneration(here, {
      "raw_memories.md": raw("- Invoices are sent by pigeon"),
      [`rollout_summaries/${ID}-invoices.md`]: `session: ${ID}\ndate: 2026-11-10\n\nAbout ostrich invoices.\n`,
    });
    const found = await here.find("report on ostrich pigeon");
    expect(found.sessions[0]?.session).toBe(ID);
    expect(found.sessions[0]?.score).toBeGreaterThan(found.sessions[1]?.score ?? 0);
  });

  it("replaces changed facts, and finds each turn once", async () => {
    const here = await openTestProject();
    here.write(FILE, started(ID) + said("please use port 8443 for the gateway", "fine"));
    writeGeneration(here, {
      "raw_memories.md": raw("- The gateway has port 8443, alias ostrich"),
    });
    const search = await here.open();
    expect((await search.search({ query: "ostrich" })).sessions).toHaveLength(1);
    const changed = raw("- The gateway has port 8443, alias pelican");
    writeGeneration(here, { "raw_memories.md": changed }, 2);
    expect((await search.search({ query: "ostrich" })).sessions).toEqual([]);
    const found = await search.search({ query: "pelican" });
    expect([found.sessions.length, found.searched.turns]).toEqual([1, 2]);
  });

  it("keeps facts with their turns when the session continues", async () => {
    const here = await openTestProject();
    here.write(FILE, started(ID) + said("please use port 8443 for the gateway", "fine"));
    writeGeneration(here, {
      "raw_memories.md": raw("- The gateway has port 8443, alias ostrich"),
    });
    const search = await here.open();
    expect((await search.search({ query: "ostrich" })).sessions).toHaveLength(1);
    here.append(FILE, said("", "", "another matter").slice(said("", "").length));
    const found = await search.search({ query: "ostrich" });
    expect(formatTurns(found)).toContain("please use port 8443 for the gateway");
    expect(found.searched.turns).toBe(3);
  });

  it("forgets facts when learned memory is cleared, but keeps the session", async () => {
    const here = await openTestProject();
    here.write(FILE, started(ID) + said("please use port 8443 for the gateway", "fine"));
    writeGeneration(here, {
      "raw_memories.md": raw("- The gateway has port 8443, alias ostrich"),
    });
    expect((await here.find("ostrich")).sessions).toHaveLength(1);
    expect((await here.machine.caliban("memory", "clear", "--force")).exitCode).toBe(0);
    expect((await here.find("ostrich")).sessions).toEqual([]);
    expect((await here.find("gateway")).sessions).toHaveLength(1);
  });
});
