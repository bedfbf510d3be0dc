import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messagesOf, systemOf } from "./support/model-server/received-request.ts";
import { createHome, createHomeWithModel, runInShell } from "./support/run-caliban.ts";

const HELLO = [{ text: "Hello." }];

interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** The last user message in a request. */
const askedOf = (request: Parameters<typeof messagesOf>[0] | undefined): string | undefined =>
  request && messagesOf(request).findLast(({ role }) => role === "user")?.text;

describe("the first five minutes", () => {
  it("remembers in one process and answers in the next, without a key", async () => {
    const { run } = await createHome();
    const first = await run(["-p", "remember that we deploy with pnpm ship"]);
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toMatch(
      /^caliban: no API key found, so the built-in offline model is answering.*\n/,
    );
    expect(first.stderr).toContain("memory: saved ");
    const second = await run(["-p", "how do we deploy?"]);
    expect(second.exitCode).toBe(0);
    expect(second.stdout).toContain("pnpm ship");
  });
});

describe("output formats", () => {
  it("prints only the answer to stdout as text", async () => {
    const { run, server } = await createHomeWithModel(HELLO);
    expect(await run(["-p", "hi there"])).toEqual({
      exitCode: 0,
      stdout: "Hello.\n",
      stderr: "",
    });
    expect(askedOf(server.requests[0])).toContain("hi there");
  });

  it("prints one object as JSON", async () => {
    const { run } = await createHomeWithModel(HELLO);
    const { exitCode, stdout } = await run(["-p", "hi", "--output-format", "json"]);
    expect(exitCode).toBe(0);
    expect(linesOf(stdout)).toMatchObject([
      { type: "result", outcome: "done", text: "Hello.", model: "local/m", turns: 1 },
    ]);
  });

  it("prints line by line as stream-json", async () => {
    const { run } = await createHomeWithModel([
      { toolCalls: [{ name: "Read", input: { path: "a.txt" } }] },
      ...HELLO,
    ]);
    const { exitCode, stdout } = await run(["-p", "hi", "--output-format", "stream-json"]);
    expect(exitCode).toBe(0);
    const lines = linesOf(stdout);
    expect(lines[0]).toMatchObject({ type: "init", model: "local/m", mode: "default" });
    expect(lines.at(-1)).toMatchObject({ type: "result", text: "Hello.", turns: 2 });
    const types = new Set(lines.map(({ type }) => type));
    expect([...types].toSorted().join(" ")).toBe(
      "init message result step-start text-delta tool-call tool-result usage",
    );
  });

  it("continues where the last session ended", async () => {
    const { run, server } = await createHomeWithModel([...HELLO, ...HELLO, ...HELLO]);
    await run(["-p", "one"]);
    await run(["-p", "two", "--no-save"]);
    await run(["-c", "-p", "three"]);
    const asked = server.requests.map((request) => messagesOf(request).length);
    expect(asked).toEqual([1, 1, 3]);
  });
});

