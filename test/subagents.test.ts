import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answer, ScriptedCall } from "./support/model-server/answer.ts";
import type { Script } from "./support/model-server/model-server.ts";
import { messagesOf, systemOf, toolNamesOf } from "./support/model-server/received-request.ts";
import { KEY } from "./support/pty.ts";
import { createHomeWithModel, type TestHome } from "./support/run-caliban.ts";
import { startScreen, waitUntilKeysCount, withModel } from "./support/scripted-screen.ts";

const task = (description: string, more: Record<string, unknown> = {}): ScriptedCall => ({
  name: "Task",
  input: { description, prompt: `Please ${description}.`, ...more },
});

/** Answers a subagent by its task, and the main agent in order. */
function script(
  main: readonly Answer[],
  subagents: Readonly<Record<string, readonly Answer[]>>,
): Script {
  const used = new Map<string, number>();
  return (request) => {
    const [first] = messagesOf(request);
    const found = Object.entries(subagents).find(([name]) =>
      first?.text.startsWith(`Please ${name}.`),
    );
    const [name, answers] = found ?? ["", main];
    const index = used.get(name) ?? 0;
    used.set(name, index + 1);
    return answers[index] ?? { status: 500, error: `no answer ${index + 1} for "${name}"` };
  };
}

async function sessionLines({ home, slug }: TestHome): Promise<readonly string[]> {
  const directory = join(home, ".local/share/caliban/projects", slug, "sessions");
  const files = (await readdir(directory)).filter((name) => name.endsWith(".jsonl"));
  expect(files).toHaveLength(1);
  return (await readFile(join(directory, files[0] ?? ""), "utf8")).trimEnd().split("\n");
}

