import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineCollector } from "../../../src/node/files/line-window.ts";
import { workspaceTools } from "../../support/workspace-tools.ts";

describe("Read", () => {
  it("numbers the lines of a file, and says how to continue", async () => {
    const { text } = await workspaceTools({ "app/a": "one\ntwo\nthree\nfour" });
    expect(await text("Read", { file_path: "a" })).toBe("1\tone\n2\ttwo\n3\tthree\n4\tfour");
    expect(await text("Read", { file_path: "a", offset: 2, limit: 1 })).toBe(
      "2\ttwo\n\n[2 more lines: continue with offset 3]",
    );
    expect(await text("Read", { file_path: "a", offset: 3, limit: 1 })).toBe(
      "3\tthree\n\n[1 more line: continue with offset 4]",
    );
    expect(await text("Read", { file_path: "a", offset: 4 })).toBe("4\tfour");
  });

  it("reports an empty file, and an offset after the end", async () => {
    const { text, call } = await workspaceTools({ "app/empty": "", "app/a": "one\n" });
    expect(await text("Read", { file_path: "empty" })).toBe("empty is empty.");
    const { text: reply, isError } = await call("Read", { file_path: "a", offset: 5 });
    expect([reply, isError]).toEqual([
      "a has only 1 line, so there is no line 5. Use a smaller offset.",
      true,
    ]);
  });

  it("suggests a file with a similar name for a missing one", async () => {
    const { call } = await workspaceTools({ "app/src/config.ts": "" });
    const near = await call("Read", { file_path: "src/confg.ts" });
    expect(near.text).toBe(
      "There is no file src/confg.ts. Did you mean config.ts in the same directory?",
    );
    const far = await call("Read", { file_path: "lib/other.py" });
    expect(far).toMatchObject({ isError: true, data: { code: "MISSING" } });
  });

  it("shows at most 2,000 lines, even if more are requested", async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}`);
    const { text } = await workspaceTools({ "app/a": lines.join("\n") });
    const shown = await text("Read", { file_path: "a", limit: 2_400 });
    expect(shown).toContain("2000\tline 2000\n\n[500 more lines: continue with offset 2001]");
    expect(await text("Read", { file_path: "a", offset: 2_001 })).toContain("2500\tline 2500");
  });

  it("truncates long lines, and stops after 256 KiB", async () => {
    const { text } = await workspaceTools({
      "app/long": `${"x".repeat(3_000)}\nshort\n`,
      "app/wide": `${"é".repeat(1_900)}\n`.repeat(200),
      "app/exact": "y".repeat(2_000),
    });
    const shown = await text("Read", { file_path: "long" });
    expect(shown).toBe(`1\t${"x".repeat(2_000)} [truncated: the line has 3000 bytes]\n2\tshort`);
    expect(await text("Read", { file_path: "exact" })).toBe(`1\t${"y".repeat(2_000)}`);
    const wide = await text("Read", { file_path: "wide" });
    expect(Buffer.byteLength(wide)).toBeLessThan(270_000);
    expect(wide).toMatch(/\[\d+ more lines: continue with offset \d+\]$/);
  });

  it("hides the byte order mark and carriage returns", async () => {
    const { text } = await workspaceTools({ "app/a": "\uFEFFone\r\ntwo\r\n" });
    expect(await text("Read", { file_path: "a" })).toBe("1\tone\n2\ttwo");
  });

  it.for([
    ["a.pdf", "%PDF-1.7", "a PDF document, and caliban cannot view documents"],
    ["a.zip", "PK\u0003\u0004", "a ZIP archive, or a document in one, and only text can be read"],
    ["a.bin", "ab\0c", "a binary file, and only text can be read"],
    ["a.u16", "\u00FF\u00FEa\0", "UTF-16 text"],
  ] as const)("rejects the binary file %s", async ([name, start, reason]) => {
    const { call } = await workspaceTools({ [`app/${name}`]: Buffer.from(start, "latin1") });
    const { text, isError, data } = await call("Read", { file_path: name });
    expect([isError, data]).toEqual([true, { code: "NOT_TEXT" }]);
    expect(text).toContain(`${name} is ${reason}`);
  });

  it.for([
    ["a.png", "\u0089PNG\r\n\u001A\n", "a damaged PNG image"],
    ["a.txt", "\u00FF\u00D8\u00FF\u00E0", "a damaged JPEG image"],
    ["a.gif", "GIF89a", "a damaged GIF image"],
    ["a.webp", "RIFF1234WEBPVP8", "a damaged WebP image"],
  ] as const)("rejects the damaged image %s", async ([name, start, reason]) => {
    const { call } = await workspaceTools({ [`app/${name}`]: Buffer.from(start, "latin1") });
    const { text, isError, data } = await call("Read", { file_path: name });
    expect([isError, data]).toEqual([true, { code: "BAD_IMAGE" }]);
    expect(text).toBe(`${name} is ${reason}.`);
  });

  it("reads memory addresses with offset and limit", async () => {
    const { text, call } = await workspaceTools({}, () => ({
      resolveUrl: async (url) =>
        url === "memory://root" ? { text: "a\nb\nc\n" } : { problem: `There is no ${url}.` },
    }));
    expect(await text("Read", { file_path: "memory://root", offset: 2, limit: 1 })).toBe(
      "2\tb\n\n[1 more line: continue with offset 3]",
    );
    expect((await call("Read", { file_path: "memory://x" })).text).toBe("There is no memory://x.");
    const none = await workspaceTools();
    expect(await none.call("Read", { file_path: "memory://root" })).toMatchObject({
      isError: true,
      text: "This session has no memory. Continue without it.",
    });
  });

  it("reads a very large file only as far as needed", async () => {
    const { text, root } = await workspaceTools();
    const out = createWriteStream(join(root, "large"));
    const piece = `${"z".repeat(99)}\n`.repeat(10_000);
    for (let count = 0; count < 70; count++) out.write(piece);
    out.end();
    await finished(out);
    expect(await text("Read", { file_path: "large", limit: 1 })).toMatch(
      /^1\tz+\n\n\[more lines: continue with offset 2\]$/,
    );
    const deep = await text("Read", { file_path: "large", offset: 690_000, limit: 1 });
    expect(deep).toMatch(/^690000\tz{99}\n/);
  });

  it("stops reading when the user interrupts", async () => {
    const { tool } = await workspaceTools({ "app/a": "x\n".repeat(1_000_000) });
    const context = { usedTools: [], notify: () => undefined, signal: AbortSignal.abort() };
    const { text } = await tool("Read").run({ file_path: "a" }, context);
    expect(text).toBe("Read was interrupted.");
  });
});

describe("a range of lines", () => {
  it("collects the same lines however the text is split into chunks", () => {
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
