import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineCollector } from "../../../src/node/files/line-window.ts";
import { fileSession } from "../../support/workspace-tools.ts";

describe("Read", () => {
  it("numbers lines, and says how to read on", async () => {
    const { text } = await fileSession({ "app/a": "one\ntwo\nthree\nfour" });
    expect(await text("Read", { file_path: "a" })).toBe("1\tone\n2\ttwo\n3\tthree\n4\tfour");
    expect(await text("Read", { file_path: "a", offset: 2, limit: 1 })).toBe(
      "2\ttwo\n\n[there are 2 more lines; read on with offset 3]",
    );
    expect(await text("Read", { file_path: "a", offset: 3, limit: 1 })).toBe(
      "3\tthree\n\n[there is 1 more line; read on with offset 4]",
    );
    expect(await text("Read", { file_path: "a", offset: 4 })).toBe("4\tfour");
  });

  it("says that a file is empty, or has no such line", async () => {
    const { text, call } = await fileSession({ "app/empty": "", "app/a": "one\n" });
    expect(await text("Read", { file_path: "empty" })).toBe("empty is empty.");
    const { text: said, isError } = await call("Read", { file_path: "a", offset: 5 });
    expect([said, isError]).toEqual(["a has 1 line, so there is none with the number 5.", true]);
  });

  it("names a file of nearly that name when there is none", async () => {
    const { call } = await fileSession({ "app/src/config.ts": "" });
    const near = await call("Read", { file_path: "src/confg.ts" });
    expect(near.text).toBe("There is no file src/confg.ts. Did you mean config.ts there?");
    const far = await call("Read", { file_path: "lib/other.py" });
    expect(far).toMatchObject({ isError: true, data: { code: "MISSING" } });
  });

  it("shows 2,000 lines at most, also when more are asked for", async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}`);
    const { text } = await fileSession({ "app/a": lines.join("\n") });
    const shown = await text("Read", { file_path: "a", limit: 2_400 });
    expect(shown).toContain(
      "2000\tline 2000\n\n[there are 500 more lines; read on with offset 2001]",
    );
    expect(await text("Read", { file_path: "a", offset: 2_001 })).toContain("2500\tline 2500");
  });

  it("cuts long lines, and stops after 256 KiB", async () => {
    const { text } = await fileSession({
      "app/long": `${"x".repeat(3_000)}\nshort\n`,
      "app/wide": `${"é".repeat(1_900)}\n`.repeat(200),
      "app/exact": "y".repeat(2_000),
    });
    const shown = await text("Read", { file_path: "long" });
    expect(shown).toBe(`1\t${"x".repeat(2_000)} [cut here: the line has 3000 bytes]\n2\tshort`);
    expect(await text("Read", { file_path: "exact" })).toBe(`1\t${"y".repeat(2_000)}`);
    const wide = await text("Read", { file_path: "wide" });
    expect(Buffer.byteLength(wide)).toBeLessThan(270_000);
    expect(wide).toMatch(/\[there are \d+ more lines; read on with offset \d+\]$/);
  });

  it("shows neither a byte order mark nor carriage returns", async () => {
    const { text } = await fileSession({ "app/a": "\uFEFFone\r\ntwo\r\n" });
    expect(await text("Read", { file_path: "a" })).toBe("1\tone\n2\ttwo");
  });

  it.for([
    ["a.png", "\u0089PNG\r\n\u001A\n", "a PNG picture, and caliban cannot look at pictures yet"],
    [
      "a.txt",
      "\u00FF\u00D8\u00FF\u00E0",
      "a JPEG picture, and caliban cannot look at pictures yet",
    ],
    ["a.gif", "GIF89a", "a GIF picture, and caliban cannot look at pictures yet"],
    ["a.webp", "RIFF1234WEBPVP8", "a WebP picture, and caliban cannot look at pictures yet"],
    ["a.pdf", "%PDF-1.7", "a PDF document, and caliban cannot look at pictures yet"],
    ["a.zip", "PK\u0003\u0004", "a ZIP archive, or a document in one, and only text can be read"],
    ["a.bin", "ab\0c", "a binary file, and only text can be read"],
    ["a.u16", "\u00FF\u00FEa\0", "text in UTF-16"],
  ] as const)("refuses %s politely", async ([name, start, reason]) => {
    const { call } = await fileSession({ [`app/${name}`]: Buffer.from(start, "latin1") });
    const { text, isError, data } = await call("Read", { file_path: name });
    expect([isError, data]).toEqual([true, { code: "NOT_TEXT" }]);
    expect(text).toContain(`${name} is ${reason}`);
  });

  it("reads addresses of memory with the same ranges", async () => {
    const { text, call } = await fileSession({}, () => ({
      resolveUrl: async (url) =>
        url === "memory://root" ? { text: "a\nb\nc\n" } : { problem: `There is no ${url}.` },
    }));
    expect(await text("Read", { file_path: "memory://root", offset: 2, limit: 1 })).toBe(
      "2\tb\n\n[there is 1 more line; read on with offset 3]",
    );
    expect((await call("Read", { file_path: "memory://x" })).text).toBe("There is no memory://x.");
    const none = await fileSession();
    expect(await none.call("Read", { file_path: "memory://root" })).toMatchObject({
      isError: true,
      text: "There is no memory in this session.",
    });
  });

  it("does not hold a large file in memory", async () => {
    const { text, root } = await fileSession();
    const out = createWriteStream(join(root, "large"));
    const piece = `${"z".repeat(99)}\n`.repeat(10_000);
    for (let count = 0; count < 120; count++) out.write(piece);
    out.end();
    await finished(out);
    const before = process.memoryUsage().rss;
    expect(await text("Read", { file_path: "large", limit: 1 })).toMatch(
      /^1\tz+\n\n\[there are more lines; read on with offset 2\]$/,
    );
    const deep = await text("Read", { file_path: "large", offset: 1_100_000, limit: 1 });
    expect(deep).toMatch(/^1100000\tz{99}\n/);
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });

  it("stops reading when it is interrupted", async () => {
    const { tool } = await fileSession({ "app/a": "x\n".repeat(1_000_000) });
    const context = { after: [], notify: () => undefined, signal: AbortSignal.abort() };
    const { text } = await tool("Read").run({ file_path: "a" }, context);
    expect(text).toBe("Reading was interrupted.");
  });
});

describe("a range of lines", () => {
  it("is the same however the text is cut into pieces", () => {
    const piece = fc.constantFrom("a", "é", "\n", "\r\n", "");
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        (pieces, offset, limit, size) => {
          const bytes = Buffer.from(pieces.join(""));
          const collector = createLineCollector({ offset, limit });
          for (let at = 0; at < bytes.length; at += size)
            collector.push(bytes.subarray(at, at + size));
          const all = pieces.join("").split("\n");
          if (all.at(-1) === "") all.pop();
          const { lines, totalLines } = collector.end();
          expect(totalLines).toBe(all.length);
          expect(lines).toEqual(
            all
              .map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, "") }))
              .slice(offset - 1, offset - 1 + limit),
          );
        },
      ),
    );
  });
});
