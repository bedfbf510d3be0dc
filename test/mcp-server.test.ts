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
import { type Household, household } from "./support/run-caliban.ts";

const NOTES = ".local/share/caliban/projects/SLUG/memory";

const noteOf = (slug: string, body: string): string =>
  `---\nname: ${slug}\ndescription: "about ${slug}"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n${body}\n`;

const WITH_NOTES = {
  [`${NOTES}/deploy.md`]: noteOf("deploy", "Run `pnpm ship`."),
  [`${NOTES}/payroll.md`]: noteOf("payroll", "The day is the 25th."),
};

const notesOf = ({ home, slug }: Household): string => join(home, NOTES.replace("SLUG", slug));

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
  it("finds three tools, writes, reads and searches, and the history names it", async () => {
    const place = await household();
    const connected = await connectClient(place, { name: "claude-code" });
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
    expect((await place.run(["memory", "log"])).stdout).toContain("agent (mcp:claude-code)  write");
  });

  it("that names itself badly does no harm to the terminal of the log", async () => {
    const place = await household();
    const connected = await connectClient(place, { name: "\u001B[31mred\u202E\nsecond `line`" });
    await call(connected, "WriteMemoryTopic", TOPIC);
    expect((await place.run(["memory", "log"])).stdout).toContain("agent (mcp:31mred second line)");
  });

  it("reads the index, topics, the whole prefix and what was learned", async () => {
    const place = await household({ ...WITH_NOTES, "app/CLAUDE.md": "- Use pnpm.\n" });
    const connected = await connectClient(place);
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
      size: WITH_NOTES[`${NOTES}/deploy.md`]?.length,
      annotations: { lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string },
    });
    const { resourceTemplates } = await connected.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "memory://topics/{slug}",
      "memory://root/{+path}",
    ]);
    expect(await textAt(connected, "memory://index")).toContain("- [deploy](deploy.md)");
    expect(await textAt(connected, "memory://topics/deploy")).toBe(
      WITH_NOTES[`${NOTES}/deploy.md`],
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

  it("reads what was learned, where that is turned on, and nothing beside it", async () => {
    const learned = ".local/share/caliban/projects/SLUG/autonomous";
    const place = await household({
      ".config/caliban/settings.toml": "[memories]\nenabled = true\n",
      [`${learned}/current`]: "1\n",
      [`${learned}/generations/1/memory_summary.md`]: "## Facts\n\n- We ship on Thursdays.\n",
      [`${learned}/generations/1/MEMORY.md`]: "# All of it\n",
    });
    const connected = await connectClient(place);
    const { resources } = await connected.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("memory://root");
    expect(await textAt(connected, "memory://root")).toContain("Thursdays");
    expect(await textAt(connected, "memory://root/")).toBe("MEMORY.md\nmemory_summary.md\n");
    expect(await textAt(connected, "memory://root/MEMORY.md")).toBe("# All of it\n");
    for (const uri of ["memory://root/../../current", "memory://root/%2e%2e/%2e%2e/current"])
      await expect(textAt(connected, uri), `for ${uri}`).rejects.toMatchObject({ code: -32_002 });
    const denied = await connectClient(place, { args: ["--deny", "fs.read(memory://root/MEM*)"] });
    for (const uri of [
      "memory://root/MEMORY.md",
      "memory://root/./%4dEMORY.md",
      "memory://root//MEMORY.md",
    ])
      await expect(textAt(denied, uri), `for ${uri}`).rejects.toMatchObject({ code: -32_003 });
    expect(await textAt(denied, "memory://root")).toContain("Thursdays");
  });

  it("gets a long list in pages, each topic once", async () => {
    const slugs = Array.from({ length: 450 }, (_, index) => `topic-${index}`);
    const files = slugs.map((slug) => [`${NOTES}/${slug}.md`, noteOf(slug, "x")]);
    const { client } = await connectClient(await household(Object.fromEntries(files)));
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

  it("is given prompts that name the tools, with what the person says in them", async () => {
    const { client } = await connectClient(await household());
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
      message: expect.stringContaining("needs its argument question") as string,
    });
  });
});

