import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import {
  type ConnectedClient,
  connectClient,
  INITIALIZE,
  TOPIC,
  until,
} from "./support/mcp-process.ts";
import { KEY, startPty } from "./support/pty.ts";
import { type TestHome, createHome, IS_EXECUTABLE } from "./support/run-caliban.ts";

const TOPICS = ".local/share/caliban/projects/SLUG/memory";

const topicFile = (slug: string, body: string): string =>
  `---\nname: ${slug}\ndescription: "about ${slug}"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n${body}\n`;

const WITH_TOPICS = {
  [`${TOPICS}/deploy.md`]: topicFile("deploy", "Run `pnpm ship`."),
  [`${TOPICS}/payroll.md`]: topicFile("payroll", "The day is the 25th."),
};

const SAVES_AT_ONCE = { ".config/caliban/settings.toml": '[memory]\nwrite = "allow"\n' };

/** A home in which instructions of clients do not wait in the inbox. */
const savingHome = async (files: Readonly<Record<string, string>> = {}): Promise<TestHome> =>
  await createHome({ ...SAVES_AT_ONCE, ...files });

const topicsOf = ({ home, slug }: TestHome): string => join(home, TOPICS.replace("SLUG", slug));

const call = async (
  { client }: ConnectedClient,
  name: string,
  input: Record<string, unknown>,
): Promise<{ readonly text: string; readonly isError: boolean; readonly data: unknown }> => {
  const result = await client.callTool({ name, arguments: input });
  const [first] = result.content as { readonly text: string }[];
  return {
    text: first?.text ?? "",
    isError: result.isError === true,
    data: result.structuredContent,
  };
};

const textAt = async ({ client }: ConnectedClient, uri: string): Promise<string> => {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  return first !== undefined && "text" in first ? first.text : "";
};

const namesOf = (list: readonly { readonly name: string }[]): readonly string[] =>
  list.map(({ name }) => name);

