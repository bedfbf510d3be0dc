import { symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { policyWith } from "../../support/rules.ts";
import { workspaceTools } from "../../support/workspace-tools.ts";

const FILES = {
  "app/a.ts": "",
  "app/src/b.ts": "",
  "app/src/deep/c.ts": "",
  "app/src/deep/d.md": "",
  "app/.github/e.yml": "",
  "app/(group)/page.tsx": "",
  "app/c++/++.h": "",
  "app/.git/f.ts": "",
  "app/node_modules/g.ts": "",
  "app/ignored.ts": "",
  "app/.gitignore": "ignored*\n",
};

async function sorted(found: Promise<string>): Promise<readonly string[]> {
  return (await found).split("\n").toSorted();
}

describe("Glob", () => {
  it.for([
    ["**/*.ts", ["a.ts", "src/b.ts", "src/deep/c.ts"]],
    ["*.ts", ["a.ts"]],
    ["./*.ts", ["a.ts"]],
    ["src/**", ["src/b.ts", "src/deep/c.ts", "src/deep/d.md"]],
    ["**/*.{md,yml}", [".github/e.yml", "src/deep/d.md"]],
    ["(group)/*", ["(group)/page.tsx"]],
    ["c++/[+]+.h", ["c++/++.h"]],
    ["{app,src,lib}/**/*.{ts,tsx,js,jsx}", ["src/b.ts", "src/deep/c.ts"]],
    ["**/[bc].ts", ["src/b.ts", "src/deep/c.ts"]],
    ["src/?.ts", ["src/b.ts"]],
    ["~/app/src/*", ["src/b.ts"]],
    ["src/../*.ts", ["a.ts"]],
  ] as const)("finds files by the pattern %s", async ([pattern, names]) => {
    const { text } = await workspaceTools(FILES);
    expect(await sorted(text("Glob", { pattern }))).toEqual(names);
  });

  it("skips files that a rule denies reading, and counts them", async () => {
    const { call, text } = await workspaceTools(FILES, () => ({
      policy: policyWith({ deny: ["Glob(src/deep/*)", "Grep(*.ts)"] }),
    }));
    expect(await call("Glob", { pattern: "src/**" })).toEqual({
      text: "src/b.ts\n\n[2 files were skipped, because a rule denies reading them]",
      data: { paths: ["src/b.ts"], total: 1 },
    });
    expect(await text("Glob", { pattern: "*.md", path: "src/deep" })).toContain(
      "[1 file was skipped",
    );
    expect(await text("Glob", { pattern: "*.ts" })).toBe("a.ts");
  });

  it("accepts a start directory and an absolute pattern", async () => {
    const { text, root, call } = await workspaceTools(FILES);
    expect(await text("Glob", { pattern: "*.md", path: "src/deep" })).toBe("src/deep/d.md");
    expect(await text("Glob", { pattern: join(root, "src/*.ts") })).toBe("src/b.ts");
    expect((await call("Glob", { pattern: "../**" })).data).toEqual({ code: "OUTSIDE" });
    expect((await call("Glob", { pattern: "/etc/*" })).data).toEqual({ code: "OUTSIDE" });
    expect((await call("Glob", { pattern: "*", path: "a.ts" })).text).toBe(
      "a.ts is a file. Use Read to show it.",
    );
  });

  it("reports that no file matches", async () => {
    const { text } = await workspaceTools(FILES);
    expect(await text("Glob", { pattern: "*.py" })).toBe("No file matches *.py.");
    expect(await text("Glob", { pattern: "*.py", path: "src" })).toBe(
      "No file in src matches *.py.",
    );
  });

  it("shows the 100 newest files first, and counts the rest", async () => {
    const names = Array.from({ length: 105 }, (_, index) => `f${String(index).padStart(3, "0")}`);
    const { call, root } = await workspaceTools(
      Object.fromEntries(names.map((name) => [`app/${name}`, ""])),
    );
    for (const [index, name] of names.entries()) await utimes(join(root, name), index, index);
    const { text, data } = await call("Glob", { pattern: "*" });
    const newest = names.toReversed().slice(0, 100);
    expect(text).toBe(`${newest.join("\n")}\n\n[5 more files match; narrow the pattern]`);
    expect(data).toEqual({ paths: newest, total: 105 });
  });

  it("rejects patterns that could take forever, and finishes for all others", async () => {
    const { call } = await workspaceTools({ [`app/${"a".repeat(250)}`]: "" });
    for (const pattern of [
      "*a*a*a*b",
      "**/a/**/a/**/a/**/b",
      `${"{**,q}/".repeat(8)}z`,
      `${"{q,**/a}/".repeat(4)}z`,
      "*a*a*/*a*b",
      `${"{*a,b/}".repeat(4)}z`,
      `${"{*a[}],b/}".repeat(4)}z`,
      `${"{a,aa}".repeat(7)}b`,
      `**/*a*a*/{${"a,".repeat(8)}b}`,
      "a".repeat(257),
    ]) {
      expect((await call("Glob", { pattern })).data).toEqual({ code: "BAD_PATTERN" });
      expect((await call("Grep", { pattern: "x", glob: pattern })).data).toEqual({
        code: "BAD_PATTERN",
      });
    }
    for (const pattern of [
      "*a*a*b",
      "+(a|aa|aaa)b",
      "(a+)+b",
      "@(a|a)*(a)b",
      "{a,aa}*{a,aa}*b",
      "{a,aa}+b",
      `${"[a]+".repeat(9)}b`,
    ]) {
      expect((await call("Glob", { pattern })).text).toContain("No file matches");
    }
  });

  it("finishes for the worst accepted patterns in a deep directory", async () => {
    const { call } = await workspaceTools({ [`app/${"a/".repeat(60)}${"a".repeat(200)}`]: "" });
    for (const pattern of [`${"{**,a}/".repeat(3)}z`, "{**,a}/*a*a*z", "**/a/**/a/**/a/z"]) {
      expect((await call("Glob", { pattern })).text).toContain("No file matches");
    }
  });

  it("skips lines of ignore files that could take forever, and counts them", async () => {
    const bad = ["**/a/".repeat(12) + "**/b", "*a".repeat(8) + "b", "x".repeat(257)];
    const slow = Array.from({ length: 20_000 }, (_, index) => `*a*a*${index}`);
    const name = "a".repeat(250);
    const { text } = await workspaceTools({
      "app/.gitignore": [`#${"*".repeat(300)}`, ...bad, "ignored", ""].join("\n"),
      "app/ignored": "",
      [`app/${"a/".repeat(60)}c`]: "",
      "app/s/.gitignore": slow.join("\r\n"),
      [`app/s/${name}`]: "a\n",
    });
    expect(await text("Glob", { pattern: "**/{c,ignored}" })).toBe(
      `${"a/".repeat(60)}c\n\n[19903 lines of ignore files were skipped: too many stars]`,
    );
    expect(await text("Grep", { pattern: "none" })).toBe(
      "No matches.\n\n[19903 lines of ignore files were skipped: too many stars]",
    );
  });

  it("counts a single skipped line of an ignore file", async () => {
    const { text } = await workspaceTools({ "app/.gitignore": "*a*b*c*d\n", "app/x": "" });
    expect(await text("Glob", { pattern: "x" })).toBe(
      "x\n\n[1 line of ignore files was skipped: too many stars]",
    );
  });

  it("shows names with control characters on one line, in Glob and Grep", async () => {
    const name = "a\n[1 file was left out]\n\u001B[2Jb\u2028.ts";
    const shown = String.raw`d/a\u{a}[1 file was left out]\u{a}\u{1b}[2Jb\u{2028}.ts`;
    const { text, call, root } = await workspaceTools({
      [`app/d/${name}`]: "x\n",
      "app/d\ne/f": "",
    });
    const { text: found, data } = await call("Glob", { pattern: "**/*.ts" });
    expect(found).toBe(shown);
    expect(data).toEqual({ paths: [`d/${name}`], total: 1 });
    expect(await text("Grep", { pattern: "x" })).toBe(`${shown}\n1: x`);
    expect(await text("Grep", { pattern: "x", output_mode: "count" })).toBe(`${shown}: 1`);
    await symlink("d\ne", join(root, "link"));
    const named = String.raw`d\u{a}e`;
    expect(await text("Glob", { pattern: "x", path: "link" })).toBe(
      `No file in ${named} matches x.`,
    );
    expect(await text("Grep", { pattern: "x", path: "link" })).toBe(`No matches in ${named}.`);
  });

  it("stops Glob when the user interrupts, and at the time limit", async () => {
    const { tool, text } = await workspaceTools(FILES, () => ({ searchTimeoutMs: -1 }));
    const context = { usedTools: [], notify: () => undefined, signal: AbortSignal.abort() };
    expect((await tool("Glob").run({ pattern: "*" }, context)).text).toBe("Glob was interrupted.");
    expect(await text("Glob", { pattern: "*" })).toContain("stopped at the time limit");
  });
});
