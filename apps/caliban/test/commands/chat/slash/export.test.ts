import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Message } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { runSlash } from "../../../../src/commands/chat/slash/run-slash.ts";
import { SLASH_COMMANDS } from "../../../../src/commands/chat/slash/slash-table.ts";
import { NO_OPTIONS } from "../../../../src/command.ts";
import { openTestConversation } from "../../../conversation/open-test-conversation.ts";
import { machine } from "../../../fake-host.ts";
import { parseSlash, type ScreenUser } from "@caliban/tui";
import { prompt, said } from "./slash-prompt.ts";

const SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

const MESSAGES: readonly Message[] = [
  { role: "user", text: "hi" },
  { role: "assistant", model: "m", parts: [{ type: "text", text: "Grüße\u001B]0;x\u0007" }] },
];

describe("/export", () => {
  it("writes the conversation without secrets, and overwrites nothing", async () => {
    const here = await machine();
    const { conversation } = await openTestConversation(here);
    await conversation.send(`what about ${SECRET}?`);
    const slash = parseSlash("/export talk.md", SLASH_COMMANDS);
    if (slash === undefined) throw new Error("not a slash command");
    const input = { conversation, invocation: { ...NO_OPTIONS, host: here.host } };
    const user = {} as ScreenUser;
    expect(await runSlash(slash, { ...input, user })).toMatchObject({
      kind: "text",
      text: expect.stringContaining("talk.md\nRemoved: 2 secrets."),
    });
    const written = await readFile(join(here.home, "app/talk.md"), "utf8");
    expect(written).toContain("what about [secret removed: ");
    expect(written).not.toContain(SECRET);
    expect(await runSlash(slash, { ...input, user })).toMatchObject({
      kind: "error",
      text: expect.stringContaining("the file already exists"),
    });
    await conversation.close();
  });

  it("refuses a link that leads out of the workspace, and an empty conversation", async () => {
    const here = await machine();
    await symlink(join(here.home, "outside.md"), join(here.home, "app/link.md"));
    const { conversation } = await openTestConversation(here);
    const input = { conversation, invocation: { ...NO_OPTIONS, host: here.host } };
    const slash = parseSlash("/export link.md", SLASH_COMMANDS);
    if (slash === undefined) throw new Error("not a slash command");
    const run = async (): Promise<unknown> =>
      await runSlash(slash, { ...input, user: {} as ScreenUser });
    expect(await run()).toMatchObject({ text: "There is nothing to export yet." });
    await conversation.send("hello");
    expect(await run()).toMatchObject({
      kind: "error",
      text: expect.stringContaining("outside the workspace"),
    });
    await conversation.close();
  });
});

describe("/copy", () => {
  it("sends the last answer to the terminal as Base64", async () => {
    let sent = "";
    const here = (await machine()).with({ stdout: (text) => void (sent += text) });
    const { type } = await prompt(here, {}, { messages: MESSAGES });
    expect((await said(type("/copy"))).text).toMatch(/^Sent 11 characters to the clipboard\./);
    const [start, end] = ["\u001B]52;c;", "\u0007"];
    expect([sent.startsWith(start), sent.endsWith(end)]).toEqual([true, true]);
    const base64 = sent.slice(start.length, -end.length);
    expect(base64).toMatch(/^[A-Za-z0-9+/=]+$/);
    expect(Buffer.from(base64, "base64").toString("utf8")).toBe("Grüße\u001B]0;x\u0007");
  });

  it("says that there is no answer yet, or that it is too long", async () => {
    let sent = "";
    const here = (await machine()).with({ stdout: (text) => void (sent += text) });
    const none = await prompt(here, {}, { messages: MESSAGES.slice(0, 1) });
    expect(await none.type("/copy")).toMatchObject({ kind: "error" });
    const parts = [{ type: "text", text: "x".repeat(80_000) }] as const;
    const long = await prompt(here, {}, { messages: [{ role: "assistant", model: "m", parts }] });
    expect(await long.type("/copy")).toMatchObject({
      kind: "error",
      text: expect.stringContaining("80,000 bytes"),
    });
    expect(sent).toBe("");
  });
});