describe("a client of `caliban mcp`", () => {
  it("gets an instruction into the inbox only, and a description into memory", async () => {
    const user = await createHome();
    const connected = await connectClient(user, { name: "claude-code" });
    const proposed = await call(connected, "WriteMemoryTopic", TOPIC);
    expect(proposed).toMatchObject({ isError: false, data: { slug: "pnpm", hash: "" } });
    expect(proposed.text).toContain("It waits for the user");
    const fact = { ...TOPIC, name: "pool", description: "src/pool.ts has 20 connections" };
    await call(connected, "WriteMemoryTopic", { ...fact, body: "src/pool.ts has 20 connections." });
    const { stdout } = await user.run(["memory", "list"]);
    expect(stdout).toContain("pool");
    expect(stdout).not.toContain("pnpm");
    expect((await user.run(["memory", "inbox"])).stdout).toContain("new topic pnpm");
    expect((await user.run(["memory", "log"])).stdout).toContain("(origin: other-agent)");
  });

  it("lets a client write, read and search topics, and names it in the history", async () => {
    const user = await savingHome();
    const connected = await connectClient(user, { name: "claude-code" });
    const { client, stderr } = connected;
    const { tools } = await client.listTools();
    expect(namesOf(tools)).toEqual(["ReadMemoryTopic", "WriteMemoryTopic", "MemorySearch"]);
    expect(client.getInstructions()).toContain("WriteMemoryTopic");
    expect(await call(connected, "WriteMemoryTopic", TOPIC)).toMatchObject({
      isError: false,
      data: { slug: "pnpm", isNew: true },
    });
    expect(await call(connected, "ReadMemoryTopic", { name: "pnpm" })).toMatchObject({
      data: { body: "Never npm.", session: "mcp:claude-code" },
    });
    expect(await call(connected, "MemorySearch", { query: "npm" })).toMatchObject({
      data: { topics: [{ name: "pnpm", address: "memory://topics/pnpm" }] },
    });
    expect(stderr()).toContain("caliban mcp: ~/app, 0 topics, clients may read and write\n");
    expect(stderr()).toContain("caliban mcp: memory: saved pnpm (project: we use pnpm)\n");
    expect((await user.run(["memory", "log"])).stdout).toContain("agent (mcp:claude-code)  write");
  });

  it("keeps control characters in a client's name out of the log", async () => {
    const user = await savingHome();
    const connected = await connectClient(user, { name: "\u001B[31mred\u202E\nsecond `line`" });
    await call(connected, "WriteMemoryTopic", TOPIC);
    expect((await user.run(["memory", "log"])).stdout).toContain("agent (mcp:31mred second line)");
  });

  it("lets a client read the index, topics and the prefix, and complete topic names", async () => {
    const user = await savingHome({ ...WITH_TOPICS, "app/CLAUDE.md": "- Use pnpm.\n" });
    const connected = await connectClient(user);
    const { resources } = await connected.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "memory://index",
      "memory://prefix",
      "memory://topics/deploy",
      "memory://topics/payroll",
    ]);
    expect(resources[2]).toMatchObject({
      mimeType: "text/markdown",
      description: "project: about deploy",
      size: WITH_TOPICS[`${TOPICS}/deploy.md`]?.length,
      annotations: { lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string },
    });
    const { resourceTemplates } = await connected.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "memory://topics/{slug}",
      "memory://root/{+path}",
      "memory://user/topics/{slug}",
    ]);
    expect(await textAt(connected, "memory://index")).toContain("- [deploy](deploy.md)");
    expect(await textAt(connected, "memory://topics/deploy")).toBe(
      WITH_TOPICS[`${TOPICS}/deploy.md`],
    );
    const prefix = await textAt(connected, "memory://prefix");
    expect(prefix).toContain("- Use pnpm.\n</project-claude-md>");
    expect(prefix).toContain("<auto-memory-index");
    expect(prefix).toContain("[what it was built from]");
    await expect(textAt(connected, "memory://root")).rejects.toMatchObject({
      code: -32_002,
      message: expect.stringContaining("memories.enabled") as string,
    });
    const completed = await connected.client.complete({
      ref: { type: "ref/resource", uri: "memory://topics/{slug}" },
      argument: { name: "slug", value: "PAY" },
    });
    expect(completed.completion.values).toEqual(["payroll"]);
  });

  it("lets a client read learned memory if that is turned on, and nothing next to it", async () => {
    const learned = ".local/share/caliban/projects/SLUG/autonomous";
    const user = await savingHome({
      ".config/caliban/settings.toml": "[memories]\nenabled = true\n",
      [`${learned}/current`]: "1\n",
      [`${learned}/generations/1/memory_summary.md`]: "## Facts\n\n- We ship on Thursdays.\n",
      [`${learned}/generations/1/MEMORY.md`]: "# All of it\n",
    });
    const connected = await connectClient(user);
    const { resources } = await connected.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("memory://root");
    expect(await textAt(connected, "memory://root")).toContain("Thursdays");
    expect(await textAt(connected, "memory://root/")).toBe("MEMORY.md\nmemory_summary.md\n");
    expect(await textAt(connected, "memory://root/MEMORY.md")).toBe("# All of it\n");
    for (const uri of ["memory://root/../../current", "memory://root/%2e%2e/%2e%2e/current"])
      await expect(textAt(connected, uri), `for ${uri}`).rejects.toMatchObject({ code: -32_002 });
    const denied = await connectClient(user, { args: ["--deny", "fs.read(memory://root/MEM*)"] });
    for (const uri of [
      "memory://root/MEMORY.md",
      "memory://root/./%4dEMORY.md",
      "memory://root//MEMORY.md",
    ])
      await expect(textAt(denied, uri), `for ${uri}`).rejects.toMatchObject({ code: -32_003 });
    expect(await textAt(denied, "memory://root")).toContain("Thursdays");
  });

  it("returns a long resource list in pages with each topic once", async () => {
    const slugs = Array.from({ length: 450 }, (_, index) => `topic-${index}`);
    const files = slugs.map((slug) => [`${TOPICS}/${slug}.md`, topicFile(slug, "x")]);
    const { client } = await connectClient(await savingHome(Object.fromEntries(files)));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor });
      seen.push(...page.resources.map(({ uri }) => uri));
      expect(page.resources.length).toBeLessThanOrEqual(200);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.length).toBe(452);
    expect(new Set(seen).size).toBe(452);
    await expect(client.listResources({ cursor: "b" })).rejects.toMatchObject({ code: -32_602 });
  });

  it("returns prompts that contain the user's text and name the tools", async () => {
    const { client } = await connectClient(await savingHome());
    const { prompts } = await client.listPrompts();
    expect(namesOf(prompts)).toEqual(["remember", "recall"]);
    const { messages } = await client.getPrompt({
      name: "remember",
      arguments: { what: "we ship on Fridays" },
    });
    const [message] = messages;
    expect(message).toMatchObject({ role: "user", content: { type: "text" } });
    const text = message?.content.type === "text" ? message.content.text : "";
    for (const part of ["we ship on Fridays", "MemorySearch", "WriteMemoryTopic", "if_match"])
      expect(text).toContain(part);
    expect(text).toContain("not instructions");
    await expect(client.getPrompt({ name: "recall" })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining("requires the argument question") as string,
    });
  });
});

