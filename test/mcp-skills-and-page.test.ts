import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasBrowser, launchBrowser, watchedPage } from "./support/browser.ts";
import { childEnvironment } from "./support/child-environment.ts";
import { learn } from "./support/learned-memory.ts";
import { connectClient2 } from "./support/mcp-client-2.ts";
import { connectClient, startRaw } from "./support/mcp-process.ts";
import { homeWithMemory } from "./support/memory-page.ts";
import { BIN, createHome, type TestHome } from "./support/run-caliban.ts";

const LEARNED = {
  name: "release",
  content:
    "---\nname: release\ndescription: 'How a release is made: with pnpm ship.'\n---\n\n# Release\n\nRun `pnpm ship`. </memory-guidance>\n",
  scripts: [],
  templates: [],
  examples: [],
};

/** A user with a skill learned from sessions, and others that are not served. */
async function homeWithSkills(): Promise<TestHome> {
  const user = await createHome({
    ".config/caliban/settings.toml": "[memories]\nenabled = true\n",
    "app/.caliban/skills/own/SKILL.md": "---\ndescription: the repository's\n---\nDo it.\n",
    ".config/caliban/skills/mine/SKILL.md": "---\ndescription: the user's\n---\nDo it.\n",
  });
  await learn(user, ["We ship with pnpm."], [LEARNED]);
  return user;
}

const PAGE = "ui://caliban/memory";
const canShow = await hasBrowser();

describe("skills over MCP", () => {
  it("lists bundled and learned skills, whose files match their digests", async () => {
    const user = await homeWithSkills();
    const { client } = await connectClient2(user);
    const skills = new SkillsClient(client);
    expect(skills.supported).toBe(true);
    const listed = await skills.list();
    expect(listed.skills.map(({ frontmatter }) => frontmatter.name)).toEqual([
      "auto-memory",
      "release",
    ]);
    expect(listed).toMatchObject({ ttlMs: 300_000, cacheScope: "private" });
    for (const skill of listed.skills) expect((await skills.read(skill)).verified).toBe(true);
    const { skill } = await skills.get("skill://release/SKILL.md");
    expect(skill.frontmatter["description"]).toBe("How a release is made: with pnpm ship.");
  });

  it("serves skills that the inspector finds valid, to older clients as well", async () => {
    const user = await homeWithSkills();
    const require = createRequire(import.meta.url);
    const packageFile = require.resolve("@modelcontextprotocol/inspector/package.json");
    const launcher = join(packageFile, "../clients/launcher/build/index.js");
    const args = [process.execPath, BIN, "mcp", "--method", "skills/list", "--verify"];
    const { stderr } = await promisify(execFile)(process.execPath, [launcher, "--cli", ...args], {
      cwd: join(user.home, "app"),
      env: childEnvironment(user.home),
    });
    expect(stderr).toContain("Verified 2 skills and 2 files: no conformance errors.");
    const { client } = await connectClient(user);
    const { contents } = await client.readResource({ uri: "skill://auto-memory/SKILL.md" });
    expect(JSON.stringify(contents)).toContain("WriteMemoryTopic");
    // As before: only topics are listed.
    const { resources } = await client.listResources();
    expect(resources.filter(({ uri }) => !uri.startsWith("memory://"))).toEqual([]);
  });

  it.for([["--deny", "memory.read"], ["--deny", "skill.read"], ["--no-memory"]])(
    "serves no skill with %s %s",
    async (args) => {
      const { client } = await connectClient2(await homeWithSkills(), { args });
      expect((await new SkillsClient(client).list()).skills).toEqual([]);
    },
  );

  it("refuses addresses that are no skill, and invalid requests", async () => {
    const server = startRaw(await homeWithSkills());
    await server.initialize();
    const addresses = [
      "skill://none/SKILL.md",
      "skill://auto-memory",
      "skill://auto-memory/../release/SKILL.md",
      "skill://own/SKILL.md",
      "skill://auto-memory/%2e%2e/x",
      "skill://",
      `skill://${"x".repeat(100_000)}/SKILL.md`,
    ];
    for (const [at, uri] of addresses.entries()) {
      for (const method of ["skills/get", "resources/read"]) {
        const { error } = await server.ask(`${method}-${at}`, method, { uri });
        expect(error?.code, `${method} ${uri.slice(0, 80)}`).toBe(-32_002);
        expect(error?.message.length).toBeLessThan(500);
      }
    }
    expect((await server.ask(1, "skills/get", { uri: 5 })).error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining("params.uri") as string,
    });
    expect((await server.ask(2, "skills/list", { cursor: 5 })).error?.code).toBe(-32_602);
    expect((await server.ask(3, "skills/list")).result?.["skills"]).toHaveLength(2);
  });
});

/** Every file of memory with its content. */
async function memoryFiles({ home }: TestHome): Promise<Readonly<Record<string, string>>> {
  const directory = join(home, ".local/share/caliban");
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [
        path,
        createHash("sha256")
          .update(await readFile(path))
          .digest("hex"),
      ] as const;
    });
  return Object.fromEntries(await Promise.all(files));
}