describe("stdin", () => {
  it.for([
    ["after the text", ["-p", "sum up"], "a log\n", /sum up\n\n<stdin>\na log\n<\/stdin>/],
    ["as the message with -p alone", ["-p"], "fix it\n", /^fix it\n/],
    ["as the message without arguments", [], "fix it\n", /^fix it\n/],
    ["without effect when it is empty", ["-p", "fix it"], "", /^fix it/],
  ] as const)("uses stdin %s", async ([, args, stdin, expected]) => {
    const { run, server } = await createHomeWithModel(HELLO);
    expect(await run(args, { stdin })).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
    expect(askedOf(server.requests[0])).toMatch(expected);
  });

  it("ignores an open and silent stdin, and warns about it", async () => {
    const { run } = await createHomeWithModel(HELLO);
    const { exitCode, stdout, stderr } = await run(["-p", "hi"], { isStdinOpen: true });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Hello.\n" });
    expect(stderr).toContain("no input on stdin after 3 seconds, so it was ignored");
  });

  it("shows the status despite an open and silent stdin", async () => {
    const { run } = await createHome();
    const { exitCode, stdout, stderr } = await run([], { isStdinOpen: true });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("memory in this directory");
  });

  it.skipIf(process.platform === "win32")("reads a prompt from a file on stdin", async () => {
    const { home, server } = await createHomeWithModel(HELLO, { "app/task.md": "fix it\n" });
    expect(await runInShell(home, "caliban -p < task.md")).toEqual({
      exitCode: 0,
      stdout: "Hello.\n",
      stderr: "",
    });
    expect(askedOf(server.requests[0])).toMatch(/^fix it\n/);
  });

  it.for([
    ["too long for a message", "x".repeat(1024 * 1024 + 1), "longer than 1048576 bytes"],
    ["not UTF-8", Buffer.from([0xff, 0xfe, 0x41]), "stdin is not valid UTF-8"],
  ] as const)("rejects stdin that is %s", async ([, stdin, message]) => {
    const { run } = await createHome();
    const { exitCode, stdout, stderr } = await run(["-p", "hi"], { stdin });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("rejects -p without a prompt and without stdin", async () => {
    const { run } = await createHome();
    expect(await run(["-p"])).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("-p requires a prompt"),
    });
  });

  it("reads one message per line as stream-json, and names an invalid line", async () => {
    const { run, server } = await createHomeWithModel([...HELLO, { text: "Bye." }]);
    const stdin = '{"type":"user","text":"one"}\nnonsense\n\n{"type":"user","text":"two"}\n';
    const args = ["-p", "--input-format", "stream-json", "--output-format", "json"];
    const { exitCode, stdout, stderr } = await run(args, { stdin });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("stdin line 2: invalid JSON");
    expect(linesOf(stdout)).toMatchObject([{ text: "Hello." }, { text: "Bye." }]);
    expect(server.requests.map((request) => messagesOf(request).length)).toEqual([1, 3]);
  });

  it("answers each stream-json line before the next one arrives", async () => {
    const { start } = await createHomeWithModel([...HELLO, { text: "Bye." }]);
    const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
    const { child, ended, printed } = start(args, { isStdinOpen: true });
    child.stdin?.write('{"type":"user","text":"one"}\n');
    await printed('"text":"Hello."');
    child.stdin?.end('{"type":"user","text":"two"}\n');
    expect(await ended).toMatchObject({ exitCode: 0 });
  });
});

describe("the system prompt", () => {
  const MEMORY = { "app/CLAUDE.md": "Use pnpm.\n" };

  it("sends the system prompt that `caliban prompt` prints", async () => {
    const { run, server } = await createHomeWithModel(HELLO, MEMORY);
    await run(["-p", "hi"]);
    const { stdout } = await run(["prompt"]);
    const [request] = server.requests;
    expect(request && systemOf(request)).toBe(stdout);
    expect(stdout).toContain("Use pnpm.");
  });

  it("replaces the body with --system, keeps memory before it, and extends it with --append-system-prompt", async () => {
    const { run, server } = await createHomeWithModel(HELLO, MEMORY);
    const flags = ["--system", "You are a pirate.", "--append-system-prompt", "Say arr."];
    await run(["-p", "hi", ...flags]);
    const [request] = server.requests;
    const system = (request && systemOf(request)) ?? "";
    expect(system).toMatch(/^<project-claude-md.*Use pnpm\..*You are a pirate\..*Say arr\.\s*$/s);
    expect(system).not.toContain("You are caliban");
    expect((await run(["prompt", ...flags])).stdout).toBe(system);
  });

  it("reads the system prompt from a file, which must exist", async () => {
    const { run } = await createHome({ "app/pirate.md": "You are a pirate.\n" });
    expect((await run(["prompt", "--system-file", "pirate.md"])).stdout).toContain("pirate");
    expect(await run(["-p", "hi", "--system-file", "gone.md"])).toMatchObject({
      exitCode: 2,
      stderr: "caliban: --system-file 'gone.md': no such file\n",
    });
  });

  it("sends the same system prompt with --bare whatever is on disk", async () => {
    const one = await createHome({ ...MEMORY, ".config/caliban/settings.toml": "broken" });
    const bare = (await one.run(["prompt", "--bare"])).stdout;
    const other = await createHome();
    expect((await other.run(["prompt", "--bare"])).stdout).toBe(
      bare.replaceAll(one.home, other.home),
    );
    const { stdout } = await one.run(["-p", "hi", "--bare", "--output-format", "stream-json"]);
    expect(linesOf(stdout)[0]).toMatchObject({ type: "init", session: null, warnings: [] });
  });
});