describe("two clients that write the same topic at once", () => {
  it("refuses the second of two writes to one topic, and returns the current text to merge", async () => {
    const user = await savingHome(WITH_TOPICS);
    const both = await Promise.all([connectClient(user), connectClient(user)]);
    const [first, second] = both;
    // From now on, the clients check structured results against the schemas, even those of errors.
    await Promise.all(both.map(({ client }) => client.listTools()));
    const { data } = await call(first, "ReadMemoryTopic", { name: "deploy" });
    const { hash } = data as { readonly hash: string };
    const change = { ...TOPIC, name: "deploy", if_match: hash };
    const results = await Promise.all([
      call(first, "WriteMemoryTopic", { ...change, body: `one, in ${user.home}/app` }),
      call(second, "WriteMemoryTopic", { ...change, body: `two, in ${user.home}/app` }),
    ]);
    const [winner, loser] = results.toSorted((a, b) => Number(a.isError) - Number(b.isError));
    expect([winner?.isError, loser?.isError]).toEqual([false, true]);
    expect(loser?.text).toContain("has changed since you read it, so nothing was changed");
    // Unchanged even if it contains paths, because it is written back after merging.
    expect(loser?.text).toMatch(new RegExp(`(?:one|two), in ${user.home}/app`));
    const current = /if_match "(\w+)"/.exec(loser?.text ?? "")?.[1];
    const merged = await call(second, "WriteMemoryTopic", {
      ...change,
      body: "one and two",
      if_match: current,
    });
    expect(merged.isError).toBe(false);
    expect(await textAt(first, "memory://topics/deploy")).toContain("one and two");
  });
});

describe("a subscription to a resource", () => {
  it("reports changes by another process and by an editor, and nothing else", async () => {
    const user = await savingHome(WITH_TOPICS);
    const { client, notified } = await connectClient(user);
    await client.subscribeResource({ uri: "memory://topics/deploy" });
    await client.subscribeResource({ uri: "memory://index" });
    const wrote = await user.run(
      ["memory", "write", "deploy", "--type", "project", "--description", "new", "--replace"],
      { stdin: "Other text.\n" },
    );
    expect(wrote.exitCode).toBe(0);
    const updates = ["deploy", "index"].map(
      (name) =>
        `notifications/resources/updated memory://${name === "index" ? "" : "topics/"}${name}`,
    );
    await until(() => updates.every((update) => notified.includes(update)));
    expect(notified.filter((method) => method.includes("list_changed"))).toEqual([]);
    // A busy machine may report the two steps of a write one after the other.
    await untilQuiet(notified);
    const before = notified.length;
    // Neither the same bytes nor another topic is an update of a subscribed resource.
    const path = join(topicsOf(user), "deploy.md");
    await appendFile(path, "");
    await appendFile(join(topicsOf(user), "payroll.md"), "More.\n");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(notified.slice(before)).toEqual([]);
    await appendFile(path, "By hand.\n");
    await until(() => notified.length > before);
    expect(notified.slice(before)).toEqual([updates[0]]);
    await client.unsubscribeResource({ uri: "memory://topics/deploy" });
    await appendFile(path, "Again.\n");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(notified.length).toBe(before + 1);
  });

  it("reports changes of instruction files to subscribers of the prefix", async () => {
    const user = await savingHome({ ...WITH_TOPICS, "app/CLAUDE.md": "- Use pnpm.\n" });
    const { client, notified } = await connectClient(user);
    await client.subscribeResource({ uri: "memory://prefix" });
    // After the check that watching starts with.
    await new Promise((resolve) => setTimeout(resolve, 400));
    await appendFile(join(user.home, "app/CLAUDE.md"), "- And node 24.\n");
    await until(() => notified.length > 0);
    expect(notified).toEqual(["notifications/resources/updated memory://prefix"]);
  });

  it("reports new and removed topics, even if the directory did not exist before", async () => {
    const user = await savingHome();
    const { client, notified } = await connectClient(user);
    await client.subscribeResource({ uri: "memory://index" });
    const changed = "notifications/resources/list_changed";
    await user.run(["memory", "write", "first", "--type", "user", "--description", "d"], {
      stdin: "Text.\n",
    });
    await until(() => notified.includes(changed));
    await until(() => notified.includes("notifications/resources/updated memory://index"));
    const before = notified.length;
    await user.run(["memory", "rm", "first", "--force"]);
    await until(() => notified.slice(before).includes(changed));
    expect((await client.listResources()).resources.length).toBe(2);
  });
});

