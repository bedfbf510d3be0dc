import type { Message } from "@caliban/agent-core";
import { resultFacts } from "@caliban/agent-core";
import { parseMessage } from "../../../sessions/src/record/parse-message.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ScreenItem } from "../../src/transcript/items.ts";
import { renderItem } from "../../src/transcript/render-item.ts";
import { itemsOfMessages } from "../../src/transcript/stored-items.ts";
import { EMPTY_TRANSCRIPT, NO_SHOWN_MEMORY, reduceEvent } from "../../src/transcript/transcript.ts";
import { plain, theme } from "../plain-lines.ts";

const data = fc.record(
  {
    exitCode: fc.constantFrom(0, 3),
    lines: fc.integer({ min: 0, max: 40 }),
    ended: fc.constantFrom("Exit code 3.", "Exit code 0."),
    stopped: fc.constantFrom("interrupted", "time-limit", undefined),
    files: fc.array(fc.constant("a.ts"), { maxLength: 5 }),
    total: fc.integer({ min: 0, max: 9 }),
    topics: fc.array(fc.constant({ slug: "a" }), { maxLength: 3 }),
    sessions: fc.array(fc.constant("s"), { maxLength: 3 }),
    body: fc.constantFrom("one\ntwo", "long\n".repeat(100)),
    message: fc.constantFrom("You said no.", "x".repeat(300)),
    isNew: fc.boolean(),
    diff: fc.constantFrom("  1\ta\n- \tb\n+ 2\tc", "+ 1\tx\n".repeat(4000)),
    added: fc.constant(1),
    removed: fc.constant(1),
    nested: fc.constant({ deep: [1] }),
  },
  { requiredKeys: [] },
);

const calls = fc.record({
  name: fc.constantFrom(
    "Bash",
    "Read",
    "Grep",
    "Glob",
    "Edit",
    "Write",
    "MemorySearch",
    "ReadMemoryTopic",
    "mcp__a__b",
    "TodoWrite",
    "WebFetch",
    "Other",
  ),
  input: fc.constantFrom(
    { command: "ls" },
    { file_path: "/w/a", content: "x\ny" },
    { file_path: "/w/a", old_string: "1", new_string: "2" },
    { todos: [{ content: "a\u001B[2J", status: "in_progress" }] },
  ),
  text: fc.constantFrom("", "one\ntwo\n\nExit code 3.", "No output. Exit code 0.", "a\u001B[2Jb"),
  isError: fc.boolean(),
  durationMs: fc.constantFrom(0, 2500),
  data: fc.option(data, { nil: undefined }),
});

function rendered(items: readonly ScreenItem[]): readonly string[] {
  return [false, true].flatMap((isExpanded) =>
    items.flatMap((item) =>
      plain(renderItem(item, { theme, width: 60, isExpanded, workspaceRoot: "/w" })),
    ),
  );
}

describe("a resumed conversation", () => {
  it("shows a result as the live one did, for every tool", () => {
    fc.assert(
      fc.property(calls, ({ name, input, text, isError, durationMs, data: made }) => {
        const call = { type: "tool-call", id: "1", name, input } as const;
        const result = {
          type: "tool-result",
          id: "1",
          name,
          text,
          isError,
          durationMs,
          data: made,
        } as const;
        const live = [call, result].reduce(
          (transcript, event) => reduceEvent(transcript, event, NO_SHOWN_MEMORY),
          EMPTY_TRANSCRIPT,
        );
        const facts = resultFacts(made, durationMs);
        const messages: readonly Message[] = [
          { role: "assistant", model: "a/b", parts: [call] },
          { role: "tool", results: [{ id: "1", name, text, isError, facts }] },
          { role: "assistant", model: "a/b", parts: [] },
        ];
        const stored = messages.map(
          (message) => parseMessage(JSON.parse(JSON.stringify(message)))?.message,
        );
        expect(rendered(itemsOfMessages(stored as readonly Message[]))).toEqual(
          rendered(live.items),
        );
      }),
    );
  });
});
