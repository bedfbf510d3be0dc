import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spellCommands } from "@caliban/common";
import { describe, expect, it } from "vitest";
import { atPrompt } from "../../src/commands/chat/slash/captured-run.ts";
import type { Host } from "../../src/host.ts";
import { UsageError } from "../../src/usage-error.ts";
import { machine, type Machine } from "../fake-host.ts";
import { openTestConversation } from "./open-test-conversation.ts";

const names = (tools: readonly { readonly name: string }[]): readonly string[] =>
  tools.map(({ name }) => name);

async function writeSettings({ home }: Machine, text: string): Promise<void> {
  await mkdir(join(home, ".config/caliban"), { recursive: true });
  await writeFile(join(home, ".config/caliban/settings.toml"), text);
}

describe("openConversation", () => {
  it.each([
    ["in a shell", "caliban memory", (host: Host) => host],
    ["at the prompt", "/memory", atPrompt],
  ])("names commands as they are typed %s", async (_, memory, place) => {
    const here = await machine({ "app/CLAUDE.md": "@~/notes.md\n", "notes.md": "Outside.\n" });
    const { command } = place(here.host);
    const { conversation } = await openTestConversation(here.with({ command }));
    expect(conversation.warnings().map(({ message }) => message)).toEqual([
      `memory: 1 loaded, 1 imports skipped (${memory} explain)`,
    ]);
    await conversation.send("remember that we deploy with pnpm ship");
    expect(JSON.stringify(conversation.messages().at(-1))).toContain(
      `undo with \`${memory} undo\``,
    );
    const model = command("--model offline/rehearsal");
    const failing = conversation.useModel("anthropic/x").catch((error: unknown) => {
      return error instanceof UsageError ? spellCommands(error, command) : error;
    });
    expect(await failing).toContain(`or use the built-in model: ${model}`);
    await conversation.close();
  });

  it("applies changed settings when the conversation is cleared", async () => {
    const here = await machine();
    const { conversation } = await openTestConversation(here);
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

  it("uses the model that the settings name when the conversation is cleared", async () => {
    const here = await machine();
    const withKey = here.with({ env: { HOME: here.home, OPENAI_API_KEY: "key-0123456789" } });
    const { conversation } = await openTestConversation(withKey, {
      modelName: "offline/rehearsal",
    });
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

  it("resumes a session with the model it used, unless another is named", async () => {
    const here = await machine();
    const first = await openTestConversation(here, { modelName: "offline/rehearsal" });
    await first.conversation.send("hello");
    await first.conversation.close();
    const withKey = here.with({ env: { HOME: here.home, OPENAI_API_KEY: "key-0123456789" } });
    const latest = { session: { kind: "latest" } } as const;
    const again = await openTestConversation(withKey, latest);
    expect(again.conversation.model()).toBe("offline/rehearsal");
    expect(again.conversation.id()).toBe(first.conversation.id());
    await again.conversation.close();
    const other = await openTestConversation(withKey, {
      ...latest,
      modelName: "openai/gpt-6-luna",
    });
    expect(other.conversation.model()).toBe("openai/gpt-6-luna");
    await expect(other.conversation.useModel("openai")).rejects.toMatchObject({
      name: "UsageError",
    });
    expect(other.conversation.model()).toBe("openai/gpt-6-luna");
    await other.conversation.close();
  });

  it("resumes a stored session with its own model, and records which model continues", async () => {
    const here = await machine();
    await writeSettings(here, '[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n');
    const first = await openTestConversation(here, { modelName: "mine/one" });
    await first.conversation.send("hello");
    await first.conversation.close();
    const second = await openTestConversation(here);
    expect(second.conversation.model()).toBe("offline/rehearsal");
    await second.conversation.resume(first.conversation.id());
    expect(second.conversation.model()).toBe("mine/one");
    await second.conversation.send("again");
    const apart = await openTestConversation(here, { session: { kind: "latest" } });
    await apart.conversation.send("elsewhere");
    await apart.conversation.close();
    await second.conversation.close();
    const list = JSON.parse((await here.caliban("sessions", "--json")).stdout);
    const models = list.sessions.map(({ model }: { readonly model?: string }) => model);
    expect(models).toEqual(["mine/one", "mine/one"]);
  });

  it("records that another model continues the session", async () => {
    const here = await machine();
    await writeSettings(here, '[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n');
    const first = await openTestConversation(here);
    await first.conversation.send("hello");
    await first.conversation.close();
    const latest = { session: { kind: "latest" } } as const;
    const other = await openTestConversation(here, { ...latest, modelName: "mine/one" });
    await other.conversation.send("again");
    await other.conversation.close();
    const third = await openTestConversation(here, latest);
    expect(third.conversation.model()).toBe("mine/one");
    await third.conversation.close();
  });

  it("keeps the chosen mode when the conversation is cleared, unless the settings name another", async () => {
    const here = await machine();
    const { conversation } = await openTestConversation(here);
    conversation.useMode("accept-edits");
    await conversation.clear();
    expect(conversation.policy().mode).toBe("accept-edits");
    await writeSettings(here, '[permissions]\nmode = "plan"\n');
    await conversation.clear();
    expect(conversation.policy().mode).toBe("plan");
    await conversation.close();
  });

  it("applies a changed context window when the conversation is cleared", async () => {
    const here = await machine();
    const mine = '[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n';
    await writeSettings(here, mine);
    const { conversation } = await openTestConversation(here, { modelName: "mine/one" });
    expect(conversation.windowUse().windowTokens).toBe(32_000);
    await writeSettings(here, `${mine}[models]\ncontext_window = 50000\n`);
    await conversation.clear();
    expect(conversation.windowUse().windowTokens).toBe(50_000);
    expect(conversation.model()).toBe("mine/one");
    await conversation.close();
  });

  it("counts requests and tokens from the start of the current session", async () => {
    const { conversation } = await openTestConversation(await machine());
    await conversation.send("hello");
    expect(conversation.spent().requests).toBe(1);
    await conversation.clear();
    expect(conversation.spent()).toMatchObject({ requests: 0, usage: { inputTokens: 0 } });
    await conversation.close();
  });

  it("reports that there is no session to continue, and starts a new one", async () => {
    const { conversation, notices } = await openTestConversation(await machine(), {
      session: { kind: "latest" },
    });
    expect(notices).toEqual(["no session to continue; starting a new one"]);
    await conversation.close();
  });

  it('lists and revokes "always" answers', async () => {
    const here = await machine();
    const ask = async () => "always" as const;
    const flags = { permissions: { allow: [], ask: ["memory.write"], deny: [] } };
    const { conversation } = await openTestConversation(here, { flags, ask });
    await conversation.send("remember that we use tabs");
    const [approval = ""] = await conversation.approvals();
    expect(approval).toContain("memory.write");
    expect(await conversation.forget(approval)).toBe(true);
    expect(await conversation.approvals()).toEqual([]);
    await conversation.close();
  });

  it("saves no session and offers no memory tools with --bare", async () => {
    const here = await machine({ "app/CLAUDE.md": "Use pnpm.\n" });
    const { conversation } = await openTestConversation(here, { flags: { bare: true } });
    await conversation.send("hello");
    expect(conversation.isSaved()).toBe(false);
    expect(names(conversation.tools())).not.toContain("MemorySearch");
    await conversation.close();
  });

  it("saves no session with --no-save", async () => {
    const here = await machine();
    const { conversation } = await openTestConversation(here, { isSaved: false });
    await conversation.send("hello");
    await conversation.close();
    expect((await here.caliban("sessions")).stdout + conversation.isSaved()).not.toContain("hello");
    expect(existsSync(join(here.home, ".local/share/caliban"))).toBe(false);
  });

  it("saves the session with --no-memory, and still protects the topics from file tools", async () => {
    const start = await machine();
    const notes = join(start.home, "app/notes");
    const here = start.with({
      env: { HOME: start.home, CALIBAN_AUTO_MEMORY_DIRECTORY: notes },
    });
    const { conversation } = await openTestConversation(here, { flags: { memory: false } });
    await conversation.send("hello there");
    const write = conversation.tools().find(({ name }) => name === "Write");
    const input = { file_path: "notes/x.md", content: "x" };
    const result = await write?.run(input, { usedTools: [], notify: () => undefined });
    expect(result).toMatchObject({ isError: true });
    expect(existsSync(join(notes, "x.md"))).toBe(false);
    await conversation.close();
    expect((await here.caliban("sessions")).stdout).toContain("hello there");
  });

  it("reports that the model for small work is not available, and summarizes without it", async () => {
    const here = await machine();
    await writeSettings(here, '[models]\nsmol = "openai/gpt-6-luna"\n');
    const { conversation, notices } = await openTestConversation(here);
    for (const words of ["one", "two", "three"]) await conversation.send(words);
    expect(await conversation.compact()).toEqual({ kind: "done" });
    expect(notices.join()).toContain("models.smol is not available: ");
    await conversation.close();
  });
});