describe("the user's permission rules", () => {
  it("hides denied tools and denied topics, and refuses calls and reads of them", async () => {
    const deny = ["memory.write", "fs.read(memory://topics/pay*)"];
    const user = await savingHome({
      ...WITH_TOPICS,
      ".config/caliban/settings.toml": `[permissions]\ndeny = ${JSON.stringify(deny)}\n`,
    });
    const connected = await connectClient(user);
    const { client, stderr } = connected;
    expect(namesOf((await client.listTools()).tools)).toEqual(["ReadMemoryTopic", "MemorySearch"]);
    const { text, isError } = await call(connected, "WriteMemoryTopic", TOPIC);
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining("WriteMemoryTopic was not run. The rule memory.write") as string,
    ]);
    expect(stderr()).toContain("read-only");
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).not.toContain("memory://topics/payroll");
    for (const uri of ["payroll", "PAYROLL", "p%61yroll"].map((name) => `memory://topics/${name}`))
      await expect(textAt(connected, uri), `for ${uri}`).rejects.toMatchObject({
        code: -32_003,
        message: expect.stringContaining("denied by a permission rule of the user's") as string,
      });
    expect(await textAt(connected, "memory://topics")).not.toContain("payroll");
    const found = await call(connected, "MemorySearch", { query: "payroll 25th" });
    expect(found.text).toContain("1 matching topic is not shown");
    expect(await readdir(topicsOf(user))).toEqual(["deploy.md", "payroll.md"]);
  });

  it("denies what a rule would ask about, because no one can be asked", async () => {
    const user = await savingHome({
      ".config/caliban/settings.toml":
        '[memory]\nwrite = "ask"\n[permissions]\nask = ["memory.read"]\n',
    });
    const connected = await connectClient(user);
    const { text, isError } = await call(connected, "WriteMemoryTopic", TOPIC);
    expect(isError).toBe(true);
    expect(text).toContain("No one is available to approve it. The user can");
    await expect(textAt(connected, "memory://index")).rejects.toMatchObject({ code: -32_003 });
    expect((await connected.client.listResources()).resources).toEqual([]);
    expect((await user.run(["memory", "list"])).stdout).not.toContain("pnpm");
  });

  it("keeps a topic that a rule would ask about out of search results and refused changes", async () => {
    const user = await savingHome(WITH_TOPICS);
    const connected = await connectClient(user, { args: ["--ask", "memory.read(pay*)"] });
    const found = await call(connected, "MemorySearch", { query: "payroll 25th" });
    expect(found.text).toContain("1 matching topic is not shown");
    const change = await call(connected, "WriteMemoryTopic", { ...TOPIC, name: "payroll" });
    expect(change.isError).toBe(true);
    for (const { text, data } of [found, change])
      expect(text + JSON.stringify(data)).not.toContain("The day is");
  });

  it("applies rules from flags, and reports a typo in one", async () => {
    const { client, stderr } = await connectClient(await savingHome(), {
      args: ["--deny", "MemorySearch", "--deny", "memory.wirte"],
    });
    expect(namesOf((await client.listTools()).tools)).toEqual([
      "ReadMemoryTopic",
      "WriteMemoryTopic",
    ]);
    expect(stderr()).toContain("memory.wirte matches no tool; did you mean memory.write?");
    expect(stderr()).toContain("caliban mcp: ~/app, 0 topics, your rules deny MemorySearch\n");
    expect((await client.listPrompts()).prompts).toEqual([]);
  });
});

