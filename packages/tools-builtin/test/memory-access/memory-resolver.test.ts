import { createMapTopicStore, MemoryError } from "@caliban/memory";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REFUSED_ADDRESSES } from "../../../../test/attack/memory-addresses.ts";
import {
  createMemoryResolver,
  type MemoryResolverInput,
} from "../../src/memory-access/memory-resolver.ts";
import { policyWith } from "../support/rules.ts";

async function resolver(more: Partial<MemoryResolverInput> = {}) {
  const store = createMapTopicStore({
    now: () => 0,
    sha256Hex: () => "0".repeat(64),
    findSecrets: async () => [],
  });
  await store.write({
    name: "deploy",
    description: "with pnpm ship",
    type: "project",
    body: "pnpm ship\n",
    author: { who: "agent" },
  });
  return createMemoryResolver({
    topics: store,
    learned: async (path) => ({ text: `learned ${path}` }),
    prefix: async () => "<global-claude-md>…",
    ...more,
  });
}

describe("createMemoryResolver", () => {
  it("resolves the index, a topic, and the start of the prompt", async () => {
    const resolve = await resolver();
    expect(await resolve("memory://index")).toEqual({
      text: expect.stringContaining("- [deploy](deploy.md)"),
    });
    expect(await resolve("memory://topics/deploy")).toEqual({
      text: expect.stringMatching(/^---\nname: deploy[^]*pnpm ship\n$/),
    });
    expect(await resolve("memory://prefix")).toEqual({ text: "<global-claude-md>…" });
  });

  it("resolves the same addresses for topics about the user", async () => {
    const userTopics = createMapTopicStore({
      scope: "user",
      files: { "tabs.md": "---\nname: tabs\ndescription: tabs\n---\n\nTabs.\n" },
    });
    const resolve = await resolver({ userTopics });
    expect(await resolve("memory://user/index")).toEqual({
      text: expect.stringContaining("- [tabs](tabs.md)"),
    });
    expect(await resolve("memory://user/topics")).toEqual({ text: "tabs (untyped): tabs\n" });
    expect(await resolve("memory://user/topics/tabs")).toEqual({
      text: expect.stringContaining("Tabs."),
    });
    expect(await resolve("memory://topics/tabs")).toHaveProperty("problem");
    expect(await resolve("memory://user/topics/deploy")).toEqual({
      problem: "memory://user/topics/deploy: no such topic. Read memory://user/topics for a list.",
    });
    const denied = await resolver({
      userTopics,
      policy: policyWith({ deny: "memory.read(tab*)" }),
    });
    for (const address of ["tabs", "TABS", "./tabs", "%74abs"]) {
      const resolved = await denied(`memory://user/topics/${address}`);
      expect(resolved).not.toHaveProperty("text");
    }
    expect(await denied("memory://user/topics")).toEqual({ text: "no topics yet\n" });
  });

  it("says that memory about the user is off", async () => {
    const resolve = await resolver();
    expect(await resolve("memory://user/topics/tabs")).toEqual({
      problem: "memory://user/topics/tabs: memory about the user is off in this run.",
    });
  });

  it.each(REFUSED_ADDRESSES)(
    "rejects any other address without revealing a path on disk: %s",
    async (url) => {
      const resolved = await (await resolver())(url);
      expect(resolved).toEqual({ problem: expect.stringContaining(url) });
      expect(JSON.stringify(resolved)).not.toContain("/tmp");
    },
  );

  it.for([
    ["memory://root", ""],
    ["memory://root/", "."],
    ["memory://root/MEMORY.md", "MEMORY.md"],
    ["memory://root/skills/", "skills/"],
    ["memory://root/skills/a%20b/SKILL.md", "skills/a b/SKILL.md"],
    ["memory://root/a%252fb", "a%2fb"],
    ["memory://root/../x", "../x"],
    ["memory://root/a\nb", "a\nb"],
  ] as const)("resolves %s to the learned file %j", async ([url, path]) => {
    expect(await (await resolver())(url)).toEqual({ text: `learned ${path}` });
  });

  it.for(["memory://topics", "memory://topics/"])("lists the topics at %s", async (url) => {
    expect(await (await resolver())(url)).toEqual({ text: "deploy (project): with pnpm ship\n" });
  });

  it("decodes an address once", async () => {
    const resolve = await resolver();
    expect(await resolve("memory://topics/de%70loy")).toHaveProperty("text");
    expect(await resolve("memory://topics/de%2570loy")).toHaveProperty("problem");
  });

  it("says where topics are listed when a topic does not exist", async () => {
    expect(await (await resolver())("memory://topics/other")).toEqual({
      problem: "memory://topics/other: no such topic. Read memory://topics for a list.",
    });
  });

  it("resolves no topics when auto-memory is off", async () => {
    const resolve = createMemoryResolver({ prefix: async () => "" });
    for (const url of ["memory://index", "memory://topics", "memory://root"]) {
      expect(await resolve(url)).toEqual({ problem: `${url}: auto-memory is off in this run.` });
    }
  });
});

