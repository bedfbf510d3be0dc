import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { comparable, withoutDescriptions } from "./support/corpus/comparable.ts";
import {
  CORPUS,
  type Corpus,
  copyCorpus,
  filesBelow,
  readManifest,
} from "./support/corpus/copy-corpus.ts";
import {
  observe,
  observeChange,
  observeExitCodes,
  observeMcpServer,
  observeModelTools,
  observePrefix,
  startLocalModel,
} from "./support/corpus/observe.ts";
import {
  ANSWERS,
  CHANGING,
  EXIT_CODES,
  PREFIXES,
  READING,
  VARIABLES,
} from "./support/corpus/recorded-commands.ts";
import { BIN } from "./support/run-caliban.ts";
import type { Script } from "./support/model-server/model-server.ts";
import { messagesOf } from "./support/model-server/received-request.ts";
import { temporaryDirectory, temporaryDirectoryOfFile } from "./support/temporary-directory.ts";

// Data that version 0.0.0 wrote, and its output for that data. test/corpus/README.md describes how both were made.

/** Every so many command lines run; all with FULL=1. */
const SAMPLED = 6;
const FULL = process.env["FULL"] === "1";
const PROGRAM = { bin: BIN, node: process.execPath };
const shared = copyCorpus(await temporaryDirectoryOfFile(), PROGRAM);

const copy = async (): Promise<Corpus> => copyCorpus(await temporaryDirectory(), PROGRAM);
const expected = (name: string): unknown =>
  JSON.parse(readFileSync(join(CORPUS, "expected", `${name}.json`), "utf8"));

interface Change {
  readonly id: string;
  readonly who: string;
  readonly action: string;
  readonly files: readonly { readonly slug: string; readonly before: string | null }[];
}

/** Parses what a command printed, which must have succeeded. */
async function json<Value>({ run }: Corpus, ...args: readonly string[]): Promise<Value> {
  const { exitCode, stdout, stderr } = await run([...args, "--json"]);
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout) as Value;
}

const topicFile = (corpus: Corpus, slug: string, project = "app"): string =>
  readFileSync(join(corpus.projectHome(project), "memory", `${slug}.md`), "utf8");

/** The stored session whose first message is this. */
function sessionAbout(
  corpus: Corpus,
  title: string,
): { readonly id: string; readonly path: string } {
  const directory = join(corpus.projectHome(), "sessions");
  const names = readdirSync(directory).toSorted();
  const found = names.find((name) =>
    readFileSync(join(directory, name), "utf8").split("\n")[0]?.includes(`"title":"${title}"`),
  );
  if (found === undefined) throw new Error(`No session is about "${title}"`);
  return { id: found.replace(".jsonl", ""), path: join(directory, found) };
}

async function localModel(corpus: Corpus, script: Script) {
  const server = await startLocalModel(corpus, script);
  onTestFinished(server.close);
  return server;
}

describe("the corpus", () => {
  it("finds the corpus unedited since version 0.0.0 wrote it", () => {
    const directory = join(CORPUS, "data");
    const found = filesBelow(directory).map((path) => {
      const sha256 = createHash("sha256").update(readFileSync(join(directory, path)));
      return `${sha256.digest("hex")} ${path}`;
    });
    const { files } = readManifest();
    expect(found).toEqual(files.map(({ sha256, path }) => `${sha256} ${path}`).toSorted(byPath));
  });
});

describe("the prompt", () => {
  it.for(Object.entries(PREFIXES))(
    "keeps the prompt prefix byte for byte: %s",
    async ([name, command]) => {
      const prefix = readFileSync(join(CORPUS, "expected/prefix", `${name}.txt`), "utf8");
      expect(await observePrefix(shared, command)).toBe(prefix);
    },
  );

  it("shows the same prompt prefix at memory://prefix", async () => {
    const prefix = readFileSync(join(CORPUS, "expected/prefix/whole.txt"), "utf8");
    const { stdout } = await shared.run(["memory", "read", "memory://prefix"]);
    expect(stdout.slice(0, prefix.length)).toBe(prefix);
  });
});

/** Settings that version 0.0.0 did not have. */
const NEW_SETTINGS: ReadonlySet<string> = new Set([
  "hooks",
  "memory.user",
  "memory.team.enabled",
  "memory.team.auto",
  "memory.team.share",
  "memory.team.cap_tokens",
]);

function withoutNewSettings<Observed>(observed: Observed): Observed {
  const isNew = (item: unknown): boolean =>
    NEW_SETTINGS.has(String((Object(item) as { readonly key?: unknown }).key));
  return JSON.parse(
    JSON.stringify(observed, (_key, value: unknown) =>
      Array.isArray(value) ? value.filter((item) => !isNew(item)) : value,
    ),
  );
}

