import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { childEnvironment } from "./support/child-environment.ts";
import {
  type Editor,
  isRunning,
  refusal,
  startEditor,
  textOf,
  updatesOf,
} from "./support/editor.ts";
import { until } from "./support/mcp-process.ts";
import { messagesOf } from "./support/model-server/received-request.ts";
import { createHomeWithModel, type TestHome } from "./support/run-caliban.ts";
import { writeFiles, gitDirectory } from "./support/write-files.ts";

const HELLO = [{ text: "Hello." }, { text: "Still here." }];

/** Ends the process as an editor does that quits. */
async function disconnect({ child, ended }: Editor): Promise<{ exitCode: number | null }> {
  child.stdin?.end();
  return await ended;
}

/** A session with one exchange, whose process has ended. */
async function storedSession(user: TestHome): Promise<string> {
  const editor = await startEditor(user);
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, "hi there");
  expect((await disconnect(editor)).exitCode).toBe(0);
  return sessionId;
}

type Request = Parameters<typeof messagesOf>[0] | undefined;

const rolesOf = (request: Request): readonly string[] =>
  request === undefined ? [] : messagesOf(request).map(({ role }) => role);

describe("a session that an editor opens again", () => {
  it("lists a stored session, shows it from its start, and continues it", async () => {
    const user = await createHomeWithModel(HELLO);
    const sessionId = await storedSession(user);
    const editor = await startEditor(user);
    const { sessions } = await editor.agent.request("session/list", { cwd: editor.cwd });
    expect(sessions).toMatchObject([{ sessionId, cwd: editor.cwd, title: "hi there" }]);
    await editor.agent.request("session/load", { sessionId, cwd: editor.cwd, mcpServers: [] });
    expect(
      editor.updates.flatMap((update) =>
        "content" in update && update.content !== undefined
          ? [update.sessionUpdate, update.content]
          : [],
      ),
    ).toEqual([
      "user_message_chunk",
      { type: "text", text: "hi there" },
      "agent_message_chunk",
      { type: "text", text: "Hello." },
    ]);
    await editor.prompt(sessionId, "and now?");
    expect(rolesOf(user.server.requests[1])).toEqual(["user", "assistant", "user"]);
    expect(editor.text()).toContain("Still here.");
  });

  it("resumes a session without showing it again, and closes it", async () => {
    const user = await createHomeWithModel(HELLO);
    const sessionId = await storedSession(user);
    const editor = await startEditor(user);
    await editor.agent.request("session/resume", { sessionId, cwd: editor.cwd });
    await editor.prompt(sessionId, "and now?");
    expect(editor.text()).toBe("Still here.");
    expect(updatesOf(editor.updates, "user_message_chunk")).toEqual([]);
    await editor.agent.request("session/close", { sessionId });
    expect(await refusal(editor.prompt(sessionId, "hello?"))).toMatchObject({ code: -32_002 });
  });

  it("deletes a session for good, also an open one, and none of a workspace that it does not know", async () => {
    const user = await createHomeWithModel(HELLO);
    const sessionId = await storedSession(user);
    const editor = await startEditor(user);
    expect(editor.initialized.agentCapabilities?.sessionCapabilities?.delete).toEqual({});
    const remove = async (id: string): Promise<unknown> =>
      await editor.agent.request("session/delete", { sessionId: id });
    const ids = async (): Promise<readonly string[]> => {
      const { sessions } = await editor.agent.request("session/list", { cwd: editor.cwd });
      return sessions.map((session) => session.sessionId);
    };
    // The editor has not looked at the workspace yet. The SDK takes a missing session for a deleted one.
    await remove(sessionId);
    await remove("../../etc/passwd");
    expect(await ids()).toEqual([sessionId]);
    await remove(sessionId.slice(0, 8));
    expect(await ids()).toEqual([sessionId]);
    await remove(sessionId);
    expect(await ids()).toEqual([]);
    const open = await editor.open();
    await editor.prompt(open.sessionId, "hi there");
    await remove(open.sessionId);
    expect(await refusal(editor.prompt(open.sessionId, "hello?"))).toMatchObject({ code: -32_002 });
    expect(await ids()).toEqual([]);
    expect((await user.run(["sessions"])).stdout).toContain("no sessions yet");
  });

  it("refuses a session of another workspace, and a part of an id", async () => {
    const user = await createHomeWithModel(HELLO);
    const sessionId = await storedSession(user);
    const other = join(user.home, "other");
    await writeFiles(user.home, gitDirectory("other"));
    const editor = await startEditor(user);
    const load = async (id: string, cwd: string): Promise<{ code: number; message: string }> =>
      await refusal(editor.agent.request("session/load", { sessionId: id, cwd, mcpServers: [] }));
    expect(await load(sessionId, other)).toEqual({
      code: -32_002,
      message: `no session "${sessionId}" in ~/other. Sessions of other workspaces are opened there`,
    });
    expect(await load(sessionId.slice(0, 8), editor.cwd)).toMatchObject({ code: -32_002 });
    expect(await load("../../etc/passwd", editor.cwd)).toMatchObject({ code: -32_002 });
    expect(await load(sessionId, "app")).toEqual({
      code: -32_602,
      message: 'not an absolute path: "app"',
    });
    expect(editor.updates).toEqual([]);
    const listed = await editor.agent.request("session/list", { cwd: other });
    expect(listed.sessions).toEqual([]);
  });

  it("refuses a session of another worktree of the repository, which has the same project", async () => {
    const user = await createHomeWithModel(HELLO);
    const git = (...words: readonly string[]): void => {
      const identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
      const env = childEnvironment(user.home);
      execFileSync("git", [...identity, ...words], { cwd: join(user.home, "app"), env });
    };
    await rm(join(user.home, "app/.git"), { recursive: true });
    git("init", "--quiet");
    git("commit", "--quiet", "--allow-empty", "-m", "start");
    git("worktree", "add", "--quiet", "../tree");
    const sessionId = await storedSession(user);
    const editor = await startEditor(user);
    const cwd = join(user.home, "tree");
    const load = editor.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
    expect((await refusal(load)).message).toBe(
      `session ${sessionId} belongs to ~/app, not to ~/tree. Open it there`,
    );
    expect((await editor.agent.request("session/list", { cwd })).sessions).toEqual([]);
  });

  it("refuses sessions outside of --workspace", async () => {
    const user = await createHomeWithModel(HELLO);
    const other = join(user.home, "other");
    await mkdir(other);
    const editor = await startEditor(user, { args: ["--workspace", join(user.home, "app")] });
    const opened = editor.agent.request("session/new", { cwd: other, mcpServers: [] });
    expect(await refusal(opened)).toMatchObject({
      code: -32_602,
      message: expect.stringContaining("was started with --workspace") as string,
    });
    expect((await editor.open()).sessionId).not.toBe("");
  });
});