it("resolves any address to what it names, or to a problem", async () => {
  const resolve = await resolver();
  const parts = ["memory://", "topics", "root", "index", "deploy", "/", "..", ".", "%2f", "%2e"];
  const others = ["%25", "%00", "%5c", "\\", "\0", "%E0%A4%A", "?", "#", " "];
  const part = fc.constantFrom(...parts, ...others);
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (pieces) => {
      const address = `memory://${pieces.join("")}`;
      const resolved = await resolve(address);
      const isProblem = "problem" in resolved && resolved.problem.includes(address);
      // Only learned memory has paths below it, and its reader checks them.
      const isLearned = "text" in resolved && resolved.text.startsWith("learned ");
      expect(isProblem || isLearned || !address.includes("..")).toBe(true);
    }),
    { numRuns: 500 },
  );
});

describe("permission rules about addresses", () => {
  it.for([
    [{ deny: "fs.read(memory://topics/dep*)" }, "memory://topics/de%70loy"],
    [{ deny: "fs.read(memory://topics/dep*)" }, "memory://topics/DEPLOY"],
    [{ deny: "memory.read(dep*)" }, "memory://topics/deploy"],
    [{ deny: "memory.read" }, "memory://topics/deploy"],
    [{ ask: "memory.read(dep*)" }, "memory://topics/deploy"],
    [{ ask: "fs.read(memory://topics/dep*)" }, "memory://topics/de%70loy"],
    [{ deny: "fs.read(memory://root/MEMORY*)" }, "memory://root//%4dEMORY.md"],
    [{ deny: "fs.read(memory://root/MEMORY*)" }, "memory://root/./MEMORY.md"],
    [{ deny: "fs.read(memory://prefix)" }, "memory://%70refix"],
    [{ deny: "memory.read(pay*)" }, "memory://topics/payroll"],
  ] as const)("applies %j to %s", async ([rules, url]) => {
    const resolve = await resolver({ policy: policyWith(rules) });
    expect(await resolve(url)).toEqual({
      problem: expect.stringContaining("permission rule"),
      isDenied: true,
    });
  });

  it.for([
    // The user approved exactly this address before the call.
    [{ ask: "fs.read(memory://topics/dep*)" }, "memory://topics/deploy"],
    [{ deny: "memory.read(pay*)" }, "memory://topics/deploy"],
    [{ deny: "fs.read(*.env)" }, "memory://topics/de%70loy"],
    [{ deny: "memory.read" }, "memory://root/MEMORY.md"],
  ] as const)("with %j allows %s", async ([rules, url]) => {
    const resolve = await resolver({ policy: policyWith(rules) });
    expect(await resolve(url)).toHaveProperty("text");
  });
});

it("lists no topic that a rule denies, and names only addresses that it resolves", async () => {
  const hidden = await resolver({ policy: policyWith({ deny: "memory.read(dep*)" }) });
  expect(await hidden("memory://topics")).toEqual({ text: "no topics yet\n" });
  const topicsOnly = await resolver({ learned: undefined, prefix: undefined });
  for (const url of ["memory://root", "memory://prefix"])
    expect(await topicsOnly(url)).toEqual({
      problem: `${url}: no such address. Available: memory://index, memory://topics and memory://topics/<slug>.`,
    });
});

describe("unusable files", () => {
  it("reports an unusable file without its path", async () => {
    const refuse = async (): Promise<never> => {
      throw new MemoryError(
        "REFUSED_FILE",
        "/home/me/notes/deploy.md cannot be used: it is a link",
      );
    };
    const list = async () => ({
      topics: [],
      problems: [
        {
          slug: "deploy" as never,
          code: "UNREADABLE" as never,
          message: "/home/me/notes/deploy.md is a link",
        },
      ],
    });
    const resolve = await resolver({ topics: { index: refuse, read: refuse, list } });
    for (const url of ["memory://index", "memory://topics/deploy", "memory://topics"]) {
      const resolved = JSON.stringify(await resolve(url));
      expect(resolved).toContain("cannot be used");
      expect(resolved).not.toContain("/home");
    }
  });
});
