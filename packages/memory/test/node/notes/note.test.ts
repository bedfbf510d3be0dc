import { join } from "node:path";
import { estimateTokens } from "@caliban/common";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import {
  openMemorySearch,
  type OpenedMemorySearch,
  type OpenMemorySearchInput,
} from "../../../src/node/search/open-memory-search.ts";
import type { Note, NoteRequest, NoteTrigger } from "../../../src/notes/note.ts";
import type { SearchSource, SourceDocument } from "../../../src/search/live-index/source.ts";

const NOW_MS = Date.UTC(2026, 10, 18);
const READ: NoteTrigger = {
  kind: "file",
  action: "read",
  path: "src/payments/client.ts",
  text: "",
};

/** A conversation: its day, and its lines as in `statements.test.ts`. */
type Talk = readonly [day: string, ...lines: readonly string[]];

/** Past conversations by their id, as a source of documents. */
function talks(all: Readonly<Record<string, Talk>>): SearchSource {
  const lineAt = (id: string): string => {
    const [key = "", at = ""] = id.slice("sessions:".length).split("#");
    return all[key]?.[Number(at)] ?? "";
  };
  return {
    name: "sessions",
    list: async () => Object.keys(all).map((key) => ({ key, fingerprint: "1" })),
    read: async ({ key }) => {
      const [day, ...lines] = all[key] ?? [""];
      const documents = lines.map((line, at): SourceDocument => ({
        id: `sessions:${key}#${at + 1}`,
        kind: "turn",
        session: key,
        turn: at,
        body: line.slice(3),
        updatedMs: Date.parse(day) + at,
        said: {
          role: line.startsWith("u:") ? "user" : "assistant",
          isTainted: line.startsWith("t:"),
          touched: [],
        },
      }));
      return { change: "replace", documents, cursor: "" };
    },
    show: async () => undefined,
    quote: async (id) => ({ agent: "caliban", role: "user", text: lineAt(id).slice(3) }),
  };
}

interface Setup {
  readonly topics?: Readonly<Record<string, string>>;
  readonly sessions?: Readonly<Record<string, Talk>>;
  readonly input?: Partial<OpenMemorySearchInput>;
}

async function open({
  topics = {},
  sessions = {},
  input = {},
}: Setup): Promise<OpenedMemorySearch> {
  const directory = await temporaryDirectory();
  const files = Object.entries(topics).map(([slug, text]) => [`topics/${slug}.md`, text] as const);
  await writeFiles(directory, {
    "app/.git/HEAD": "",
    "topics/.keep": "",
    ...Object.fromEntries(files),
  });
  const search = openMemorySearch({
    workspace: join(directory, "app"),
    env: { XDG_DATA_HOME: join(directory, "data"), XDG_STATE_HOME: join(directory, "state") },
    platform: "linux",
    home: directory,
    directory: join(directory, "topics"),
    sources: async () => [talks(sessions)],
    ...input,
  });
  onTestFinished(() => search.stop());
  return search;
}

const request = (trigger: NoteTrigger, more: Partial<NoteRequest> = {}): NoteRequest => ({
  trigger,
  isKnown: () => false,
  isReadable: () => true,
  nowMs: NOW_MS,
  ...more,
});

async function noteFor(
  setup: Setup,
  trigger: NoteTrigger,
  more: Partial<NoteRequest> = {},
): Promise<Note | undefined> {
  const search = await open(setup);
  expect(await search.ready(60_000)).toBe(true);
  const note = await search.note(request(trigger, more));
  await search.settled();
  return note;
}

const topic = (description: string, fields = "", body = ""): string =>
  `---\nname: x\ndescription: ${description}\n${fields}metadata:\n  type: project\n---\n\n${body}\n`;
const applies = (paths: readonly string[], commands: readonly string[] = []): string =>
  `applies: ${JSON.stringify({ paths, commands })}\n`;

const RETRIES: Talk = [
  "2026-08-10",
  "u: how should the payment client handle retries?",
  "a: Which limit do you want?",
  "u: The payment client makes two retries at most.",
];
const MORE_RETRIES: Talk = [
  "2026-09-10",
  "u: the retries of the payment client are not enough",
  "a: It makes two retries at most.",
  "u: From now on the payment client makes five retries at most.",
];
const MESSAGE = "add retries to the payment client";