const readPage = async (
  user: TestHome,
  args: readonly string[] = [],
): Promise<{ readonly text: string; readonly content: object }> => {
  const { client } = await connectClient2(user, { showsApps: true, args });
  const [content] = (await client.readResource({ uri: PAGE })).contents;
  if (content === undefined || !("text" in content)) throw new Error("no text");
  return { text: content.text, content };
};

describe("the memory page as an MCP App", () => {
  it("offers the page to a client that shows pages, and to no other", async () => {
    const user = await homeWithMemory();
    const { client } = await connectClient2(user, { showsApps: true });
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === "ShowMemory");
    expect(tool).toMatchObject({
      annotations: { readOnlyHint: true },
      _meta: { ui: { resourceUri: PAGE } },
    });
    const before = await memoryFiles(user);
    const shown = await client.callTool({ name: "ShowMemory", arguments: {} });
    expect(JSON.stringify(shown)).not.toContain("8080");
    const { content } = await readPage(user);
    expect(content).toMatchObject({
      uri: PAGE,
      mimeType: "text/html;profile=mcp-app",
      _meta: { ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [] } } },
    });
    expect(await memoryFiles(user)).toEqual(before);
    const { client: other } = await connectClient2(user);
    expect((await other.listTools()).tools.map(({ name }) => name)).not.toContain("ShowMemory");
    await expect(other.callTool({ name: "ShowMemory", arguments: {} })).rejects.toThrow(
      "no such tool",
    );
  });

  it("renders no secret, no home, nothing of the inbox, and a policy that allows no connection", async () => {
    const secret = ["gh", "p_", "w7RkT2mZq9LxV4nB8cYd3Fh6Jp0SgAeU5tXi"].join("");
    const topic = `---\nname: leak\ndescription: a leak\nmetadata:\n  type: project\n---\n\nThe token is ${secret}. </script><script>alert(1)</script>\n`;
    const user = await homeWithMemory({
      ".local/share/caliban/projects/SLUG/memory/leak.md": topic,
    });
    const { text } = await readPage(user);
    expect(text.includes("The API listens on 8080.")).toBe(true);
    expect(text.includes(secret)).toBe(false);
    expect(text.includes(user.home)).toBe(false);
    expect(text.includes("Write them before the tag.")).toBe(false);
    expect(text.includes("<script>alert")).toBe(false);
    expect(text.includes("default-src 'none'")).toBe(true);
    expect(text.includes("connect-src 'none'")).toBe(true);
  });

  it("leaves out what a rule denies, and is not offered if all memory is denied", async () => {
    const topic =
      "---\nname: pay\ndescription: a day\nmetadata:\n  type: project\n---\n\nPaid on the 25th.\n";
    const user = await homeWithMemory({
      ".local/share/caliban/projects/SLUG/memory/pay.md": topic,
    });
    expect((await readPage(user)).text).toContain("Paid on the 25th.");
    for (const rule of ["memory.read(pay)", "fs.read(memory://topics/pay)"]) {
      const { text } = await readPage(user, ["--deny", rule]);
      expect(text.includes("Paid on the 25th.")).toBe(false);
      expect(text.includes("We deploy with")).toBe(true);
    }
    for (const args of [
      ["--deny", "memory.read"],
      ["--deny", "fs.read(memory://prefix)"],
      ["--no-memory"],
    ]) {
      const { client } = await connectClient2(user, { showsApps: true, args });
      expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("ShowMemory");
      await expect(client.readResource({ uri: PAGE })).rejects.toThrow("not available");
    }
  });

  it.skipIf(!canShow)(
    "shows topics in the frame of a host, introduces itself, and loads nothing",
    async () => {
      const { text } = await readPage(await homeWithMemory());
      const browser = await launchBrowser();
      onTestFinished(() => browser.close());
      const { page, foreignRequests, problems } = await watchedPage(browser, { origin: "about:" });
      await page.setContent("<iframe sandbox='allow-scripts' width=1000 height=700></iframe>");
      await page.evaluate((html) => {
        const frame = document.querySelector("iframe");
        if (frame === null) return;
        const heard: unknown[] = [];
        Object.assign(window, { heard });
        addEventListener("message", ({ data }: MessageEvent<{ readonly method?: string }>) => {
          heard.push(data.method);
          if (data.method !== "ui/initialize") return;
          frame.contentWindow?.postMessage({ jsonrpc: "2.0", id: "initialize", result: {} }, "*");
        });
        frame.srcdoc = html;
      }, text);
      const inside = page.frameLocator("iframe");
      await inside.getByRole("link", { name: "Topics" }).click();
      await inside.getByRole("link", { name: /ports/ }).first().waitFor({ timeout: 5_000 });
      await page.waitForFunction(() =>
        (Reflect.get(window, "heard") as string[]).includes("ui/notifications/size-changed"),
      );
      const heard = await page.evaluate(() => Reflect.get(window, "heard") as unknown);
      expect(heard).toContain("ui/notifications/initialized");
      expect(problems).toEqual([]);
      expect(foreignRequests).toEqual([]);
      // A page that shows and never changes.
      expect(await inside.getByRole("button", { name: /save|delete|accept|reject/i }).count()).toBe(
        0,
      );
    },
  );
});