describe("`--read-only`", () => {
  it("offers no tool that writes with --read-only, and creates nothing on disk", async () => {
    const user = await savingHome(WITH_TOPICS);
    // The program writes its cache of compiled code in any case.
    const files = async (): Promise<readonly string[]> =>
      (await readdir(user.home, { recursive: true })).filter((name) => !name.startsWith(".cache"));
    const before = await files();
    const connected = await connectClient(user, { args: ["--read-only"] });
    const { client, stderr } = connected;
    expect(namesOf((await client.listTools()).tools)).toEqual(["ReadMemoryTopic", "MemorySearch"]);
    expect(client.getInstructions()).toContain("read-only");
    const { text } = await call(connected, "WriteMemoryTopic", TOPIC);
    expect(text).toContain("memory.write (from --read-only) denies it");
    const { data } = await call(connected, "MemorySearch", { query: "pnpm ship" });
    expect(data).toMatchObject({ topics: [{ name: "deploy" }] });
    await call(connected, "ReadMemoryTopic", { name: "none" });
    await textAt(connected, "memory://index");
    await textAt(connected, "memory://prefix");
    expect(stderr()).toContain("~/app, 2 topics, read-only\n");
    await client.close();
    expect(await files()).toEqual(before);
  });
});

describe("memory that is turned off", () => {
  const SETTINGS = { ".config/caliban/settings.toml": "[memory]\nauto = false\n" };
  it.for<[string, readonly string[], Record<string, string>, Record<string, string>]>([
    ["--no-memory", ["--no-memory"], {}, {}],
    ["--bare", ["--bare"], {}, {}],
    ["the user's settings", [], SETTINGS, {}],
    ["CALIBAN_DISABLE_AUTO_MEMORY", [], {}, { CALIBAN_DISABLE_AUTO_MEMORY: "1" }],
  ])(
    "offers nothing when memory is turned off by %s, and tells the client and the user",
    async ([by, args, files, env]) => {
      const user = await savingHome({ ...WITH_TOPICS, ...files });
      const connected = await connectClient(user, { args, env });
      const { client, stderr } = connected;
      expect((await client.listTools()).tools).toEqual([]);
      expect((await client.listPrompts()).prompts).toEqual([]);
      const off = `auto-memory is turned off by ${by}`;
      expect(stderr()).toContain(
        off.replace("the user's settings", "~/.config/caliban/settings.toml"),
      );
      await expect(call(connected, "ReadMemoryTopic", { name: "deploy" })).rejects.toThrow(off);
      await expect(client.getPrompt({ name: "recall" })).rejects.toThrow(off);
      await expect(textAt(connected, "memory://index")).rejects.toThrow("auto-memory is off");
      expect(await textAt(connected, "memory://prefix")).not.toContain("deploy");
    },
  );
});