describe("the output", () => {
  it.for(Object.entries(READING))("prints the same JSON for %s", async ([name, command]) => {
    const observed = withoutNewSettings(await observe(shared, command));
    expect(comparable(observed)).toEqual(comparable(expected(`output/${name}`)));
  });

  it.for(Object.entries(CHANGING))(
    "prints the same JSON and changes the same files for %s",
    async ([name, command]) => {
      // Ids and hashes of new changes are random. The offline model may word its answer differently.
      const isAnswer = command.args.includes("-p");
      const masks = {
        volatile: ["change", "done", "hash", ...(isAnswer ? ["id", "usage"] : ["id"])],
        text: isAnswer ? ["text"] : [],
      };
      const observed = await observeChange(await copy(), command);
      expect(comparable(observed, masks)).toEqual(comparable(expected(`output/${name}`), masks));
    },
  );

  it.for(Object.entries(ANSWERS))("prints the same JSON for an %s", async ([name, command]) => {
    // A message gets one note with a memory in its own words, where version 0.0.0 named up to three topics.
    const masks = { volatile: ["usage", "recalled", "note"], text: ["text"] };
    const observed = await observe(await copy(), command);
    expect(comparable(observed, masks)).toEqual(comparable(expected(`output/${name}`), masks));
  });

  it.for(Object.entries(VARIABLES))(
    "prints the same JSON with the environment variable %s",
    async ([name, command]) => {
      const observed = await observe(shared, command);
      expect(comparable(observed)).toEqual(comparable(expected(`variables/${name}`)));
    },
  );

  // Those that are left out run in one process in apps/caliban/test/exit-codes.test.ts.
  it("ends with the same exit code for a sample of recorded command lines", async () => {
    const commands = EXIT_CODES.filter((_, index) => FULL || index % SAMPLED === 0);
    const codes = await observeExitCodes(await copy(), commands);
    expect(Object.keys(codes)).toHaveLength(commands.length);
    expect(expected("exit-codes")).toMatchObject(codes);
  });
});

/** Tools that were added since. */
const ADDED_TOOLS = ["BashOutput", "ExitPlanMode", "Task", "TodoWrite", "WebFetch"];

describe("the tools", () => {
  it("offers a model the same tools with the same schemas", async () => {
    const tools = withoutAddedTools(await observeModelTools(await copy()));
    expect(withoutUserScope(withoutAdded(withoutDescriptions(tools)))).toEqual(
      withOpaqueVersions(withoutDescriptions(expected("model-tools"))),
    );
  });

  it("offers an MCP client the same tools, resources and prompts", async () => {
    const offered = await observeMcpServer(await copy());
    expect(comparable(withoutUserScope(withoutAdded(withoutDescriptions(offered))))).toEqual(
      comparable(withOpaqueVersions(withoutDescriptions(expected("mcp-server")))),
    );
  });

  function withoutAddedTools(tools: unknown): unknown {
    const isAdded = (tool: unknown): boolean =>
      ADDED_TOOLS.some((name) => JSON.stringify(tool).includes(`"name":"${name}"`));
    return Array.isArray(tools) ? tools.filter((tool) => !isAdded(tool)) : tools;
  }

  /** Optional fields that were added since. */
  const ADDED = ["applies", "supersedes", "evidence", "run_in_background"];

  function withoutAdded(schemas: unknown): unknown {
    const seen = new Set<string>();
    const result: unknown = JSON.parse(JSON.stringify(schemas), (key, value: unknown) => {
      if (key !== "properties" || typeof value !== "object" || value === null) return value;
      for (const name of ADDED) if (name in value) seen.add(name);
      const kept = Object.entries(value).filter(([name]) => !ADDED.includes(name));
      return Object.fromEntries(kept);
    });
    expect(seen).toContain("applies");
    expect(JSON.stringify(schemas)).not.toMatch(
      /"required":\[[^\]]*"(?:applies|supersedes|evidence)"/,
    );
    return result;
  }

  /** Version 0.0.0 had no memory about the user: one optional field, and addresses of their own. */
  function withoutUserScope(offered: unknown): unknown {
    const text = JSON.stringify(offered, (_key, value: unknown) =>
      Array.isArray(value) ? value.filter((item) => !isUserTemplate(item)) : value,
    );
    const scopeless = text.replaceAll(
      /,?"scope":\{"type":"string","enum":\["project","user"\]\}/g,
      "",
    );
    expect(scopeless).not.toBe(text);
    return JSON.parse(scopeless);
  }

  function isUserTemplate(item: unknown): boolean {
    const { uriTemplate } = Object(item) as { readonly uriTemplate?: unknown };
    return uriTemplate === "memory://user/topics/{slug}";
  }

  /** Version 0.0.0 accepted only versions of the file store. Every other store has its own. */
  function withOpaqueVersions(schemas: unknown): unknown {
    const text = JSON.stringify(schemas);
    const opaque = text.replaceAll('"pattern":"^[0-9a-f]{12}$"', '"minLength":1,"maxLength":200');
    expect(opaque).not.toBe(text);
    return JSON.parse(opaque);
  }
});

