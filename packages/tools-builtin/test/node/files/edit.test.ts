import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyReplacements, findReplacements } from "../../../src/node/files/replacements.ts";
import { explainMiss } from "../../../src/node/files/explain-miss.ts";
import { renderDiff } from "../../../src/node/files/render-diff.ts";
import { type WorkspaceTools, workspaceTools } from "../../support/workspace-tools.ts";

async function withReadFile(content: string | Uint8Array): Promise<WorkspaceTools> {
  const session = await workspaceTools({ "app/a": content });
  await session.text("Read", { file_path: "a" });
  return session;
}

const edit = (oldText: string, newText: string, more: object = {}): object => ({
  file_path: "a",
  old_string: oldText,
  new_string: newText,
  ...more,
});

describe("Edit", () => {
  it("replaces a unique text and shows a diff with context", async () => {
    const { call, root } = await withReadFile("one\ntwo\nthree\nfour\nfive\n");
    const { text, data } = await call("Edit", edit("three", "3\n3.5"));
    const diff = "  1\tone\n  2\ttwo\n- \tthree\n+ 3\t3\n+ 4\t3.5\n  5\tfour\n  6\tfive";
    expect(text).toBe(`Changed a:\n${diff}`);
    expect(data).toEqual({ path: "a", added: 2, removed: 1, diff });
    expect(await readFile(join(root, "a"), "utf8")).toBe("one\ntwo\n3\n3.5\nfour\nfive\n");
  });

  it("replaces every occurrence with replace_all", async () => {
    const { text, root } = await withReadFile("a b a\nc\na\n");
    expect(await text("Edit", edit("a", "$&x", { replace_all: true }))).toContain(
      "Changed a in 3 places:\n- \ta b a\n+ 1\t$&x b $&x\n",
    );
    expect(await readFile(join(root, "a"), "utf8")).toBe("$&x b $&x\nc\n$&x\n");
  });

  it("reports how often and where a text occurs that is not unique", async () => {
    const { call, root } = await withReadFile("x\ny\nx\n");
    const { text, data } = await call("Edit", edit("x", "z"));
    expect(data).toEqual({ code: "SEVERAL_MATCHES" });
    expect(text).toContain("old_string occurs 2 times in a, in lines 1, 3; nothing was changed");
    expect(await readFile(join(root, "a"), "utf8")).toBe("x\ny\nx\n");
    const overlapping = await withReadFile("aaa");
    expect((await overlapping.call("Edit", edit("aa", "b"))).text).toContain("2 times");
  });

  it("keeps Windows line ends and the byte order mark of an edited file", async () => {
    const { text, root } = await withReadFile("\uFEFFone\r\ntwo\r\nthree\r\n");
    await text("Edit", edit("one\ntwo", "1\n2\n2.5"));
    await text("Edit", edit("three", "3\n4"));
    expect(await readFile(join(root, "a"), "utf8")).toBe("\uFEFF1\r\n2\r\n2.5\r\n3\r\n4\r\n");
  });

  it("keeps mixed line ends of an edited file", async () => {
    const { text, root } = await withReadFile("one\r\ntwo\nthree\r\nfour\n");
    await text("Edit", edit("two\n", "2\n2\n"));
    await text("Edit", edit("three\nfour", "3\n4"));
    expect(await readFile(join(root, "a"), "utf8")).toBe("one\r\n2\n2\n3\r\n4\n");
  });

  it("keeps the mode of an edited file", async () => {
    const { text, root } = await workspaceTools({ "app/a": "one" });
    await chmod(join(root, "a"), 0o700);
    await text("Read", { file_path: "a" });
    await text("Edit", edit("one", "two"));
    expect((await stat(join(root, "a"))).mode & 0o777).toBe(0o700);
  });

  it("only edits a file that was read and has not changed since", async () => {
    const { call, text, root } = await workspaceTools({ "app/a": "one" });
    expect((await call("Edit", edit("one", "two"))).data).toEqual({ code: "NOT_READ" });
    await text("Read", { file_path: "a" });
    await writeFile(join(root, "a"), "one!");
    expect((await call("Edit", edit("one", "two"))).data).toEqual({ code: "CHANGED" });
    expect((await call("Edit", { ...edit("a", "b"), file_path: "none" })).data).toEqual({
      code: "MISSING",
    });
  });

  it("rejects an edit of an empty text, or without a change", async () => {
    const { call } = await withReadFile("one");
    expect((await call("Edit", edit("", "x"))).text).toContain("use Write to create a file");
    expect((await call("Edit", edit("one", "one"))).text).toContain("are the same");
  });

  it("refuses to edit a file that is not UTF-8", async () => {
    const { call, root } = await withReadFile(Buffer.from("caf\u00E9 one", "latin1"));
    expect((await call("Edit", edit("one", "two"))).data).toEqual({ code: "NOT_TEXT" });
    expect(await readFile(join(root, "a"), "latin1")).toBe("caf\u00E9 one");
  });

  it("deletes lines, down to an empty file", async () => {
    const { text, root } = await withReadFile("one\ntwo\n");
    expect(await text("Edit", edit("one\n", ""))).toBe("Changed a:\n- \tone\n  1\ttwo");
    expect(await text("Edit", edit("two\n", ""))).toBe("Changed a:\n- \ttwo");
    expect(await readFile(join(root, "a"), "utf8")).toBe("");
  });
});