describe("the exit code", () => {
  it.for([
    [["-p", "x", "--mode", "fast"], "--mode must be one of default, accept-edits, plan, yolo"],
    [["-p", "x", "--model", "antropic/x"], "Did you mean anthropic?"],
    [["-p", "x", "--model", "anthropic/x"], "ANTHROPIC_API_KEY"],
    [["-p", "x", "-r"], "--resume requires a session id"],
    [["-c"], "--continue requires a message"],
    [["-p", "x", "--deny", "("], "is not a valid permission rule"],
    [["fix", "it"], "Quote the message, or pass it with -p: "],
  ] as const)("exits with 2 for %j", async ([args, message]) => {
    const { run } = await createHome();
    const { exitCode, stdout, stderr } = await run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("exits with 3 for a session that does not exist", async () => {
    const { run } = await createHome();
    expect(await run(["-p", "x", "-r", "20200101-000000-aaaa"])).toMatchObject({
      exitCode: 3,
      stdout: "",
    });
  });

  it("exits with 4 when a call was denied and names the flag, and with 0 when the flag is given", async () => {
    const call = { toolCalls: [{ name: "Bash", input: { command: "printf one" } }] };
    const { run, server } = await createHomeWithModel([call, ...HELLO, call, ...HELLO]);
    const denied = await run(["-p", "say one"]);
    expect(denied).toMatchObject({ exitCode: 4, stdout: "Hello.\n" });
    expect(denied.stderr).toContain("--allow 'shell.run(printf one)'");
    const allowed = await run(["-p", "say one", "--allow", "shell.run(printf one)"]);
    expect(allowed).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
    const last = server.requests.at(-1);
    expect(last && messagesOf(last).at(-1)?.toolResults[0]?.text).toContain("one");
  });

  it("exits with 5 in every format when the provider rejects the request", async () => {
    const { run } = await createHomeWithModel([{ status: 401 }, { status: 401 }]);
    const text = await run(["-p", "hi"]);
    expect(text).toMatchObject({ exitCode: 5, stdout: "" });
    expect(text.stderr).toMatch(/^caliban: .+\n$/);
    const { exitCode, stdout } = await run(["-p", "hi", "--output-format", "json"]);
    expect(exitCode).toBe(5);
    expect(linesOf(stdout)).toMatchObject([{ outcome: "failed", code: "auth" }]);
  });

  it("exits with 1 when --max-turns stops the model", async () => {
    const call = { toolCalls: [{ name: "Glob", input: { pattern: "*" } }] };
    const { run, server } = await createHomeWithModel([call, call, call]);
    const { exitCode, stderr } = await run(["-p", "hi", "--max-turns", "2"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("stopped after 2 requests");
    expect(server.requests).toHaveLength(2);
  });
});

describe.skipIf(process.platform === "win32")("an interruption", () => {
  it.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("exits after %s during an answer with %i", async ([signal, expected]) => {
    const { start, home, slug } = await createHomeWithModel([
      { text: "A long answer, of which much is still to come.", hangAfterBytes: 700 },
    ]);
    const { child, ended, printed } = start(["-p", "go", "--output-format", "stream-json"]);
    await printed("text-delta");
    child.kill(signal);
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(expected);
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", outcome: "interrupted" });
    const sessions = join(home, ".local/share/caliban/projects", slug, "sessions");
    const file = (await readdir(sessions)).find((name) => name.endsWith(".jsonl"));
    expect(await readFile(join(sessions, file ?? ""), "utf8")).toContain('"text":"go"');
  });

  it("ends processes that a tool started", async () => {
    const command = "echo $$ > pid; exec sleep 300";
    const { start, home } = await createHomeWithModel([
      { toolCalls: [{ name: "Bash", input: { command } }] },
      ...HELLO,
    ]);
    const format = ["--output-format", "stream-json"];
    const { child, ended, printed } = start(["-p", "go", "--mode", "yolo", ...format]);
    await printed('"type":"tool-call"');
    const pid = await pidIn(join(home, "app/pid"));
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ exitCode: 130 });
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("stops waiting for the next input line", async () => {
    const { start } = await createHomeWithModel(HELLO);
    const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
    const { child, ended, printed } = start(args, { isStdinOpen: true });
    child.stdin?.write('{"type":"user","text":"one"}\n');
    await printed('"type":"result"');
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ exitCode: 130 });
  });

  it("exits quietly with 0 when the reader has seen enough", async () => {
    const { home } = await createHomeWithModel([{ text: "word ".repeat(2000), slowMs: 5 }]);
    const command = "caliban -p go --output-format stream-json | head -n 3 | wc -l";
    expect(await runInShell(home, command)).toEqual({ exitCode: 0, stdout: "3\n", stderr: "" });
  });
});

it.skipIf(process.platform !== "linux")("reports that the answer cannot be written", async () => {
  const { home } = await createHomeWithModel(HELLO);
  expect(await runInShell(home, "caliban -p go --output-format stream-json > /dev/full")).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "caliban: cannot write to stdout (ENOSPC)\n",
  });
});

async function pidIn(path: string): Promise<number> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    if (text.endsWith("\n")) return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
