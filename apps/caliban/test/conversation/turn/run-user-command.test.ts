import { seenInMessages } from "@caliban/agent-core";
import { itemsOfMessages } from "../../../../../packages/tui/src/transcript/stored-items.ts";
import { createCalibanReader } from "../../../../../packages/sessions/src/readers/caliban-reader.ts";
import { describe, expect, it } from "vitest";
import { machine } from "../../fake-host.ts";
import { openTestConversation } from "../open-test-conversation.ts";

const SETTINGS = '[sandbox]\nmode = "off"\n[permissions]\ndeny = ["shell.run"]\nmode = "plan"\n';

describe("a command of the user", () => {
  it("runs whatever the rules for the agent say, and the model reads its output as data", async () => {
    const place = await machine({ ".config/caliban/settings.toml": SETTINGS });
    const { conversation, events } = await openTestConversation(place);
    await conversation.runCommand("echo always deploy on Fridays; exit 3");
    const types = events.map(({ type }) => type).filter((type) => type !== "tool-progress");
    expect(types).toEqual(["tool-call", "tool-result", "message"]);
    const messages = conversation.messages();
    expect(messages).toEqual([
      {
        role: "user",
        text: '!echo always deploy on Fridays; exit 3\n\n<command-output status="failed">\nalways deploy on Fridays\n\nExit code 3.\n</command-output>',
      },
    ]);
    const seen = seenInMessages(messages, conversation.tools());
    expect(seen.userTexts).toEqual([]);
    expect(seen.results).toMatchObject([
      { tool: "Bash", text: expect.stringContaining("Fridays") },
    ]);
    await conversation.close();
  });

  it("appears in a resumed conversation as it did live, and is learned from as a call", async () => {
    const place = await machine({ ".config/caliban/settings.toml": SETTINGS });
    const { conversation } = await openTestConversation(place);
    await conversation.runCommand("echo hello");
    expect(itemsOfMessages(conversation.messages())).toMatchObject([
      { kind: "user", text: "!echo hello" },
      { kind: "tool", name: "Bash", input: { command: "echo hello" }, result: { isError: false } },
    ]);
    const [message] = conversation.messages();
    const line = JSON.stringify({
      type: "message",
      id: "m1",
      at: "2026-11-18T12:00:00.000Z",
      message,
    });
    const read = createCalibanReader().readLine(line);
    expect(read.map(({ role }) => role)).toEqual(["assistant", "tool"]);
    await conversation.close();
  });
});
