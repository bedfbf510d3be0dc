import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { openConversation, type OpenConversationInput } from "../../src/conversation/open-conversation.ts";
import { projectApprovals } from "../../src/conversation/turn/tool-runner.ts";
import { NO_OPTIONS } from "../../src/command.ts";
import { openProject } from "../../src/project/project.ts";
import { machine, type Machine } from "../fake-host.ts";

/** A conversation with the offline model, put together as the program does. */
async function opened(here: Machine, changes: Partial<OpenConversationInput> = {}) {
  const events: AgentEvent[] = [];
  const lines: string[] = [];
  const conversation = await openConversation({
    invocation: { ...NO_OPTIONS, host: here.host },
    view: { emit: (event) => void events.push(event), notify: (line) => void lines.push(line) },
    isSaved: true,
    ...changes,
  });
  return { conversation, events, lines };
}

const names = (tools: readonly { readonly name: string }[]): readonly string[] =>
  tools.map(({ name }) => name);

async function writeSettings({ home }: Machine, text: string): Promise<void> {
  await mkdir(join(home, ".config/caliban"), { recursive: true });
  await writeFile(join(home, ".config/caliban/settings.toml"), text);
}

describe("a conversation as the program opens it", () => {
  it("is about settings as they are when it begins anew", async () => {
    const here = await machine();
    const { conversation } = await opened(here);
    expect(names(conversation.tools())).toContain("WriteMemoryTopic");
    await writeSettings(here, '[permissions]\ndeny = ["memory.write"]\n');
    expect(names(conversation.tools())).toContain("WriteMemoryTopic");
    await conversation.clear();
    expect(names(conversation.tools())).not.toContain("WriteMemoryTopic");
    expect(conversation.policy().deny.map(({ text }) => text)).toEqual(["memory.write"]);
    await writeSettings(here, "[permissions\n");
    await expect(conversation.clear()).rejects.toMatchObject({ name: "SettingsError" });
    expect(names(conversation.tools())).not.toContain("WriteMemoryTopic");
    await conversation.close();
  });

  it("goes on with the model that the settings name when it begins anew", async () => {
    const here = await machine();
    const withKey = here.with({ env: { HOME: here.home, OPENAI_API_KEY: "key-0123456789" } });
    const { conversation } = await opened(withKey, { modelName: "offline/rehearsal" });
    await conversation.clear();
    expect(conversation.model()).toBe("offline/rehearsal");
    await writeSettings(
      here,
      '[models]\ndefault = "mine/one"\n[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n',
    );
    await expect(conversation.useModel("mine/one")).rejects.toMatchObject({ name: "UsageError" });
    await conversation.clear();
    expect(conversation.model()).toBe("mine/one");
    await conversation.useModel("mine/two");
    await conversation.clear();
    expect(conversation.model()).toBe("mine/two");
    await conversation.close();
  });

  it("goes on with the model that the session the session used, unless another is named or it cannot be had", async () => {
    const here = await machine();
    const first = await opened(here, { modelName: "offline/rehearsal" });
    await first.conversation.send("hello");
    await first.conversation.close();
    const withKey = here.with({ env: { HOME: here.home, OPENAI_API_KEY: "key-0123456789" } });
    const latest = { resume: { kind: "latest" } } as const;
    const again = await opened(withKey, latest);
    expect(again.conversation.model()).toBe("offline/rehearsal");
    expect(again.conversation.id()).toBe(first.conversation.id());
    await again.conversation.close();
    const other = await opened(withKey, { ...latest, modelName: "openai/gpt-6-luna" });
    expect(other.conversation.model()).toBe("openai/gpt-6-luna");
    await expect(other.conversation.useModel("openai")).rejects.toMatchObject({
      name: "UsageError",
    });
    expect(other.conversation.model()).toBe("openai/gpt-6-luna");
    await other.conversation.close();
  });

  it("takes a stored session up with its own model, and keeps which one goes on", async () => {
    const here = await machine();
    await writeSettings(here, '[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n');
    const first = await opened(here, { modelName: "mine/one" });
    await first.conversation.send("hello");
    await first.conversation.close();
    const second = await opened(here);
    expect(second.conversation.model()).toBe("offline/rehearsal");
    await second.conversation.resume(first.conversation.id());
    expect(second.conversation.model()).toBe("mine/one");
    await second.conversation.send("again");
    const apart = await opened(here, { resume: { kind: "latest" } });
    await apart.conversation.send("elsewhere");
    await apart.conversation.close();
    await second.conversation.close();
    const list = JSON.parse((await here.caliban("sessions", "--json")).stdout);
    const models = list.sessions.map(({ model }: { readonly model?: string }) => model);
    expect(models).toEqual(["mine/one", "mine/one"]);
  });

  it("keeps that another model goes on than the one the session used", async () => {
    const here = await machine();
    await writeSettings(here, '[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n');
    const first = await opened(here);
    await first.conversation.send("hello");
    await first.conversation.close();
    const latest = { resume: { kind: "latest" } } as const;
    const other = await opened(here, { ...latest, modelName: "mine/one" });
    await other.conversation.send("again");
    await other.conversation.close();
    const third = await opened(here, latest);
    expect(third.conversation.model()).toBe("mine/one");
    await third.conversation.close();
  });

  it("is in the mode that the settings name when it begins anew, and otherwise in the one chosen", async () => {
    const here = await machine();
    const { conversation } = await opened(here);
    conversation.useMode("accept-edits");
    await conversation.clear();
    expect(conversation.policy().mode).toBe("accept-edits");
    await writeSettings(here, '[permissions]\nmode = "plan"\n');
    await conversation.clear();
    expect(conversation.policy().mode).toBe("plan");
    await conversation.close();
  });

  it("has the window that the settings name when it begins anew", async () => {
    const here = await machine();
    const mine = '[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n';
    await writeSettings(here, mine);
    const { conversation } = await opened(here, { modelName: "mine/one" });
    expect(conversation.contextUse().windowTokens).toBe(32_000);
    await writeSettings(here, `${mine}[models]\ncontext_window = 50000\n`);
    await conversation.clear();
    expect(conversation.contextUse().windowTokens).toBe(50_000);
    expect(conversation.model()).toBe("mine/one");
    await conversation.close();
  });

  it("counts what it took from its own beginning on", async () => {
    const { conversation } = await opened(await machine());
    await conversation.send("hello");
    expect(conversation.spent().requests).toBe(1);
    await conversation.clear();
    expect(conversation.spent()).toMatchObject({ requests: 0, usage: { inputTokens: 0 } });
    await conversation.close();
  });

  it("says that there is nothing to go on with, and begins", async () => {
    const { conversation, lines } = await opened(await machine(), { resume: { kind: "latest" } });
    expect(lines).toEqual(["there is no session to go on with yet; this is a new one"]);
    await conversation.close();
  });

  it("shows and takes back what was answered always", async () => {
    const here = await machine();
    const ask = async () => "always" as const;
    const invocation = {
      ...NO_OPTIONS,
      host: here.host,
      permissions: { allow: [], ask: ["memory.write"], deny: [] },
    };
    const view = { emit: () => undefined, notify: () => undefined, ask };
    const { conversation } = await opened(here, { invocation, view });
    await conversation.send("remember that we use tabs");
    const [approval = ""] = await conversation.approvals();
    expect(approval).toContain("memory.write");
    expect(await conversation.forget(approval)).toBe(true);
    expect(await conversation.approvals()).toEqual([]);
    await conversation.close();
  });

  it("does not take a command that was approved in one directory for approved in another", async () => {
    const { host, home } = await machine({ "app/sub/a.txt": "" });
    const project = await openProject({ ...NO_OPTIONS, host });
    const below = await openProject({
      ...NO_OPTIONS,
      host: { ...host, cwd: join(home, "app/sub") },
    });
    expect(below.workspace.root).toBe(project.workspace.root);
    const [above, here] = [projectApprovals(project), projectApprovals(below)];
    await above.approve("permission:shell.run(sh ./t.sh)");
    await above.approve("permission:fs.write(a.txt)");
    expect(await here.isApproved("permission:shell.run(sh ./t.sh)")).toBe(false);
    expect(await here.isApproved("permission:fs.write(a.txt)")).toBe(true);
    await here.approve("permission:shell.run(sh ./u.sh)");
    expect(await here.isApproved("permission:shell.run(sh ./u.sh)")).toBe(true);
    expect(await above.isApproved("permission:shell.run(sh ./u.sh)")).toBe(false);
    expect(await above.list()).toContain("permission:shell.run(sh ./u.sh) in sub");
  });

  it("keeps nothing where nothing may be read: --bare", async () => {
    const here = await machine({ "app/CLAUDE.md": "Use pnpm.\n" });
    const { conversation } = await opened(here, {
      invocation: { ...NO_OPTIONS, host: here.host, bare: true },
    });
    await conversation.send("hello");
    expect(conversation.isSaved()).toBe(false);
    expect(names(conversation.tools())).not.toContain("MemorySearch");
    await conversation.close();
  });

  it("keeps no session with --no-save", async () => {
    const here = await machine();
    const { conversation } = await opened(here, { isSaved: false });
    await conversation.send("hello");
    await conversation.close();
    expect((await here.caliban("sessions")).stdout + conversation.isSaved()).not.toContain("hello");
    expect(existsSync(join(here.home, ".local/share/caliban"))).toBe(false);
  });

  it("keeps its session without memory, and the notes out of the tools' reach", async () => {
    const start = await machine();
    const notes = join(start.home, "app/notes");
    const here = start.with({
      env: { HOME: start.home, CALIBAN_AUTO_MEMORY_DIRECTORY: notes },
    });
    const invocation = { ...NO_OPTIONS, host: here.host, memory: false };
    const { conversation } = await opened(here, { invocation });
    await conversation.send("hello there");
    const write = conversation.tools().find(({ name }) => name === "Write");
    const input = { file_path: "notes/x.md", content: "x" };
    const result = await write?.run(input, { usedTools: [], notify: () => undefined });
    expect(result).toMatchObject({ isError: true });
    expect(existsSync(join(notes, "x.md"))).toBe(false);
    await conversation.close();
    expect((await here.caliban("sessions")).stdout).toContain("hello there");
  });

  it("says so when the model for small work cannot be had, and does without it", async () => {
    const here = await machine();
    await writeSettings(here, '[models]\nsmol = "openai/gpt-6-luna"\n');
    const { conversation, lines } = await opened(here);
    for (const words of ["one", "two", "three"]) await conversation.send(words);
    expect(await conversation.compact()).toEqual({ kind: "done" });
    expect(lines.join()).toContain("models.smol cannot be had: openai needs a key");
    await conversation.close();
  });
});