describe("subagents in a run without a screen", () => {
  const usage = { inputTokens: 1000, outputTokens: 100 };

  it("returns only the last message of a subagent, and counts its usage and denials in the result", async () => {
    const home = await createHomeWithModel(
      script(
        [
          { toolCalls: [task("count tests")], usage },
          { text: "There are 12.", usage },
        ],
        {
          "count tests": [
            { toolCalls: [{ name: "Bash", input: { command: "rm -rf tests" } }], usage },
            { text: "12 tests.", usage },
          ],
        },
      ),
    );
    const { exitCode, stdout } = await home.run(["-p", "how many?", "--output-format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "done",
      text: "There are 12.",
      turns: 2,
      usage: { inputTokens: 4000, outputTokens: 400 },
      denials: [{ tool: "Bash", input: { command: "rm -rf tests" } }],
    });
    expect(exitCode).toBe(4);
    const { requests } = home.server;
    expect(requests).toHaveLength(4);
    const [first, child, , last] = requests;
    // The same prompt and tools: the provider has them in its cache.
    expect(child && systemOf(child)).toBe(first && systemOf(first));
    expect(child && toolNamesOf(child)).toEqual(first && toolNamesOf(first));
    expect(child && messagesOf(child)[0]?.text).toMatch(/^Please count tests\.[^]*Today is /);
    const results = last && messagesOf(last).flatMap(({ toolResults }) => toolResults);
    expect(results).toMatchObject([{ text: expect.stringContaining("12 tests.") }]);
    expect(last?.text).not.toContain("rm -rf tests");
  });

  it("stores subagents in the session, which resumes and lists without them", async () => {
    const home = await createHomeWithModel(
      script(
        [{ toolCalls: [task("count tests")] }, { text: "There are 12." }, { text: "As I said." }],
        { "count tests": [{ text: "The zebra counted 12." }] },
      ),
    );
    await home.run(["-p", "how many?"]);
    const lines = (await sessionLines(home)).map((line) => JSON.parse(line) as { type: string });
    const own = lines.filter(({ type }) => type === "subagent");
    expect(own).toMatchObject([
      { agent: "count tests", number: 1, message: { role: "user" } },
      { agent: "count tests", number: 1, message: { role: "assistant" } },
    ]);
    const { stdout } = await home.run(["sessions", "list", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      sessions: [{ title: "how many?", exchangeCount: 1, messageCount: 4 }],
    });
    await home.run(["-c", "-p", "again"]);
    const resumed = home.server.requests.at(-1);
    expect(resumed && messagesOf(resumed).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect((await sessionLines(home)).length).toBeGreaterThan(lines.length);
  });

  it("refuses a subagent that starts subagents or uses a tool that the model left out", async () => {
    const home = await createHomeWithModel(
      script(
        [
          {
            toolCalls: [
              task("dig deeper", { tools: ["Read", "Task"] }),
              task("x", { tools: ["Nope"] }),
            ],
          },
          { text: "Done." },
        ],
        {
          "dig deeper": [
            { toolCalls: [task("dig on"), { name: "Bash", input: { command: "ls" } }] },
            { text: "I dug." },
          ],
        },
      ),
    );
    await home.run(["-p", "dig"]);
    const { requests } = home.server;
    const child = requests.find((request) => toolNamesOf(request).join(" ") === "Read Task");
    expect(child).toBeDefined();
    const texts = requests.flatMap((request) =>
      messagesOf(request).flatMap(({ toolResults }) => toolResults.map(({ text }) => text)),
    );
    expect(texts).toContain(
      "Task was not run: a subagent cannot start subagents. Do this work yourself.",
    );
    expect(texts).toContain("Bash is not one of your tools: Read, Task.");
    expect(texts.join("\n")).toContain('There is no tool "Nope". Use these names: Bash, ');
  });

  it("offers no subagents when a rule denies them", async () => {
    const home = await createHomeWithModel([{ text: "Hi." }]);
    await home.run(["-p", "hi", "--deny", "Task"]);
    const [request] = home.server.requests;
    expect(request && toolNamesOf(request)).not.toContain("Task");
  });
});

describe("subagents on the screen", () => {
  it("shows what subagents do, and asks one after another with their names", async () => {
    const command = { name: "Bash", input: { command: "touch made" } };
    const directories = await withModel(
      script([{ toolCalls: [task("build one"), task("build two")] }, { text: "Both are built." }], {
        "build one": [{ toolCalls: [command] }, { text: "One." }],
        "build two": [{ toolCalls: [command] }, { text: "Two." }],
      }),
    );
    const pty = await startScreen(directories, { columns: 100 });
    await pty.sendLine("build");
    await pty.waitFor(/Let the subagent build (one|two) use Bash/);
    const shown = await pty.screen();
    const second = shown.includes("subagent build one") ? "build two" : "build one";
    expect(shown).toContain("Task build one");
    expect(shown).toContain("Task build two");
    expect(shown).toMatch(/step 1 · Bash · [\d,]+ tokens/);
    await waitUntilKeysCount();
    pty.type("y");
    await pty.waitFor(`Let the subagent ${second} use Bash`);
    await waitUntilKeysCount();
    pty.type("y");
    await pty.waitFor("Both are built.");
    expect(await pty.screen()).toMatch(/● Task build one · 2 steps · \d+ tokens/);
    await pty.sendLine("/cost");
    await pty.waitFor(/6 requests|requests\s+6/);
  });

  it("stops all subagents with Escape", async () => {
    const directories = await withModel(
      script([{ toolCalls: [task("wait one"), task("wait two")] }], {
        "wait one": [{ hang: true }],
        "wait two": [{ hang: true }],
      }),
    );
    const pty = await startScreen(directories);
    await pty.sendLine("wait");
    await pty.waitFor(/Task wait two[^]*step 1 · thinking/);
    await expect.poll(() => directories.server.requests.length).toBe(3);
    pty.type(KEY.escape);
    await pty.waitFor("Interrupted.");
    const ends = await Promise.all(
      directories.server.requests.slice(1).map(({ closed }) => closed),
    );
    expect(ends).toEqual(["gone", "gone"]);
    expect(await pty.screen()).toContain("the user interrupted it");
  });
});