describe("note", () => {
  it("shows a decision of a past conversation at the call", async () => {
    const note = await noteFor({ sessions: { one: RETRIES } }, READ, { message: MESSAGE });
    expect(note).toMatchObject({
      text: "Which limit do you want? The payment client makes two retries at most.",
      source: { kind: "session", session: "one", address: "session:one#3" },
    });
  });

  it("shows the newest decision, and the older one only as what was", async () => {
    const sessions = { one: RETRIES, two: MORE_RETRIES };
    for (const trigger of [READ, { kind: "message", text: MESSAGE } as const]) {
      const note = await noteFor({ sessions }, trigger, { message: MESSAGE });
      expect(note?.text).toContain("five retries at most.");
      expect(note?.text).not.toContain("two retries");
      expect(note?.was).toMatchObject({ untilMs: Date.parse("2026-09-10") + 2 });
    }
  });

  it("leaves out an older decision after the newest one is known", async () => {
    const sessions = { one: RETRIES, two: MORE_RETRIES };
    const isKnown = (address: string): boolean => address === "session:two#3";
    expect(await noteFor({ sessions }, READ, { message: MESSAGE, isKnown })).toBe(undefined);
  });

  it("shows nothing that the agent wrote after it used a tool", async () => {
    const talk: Talk = [
      "2026-08-10",
      "u: look at the payment client",
      "t: I suggest that the payment client makes nine retries at most.",
      "u: yes, do that",
    ];
    expect(await noteFor({ sessions: { one: talk } }, READ, { message: MESSAGE })).toBe(undefined);
  });

  it.for([
    ["a known memory", { isKnown: () => true }],
    ["a memory that may not be read", { isReadable: () => false }],
  ] as const)("does not show %s", async ([, more]) => {
    expect(await noteFor({ sessions: { one: RETRIES } }, READ, { message: MESSAGE, ...more })).toBe(
      undefined,
    );
  });

  it("leaves out a statement that is to be forgotten", async () => {
    const asked: unknown[] = [];
    const isForgotten = (statement: unknown): boolean => asked.push(statement) > 0;
    const setup = { sessions: { one: RETRIES }, input: { isForgotten } };
    expect(await noteFor(setup, READ, { message: MESSAGE })).toBe(undefined);
    expect(asked[0]).toEqual({ text: RETRIES[3]?.slice(3), session: "one", byte: 3 });
  });

  it("shows nothing for a task that has nothing to do with it", async () => {
    const trigger = { kind: "file", action: "read", path: "README.md", text: "# App" } as const;
    const more = { message: "fix the typo in the title" };
    expect(await noteFor({ sessions: { one: RETRIES } }, trigger, more)).toBe(undefined);
  });

  it("gives nothing rather than waiting while the index is not loaded", async () => {
    const never = new Promise<never>(() => undefined);
    const endless: SearchSource = { ...talks({ one: RETRIES }), list: async () => await never };
    const search = await open({ input: { sources: async () => [endless] } });
    expect(await search.ready(1)).toBe(false);
    expect(await search.note(request(READ, { message: MESSAGE }))).toBe(undefined);
  });

  it("names a topic for a message while the index is not loaded", async () => {
    const search = await open({ topics: { "blue-green": topic("How we switch.") } });
    const note = await search.note(request({ kind: "message", text: "how does blue-green work?" }));
    expect(note).toMatchObject({ text: "How we switch.", source: { slug: "blue-green" } });
  });

  it("reads nothing again after a restart", async () => {
    const directory = await temporaryDirectory();
    let reads = 0;
    const source = talks({ one: RETRIES });
    const counted: SearchSource = {
      ...source,
      read: async (entry, before) => {
        reads++;
        return await source.read(entry, before);
      },
    };
    for (const round of [1, 2]) {
      const search = openMemorySearch({
        workspace: directory,
        env: { XDG_DATA_HOME: join(directory, "data"), XDG_STATE_HOME: join(directory, "state") },
        platform: "linux",
        home: directory,
        directory: join(directory, "topics"),
        sources: async () => [counted],
      });
      expect(await search.ready(60_000)).toBe(true);
      await search.settled();
      const note = await search.note(request(READ, { message: MESSAGE }));
      expect([round, note?.source.address, reads]).toEqual([round, "session:one#3", 1]);
    }
  });
});