describe("the directory whose memory is served", () => {
  it("serves the client's one root, fixed when it connects", async () => {
    const user = await savingHome({ "other/.git/HEAD": "", "app/CLAUDE.md": "of app\n" });
    const roots = [pathToFileURL(join(user.home, "other")).href];
    const { client, stderr } = await connectClient(user, { roots });
    await client.listTools();
    expect(stderr()).toContain("caliban mcp: ~/other, 0 topics");
    roots[0] = pathToFileURL(join(user.home, "app")).href;
    await client.sendRootsListChanged();
    await until(() => stderr().includes("the client changed its roots"));
    const { contents } = await client.readResource({ uri: "memory://prefix" });
    expect(JSON.stringify(contents)).not.toContain("of app");
  });

  it.for([
    ["the directory of the flag rather than a root", ["--workspace", "../third"], "~/third"],
    ["the current directory without a root", [], "~/app"],
  ] as const)("serves %s", async ([, args, shown]) => {
    const user = await savingHome({ "third/x": "", "other/x": "" });
    const roots = args.length === 0 ? [] : [pathToFileURL(join(user.home, "other")).href];
    const { client, stderr } = await connectClient(user, { args, roots });
    await client.listTools();
    expect(stderr()).toContain(`caliban mcp: ${shown}, 0 topics`);
  });

  it("requires the flag if there are several roots, or one that is not a directory", async () => {
    const user = await savingHome({ "other/x": "" });
    const [app, other] = ["app", "other"].map((name) => pathToFileURL(join(user.home, name)).href);
    for (const roots of [[app ?? "", other ?? ""], ["https://example.com/repo"]]) {
      const { client } = await connectClient(user, { roots });
      await expect(client.listTools()).rejects.toMatchObject({
        code: -32_003,
        message: expect.stringContaining("--workspace DIR") as string,
      });
      await expect(client.readResource({ uri: "memory://index" })).rejects.toThrow("--workspace");
    }
  });
});

describe("the process of the server", () => {
  it("ends when the client leaves or with a signal, after answering the requests that were read", async () => {
    const user = await savingHome();
    const topics = Array.from({ length: 20 }, (_, index) => ({ ...TOPIC, name: `t-${index}` }));
    const messages = [
      { id: 100, method: "initialize", params: INITIALIZE },
      ...topics.map((topic, id) => ({
        id,
        method: "tools/call",
        params: { name: "WriteMemoryTopic", arguments: topic },
      })),
    ];
    const piped = await user.run(["mcp"], {
      stdin: messages
        .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
        .join(""),
    });
    expect(piped.exitCode).toBe(0);
    for (const { name } of topics) expect(piped.stdout).toContain(`Saved the new topic ${name};`);
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const { child, ended, printed } = user.start(["mcp", "--workspace", "."], {
        isStdinOpen: true,
      });
      await printed("topic");
      child.kill(signal);
      expect(await ended).toMatchObject({ exitCode: code, stdout: "" });
    }
  });

  it("explains on a terminal what it is, and ends with Ctrl-D", async () => {
    const { home } = await savingHome();
    const pty = startPty({ home, cwd: join(home, "app"), args: ["mcp"], columns: 140 });
    expect(await pty.waitFor("Press Ctrl-D to stop")).toContain(
      "claude mcp add caliban -- caliban mcp",
    );
    pty.type(KEY.ctrlD);
    expect((await pty.exit).exitCode).toBe(0);
  });

  it("reports invalid settings to the user, and no path to the client", async () => {
    const user = await savingHome({ ".config/caliban/settings.toml": "[memory]\nauto = 7\n" });
    const { client, stderr } = await connectClient(user);
    await expect(client.listTools()).rejects.toThrow(/cannot open the memory(?!.*settings)/);
    expect(stderr()).toContain("settings.toml:2");
    const named = await user.run(["mcp", "--workspace", "."]);
    expect(named).toMatchObject({ exitCode: 2, stdout: "" });
    expect(named.stderr).toContain("settings.toml:2");
  });

  it.skipIf(IS_EXECUTABLE).for([["memory"], ["-p", "hello there"], ["mcp", "--help"]])(
    "loads no MCP code for %j",
    async (args) => {
      const user = await savingHome();
      const coverage = join(user.home, "coverage");
      await user.run(args, { env: { NODE_V8_COVERAGE: coverage } });
      const reports = await Promise.all(
        (await readdir(coverage)).map((name) => readFile(join(coverage, name), "utf8")),
      );
      const loaded = reports
        .flatMap((report) => (JSON.parse(report) as { result: { url: string }[] }).result)
        .flatMap(({ url }) => /dist\/([\w-]+)\.js$/.exec(url)?.[1] ?? []);
      expect(loaded).toContain("core");
      expect(loaded.filter((name) => /^(?:mcp-sdk|serve-|zod|byte-pipe)/.test(name))).toEqual([]);
    },
  );
});

/** Waits until no further notification arrives. */
async function untilQuiet(notified: readonly string[]): Promise<void> {
  for (let count = -1; count !== notified.length;) {
    count = notified.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}