describe("topics", () => {
  it("reads every topic written by version 0.0.0", async () => {
    const { topics } = await json<{ readonly topics: readonly { readonly slug: string }[] }>(
      shared,
      "memory",
      "list",
    );
    const directory = join(shared.projectHome(), "memory");
    const files = readdirSync(directory).filter((name) => /(?<!^MEMORY)\.md$/.test(name));
    expect(topics.map(({ slug }) => `${slug}.md`).toSorted()).toEqual(files.toSorted());
    for (const { slug } of topics) {
      const { text, problems } = await json<{ readonly text: string; readonly problems: unknown }>(
        shared,
        "memory",
        "show",
        slug,
      );
      expect({ text, problems }).toEqual({ text: topicFile(shared, slug), problems: [] });
    }
  });

  it("finds topics with the search snapshot of version 0.0.0 and without one", async () => {
    const corpus = await copy();
    const search = ["memory", "search", "migrations", "before", "the", "flag"] as const;
    const found = await json<{ readonly topics: readonly { readonly name: string }[] }>(
      corpus,
      ...search,
    );
    expect(found.topics[0]?.name).toBe("deploy");
    rmSync(join(corpus.home, ".local/state/caliban/search"), { recursive: true });
    expect(await json(corpus, ...search)).toEqual(found);
  });

  it("keeps hand-written text in the index when it writes a topic", async () => {
    const corpus = await copy();
    const before = topicFile(corpus, "MEMORY");
    const args = ["memory", "write", "fresh", "--type", "user", "--description", "new"];
    await corpus.run(args, { stdin: "Text.\n" });
    const line = "- [fresh](fresh.md) — user: new\n";
    expect(topicFile(corpus, "MEMORY").replace(line, "")).toBe(before);
  });
});

describe("the history", () => {
  it("undoes an external change recorded by version 0.0.0", async () => {
    const corpus = await copy();
    const { changes } = await json<{ readonly changes: readonly Change[] }>(
      corpus,
      "memory",
      "log",
    );
    const external = changes.find(({ who }) => who === "other");
    const [file] = external?.files ?? [];
    expect(topicFile(corpus, "deploy")).toContain("Edited by hand");
    await json(corpus, "memory", "undo", external?.id ?? "");
    expect(topicFile(corpus, "deploy")).toBe(file?.before);
  });

  it("records a new external change as version 0.0.0 did", async () => {
    const corpus = await copy();
    const before = topicFile(corpus, "editor");
    const path = join(corpus.projectHome(), "memory/editor.md");
    appendFileSync(path, "Changed in an editor.\n");
    const { changes } = await json<{ readonly changes: readonly unknown[] }>(
      corpus,
      "memory",
      "log",
    );
    const after = `${before}Changed in an editor.\n`;
    expect(changes[0]).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      who: "other",
      action: "edit",
      files: [{ slug: "editor", before, after }],
    });
  });

  it("undoes every change recorded by version 0.0.0, newest first", async () => {
    const corpus = await copy();
    const { changes } = await json<{ readonly changes: readonly Change[] }>(
      corpus,
      "memory",
      "log",
    );
    const ids = changes
      .filter(({ action, files }) => action !== "undo" && files[0]?.slug !== "token-hint")
      .map(({ id }) => id);
    const codes: (number | null)[] = [];
    for (const id of ids)
      codes.push((await corpus.run(["memory", "undo", id, "--force"])).exitCode);
    expect(codes).toEqual(ids.map(() => 0));
    const { topics } = await json<{ readonly topics: readonly { readonly slug: string }[] }>(
      corpus,
      "memory",
      "list",
    );
    expect(topics.map(({ slug }) => slug)).toEqual(["ci_flakes"]);
  });

  it("completes a write of version 0.0.0 that was interrupted", async () => {
    const corpus = await copy();
    const read = await corpus.run(["memory", "show", "known"], { project: "interrupted" });
    expect(read.stdout).toContain("New.");
    const args = ["memory", "write", "next", "--type", "project", "--description", "after it"];
    const written = await corpus.run(args, { project: "interrupted", stdin: "Next.\n" });
    expect(written).toMatchObject({ exitCode: 0, stderr: "" });
    const directory = corpus.projectHome("interrupted");
    expect(readdirSync(join(directory, "memory")).toSorted()).toEqual(
      ["MEMORY.md", "known.md", "next.md"].toSorted(),
    );
    expect(topicFile(corpus, "known", "interrupted")).toContain("New.");
    const index = topicFile(corpus, "MEMORY", "interrupted");
    expect(index).toContain("- [known](known.md) — project: the new line\n");
    expect(index).not.toContain("the old line");
    const lines = readFileSync(join(directory, "history/changes.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    const records = lines.map((line) => JSON.parse(line) as { id?: string; done?: string });
    const done = new Set(records.flatMap((record) => record.done ?? []));
    expect(records.flatMap(({ id }) => id ?? []).filter((id) => !done.has(id))).toEqual([]);
  });
});

