import { symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cpuTimeOf } from "../../support/cpu-time.ts";
import { fileSession } from "../../support/workspace-tools.ts";

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
  ] as const)("finds by %s", async ([pattern, names]) => {
    const { text } = await fileSession(FILES);
    expect(await sorted(text("Glob", { pattern }))).toEqual(names);
  });

  it("leaves out what may not be read, and says how many files that are", async () => {
    const { call, text } = await fileSession(FILES, () => ({
      isReadable: (path, tool) => tool === "Glob" && !path.startsWith("src/deep/"),
    }));
    expect(await call("Glob", { pattern: "src/**" })).toEqual({
      text: "src/b.ts\n\n[2 files were left out, because a rule denies reading them]",
      data: { paths: ["src/b.ts"], total: 1 },
    });
    expect(await text("Glob", { pattern: "*.md", path: "src/deep" })).toContain("[1 file was left");
    expect(await text("Glob", { pattern: "*.ts" })).toBe("a.ts");
  });

  it("takes a directory to begin in, and an absolute pattern", async () => {
    const { text, root, call } = await fileSession(FILES);
    expect(await text("Glob", { pattern: "*.md", path: "src/deep" })).toBe("src/deep/d.md");
    expect(await text("Glob", { pattern: join(root, "src/*.ts") })).toBe("src/b.ts");
    expect((await call("Glob", { pattern: "../**" })).data).toEqual({ code: "OUTSIDE" });
    expect((await call("Glob", { pattern: "/etc/*" })).data).toEqual({ code: "OUTSIDE" });
    expect((await call("Glob", { pattern: "*", path: "a.ts" })).text).toBe(
      "a.ts is a file. Read shows it.",
    );
  });

  it("says that nothing fits", async () => {
    const { text } = await fileSession(FILES);
    expect(await text("Glob", { pattern: "*.py" })).toBe("No file fits *.py.");
    expect(await text("Glob", { pattern: "*.py", path: "src" })).toBe("No file in src fits *.py.");
  });

  it("has the newest first, shows 100, and counts the rest", async () => {
    const names = Array.from({ length: 105 }, (_, index) => `f${String(index).padStart(3, "0")}`);
    const { call, root } = await fileSession(
      Object.fromEntries(names.map((name) => [`app/${name}`, ""])),
    );
    for (const [index, name] of names.entries()) await utimes(join(root, name), index, index);
    const { text, data } = await call("Glob", { pattern: "*" });
    const newest = names.toReversed().slice(0, 100);
    expect(text).toBe(`${newest.join("\n")}\n\n[there are 5 more; narrow the pattern]`);
    expect(data).toEqual({ paths: newest, total: 105 });
  });

  it("refuses patterns that could take for ever", async () => {
    const { call } = await fileSession({ [`app/${"a".repeat(250)}`]: "" });
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
    const taken = await cpuTimeOf(async () => {
      for (const pattern of [
        "*a*a*b",
        "+(a|aa|aaa)b",
        "(a+)+b",
        "@(a|a)*(a)b",
        "{a,aa}*{a,aa}*b",
        "{a,aa}+b",
        `${"[a]+".repeat(9)}b`,
      ]) {
        await call("Glob", { pattern });
      }
    });
    expect(taken).toBeLessThan(2_000);
  });

  it("is quick with the worst pattern that it takes, in a deep directory", async () => {
    const { call } = await fileSession({ [`app/${"a/".repeat(60)}${"a".repeat(200)}`]: "" });
    const taken = await cpuTimeOf(async () => {
      for (const pattern of [`${"{**,a}/".repeat(3)}z`, "{**,a}/*a*a*z", "**/a/**/a/**/a/z"]) {
        await call("Glob", { pattern });
      }
    });
    expect(taken).toBeLessThan(2_000);
  });

  it("leaves out lines of ignore files that could take for ever, and says so", async () => {
    const bad = ["**/a/".repeat(12) + "**/b", "*a".repeat(8) + "b", "x".repeat(257)];
    const slow = Array.from({ length: 20_000 }, (_, index) => `*a*a*${index}`);
    const name = "a".repeat(250);
    const { text } = await fileSession({
      "app/.gitignore": [`#${"*".repeat(300)}`, ...bad, "ignored", ""].join("\n"),
      "app/ignored": "",
      [`app/${"a/".repeat(60)}c`]: "",
      "app/s/.gitignore": slow.join("\r\n"),
      [`app/s/${name}`]: "a\n",
    });
    const taken = await cpuTimeOf(async () => {
      expect(await text("Glob", { pattern: "**/{c,ignored}" })).toBe(
        `${"a/".repeat(60)}c\n\n[19903 lines of ignore files were left out: too many stars]`,
      );
      expect(await text("Grep", { pattern: "none" })).toBe(
        "Nothing matches.\n\n[19903 lines of ignore files were left out: too many stars]",
      );
    });
    expect(taken).toBeLessThan(2_000);
  });

  it("says of one such line that it was one", async () => {
    const { text } = await fileSession({ "app/.gitignore": "*a*b*c*d\n", "app/x": "" });
    expect(await text("Glob", { pattern: "x" })).toBe(
      "x\n\n[1 line of ignore files was left out: too many stars]",
    );
  });

  it("shows names with control characters on one line, as Grep does", async () => {
    const name = "a\n[1 file was left out]\n\u001B[2Jb\u2028.ts";
    const shown = String.raw`d/a\u{a}[1 file was left out]\u{a}\u{1b}[2Jb\u{2028}.ts`;
    const { text, call, root } = await fileSession({ [`app/d/${name}`]: "x\n", "app/d\ne/f": "" });
    const { text: found, data } = await call("Glob", { pattern: "**/*.ts" });
    expect(found).toBe(shown);
    expect(data).toEqual({ paths: [`d/${name}`], total: 1 });
    expect(await text("Grep", { pattern: "x" })).toBe(`${shown}\n1: x`);
    expect(await text("Grep", { pattern: "x", output_mode: "count" })).toBe(`${shown}: 1`);
    await symlink("d\ne", join(root, "link"));
    const named = String.raw`d\u{a}e`;
    expect(await text("Glob", { pattern: "x", path: "link" })).toBe(`No file in ${named} fits x.`);
    expect(await text("Grep", { pattern: "x", path: "link" })).toBe(`Nothing matches in ${named}.`);
  });

  it("stops when the person interrupts it, and at the time limit", async () => {
    const { tool, text } = await fileSession(FILES, () => ({ searchTimeoutMs: -1 }));
    const context = { after: [], notify: () => undefined, signal: AbortSignal.abort() };
    expect((await tool("Glob").run({ pattern: "*" }, context)).text).toBe("Glob was interrupted.");
    expect(await text("Glob", { pattern: "*" })).toContain("stopped at the time limit");
  });
});
