import { describe, expect, it } from "vitest";
import { messagesOf } from "./support/model-server/received-request.ts";
import { KEY } from "./support/pty.ts";
import { createEmptyHome, startScreen, withModel } from "./support/scripted-screen.ts";

const PASTE = { start: "\u001B[200~", end: "\u001B[201~" };

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("a paste", () => {
  it("accepts a paste that is split over reads, and keeps it from steering the terminal", async () => {
    const { server, ...directories } = await withModel([{ text: "ok." }]);
    const pty = await startScreen(directories);
    const text = "one\ttab \u001B[31mred\u001B[2J \u0007 \u009B2J\u007F\r\ntwo 日本 @x /y !z";
    const bytes = Buffer.from(`${PASTE.start}${text}${PASTE.end}`);
    // Even within an escape sequence and within a character.
    for (let at = 0; at < bytes.length; at += 3) {
      pty.write(bytes.subarray(at, at + 3));
      await pause();
    }
    pty.type(" end");
    await pty.waitFor(/one {4}tab \[31mred\[2J {2}2J *\ntwo 日本 @x \/y !z end/);
    for (const sequence of ["\u009B", "\u001B[2J", "\u001B[31mred"])
      expect(pty.written()).not.toContain(sequence);
    pty.type(KEY.enter);
    await pty.waitFor("ok.");
    expect(server.requests.flatMap(messagesOf)[0]?.text).toContain("two 日本 @x /y !z end");
  });

  it("sends a paste of a megabyte whole, and keeps the prompt usable", async () => {
    const { server, ...directories } = await withModel([{ text: "I read it." }]);
    const pty = await startScreen(directories);
    const lines = Array.from({ length: 16_384 }, (_, index) => `${index}`.padEnd(63, "."));
    pty.paste(lines.join("\n"));
    pty.type(" after");
    await pty.waitFor("[paste #1 +16384 lines] after");
    pty.type(KEY.enter);
    await pty.waitFor("I read it.");
    expect(await pty.scrollback()).toMatch(
      /> 0\.[^]*… 16,384 lines, [\d,]+ characters; only the start and the end are shown …[^]* {2}16383\.+ after\n/,
    );
    const sent = server.requests.flatMap(messagesOf)[0]?.text ?? "";
    expect(sent.includes(`${lines.join("\n")} after`)).toBe(true);
    pty.type("next");
    await pty.waitFor(/─\nnext/);
  });
});

describe("wide characters", () => {
  it.each([
    ["Chinese, Japanese and Korean", "日本語한국", 5, 10],
    ["combining marks", "e\u0301a\u0308o", 3, 3],
    ["an emoji", "a🎉b", 3, 4],
  ])("moves the cursor by whole characters of %s", async (_, text, characters, columns) => {
    const pty = await startScreen(await createEmptyHome());
    pty.type(text);
    await pty.waitFor(text);
    await expect.poll(pty.cursorColumn).toBe(columns);
    for (let count = 0; count < characters; count++) pty.type(KEY.left);
    await expect.poll(pty.cursorColumn).toBe(0);
    pty.type(`${KEY.end}${KEY.backspace}`);
    await expect.poll(pty.cursorColumn).toBeLessThan(columns);
    pty.type("!");
    const rest = [...new Intl.Segmenter().segment(text)].slice(0, -1).map(({ segment }) => segment);
    await pty.waitFor(`${rest.join("")}!`);
  });
});

describe("a terminal of 30 by 8", () => {
  it("shows the prompt, a question with its answers, and the output", async () => {
    const command = "echo out of a tiny terminal && echo made > made.txt";
    const { server: _, ...directories } = await withModel([
      { toolCalls: [{ name: "Bash", input: { command } }] },
      { text: "The end of a rather long answer." },
    ]);
    const pty = await startScreen(directories, { columns: 30, rows: 8 });
    await pty.sendLine("go");
    await pty.waitFor("Yes, once");
    await new Promise((resolve) => setTimeout(resolve, 600));
    pty.type("y");
    const seen = await pty.waitFor(/The end of a rather long\s+answer\./);
    for (const line of seen.split("\n")) expect(line.length).toBeLessThanOrEqual(30);
    expect(await pty.scrollback()).toContain("out of a tiny terminal");
  });
});
