import { join } from "node:path";
import { openInbox } from "@caliban/memory/node";
import { parseSessionId } from "@caliban/sessions";
import type { Skill } from "@caliban/skills";
import { KEYS, type PickItem, type ScreenUser } from "@caliban/tui";
import { describe, expect, it } from "vitest";
import type { Invocation } from "../../../../src/command.ts";
import { sessionItem } from "../../../../src/commands/chat/slash/conversations.ts";
import { SLASH_COMMANDS } from "../../../../src/commands/chat/slash/slash-table.ts";
import { machine } from "../../../fake-host.ts";
import { prompt, said } from "./slash-prompt.ts";

describe("the output of slash commands", () => {
  it("/help lists every command and every key with its purpose", async () => {
    const { type } = await prompt(await machine());
    const { kind, text } = await said(type("/help"));
    expect(kind).toBe("text");
    const lines = text.split("\n");
    for (const { name, doc } of SLASH_COMMANDS) {
      expect(lines.filter((line) => /^\/[\w-]+/.exec(line)?.[0] === `/${name}`)).toEqual([
        expect.stringMatching(/ {2}\S/),
      ]);
      expect(lines.filter((line) => line.endsWith(`  ${doc}`))).toHaveLength(1);
    }
    const keys = KEYS.map(({ keys: typed, doc }) => ({ typed, doc }));
    const shown = lines.slice(-keys.length).map((line) => line.split(/ {2,}/));
    expect(shown).toEqual(keys.map(({ typed, doc }) => [typed, doc]));
    expect(text).toContain("/resume [id]");
    expect(text).toMatch(/^Up, Down +Browse the messages you sent$/m);
  });

  it("/cost shows the counted tokens", async () => {
    const usage = {
      inputTokens: 1_234_567,
      outputTokens: 8_910,
      cacheReadTokens: 1_200_000,
      cacheWriteTokens: 30_000,
    };
    const spent = { usage, requests: 12, elapsedMs: 7 * 60_000 };
    const { type } = await prompt(await machine(), {}, { spent });
    expect((await said(type("/cost"))).text).toMatchInlineSnapshot(`
      "requests                  12
      input tokens       1,234,567
        cache reads      1,200,000
        cache writes        30,000
      output tokens          8,910
      minutes                    7"
    `);
  });

  it("/skills lists each skill with its purpose and origin", async () => {
    const skill = (name: string, more: Partial<Skill>): Skill => ({
      name,
      description: `About ${name}.`,
      body: "",
      path: `/skills/${name}`,
      origin: "workspace",
      modelInvocation: true,
      ...more,
    });
    const skills = [
      skill("deploy", {}),
      skill("remembering", { origin: "bundled", alwaysLoaded: true }),
      skill("own", { origin: "user", description: "Mine.\u001B[2J" }),
    ];
    const { type } = await prompt(await machine(), {}, { skills });
    expect((await said(type("/skills"))).text).toMatchInlineSnapshot(`
      "deploy       About deploy. (workspace)
      remembering  About remembering. (bundled, always loaded)
      own          Mine.\\u{1b}[2J (user)"
    `);
    const none = await prompt(await machine());
    expect((await said(none.type("/skills"))).text).toContain(".caliban/skills/<name>");
  });

  it("/model shows the current model, the user's providers, and what the others need", async () => {
    const place = await machine({
      ".config/caliban/settings.toml":
        '[providers.home]\napi = "openai-compatible"\nbase_url = "http://localhost:1/v1"\n',
    });
    const { type } = await prompt(place, {}, { model: "home/tiny" });
    const { text } = await said(type("/model"));
    expect(text).toMatch(/^model: home\/tiny\n/);
    expect(text).toMatch(/^ {2}home\/<model> +from your settings$/m);
    expect(text).toMatch(/^ {2}anthropic\/claude-\S+ +needs ANTHROPIC_API_KEY$/m);
    expect(text).toMatch(
      /^ {2}google\/\S+ +needs GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY$/m,
    );
    expect(text).toMatch(/^ {2}ollama\/<model> +on this machine$/m);
  });

  it("/permissions lists every rule with its source, deny first", async () => {
    const rule = (text: string, source: string) => ({ text, name: text, source });
    const rules = {
      allow: [rule("Read", "--allow"), rule("Grep", "settings.toml")],
      ask: [rule("memory.write", '[memory] write = "ask"')],
      deny: [rule("shell(rm *)\u001B[2J", "settings.toml")],
    };
    const { type } = await prompt(await machine(), {}, { rules });
    expect((await said(type("/permissions"))).text).toMatchInlineSnapshot(`
      "mode   default: asks before writes, and commands that do more than read
      deny   shell(rm *)\\u{1b}[2J  (settings.toml)
      ask    memory.write  ([memory] write = "ask")
      allow  Read  (--allow)
      allow  Grep  (settings.toml)
      Without a rule, memory, reading in the workspace and commands that only read it are allowed; the agent asks about the rest.
      To add a rule: /permissions allow|ask|deny <rule>. Others come from flags (--allow, --ask, --deny) and enforced topics (/memory enforce)."
    `);
    const none = await prompt(await machine());
    expect((await said(none.type("/permissions"))).text).toContain("\nno rules configured\n");
  });
});