describe("explainMiss", () => {
  const FILE = 'function greet() {\n\tconst name = "you";\n  return `hi`;\n}\n';

  it.for([
    ['    const name = "you";', "Line 2 differs only in indentation", '2\t\tconst name = "you";'],
    ['\tconst name = "you";   ', "only in trailing spaces", "2\t\tconst"],
    ['\tconst  name  = "you";', "only in spaces", "2\t\tconst"],
    ["\tconst name = “you”;", "only in quotes", "2\t\tconst"],
    ['\tCONST name = "you";', "only in letter case", "2\t\tconst"],
    ["  const Name = 'you';", "The most similar lines are:", "2\t\tconst"],
    [" const  NAME = “you”;", "only in spaces, quotes or case", "2\t\tconst"],
    ['1\tfunction greet() {\n2\t\tconst name = "you";', "starts with the line numbers", ""],
    [
      'function  greet() {\nconst name = "you";\n',
      "The lines from 1 on differ only in spaces",
      "1\tfunction",
    ],
    ["class Unlike extends Anything", "Nothing in the file is similar", ""],
    ["\n\n", "Nothing in the file is similar", ""],
  ] as const)("explains why %j was not found: %s", ([wanted, reason, shown]) => {
    const miss = explainMiss(FILE, wanted);
    expect(miss).toContain(reason);
    expect(miss).toContain(shown);
  });

  it("shows the model the most similar line when old_string was not found, and changes nothing", async () => {
    const { call, root } = await withReadFile(FILE);
    const { text, data } = await call("Edit", edit('    const name = "you";', "x"));
    expect(data).toEqual({ code: "NO_MATCH" });
    expect(text).toBe(
      'old_string was not found in a; nothing was changed. Line 2 differs only in indentation. The exact text is:\n2\t\tconst name = "you";',
    );
    expect(await readFile(join(root, "a"), "utf8")).toBe(FILE);
  });

  it.for(["", "a", "a b c d e f", "x".repeat(200)])(
    "finishes explaining a miss in a large file of %j",
    { timeout: 60_000 },
    (line) => {
      const text = `${line}\n`.repeat(Math.floor(10_000_000 / (line.length + 1)));
      expect(explainMiss(text, `${`${line}\n`.repeat(199)}other`)).not.toBe("");
      expect(explainMiss(text, `${line}\n`.repeat(100_000))).not.toBe("");
    },
  );
});

describe("replacements", () => {
  it("replaces like replaceAll, and counts the changed lines in the diff", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "\n"), { maxLength: 8 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, text, text, (whole, oldText, newText) => {
        fc.pre(oldText !== "" && oldText !== newText);
        const found = findReplacements(whole, { oldText, newText, isEverywhere: true });
        const changed = applyReplacements(whole, found);
        expect(changed).toBe(whole.replaceAll(oldText, () => newText));
        const { added, removed } = renderDiff(whole, found);
        const count = (lines: string): number =>
          lines.split("\n").length - (/\n$|^$/.test(lines) ? 1 : 0);
        expect(added - removed).toBe(count(changed) - count(whole));
      }),
      { numRuns: 500 },
    );
  });

  it(
    "renders 90,000 replacements in one long line and in many short ones",
    { timeout: 60_000 },
    () => {
      const all = { oldText: "a", newText: "c", isEverywhere: true };
      const line = "ab".repeat(90_000);
      const { added, removed } = renderDiff(line, findReplacements(line, all));
      expect([added, removed]).toEqual([1, 1]);
      const lines = "a\n".repeat(90_000);
      expect(renderDiff(lines, findReplacements(lines, all)).added).toBe(90_000);
    },
  );
});