describe("an editor that disconnects in the middle of a turn", () => {
  /** Ends the process in one of the ways in which an editor may end it. */
  const ENDINGS = {
    "that closes its pipe": async (editor: Editor) => void (await disconnect(editor)),
    "that is killed with its agent": async (editor: Editor) => {
      await until(
        async () => (await editor.agent.request("session/list", {})).sessions.length === 1,
      );
      editor.child.kill("SIGKILL");
      await editor.ended;
    },
  } as const;

  it.for(Object.entries(ENDINGS))(
    "leaves a session that can be resumed by an editor %s",
    async ([, end]) => {
      const user = await createHomeWithModel([{ hang: true }, { text: "Welcome back." }]);
      const editor = await startEditor(user);
      const { sessionId } = await editor.open();
      editor.prompt(sessionId, "think about it").catch(() => undefined);
      await expect.poll(() => user.server.requests.length).toBe(1);
      await end(editor);
      // The request to the model ends, too.
      expect(await user.server.requests[0]?.closed).toBe("gone");
      const again = await startEditor(user);
      await again.agent.request("session/load", { sessionId, cwd: again.cwd, mcpServers: [] });
      expect(updatesOf(again.updates, "user_message_chunk")).toMatchObject([
        { content: { text: "think about it" } },
      ]);
      expect(again.text()).toContain("The last turn ended before the agent answered.");
      await again.prompt(sessionId, "continue");
      expect(again.text()).toContain("Welcome back.");
    },
  );

  it("ends a command that runs, and stores that it was interrupted", async () => {
    const user = await createHomeWithModel([
      { toolCalls: [{ name: "Bash", input: { command: "echo $$ > pid; sleep 600" } }] },
      { text: "Welcome back." },
    ]);
    const editor = await startEditor(user, { answer: () => "Yes" });
    const { sessionId } = await editor.open();
    editor.prompt(sessionId, "wait").catch(() => undefined);
    const pidFile = join(editor.cwd, "pid");
    const pid = async (): Promise<number> =>
      Number(await readFile(pidFile, "utf8").catch(() => ""));
    await expect.poll(pid).toBeGreaterThan(0);
    expect((await disconnect(editor)).exitCode).toBe(0);
    const running = await pid();
    await expect.poll(() => isRunning(running)).toBe(false);
    const again = await startEditor(user);
    await again.agent.request("session/load", { sessionId, cwd: again.cwd, mcpServers: [] });
    expect(updatesOf(again.updates, "tool_call")).toMatchObject([{ status: "failed" }]);
  });
});

describe("two sessions of one editor", () => {
  it("runs two sessions at the same time, each with its own messages", async () => {
    const user = await createHomeWithModel((request) => ({
      text: messagesOf(request).at(-1)?.text.includes("first") === true ? "One." : "Two.",
    }));
    const editor = await startEditor(user);
    const [first, second] = [await editor.open(), await editor.open()];
    expect(first.sessionId).not.toBe(second.sessionId);
    const answers = await Promise.all([
      editor.prompt(first.sessionId, "first"),
      editor.prompt(second.sessionId, "second"),
    ]);
    expect(answers.map(({ stopReason }) => stopReason)).toEqual(["end_turn", "end_turn"]);
    expect(
      textOf(editor.updates)
        .match(/One\.|Two\./g)
        ?.toSorted(),
    ).toEqual(["One.", "Two."]);
    for (const request of user.server.requests) {
      expect(messagesOf(request).filter(({ role }) => role === "user")).toHaveLength(1);
    }
  });
});
