import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { type Editor, startEditor, updatesOf } from "./support/editor.ts";
import { messagesOf } from "./support/model-server/received-request.ts";
import { createHomeWithModel } from "./support/run-caliban.ts";

const TOPICS = ".local/share/caliban/projects/SLUG/memory";

const PROPOSED = {
  name: "WriteMemoryTopic",
  input: { name: "pnpm", description: "we use pnpm", type: "project", body: "Never use npm." },
};

/** Everything that the editor shows as text, also in calls. */
const shown = ({ updates }: Editor): string => JSON.stringify(updates);

describe("memory in an editor", () => {
  it("asks about a change that waits in the inbox, and saves what the user accepts", async () => {
    const user = await createHomeWithModel([
      { toolCalls: [PROPOSED] },
      { text: "Proposed." },
      { toolCalls: [{ ...PROPOSED, input: { ...PROPOSED.input, name: "npm" } }] },
      { text: "Proposed again." },
    ]);
    await user.run(["settings", "set", "memory.write", "inbox"]);
    const answers = ["Accept", "Decide later", "Skip"];
    const editor = await startEditor(user, { answer: () => answers.shift() });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "read the notes");
    expect(editor.questions).toMatchObject([
      {
        toolCall: { title: "Save to memory: pnpm" },
        options: [{ name: "Accept" }, { name: "Reject" }, { name: "Decide later" }],
      },
    ]);
    expect(JSON.stringify(editor.questions[0])).toContain("Never use npm.");
    expect(editor.text()).toMatch(/^> memory: saved pnpm\. Undo with: \/memory undo \w+$/m);
    expect((await user.run(["memory", "list"])).stdout).toContain("pnpm");
    await editor.prompt(sessionId, "and once more");
    expect(editor.text()).toContain("npm waits in the inbox (/memory inbox)");
    expect((await user.run(["memory", "inbox"])).stdout).toContain("new topic npm");
    // What waits already is only asked about on request.
    await editor.prompt(sessionId, "/memory inbox");
    expect(editor.questions[2]?.options.map(({ name }) => name)).toEqual([
      "Accept",
      "Edit, then accept",
      "Reject",
      "Skip",
      "Quit",
    ]);
    expect(JSON.stringify(editor.questions[2])).toContain("Never use npm.");
  });

  it("obeys enforced memories, and keeps the mode from loosening them", async () => {
    const user = await createHomeWithModel(
      [{ toolCalls: [{ name: "Bash", input: { command: "npm test" } }] }, { text: "Not run." }],
      {
        [`${TOPICS}/pnpm.md`]:
          '---\nname: pnpm\ndescription: "use pnpm"\nmetadata:\n  node_type: memory\n  type: feedback\n---\n\nUse pnpm, never npm.\n',
      },
    );
    const enforced = await user.run([
      "memory",
      "enforce",
      "pnpm",
      "--deny",
      "Bash(npm *)",
      "--yes",
    ]);
    expect(enforced.stderr + enforced.stdout).toContain("npm");
    const editor = await startEditor(user, { args: ["--mode", "yolo"], answer: () => "Yes" });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "test it");
    expect(editor.questions).toEqual([]);
    expect(updatesOf(editor.updates, "tool_call_update").at(-1)?.status).toBe("failed");
    expect(shown(editor)).toContain("Denied by the enforced memory pnpm");
  });

  it("stays out with --no-memory, and in no session with --no-save", async () => {
    const user = await createHomeWithModel([{ text: "Hi." }], {
      "app/CLAUDE.md": "- The word is xyzzy.\n",
    });
    const editor = await startEditor(user, { args: ["--no-memory", "--no-save"] });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "hi");
    expect(user.server.requests[0]?.text).not.toContain("xyzzy");
    const { sessions } = await editor.agent.request("session/list", { cwd: editor.cwd });
    expect(sessions).toEqual([]);
  });
});

describe("slash commands in an editor", () => {
  it("run without the model, in a code block, and name commands that can be typed there", async () => {
    const user = await createHomeWithModel([{ text: "Hi." }], {
      "app/.caliban/commands/greet.md": "Greet $1 warmly.\n",
      "app/CLAUDE.md": "- Be kind.\n",
    });
    const editor = await startEditor(user, { answer: () => "Yes" });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "/memory search nothing-like-this");
    await editor.prompt(sessionId, "/permissions mode plan");
    expect(updatesOf(editor.updates, "current_mode_update")).toMatchObject([
      { currentModeId: "plan" },
    ]);
    await editor.prompt(sessionId, "/memory edit project");
    expect(editor.text()).toContain("this needs a terminal. Run it in a shell");
    expect(user.server.requests).toEqual([]);
    await editor.prompt(sessionId, "/greet Ada");
    expect(user.server.requests[0]?.text).toContain("Greet Ada warmly.");
    expect(editor.text()).toContain("Hi.");
  });

  it("ask the user before something that cannot be undone", async () => {
    const user = await createHomeWithModel([], { "app/package.json": "{}" });
    const editor = await startEditor(user, { answer: () => "No" });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, "/init");
    expect(editor.questions).toHaveLength(1);
    expect(editor.questions[0]?.toolCall.title).toContain("CLAUDE.md");
  });
});

describe("what comes with a prompt", () => {
  it("reads a linked file with the agent's permissions, and names the lines that are meant", async () => {
    const user = await createHomeWithModel([{ text: "Read." }, { text: "Not read." }], {
      "app/src/a file.ts": "export const answer = 42;\n",
      "app/.env": "TOKEN=hunter2\n",
    });
    const editor = await startEditor(user, { args: ["--deny", "Read(*.env)"] });
    const { sessionId } = await editor.open();
    const link = (
      path: string,
      suffix = "",
    ): { type: "resource_link"; name: string; uri: string } => ({
      type: "resource_link",
      name: path,
      uri: `${pathToFileURL(join(editor.cwd, path)).href}${suffix}`,
    });
    await editor.prompt(sessionId, [
      { type: "text", text: "What is in" },
      link("src/a file.ts", "#L1:3"),
      { type: "text", text: "?" },
    ]);
    const asked = user.server.requests.flatMap(messagesOf)[0]?.text;
    expect(asked).toContain('What is in @"src/a file.ts" (lines 1-3) ?');
    expect(asked).toContain("answer = 42");
    await editor.prompt(sessionId, [{ type: "text", text: "And in" }, link(".env")]);
    expect(user.server.requests[1]?.text).not.toContain("hunter2");
    expect(editor.text()).toContain("not attached: .env");
  });

  it("sends an image", async () => {
    const user = await createHomeWithModel([{ text: "A dot." }]);
    const data =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await user.run(["settings", "set", "providers.local.images", "true"]);
    const editor = await startEditor(user);
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, [
      { type: "text", text: "What is this?" },
      { type: "image", data, mimeType: "image/png" },
    ]);
    expect(user.server.requests[0]?.text).toContain(`data:image/png;base64,${data}`);
    expect(user.server.requests[0]?.text).toContain("[image 1]");
    const { directory } = JSON.parse((await user.run(["sessions", "--json"])).stdout) as {
      readonly directory: string;
    };
    expect(await readFile(join(directory, `${sessionId}.jsonl`), "utf8")).toContain(data);
  });
});
