import { existsSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answer, ScriptedCall } from "./support/model-server/answer.ts";
import { messagesOf, systemOf, toolNamesOf } from "./support/model-server/received-request.ts";
import { KEY, type Pty } from "./support/pty.ts";
import { createHomeWithModel } from "./support/run-caliban.ts";
import {
  type Directories,
  startScreen,
  waitUntilKeysCount,
  withModel,
} from "./support/scripted-screen.ts";

const PLAN = "# Plan\n\n1. Write `made.txt`\n2. **Verify** it";
const propose: ScriptedCall = { name: "ExitPlanMode", input: { plan: PLAN } };
const write: ScriptedCall = {
  name: "Write",
  input: { file_path: "made.txt", content: "made\n" },
};

type Requests = Parameters<typeof messagesOf>[0][];

/** What the last request has after the model's own last message. */
const lastText = (requests: Readonly<Requests>): string => {
  const last = requests.at(-1);
  const messages = last === undefined ? [] : messagesOf(last);
  const after = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  return after
    .flatMap(({ text, toolResults }) => [text].concat(toolResults.map((result) => result.text)))
    .join("\n");
};

async function inPlanMode(directories: Directories, env = {}): Promise<Pty> {
  const pty = await startScreen(directories, { columns: 90, rows: 40, env });
  pty.type(KEY.shiftTab);
  pty.type(KEY.shiftTab);
  await pty.waitFor("Mode: plan");
  return pty;
}

describe("plan mode on the screen", () => {
  it("tells the model, shows its plan, and carries it out after the user approves it", async () => {
    const answers: readonly Answer[] = [
      { toolCalls: [propose] },
      { toolCalls: [write] },
      { text: "It is made." },
    ];
    const { server, ...directories } = await withModel(answers);
    const pty = await inPlanMode(directories);
    await pty.sendLine("make it");
    await pty.waitFor("The agent proposes a plan:");
    const question = await pty.screen();
    expect(question).toContain("1. Write made.txt");
    expect(question).toContain("2. Verify it");
    expect(lastText(server.requests)).toMatch(/\[Plan mode is on: [^]*call ExitPlanMode with/);
    await waitUntilKeysCount();
    pty.type("a");
    await pty.waitFor("It is made.");
    expect(await pty.screen()).toContain("● ExitPlanMode · approved");
    await pty.waitFor("accept-edits · ~/app");
    expect(await readFile(join(directories.cwd, "made.txt"), "utf8")).toBe("made\n");
    const [first, second, third] = server.requests;
    expect(second && lastText([second])).toContain(
      "The user approved the plan. Plan mode is off (mode: accept-edits).",
    );
    // Nothing before the conversation changes with the mode.
    for (const request of [second, third]) {
      expect(request && systemOf(request)).toBe(first && systemOf(first));
      expect(request && toolNamesOf(request)).toEqual(first && toolNamesOf(first));
    }
    expect(third?.text).not.toContain("[Plan mode is off ");
  });

  it("returns what the user wants to change, and stays in plan mode", async () => {
    const { server, ...directories } = await withModel([
      { toolCalls: [propose, write] },
      { toolCalls: [propose] },
      { text: "What else?" },
    ]);
    const pty = await inPlanMode(directories);
    await pty.sendLine("make it");
    await pty.waitFor("The agent proposes a plan:");
    await waitUntilKeysCount();
    pty.type("i");
    await pty.waitFor("What should change?");
    pty.type(`use made.md${KEY.enter}`);
    await expect.poll(() => server.requests.length).toBe(2);
    expect(lastText(server.requests)).toContain("The user wants another plan: use made.md");
    expect(lastText(server.requests)).toContain("Plan mode is read-only");
    await pty.waitFor("The agent proposes a plan:");
    await waitUntilKeysCount();
    pty.type("n");
    await pty.waitFor("What else?");
    expect(lastText(server.requests)).toContain("The user did not approve the plan.");
    await pty.waitFor("plan · ~/app");
    expect(existsSync(join(directories.cwd, "made.txt"))).toBe(false);
  });

  it("lets the user edit the plan in their editor, and gives the model the new version", async () => {
    const { server, ...directories } = await withModel([
      { toolCalls: [propose] },
      { text: "I will." },
    ]);
    const editor = join(directories.home, "editor.sh");
    await writeFile(editor, '#!/bin/sh\necho "3. Tell everyone" >> "$1"\n');
    await chmod(editor, 0o755);
    const pty = await inPlanMode(directories, { EDITOR: editor });
    await pty.sendLine("make it");
    await pty.waitFor("The agent proposes a plan:");
    await waitUntilKeysCount();
    pty.type("e");
    await pty.waitFor("The agent proposes a plan, which you edited:");
    expect(await pty.screen()).toContain("Tell everyone");
    await waitUntilKeysCount();
    pty.type("y");
    await pty.waitFor("I will.");
    expect(lastText(server.requests)).toMatch(
      /approved the plan with changes[^]*3\. Tell everyone/,
    );
    expect(await pty.screen()).toContain("approved with changes");
  });

  it("tells the model with its next request that the user switched the mode while it works", async () => {
    const command = "until [ -e go ]; do sleep 0.05; done";
    const { server, ...directories } = await withModel([
      { toolCalls: [{ name: "Bash", input: { command } }] },
      { text: "Planning now." },
    ]);
    const args = ["--allow", "shell.run"];
    const pty = await startScreen(directories, { columns: 90, args });
    await pty.sendLine("hello");
    await pty.waitFor("○ Bash");
    pty.type(KEY.shiftTab);
    pty.type(KEY.shiftTab);
    await pty.waitFor("Mode: plan");
    await writeFile(join(directories.cwd, "go"), "");
    await pty.waitFor("Planning now.");
    expect(lastText(server.requests)).toContain("[Plan mode is on: ");
    // A note of the program is not something that the user said.
    expect(await pty.screen()).not.toMatch(/^>\s*$/m);
    pty.type(KEY.ctrlD);
    await pty.exit;
    const resumed = await startScreen(directories, { columns: 90, args: ["--continue"] });
    expect(await resumed.screen()).toContain("Planning now.");
    expect(await resumed.screen()).not.toMatch(/^>\s*$/m);
  });
});

describe("plan mode in a run without a screen", () => {
  it("asks for the plan as the answer, which nothing can approve", async () => {
    const { run, server, home } = await createHomeWithModel([
      { toolCalls: [propose] },
      { text: PLAN },
    ]);
    const { stdout, exitCode } = await run(["-p", "make it", "--mode", "plan"]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`${PLAN}\n`);
    const [first] = server.requests;
    expect(first && lastText([first])).toMatch(/\[Plan mode is on: [^]*answer with your plan\./);
    expect(lastText(server.requests)).toContain("No one is here to approve the plan");
    expect(existsSync(join(home, "app/made.txt"))).toBe(false);
  });

  it("tells the model once, again after a switch, and remembers it in a resumed session", async () => {
    const { run, server } = await createHomeWithModel(
      Array.from({ length: 4 }, () => ({ text: "Ok." })),
    );
    await run(["-p", "one", "--mode", "plan"]);
    await run(["-c", "-p", "two", "--mode", "plan"]);
    await run(["-c", "-p", "three"]);
    await run(["-c", "-p", "four"]);
    const notes = server.requests.map(
      (request) => /\[Plan mode is (?:on|off)/.exec(lastText([request]))?.[0],
    );
    expect(notes).toEqual(["[Plan mode is on", undefined, "[Plan mode is off", undefined]);
  });
});
