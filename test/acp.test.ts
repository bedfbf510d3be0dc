import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { refusal, startEditor, updatesOf } from "./support/editor.ts";
import { createHome, createHomeWithModel } from "./support/run-caliban.ts";

const EDIT = {
  name: "Edit",
  input: { file_path: "notes.txt", old_string: "two", new_string: "2" },
};

describe("an editor that starts `caliban acp`", () => {
  it("gets a streamed answer, and the modes, models and commands of a new session", async () => {
    const user = await createHomeWithModel([{ text: ["Hel", "lo."] }], {
      "app/.caliban/commands/greet.md": "---\ndescription: Greets\n---\nSay hello.\n",
    });
    const editor = await startEditor(user);
    expect(editor.initialized).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "caliban" },
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true } },
    });
    const session = await editor.open();
    expect(session.modes).toMatchObject({ currentModeId: "default" });
    expect(session.modes?.availableModes.map(({ id }) => id)).toEqual([
      "default",
      "accept-edits",
      "plan",
      "yolo",
    ]);
    expect(session.configOptions).toMatchObject([{ id: "model", currentValue: "local/m" }]);
    const answered = await editor.prompt(session.sessionId, "hi");
    expect(answered).toEqual({ stopReason: "end_turn" });
    expect(editor.text()).toBe("Hello.");
    expect(updatesOf(editor.updates, "agent_message_chunk")).toHaveLength(2);
    const [commands] = updatesOf(editor.updates, "available_commands_update");
    const names = commands?.availableCommands.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["memory", "remember", "greet"]));
    expect(names).not.toContain("quit");
  });

  it("shows an edit as a diff, asks for it, and remembers the answer always", async () => {
    const user = await createHomeWithModel(
      [
        { toolCalls: [{ name: "Read", input: { file_path: "notes.txt" } }] },
        { toolCalls: [EDIT] },
        { text: "Done." },
        { toolCalls: [{ ...EDIT, input: { ...EDIT.input, old_string: "one", new_string: "1" } }] },
        { text: "Again." },
      ],
      { "app/notes.txt": "one\ntwo\nthree\n" },
    );
    const editor = await startEditor(user, { answer: () => "Always" });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "change it");
    const [question] = editor.questions;
    const path = join(editor.cwd, "notes.txt");
    expect(question?.toolCall.content?.[0]).toEqual({
      type: "diff",
      path,
      oldText: "one\ntwo\nthree\n",
      newText: "one\n2\nthree\n",
    });
    expect(question?.options.map(({ kind }) => kind)).toEqual([
      "allow_once",
      "allow_always",
      "reject_once",
    ]);
    const calls = updatesOf(editor.updates, "tool_call");
    expect(calls.map(({ kind, locations }) => [kind, locations?.[0]?.path])).toEqual([
      ["read", path],
      ["edit", path],
    ]);
    // The question is about the call that the editor shows.
    expect(question?.toolCall.toolCallId).toBe(calls[1]?.toolCallId);
    expect(updatesOf(editor.updates, "tool_call_update").map(({ status }) => status)).toEqual([
      "completed",
      "completed",
    ]);
    await editor.prompt(sessionId, "and the other");
    expect(editor.questions).toHaveLength(1);
    expect(await readFile(path, "utf8")).toBe("1\n2\nthree\n");
  });

  it("changes nothing when the user says no or dismisses the question", async () => {
    const write = { name: "Write", input: { file_path: "made.txt", content: "made\n" } };
    const user = await createHomeWithModel([
      { toolCalls: [write] },
      { text: "Not made." },
      { toolCalls: [write] },
      { text: "Not made again." },
    ]);
    const answers = ["No", undefined];
    const editor = await startEditor(user, { answer: () => answers.shift() });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "make it");
    await editor.prompt(sessionId, "make it now");
    expect(editor.questions).toHaveLength(2);
    expect(existsSync(join(editor.cwd, "made.txt"))).toBe(false);
    expect(updatesOf(editor.updates, "tool_call_update").at(-1)).toMatchObject({
      status: "failed",
    });
    expect(editor.text()).toContain("Not made again.");
  });

  it("shows what a command prints while it runs, in a code block that the output cannot end", async () => {
    const command =
      "printf 'first\\n```\\n![x](http://x/y.png)\\n'; until [ -e go ]; do sleep 0.1; done; echo last";
    const user = await createHomeWithModel([
      { toolCalls: [{ name: "Bash", input: { command } }] },
      { text: "Ran." },
    ]);
    const editor = await startEditor(user, { answer: () => "Yes" });
    const { sessionId } = await editor.open();
    const answered = editor.prompt(sessionId, "run it");
    const progress = await editor.seen(
      (update) => update.sessionUpdate === "tool_call_update" && update.status === "in_progress",
    );
    expect(JSON.stringify(progress)).toContain("first");
    await writeFile(join(editor.cwd, "go"), "");
    await answered;
    const last = updatesOf(editor.updates, "tool_call_update").at(-1);
    expect(last?.status).toBe("completed");
    expect(JSON.stringify(last?.content)).toMatch(
      /"````\\nfirst\\n```\\n!\[x\]\(http:\/\/x\/y.png\)\\nlast\\n.*\\n````"/,
    );
  });

  it("shows the to-do list as a plan", async () => {
    const todos = [
      { content: "look", status: "completed" },
      { content: "build", status: "in_progress" },
    ];
    const user = await createHomeWithModel([
      { toolCalls: [{ name: "TodoWrite", input: { todos } }] },
      { text: "On it." },
    ]);
    const editor = await startEditor(user);
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "plan it");
    expect(updatesOf(editor.updates, "plan")).toMatchObject([
      {
        entries: [
          { content: "look", status: "completed", priority: "medium" },
          { content: "build", status: "in_progress" },
        ],
      },
    ]);
    expect(updatesOf(editor.updates, "tool_call")).toEqual([]);
  });

  it("leaves plan mode when the user approves the plan, and reports the new mode", async () => {
    const user = await createHomeWithModel([
      { toolCalls: [{ name: "ExitPlanMode", input: { plan: "1. Write `made.txt`" } }] },
      { toolCalls: [{ name: "Write", input: { file_path: "made.txt", content: "made\n" } }] },
      { text: "Made." },
    ]);
    const editor = await startEditor(user, { answer: () => "Yes, and edit files" });
    const { sessionId } = await editor.open();
    await editor.agent.request("session/set_mode", { sessionId, modeId: "plan" });
    await editor.prompt(sessionId, "make it");
    expect(editor.questions).toMatchObject([
      {
        toolCall: { kind: "switch_mode", content: [{ content: { text: "1. Write `made.txt`" } }] },
      },
    ]);
    expect(updatesOf(editor.updates, "current_mode_update")).toMatchObject([
      { currentModeId: "accept-edits" },
    ]);
    expect(existsSync(join(editor.cwd, "made.txt"))).toBe(true);
    const unknown = editor.agent.request("session/set_mode", { sessionId, modeId: "wild" });
    expect(await refusal(unknown)).toEqual({ code: -32_602, message: 'unknown mode: "wild"' });
  });

  it("asks the user to authenticate without a key, and then answers offline", async () => {
    const editor = await startEditor(await createHome());
    expect(editor.initialized.authMethods?.map(({ id }) => id)).toEqual(["api-key", "offline"]);
    expect(await refusal(editor.open())).toMatchObject({
      code: -32_000,
      message: expect.stringContaining("no API key found") as string,
    });
    const again = editor.agent.request("authenticate", { methodId: "api-key" });
    expect(await refusal(again)).toMatchObject({ code: -32_000 });
    await editor.agent.request("authenticate", { methodId: "offline" });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "/remember we deploy with pnpm ship");
    await editor.prompt(sessionId, "how do we deploy?");
    expect(editor.text()).toContain("pnpm ship");
  });
});