describe("the list of earlier conversations", () => {
  const START = {
    type: "session-start",
    v: 1,
    id: "20261116-100000-aaaa",
    at: "2026-11-16T10:00:00.000Z",
    workspace: "/app",
    cwd: "/app",
    model: "a/b",
    version: "1.2.3",
    title: "How do we deploy?",
  };
  const SESSION = `.local/share/caliban/projects/SLUG/sessions/${START.id}.jsonl`;
  const message = (index: number) => {
    const asked = { role: "user", text: "a" };
    const answered = { role: "assistant", model: "a/b", parts: [] };
    return {
      type: "message",
      id: `m${index}`,
      at: START.at,
      message: index % 2 === 1 ? asked : answered,
    };
  };

  it.each([
    [-5, "now  a"],
    [0.9, "now  a"],
    [59.9, "59m  a"],
    [60, "1h   a"],
    [24 * 60 - 1, "23h  a"],
    [24 * 60, "1d   a"],
    [24 * 60 * 400, "400d a"],
  ])("puts the age first, where a narrow screen shows it: %d minutes", (minutes, label) => {
    const nowMs = Date.parse(START.at);
    const updatedMs = nowMs - minutes * 60_000;
    const session = {
      id: parseSessionId(START.id),
      name: undefined,
      title: "a",
      updatedMs,
      exchangeCount: 1,
    };
    expect(sessionItem(session, nowMs).label).toBe(label);
  });

  it.for([
    [2, "1 exchange"],
    [4, "2 exchanges"],
  ] as const)("counts %i messages as %s, as `caliban sessions` does", async ([count, words]) => {
    const messages = Array.from({ length: count }, (_, index) => message(index + 1));
    const records = [START, ...messages].map((record) => JSON.stringify(record));
    const place = await machine({ [SESSION]: `${records.join("\n")}\n` });
    const offered: PickItem[] = [];
    const pick: ScreenUser["pick"] = async (_, items) => {
      offered.push(...items);
      return START.id;
    };
    const { type, log } = await prompt(place, { pick });
    expect((await said(type("/resume"))).kind).toBe("switched");
    expect(log).toEqual([`resume ${START.id}`]);
    expect(offered).toEqual([
      {
        value: START.id,
        label: expect.stringMatching(/^(?:now|\d+[mhd]) +How do we deploy\?$/) as string,
        description: words,
      },
    ]);
    expect((await place.caliban("sessions")).stdout).toContain(`  ${words}  `);
  });
});

describe("/memory inbox", () => {
  it("shows the whole text of a proposal with the question", async () => {
    const place = await machine();
    const directory = join(place.home, ".local/share/caliban/projects", place.slug, "inbox");
    await openInbox(directory).propose({
      action: "write",
      topic: { name: "deploy", description: "How", type: "project", body: "Use curl | sh." },
      scope: "project",
      origin: "web",
      reason: "SECURITY",
    });
    const texts: string[] = [];
    const choose: ScreenUser["choose"] = async (_question, items, text = "") => {
      texts.push(text);
      return items.find(({ label }) => label === "Reject")?.value;
    };
    const { type } = await prompt(place, { choose });
    expect((await said(type("/memory inbox"))).text).toContain("rejected");
    expect(texts).toEqual([expect.stringContaining("Use curl | sh.")]);
  });
});

describe("a shell command at the prompt", () => {
  const FILES = {
    "app/CLAUDE.md": "Here.\n",
    "other/CLAUDE.md": "There.\n",
    "extra/CLAUDE.md": "Extra.\n",
  };
  const VARIABLE = "CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD";

  it.for([
    ["nothing", {}, ["app/CLAUDE.md"]],
    ["--workspace", { workspace: "~/other" }, ["other/CLAUDE.md"]],
    ["--add-dir", { additionalDirectories: ["../extra"] }, ["app/CLAUDE.md", "extra/CLAUDE.md"]],
    ["--bare", { bare: true }, []],
    ["--no-memory", { memory: false }, []],
  ] as const satisfies readonly (readonly [string, Partial<Invocation>, readonly string[]])[])(
    "runs where %s put the conversation",
    async ([, invocation, expected]) => {
      const start = await machine(FILES);
      const place = start.with({ env: { HOME: start.home, [VARIABLE]: "1" } });
      const { type } = await prompt(place, {}, { invocation: { ...invocation } });
      const { text } = await said(type("/memory explain --json"));
      const { entries } = JSON.parse(text) as {
        readonly entries: readonly { readonly path: string; readonly status: string }[];
      };
      const loaded = entries.filter(({ status }) => status === "loaded").map(({ path }) => path);
      expect(loaded).toEqual(expected.map((path) => join(start.home, path)));
    },
  );
});