describe("note of a topic", () => {
  it("shows a topic that applies to a file or a command", async () => {
    const topics = {
      pool: topic("The pool has 12 connections.", applies(["src/db/**"], ["npm *"])),
    };
    const file = { kind: "file", action: "edit", path: "src/db/pool.ts", text: "" } as const;
    for (const trigger of [file, { kind: "command", command: "npm test" } as const]) {
      expect(await noteFor({ topics }, trigger)).toMatchObject({
        text: "The pool has 12 connections.",
        source: { address: "memory://topics/pool" },
        why: { match: "applies" },
      });
    }
  });

  it("chooses the topic that has most to do with the task, of a thousand that apply to a file", async () => {
    const topics = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [
        `t${at}`,
        topic(at === 600 ? "Rounding of taxes is half up." : `Rule ${at}.`, applies(["**"])),
      ]),
    );
    const trigger = { kind: "file", action: "edit", path: "src/tax.ts", text: "" } as const;
    const note = await noteFor({ topics }, trigger, { message: "change the rounding of taxes" });
    expect(note?.text).toBe("Rounding of taxes is half up.");
  });

  it("leaves out what was if it says the same as what is", async () => {
    const topics = {
      old: topic("Remember to deploy with pnpm ship.", applies(["deploy/**"])),
      new: topic("Deploy with pnpm ship.", 'supersedes: ["old"]\n'),
    };
    const trigger = { kind: "file", action: "read", path: "deploy/a.sh", text: "" } as const;
    const note = await noteFor({ topics }, trigger);
    expect(note).toMatchObject({ text: "Deploy with pnpm ship." });
    expect(note?.was).toBeUndefined();
  });

  it("shows the topic that replaces another one", async () => {
    const topics = {
      old: topic("Deploy with make.", applies(["deploy/**"])),
      new: topic("Deploy with pnpm ship.", 'supersedes: ["old"]\n'),
    };
    const trigger = { kind: "file", action: "read", path: "deploy/a.sh", text: "" } as const;
    expect(await noteFor({ topics }, trigger)).toMatchObject({
      text: "Deploy with pnpm ship.",
      was: { text: "Deploy with make." },
    });
  });

  it("says what has become of its evidence", async () => {
    const evidence = [{ path: "a.ts", sha256: "0".repeat(64), snippet: "max: 20" }];
    const fields = `${applies(["**"])}evidence: ${JSON.stringify(evidence)}\n`;
    const checked: unknown[] = [];
    const note = await noteFor(
      {
        topics: { pool: topic("The pool has 20 connections.", fields) },
        input: {
          checkEvidence: async (given) => {
            checked.push(given);
            return "changed";
          },
        },
      },
      READ,
    );
    expect(note?.source).toMatchObject({ evidence: "changed" });
    expect(checked).toEqual([evidence]);
  });

  it("never contains a secret, nor more than 80 tokens", async () => {
    const secret = ["ghp", "_", "x7Kq2mZpR4vT9wYb3nLd8sHf6jGc1aEu5oQi"].join("");
    const body = `The token is ${secret}. ${"One more sentence about it. ".repeat(60)}`;
    const note = await noteFor(
      { topics: { token: topic("Tokens.", applies(["**"]), body) } },
      READ,
    );
    expect(note?.text).not.toContain(secret);
    expect(estimateTokens(note?.text ?? "")).toBeLessThanOrEqual(80);
  });

  it("comes from topics of an older version and with odd times as well", async () => {
    const topics = {
      plain: "No header, just text about the payment client and its retries.\n",
      future: topic("The payment client makes two retries.", "updated: 2199-01-01\n"),
    };
    expect(await noteFor({ topics }, READ, { message: MESSAGE })).toBeDefined();
  });
});

describe("note of anything", () => {
  it("never fails, and never exceeds its limit", async () => {
    const search = await open({
      topics: { pool: topic("The pool has 12 connections.", applies(["src/**"])) },
      sessions: { one: RETRIES, two: MORE_RETRIES },
    });
    await search.ready(60_000);
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(MESSAGE, "src/payments/client.ts", "npm test", "../", ""),
    );
    const trigger: fc.Arbitrary<NoteTrigger> = fc.oneof(
      fc.record({ kind: fc.constant("message" as const), text }),
      fc.record({ kind: fc.constant("command" as const), command: text }),
      fc.record({
        kind: fc.constant("file" as const),
        action: fc.constantFrom("read" as const, "edit" as const, "create" as const),
        path: text,
        text,
      }),
    );
    await fc.assert(
      fc.asyncProperty(trigger, text, async (given, message) => {
        const note = await search.note(request(given, { message }));
        expect(estimateTokens(`${note?.text ?? ""}${note?.was?.text ?? ""}`)).toBeLessThanOrEqual(
          80,
        );
        expect(note?.text ?? "").not.toContain("two retries");
      }),
      { numRuns: 40 },
    );
  });
});