describe("two clients that write the same topic at once", () => {
  it("lose nothing: the second hears what to do, and what the first wrote", async () => {
    const place = await household(WITH_NOTES);
    const both = await Promise.all([connectClient(place), connectClient(place)]);
    const [first, second] = both;
    // From here on they hold structured results against the schemas, also those of errors.
    await Promise.all(both.map(({ client }) => client.listTools()));
    const { data } = await call(first, "ReadMemoryTopic", { name: "deploy" });
    const { hash } = data as { readonly hash: string };
    const change = { ...TOPIC, name: "deploy", if_match: hash };
    const results = await Promise.all([
      call(first, "WriteMemoryTopic", { ...change, body: `one, in ${place.home}/app` }),
      call(second, "WriteMemoryTopic", { ...change, body: `two, in ${place.home}/app` }),
    ]);
    const [winner, loser] = results.toSorted((a, b) => Number(a.isError) - Number(b.isError));
    expect([winner?.isError, loser?.isError]).toEqual([false, true]);
    expect(loser?.text).toContain("has changed since you read it, so nothing was changed");
    // As it is, also where it speaks of places: what is merged is written back.
    expect(loser?.text).toMatch(new RegExp(`(?:one|two), in ${place.home}/app`));
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

describe("a subscription", () => {
  it("hears of what another process and an editor change, and of nothing else", async () => {
    const place = await household(WITH_NOTES);
    const { client, notified } = await connectClient(place);
    await client.subscribeResource({ uri: "memory://topics/deploy" });
    await client.subscribeResource({ uri: "memory://index" });
    const wrote = await place.run(
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
    const before = notified.length;
    // The same bytes again, and another topic: neither is an update of what was subscribed to.
    const path = join(notesOf(place), "deploy.md");
    await appendFile(path, "");
    await appendFile(join(notesOf(place), "payroll.md"), "More.\n");
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

  it("of the prefix hears of instruction files, too", async () => {
    const place = await household({ ...WITH_NOTES, "app/CLAUDE.md": "- Use pnpm.\n" });
    const { client, notified } = await connectClient(place);
    await client.subscribeResource({ uri: "memory://prefix" });
    // Behind the look with which watching begins.
    await new Promise((resolve) => setTimeout(resolve, 400));
    await appendFile(join(place.home, "app/CLAUDE.md"), "- And node 24.\n");
    await until(() => notified.length > 0);
    expect(notified).toEqual(["notifications/resources/updated memory://prefix"]);
  });

  it("hears of new and removed topics, also where there was no directory when it began", async () => {
    const place = await household();
    const { client, notified } = await connectClient(place);
    await client.subscribeResource({ uri: "memory://index" });
    const changed = "notifications/resources/list_changed";
    await place.run(["memory", "write", "first", "--type", "user", "--description", "d"], {
      stdin: "Text.\n",
    });
    await until(() => notified.includes(changed));
    await until(() => notified.includes("notifications/resources/updated memory://index"));
    const before = notified.length;
    await place.run(["memory", "rm", "first", "--force"]);
    await until(() => notified.slice(before).includes(changed));
    expect((await client.listResources()).resources.length).toBe(2);
  });
});

describe("the person's rules", () => {
  it("keep a denied tool from the list and from being called, and topics from being read", async () => {
    const deny = ["memory.write", "fs.read(memory://topics/pay*)"];
    const place = await household({
      ...WITH_NOTES,
      ".config/caliban/settings.toml": `[permissions]\ndeny = ${JSON.stringify(deny)}\n`,
    });
    const connected = await connectClient(place);
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
        message: expect.stringContaining("a permission rule of the person's denies") as string,
      });
    expect(await textAt(connected, "memory://topics")).not.toContain("payroll");
    const found = await call(connected, "MemorySearch", { query: "payroll 25th" });
    expect(found.text).toContain("1 topic that fits is not shown");
    expect(await readdir(notesOf(place))).toEqual(["deploy.md", "payroll.md"]);
  });

  it("that ask are refusals that say how to allow, because nobody is there to be asked", async () => {
    const place = await household({
      ".config/caliban/settings.toml":
        '[memory]\nwrite = "ask"\n[permissions]\nask = ["memory.read"]\n',
    });
    const connected = await connectClient(place);
    const { text, isError } = await call(connected, "WriteMemoryTopic", TOPIC);
    expect(isError).toBe(true);
    expect(text).toContain("No one is available to approve it. The user can");
    await expect(textAt(connected, "memory://index")).rejects.toMatchObject({ code: -32_003 });
    expect((await connected.client.listResources()).resources).toEqual([]);
    expect((await place.run(["memory", "list"])).stdout).not.toContain("pnpm");
  });

  it("that ask about a topic keep it from being found, and from being shown by a refused change", async () => {
    const place = await household(WITH_NOTES);
    const connected = await connectClient(place, { args: ["--ask", "memory.read(pay*)"] });
    const found = await call(connected, "MemorySearch", { query: "payroll 25th" });
    expect(found.text).toContain("1 topic that fits is not shown");
    const change = await call(connected, "WriteMemoryTopic", { ...TOPIC, name: "payroll" });
    expect(change.isError).toBe(true);
    for (const { text, data } of [found, change])
      expect(text + JSON.stringify(data)).not.toContain("The day is");
  });

  it("hold for flags as well, and a slip in one is told", async () => {
    const { client, stderr } = await connectClient(await household(), {
      args: ["--deny", "MemorySearch", "--deny", "memory.wirte"],
    });
    expect(namesOf((await client.listTools()).tools)).toEqual([
      "ReadMemoryTopic",
      "WriteMemoryTopic",
    ]);
    expect(stderr()).toContain("memory.wirte holds for no tool; did you mean memory.write?");
    expect(stderr()).toContain("caliban mcp: ~/app, 0 topics, your rules deny MemorySearch\n");
    expect((await client.listPrompts()).prompts).toEqual([]);
  });
});

describe("`--read-only`", () => {
  it("offers nothing that writes, refuses a write, and makes nothing on the disk", async () => {
    const place = await household(WITH_NOTES);
    // The cache of compiled code is the program's own, whatever it is asked for.
    const files = async (): Promise<readonly string[]> =>
      (await readdir(place.home, { recursive: true })).filter((name) => !name.startsWith(".cache"));
    const before = await files();
    const connected = await connectClient(place, { args: ["--read-only"] });
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

describe("where the notes are turned off", () => {
  const SETTINGS = { ".config/caliban/settings.toml": "[memory]\nauto = false\n" };
  it.for<[string, readonly string[], Record<string, string>, Record<string, string>]>([
    ["--no-memory", ["--no-memory"], {}, {}],
    ["--bare", ["--bare"], {}, {}],
    ["the person's settings", [], SETTINGS, {}],
    ["CALIBAN_DISABLE_AUTO_MEMORY", [], {}, { CALIBAN_DISABLE_AUTO_MEMORY: "1" }],
  ])(
    "by %s, client and person hear of it, and there is nothing",
    async ([by, args, files, env]) => {
      const place = await household({ ...WITH_NOTES, ...files });
      const connected = await connectClient(place, { args, env });
      const { client, stderr } = connected;
      expect((await client.listTools()).tools).toEqual([]);
      expect((await client.listPrompts()).prompts).toEqual([]);
      const off = `auto-memory is turned off by ${by}`;
      expect(stderr()).toContain(
        off.replace("the person's settings", "~/.config/caliban/settings.toml"),
      );
      await expect(call(connected, "ReadMemoryTopic", { name: "deploy" })).rejects.toThrow(off);
      await expect(client.getPrompt({ name: "recall" })).rejects.toThrow(off);
      await expect(textAt(connected, "memory://index")).rejects.toThrow("no notes in this run");
      expect(await textAt(connected, "memory://prefix")).not.toContain("deploy");
    },
  );
});

describe("the directory", () => {
  it("is the client's one root, fixed when it connects", async () => {
    const place = await household({ "other/.git/HEAD": "", "app/CLAUDE.md": "of app\n" });
    const roots = [pathToFileURL(join(place.home, "other")).href];
    const { client, stderr } = await connectClient(place, { roots });
    await client.listTools();
    expect(stderr()).toContain("caliban mcp: ~/other, 0 topics");
    roots[0] = pathToFileURL(join(place.home, "app")).href;
    await client.sendRootsListChanged();
    await until(() => stderr().includes("the project stays what it was"));
    const { contents } = await client.readResource({ uri: "memory://prefix" });
    expect(JSON.stringify(contents)).not.toContain("of app");
  });

  it.for([
    ["the flag before the root", ["--workspace", "../third"], "~/third"],
    ["that of the start without a root", [], "~/app"],
  ] as const)("is %s", async ([, args, shown]) => {
    const place = await household({ "third/x": "", "other/x": "" });
    const roots = args.length === 0 ? [] : [pathToFileURL(join(place.home, "other")).href];
    const { client, stderr } = await connectClient(place, { args, roots });
    await client.listTools();
    expect(stderr()).toContain(`caliban mcp: ${shown}, 0 topics`);
  });

  it("must be named by the flag where there are several roots, or one that is no directory", async () => {
    const place = await household({ "other/x": "" });
    const [app, other] = ["app", "other"].map((name) => pathToFileURL(join(place.home, name)).href);
    for (const roots of [[app ?? "", other ?? ""], ["https://example.com/repo"]]) {
      const { client } = await connectClient(place, { roots });
      await expect(client.listTools()).rejects.toMatchObject({
        code: -32_003,
        message: expect.stringContaining("--workspace DIR") as string,
      });
      await expect(client.readResource({ uri: "memory://index" })).rejects.toThrow("--workspace");
    }
  });
});

describe("the server itself", () => {
  it("ends when its client goes, and with a signal, after what it was doing", async () => {
    const place = await household();
    const topics = Array.from({ length: 20 }, (_, index) => ({ ...TOPIC, name: `t-${index}` }));
    const messages = [
      { id: 100, method: "initialize", params: INITIALIZE },
      ...topics.map((topic, id) => ({
        id,
        method: "tools/call",
        params: { name: "WriteMemoryTopic", arguments: topic },
      })),
    ];
    const piped = await place.run(["mcp"], {
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
      const { child, ended, printed } = place.start(["mcp", "--workspace", "."], {
        isStdinOpen: true,
      });
      await printed("topic");
      child.kill(signal);
      expect(await ended).toMatchObject({ exitCode: code, stdout: "" });
    }
  });

  it("says what it is to a person who types it, and ends with Ctrl-D", async () => {
    const { home } = await household();
    const pty = startPty({ home, cwd: join(home, "app"), args: ["mcp"], columns: 140 });
    expect(await pty.waitFor("Ctrl-D ends it")).toContain("claude mcp add caliban -- caliban mcp");
    pty.type(KEY.ctrlD);
    expect((await pty.exit).exitCode).toBe(0);
  });

  it("says what is wrong with settings to the person, and no path to the client", async () => {
    const place = await household({ ".config/caliban/settings.toml": "[memory]\nauto = 7\n" });
    const { client, stderr } = await connectClient(place);
    await expect(client.listTools()).rejects.toThrow(/The memory cannot be opened(?!.*settings)/);
    expect(stderr()).toContain("settings.toml:2");
    const named = await place.run(["mcp", "--workspace", "."]);
    expect(named).toMatchObject({ exitCode: 2, stdout: "" });
    expect(named.stderr).toContain("settings.toml:2");
  });

  it.for([["memory"], ["-p", "hello there"], ["mcp", "--help"]])(
    "is not even loaded by %j",
    async (args) => {
      const place = await household();
      const coverage = join(place.home, "coverage");
      await place.run(args, { env: { NODE_V8_COVERAGE: coverage } });
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