describe("sessions", () => {
  it("exports every session file written by version 0.0.0", async () => {
    const directory = join(shared.projectHome(), "sessions");
    for (const name of readdirSync(directory)) {
      const said = [
        ...readFileSync(join(directory, name), "utf8").matchAll(/"role":"user","text":"([^"]*)"/g),
      ];
      const { exitCode, stdout } = await shared.run([
        "sessions",
        "export",
        name.replace(".jsonl", ""),
      ]);
      expect(exitCode).toBe(0);
      expect(said.length).toBeGreaterThan(0);
      for (const [, text] of said) expect(stdout).toContain(text);
    }
  });

  it("resumes a session file written by version 0.0.0 without rewriting it", async () => {
    const corpus = await copy();
    const named = sessionAbout(corpus, "we always run the smoke tests before a release");
    const latest = sessionAbout(corpus, "we use vitest and never jest in this project");
    const before = readFileSync(named.path);
    const latestBefore = readFileSync(latest.path);
    const ask = async (...flags: readonly string[]): Promise<unknown> => {
      const { stdout } = await corpus.run(["-p", "list", "--output-format", "json", ...flags]);
      return (JSON.parse(stdout) as { readonly session: unknown }).session;
    };
    expect(await ask("--continue")).toBe(latest.id);
    expect(await ask("--resume", named.id)).toBe(named.id);
    expect(await ask("--session", "release")).toBe(named.id);
    expect(readFileSync(named.path).subarray(0, before.length)).toEqual(before);
    expect(readFileSync(latest.path).subarray(0, latestBefore.length)).toEqual(latestBefore);
    const { stdout } = await corpus.run(["sessions", "--json"]);
    const { sessions } = JSON.parse(stdout) as {
      readonly sessions: readonly { readonly id: string; readonly exchangeCount: number }[];
    };
    expect(sessions.find(({ id }) => id === named.id)?.exchangeCount).toBe(4);
  });

  it("sends tool calls and results of an old session to the model again", async () => {
    const corpus = await copy();
    const server = await localModel(corpus, [{ text: "Still here." }]);
    const { id } = sessionAbout(corpus, "what does the readme say?");
    const { exitCode, stdout } = await corpus.run(["-p", "go on", "--resume", id]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Still here.\n" });
    const [request] = server.requests;
    if (request === undefined) throw new Error("The model was not asked");
    const roles = messagesOf(request).map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "tool", "assistant", "user"]);
    const said = JSON.stringify(messagesOf(request));
    for (const text of ["what does the readme say?", "git status --short", "Hello.", "½ 日本"]) {
      expect(said).toContain(text);
    }
  });

  it("resumes an old session whose last record is truncated", async () => {
    const corpus = await copy();
    const { id, path } = sessionAbout(corpus, "what is remembered about reviews?");
    expect(readFileSync(path, "utf8").endsWith("\n")).toBe(false);
    const args = ["-p", "list", "--resume", id, "--output-format", "json"];
    const { exitCode, stdout } = await corpus.run(args);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ session: id, outcome: "done" });
  });
});

describe("approvals", () => {
  it("runs a command that was approved in version 0.0.0, and no other", async () => {
    const corpus = await copy();
    const bash = (command: string) => ({ toolCalls: [{ name: "Bash", input: { command } }] });
    await localModel(corpus, [
      bash("echo approved"),
      { text: "Done." },
      bash("echo other"),
      { text: "Done." },
    ]);
    // Otherwise a command that changes nothing would need no approval.
    await corpus.run(["settings", "set", "permissions.ask", "shell.run(echo *)"]);
    const ask = ["-p", "run it", "--model", "local/m"];
    expect((await corpus.run(ask)).exitCode).toBe(0);
    expect((await corpus.run(ask)).exitCode).toBe(4);
  });
});

const byPath = (one: string, other: string): number => (one.slice(65) < other.slice(65) ? -1 : 1);
