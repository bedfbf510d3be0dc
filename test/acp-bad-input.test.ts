import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRunning, refusal, startEditor, updatesOf } from "./support/editor.ts";
import { startJsonLines } from "./support/json-lines.ts";
import { createHomeWithModel } from "./support/run-caliban.ts";

const INITIALIZE = { protocolVersion: 1, clientCapabilities: {} };

describe("`caliban acp` and what is not the protocol", () => {
  it("answers garbage with an error each, and goes on", async () => {
    const user = await createHomeWithModel([{ text: "Hello." }]);
    const raw = startJsonLines(user, ["acp"]);
    raw.write("garbage\n");
    expect(await raw.answerTo(null)).toMatchObject({ error: { code: -32_700 } });
    raw.write(Buffer.from([0xff, 0xfe, 0x0a]));
    expect(await raw.answerTo(null)).toMatchObject({ error: { message: "invalid UTF-8" } });
    for (const line of ["[]", "42", '{"id":1}', "null"]) {
      raw.write(`${line}\n`);
      expect(await raw.answerTo(null)).toMatchObject({ error: { code: -32_600 } });
    }
    // Nothing is answered before the connection is initialized.
    expect(await raw.ask(1, "session/list", {})).toMatchObject({ error: { code: -32_600 } });
    expect(await raw.ask(2, "initialize", INITIALIZE)).toMatchObject({
      result: { protocolVersion: 1 },
    });
    expect(await raw.ask(3, "session/fly", {})).toMatchObject({ error: { code: -32_601 } });
    expect(await raw.ask(4, "session/new", { cwd: 7 })).toMatchObject({ error: { code: -32_602 } });
    const deep = `{"jsonrpc":"2.0","id":5,"method":"session/list","params":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    raw.write(`${deep}\n`);
    expect(await raw.answerTo(5)).toHaveProperty("error");
    expect(await raw.ask(6, "session/list", { cwd: join(user.home, "app") })).toMatchObject({
      result: { sessions: [] },
    });
    raw.child.stdin?.end();
    expect((await raw.ended).exitCode).toBe(0);
  });

  it("refuses a prompt of 10 MB and a message above the limit, and stores neither", async () => {
    const user = await createHomeWithModel([{ text: "Hello." }]);
    const raw = startJsonLines(user, ["acp"]);
    await raw.ask(1, "initialize", INITIALIZE);
    const { result } = await raw.ask(2, "session/new", {
      cwd: join(user.home, "app"),
      mcpServers: [],
    });
    const { sessionId } = result as { readonly sessionId: string };
    const prompt = (text: string): object => ({ sessionId, prompt: [{ type: "text", text }] });
    expect(await raw.ask(3, "session/prompt", prompt("x".repeat(10_000_000)))).toMatchObject({
      error: {
        code: -32_602,
        message: expect.stringContaining("the prompt is too long: 10000000 characters") as string,
      },
    });
    expect(await raw.ask(4, "session/prompt", prompt("x".repeat(40_000_000)))).toMatchObject({
      error: { code: -32_600, message: expect.stringContaining("message too long") as string },
    });
    expect(await raw.ask(5, "session/prompt", prompt("hi"))).toMatchObject({
      result: { stopReason: "end_turn" },
    });
    expect(user.server.requests).toHaveLength(1);
    expect(user.server.requests[0]?.text.length).toBeLessThan(200_000);
  });
});

describe("prompts that come together", () => {
  it("answers prompts of one session one after the other", async () => {
    const user = await createHomeWithModel([{ text: "One." }, { text: "Two." }]);
    const editor = await startEditor(user);
    const { sessionId } = await editor.open();
    const answers = await Promise.all([
      editor.prompt(sessionId, "first"),
      editor.prompt(sessionId, "second"),
    ]);
    expect(answers.map(({ stopReason }) => stopReason)).toEqual(["end_turn", "end_turn"]);
    expect(editor.text()).toBe("One.Two.");
  });

  it("cancels all prompts of a session, the waiting ones without a request", async () => {
    const user = await createHomeWithModel([{ hang: true }, { text: "After." }]);
    const editor = await startEditor(user);
    const { sessionId } = await editor.open();
    const prompts = [editor.prompt(sessionId, "first"), editor.prompt(sessionId, "second")];
    await expect.poll(() => user.server.requests.length).toBe(1);
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await Promise.all(prompts)).toEqual([
      { stopReason: "cancelled" },
      { stopReason: "cancelled" },
    ]);
    expect(await editor.prompt(sessionId, "third")).toEqual({ stopReason: "end_turn" });
    expect(user.server.requests).toHaveLength(2);
    expect(user.server.requests[1]?.text).not.toContain("second");
  });
});

describe("cancelling", () => {
  it("ends a command that is cancelled, with everything that it started", async () => {
    const command = "(sleep 600 & echo $! > pid; wait); touch late";
    const user = await createHomeWithModel([
      { toolCalls: [{ name: "Bash", input: { command } }] },
      { text: "After." },
    ]);
    const editor = await startEditor(user, { answer: () => "Yes" });
    const { sessionId } = await editor.open();
    const answered = editor.prompt(sessionId, "wait");
    const pid = async (): Promise<number> =>
      Number(await readFile(join(editor.cwd, "pid"), "utf8").catch(() => ""));
    await expect.poll(pid).toBeGreaterThan(0);
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await answered).toEqual({ stopReason: "cancelled" });
    const child = await pid();
    await expect.poll(() => isRunning(child)).toBe(false);
    expect(existsSync(join(editor.cwd, "late"))).toBe(false);
    expect(updatesOf(editor.updates, "tool_call_update").at(-1)?.status).toBe("failed");
    expect(await editor.prompt(sessionId, "go on")).toEqual({ stopReason: "end_turn" });
  });

  it("cancels a turn although the editor never answers its question", async () => {
    const user = await createHomeWithModel([
      { toolCalls: [{ name: "Write", input: { file_path: "made.txt", content: "made\n" } }] },
      { text: "After." },
    ]);
    const editor = await startEditor(user, { answer: () => new Promise(() => undefined) });
    const { sessionId } = await editor.open();
    const answered = editor.prompt(sessionId, "make it");
    await expect.poll(() => editor.questions.length).toBe(1);
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await answered).toEqual({ stopReason: "cancelled" });
    expect(existsSync(join(editor.cwd, "made.txt"))).toBe(false);
  });
});

describe("a prompt that cannot be sent", () => {
  it("refuses a prompt that cannot be sent with the reason, and answers the next one", async () => {
    const user = await createHomeWithModel([
      { status: 400, error: "no such thing" },
      { text: "Ok." },
    ]);
    const editor = await startEditor(user);
    const { sessionId } = await editor.open();
    const refused = async (content: Parameters<typeof editor.prompt>[1]): Promise<string> =>
      (await refusal(editor.prompt(sessionId, content))).message;
    expect(await refused([])).toBe("the prompt is empty");
    expect(await refused([{ type: "audio", data: "", mimeType: "audio/wav" }])).toBe(
      "audio is not supported",
    );
    expect(await refused([{ type: "image", data: "bm8=", mimeType: "image/png" }])).toMatch(
      /^image 1 /,
    );
    expect(
      await refused([{ type: "resource", resource: { uri: "file:///x", text: "x" } }]),
    ).toContain("link the file instead");
    expect(await refused("hi")).toContain("no such thing");
    expect(await editor.prompt(sessionId, "hi")).toEqual({ stopReason: "end_turn" });
    expect(await refusal(editor.prompt("unknown", "hi"))).toMatchObject({ code: -32_002 });
  });
});
