import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { refusal, startEditor } from "./support/editor.ts";
import { createHomeWithModel } from "./support/run-caliban.ts";

describe("what others write, in an editor", () => {
  it("shows the whole command that the user decides about, with invisible characters", async () => {
    const end = "\u202Egnp.exe\u202C && touch planted";
    const command = `echo ${"x".repeat(60_000)} ${end}`;
    const user = await createHomeWithModel([
      { toolCalls: [{ name: "Bash", input: { command } }] },
      { text: "Done." },
    ]);
    const editor = await startEditor(user);
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "go");
    const [shown] = editor.questions[0]?.toolCall.content ?? [];
    const text = JSON.stringify(shown);
    expect(text).toContain(String.raw`\\u{202e}gnp.exe\\u{202c} && touch planted`);
    expect(text).not.toContain("\u202E");
  });

  it("loads no image that the name of something has", async () => {
    const user = await createHomeWithModel([{ text: "Hello." }]);
    const editor = await startEditor(user);
    const name = "![x](https://evil.example/x.png) <img src=https://evil.example>";
    const mcpServers = [{ name, command: "x", args: [], env: [] }];
    await editor.agent.request("session/new", { cwd: editor.cwd, mcpServers });
    await editor.seen(
      (update) =>
        update.sessionUpdate === "agent_message_chunk" &&
        update.content.type === "text" &&
        update.content.text.includes("evil"),
    );
    expect(editor.text()).toContain(String.raw`!\[x](https://evil.example/x.png) \<img`);
  });

  it("sends no command to the model that an editor does not have", async () => {
    const user = await createHomeWithModel([{ text: "Hello." }]);
    const editor = await startEditor(user);
    const { sessionId } = await editor.open();
    expect(await editor.prompt(sessionId, "/page")).toEqual({ stopReason: "end_turn" });
    expect(editor.text()).toContain(
      "/page is not available in an editor, so nothing was sent. Run in a terminal: caliban page",
    );
    await editor.prompt(sessionId, "/exit");
    expect(editor.text()).toContain("/quit is not available in an editor");
    expect(user.server.requests).toEqual([]);
    await editor.prompt(sessionId, "/usr/bin/page is missing");
    expect(user.server.requests).toHaveLength(1);
  });

  it("refuses further directories outside of --workspace", async () => {
    const user = await createHomeWithModel([]);
    const [cwd, inside] = [join(user.home, "app"), join(user.home, "app/packages")];
    await mkdir(inside);
    const editor = await startEditor(user, { args: ["--workspace", cwd] });
    const open = async (path: string) =>
      await editor.agent.request("session/new", {
        cwd,
        mcpServers: [],
        additionalDirectories: [path],
      });
    expect(await refusal(open("/"))).toMatchObject({
      code: -32_602,
      message: expect.stringContaining("add --add-dir") as string,
    });
    expect((await open(inside)).sessionId).not.toBe("");
  });
});
