import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportMarkdown } from "../../src/transcript/export-markdown.ts";
import type { SessionRecord } from "../../src/record/record.ts";
import type { SessionMessage } from "../../src/record/session-message.ts";
import { start } from "../record/arbitrary-records.ts";

const AT = "2026-11-16T17:10:45.000Z";
const record = (message: SessionMessage): SessionRecord => ({
  type: "message",
  id: "m1",
  at: AT,
  message,
});

describe("exportMarkdown", () => {
  it("exportMarkdown shows messages, tool calls and their results", () => {
    const markdown = exportMarkdown([
      { ...start(), name: "deploy_it" },
      record({ role: "user", text: "How do we\ndeploy?" }),
      record({
        role: "assistant",
        model: "a/b",
        parts: [
          { type: "reasoning", text: "I should look." },
          { type: "text", text: "I look." },
          { type: "tool-call", id: "c1", name: "Read", input: { path: "README.md" } },
        ],
      }),
      record({
        role: "tool",
        results: [{ id: "c1", name: "Read", text: "```sh\npnpm ship\n```", isError: false }],
      }),
      { type: "model", at: AT, model: "c/d" },
      { type: "turn-end", at: AT, outcome: "interrupted" },
      { type: "resumed", at: AT, cwd: "/", model: "c/d", version: "1" },
      {
        type: "compacted",
        at: AT,
        messages: [{ role: "user", text: "In short: ship.", note: "n" }],
      },
    ]);
    expect(markdown).toMatchInlineSnapshot(`
      "# deploy\\_it

      - session: 20261116-171045-k3f9
      - started: 2026-11-16T17:10:45.000Z
      - workspace: /app
      - model: a/b
      - caliban: 1.2.3

      ## You

      > How do we
      > deploy?

      ## a/b

      Reasoning:

      > I should look.

      Answer:

      > I look.

      Tool call: **Read**

      \`\`\`json
      {
        "path": "README.md"
      }
      \`\`\`

      Result of **Read**:

      \`\`\`\`text
      \`\`\`sh
      pnpm ship
      \`\`\`
      \`\`\`\`

      *Model changed to c/d.*

      *The turn ended: interrupted.*

      *Resumed 2026-11-16T17:10:45.000Z.*

      ## Summary of the conversation so far

      ## You

      > In short: ship.

      Added for the model:

      > n

      ---
      "
    `);
  });

  it("exportMarkdown truncates long tool results", () => {
    const text = "x".repeat(10_000);
    const markdown = exportMarkdown([
      record({ role: "tool", results: [{ id: "c", name: "Bash", text, isError: true }] }),
    ]);
    expect(markdown).toContain("Error from **Bash**");
    expect(markdown).toContain("… 6000 more characters");
    expect(markdown.length).toBeLessThan(4_200);
  });

  it("exportMarkdown keeps hostile text inside its block", () => {
    const hostile = fc
      .array(
        fc.constantFrom("`", "```", "````", "~~~", "\n", "\r", "\r\n", "<!--", "## You", "> ", "x"),
        {
          maxLength: 12,
        },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(hostile, (text) => {
        const markdown = exportMarkdown([
          start(),
          record({ role: "user", text, note: text }),
          record({
            role: "assistant",
            model: text,
            parts: [
              { type: "text", text },
              { type: "reasoning", text },
              { type: "tool-call", id: "c", name: text, input: text },
            ],
          }),
          record({ role: "tool", results: [{ id: "c", name: text, text, isError: false }] }),
          { type: "notice", at: AT, sentence: text },
          { type: "model", at: AT, model: text },
          record({ role: "user", text: "END" }),
        ]);
        expect(linesOutsideBlocks(markdown).filter((line) => line === "## You")).toHaveLength(2);
        expect(linesOutsideBlocks(markdown).slice(-2)).toEqual(["> END", ""]);
        expect(linesOutsideBlocks(markdown).join("\n")).not.toMatch(/<!--|~~~/);
      }),
    );
  });

  it("exportMarkdown handles a text of a million fences", () => {
    const text = "``` ".repeat(500_000);
    expect(() =>
      exportMarkdown([
        record({
          role: "assistant",
          model: "m",
          parts: [{ type: "tool-call", id: "c", name: "n", input: text }],
        }),
      ]),
    ).not.toThrow();
  });
});

/** The lines outside fences and block quotes as CommonMark defines them, and the last quote. */
function linesOutsideBlocks(markdown: string): readonly string[] {
  const outside: string[] = [];
  let fence = "";
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const opened = /^ {0,3}(`{3,})[^`]*$/.exec(line)?.[1] ?? "";
    const closed = /^ {0,3}(`{3,})[ \t]*$/.exec(line)?.[1] ?? "";
    if (fence !== "") fence = closed.length >= fence.length ? "" : fence;
    else if (opened !== "") fence = opened;
    else if (!line.startsWith(">") || line === "> END") outside.push(line);
  }
  return outside;
}
