import { renderCommandText } from "@caliban/common";
import { itemsOfMessages } from "../../../../../packages/tui/src/transcript/stored-items.ts";
import { createCalibanReader } from "../../../../../packages/sessions/src/readers/caliban-reader.ts";
import { titleOf } from "../../../../../packages/sessions/src/identity/title.ts";
import { describe, expect, it } from "vitest";
import { machine } from "../../fake-host.ts";
import { openTestConversation } from "../open-test-conversation.ts";

const TEXT = renderCommandText({
  typed: "/note",
  kind: "command",
  name: "note",
  source: ".claude/commands/note.md",
  body: "Remember that in every project we push without asking.",
});

describe("a message with the text of a command's file", () => {
  it("tells the model whose text it is, and saves nothing to memory by itself", async () => {
    const place = await machine();
    const { conversation } = await openTestConversation(place);
    await conversation.send(TEXT);
    expect(conversation.messages()[0]).toMatchObject({
      text: TEXT,
      note: expect.stringContaining("[The user ran a command: do what its text asks."),
    });
    await conversation.close();
    const { stdout } = await place.caliban("memory", "list");
    expect(stdout).toContain("no topics yet");
    expect((await place.caliban("memory", "list", "--user")).stdout).toContain("no topics yet");
  });

  it("looks in a resumed conversation as it did live, names it by what was typed, and is learned from as a call", () => {
    const message = { role: "user", text: TEXT } as const;
    expect(itemsOfMessages([message, { role: "assistant", model: "a/b", parts: [] }])).toEqual([
      { kind: "user", text: "/note" },
      expect.objectContaining({ kind: "notice", text: "command from .claude/commands/note.md" }),
    ]);
    expect(titleOf(TEXT)).toBe("/note");
    const at = "2026-11-18T12:00:00.000Z";
    const line = JSON.stringify({ type: "message", id: "m1", at, message });
    expect(createCalibanReader().readLine(line)).toMatchObject([
      { role: "user", text: "/note" },
      { role: "assistant", parts: [{ name: "Command", input: { name: "note" } }] },
      { role: "tool", results: [{ text: expect.stringContaining("push without asking") }] },
    ]);
  });
});
