import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findRipgrep } from "../../../src/node/search/engine/ripgrep.ts";
import type { ToolWorkspace } from "../../../src/node/tool-workspace.ts";
import { policyWith } from "../../support/rules.ts";
import { workspaceTools, type WorkspaceTools } from "../../support/workspace-tools.ts";

const FILES = {
  "app/a.ts": "import x\nconst Foo = 1;\n\nfoo();\n",
  "app/b/c.ts": "foo\r\nbar\r\nfoo bar\r\n",
  "app/b/d.md": "# foo\n",
  "app/.github/ci.yml": "run: foo\n",
  "app/node_modules/lib/i.js": "foo\n",
  "app/.git/config": "foo\n",
  "app/bin": "foo\0\n",
};

/** The contract of every engine. */
function describeSearch(name: string, ripgrep: string | undefined): void {
  const session = (
    files: Readonly<Record<string, string | Uint8Array>> = FILES,
    more: Partial<ToolWorkspace> = {},
  ): Promise<WorkspaceTools> =>
    workspaceTools(files, () => ({ findRipgrep: () => ripgrep, ...more }));

  describe(`a search with ${name}`, () => {
    it("shows numbered lines below the name of their file, in order", async () => {
      const { call } = await session();
      const { text, data } = await call("Grep", { pattern: "foo" });
      expect(text).toBe(
        ".github/ci.yml\n1: run: foo\na.ts\n4: foo();\nb/c.ts\n1: foo\n3: foo bar\nb/d.md\n1: # foo",
      );
      expect(data).toEqual({
        files: [
          { path: ".github/ci.yml", matches: 1 },
          { path: "a.ts", matches: 1 },
          { path: "b/c.ts", matches: 2 },
          { path: "b/d.md", matches: 1 },
        ],
        isComplete: true,
      });
    });

    it("searches directories and files in the order of their names", async () => {
      const names = ["a-b", "a.ts", "a/z", "a0", "B", "b/.x", "b/y", "é"];
      const { text } = await session(
        Object.fromEntries(names.toReversed().map((file) => [`app/${file}`, "hit\n"])),
      );
      const shown = await text("Grep", { pattern: "hit", output_mode: "files_with_matches" });
      expect(shown.split("\n")).toEqual(["B", "a/z", "a-b", "a.ts", "a0", "b/.x", "b/y", "é"]);
    });

    it("skips files that a rule denies reading, and counts them whether they match or not", async () => {
      const policy = policyWith({ deny: ["fs.read(a.ts)", "Grep(b/*)", "Glob(.github/*)"] });
      const { call, text } = await session(FILES, { policy });
      const { text: shown, data } = await call("Grep", { pattern: "foo" });
      const note = "[3 files were skipped, because a rule denies reading them]";
      expect(shown).toBe(`.github/ci.yml\n1: run: foo\n\n${note}`);
      expect(data).toMatchObject({ files: [{ path: ".github/ci.yml" }], leftOut: 3 });
      expect(await text("Grep", { pattern: "import", glob: "*.ts" })).toBe(
        "No matches in files like *.ts.\n\n[2 files were skipped, because a rule denies reading them]",
      );
      expect(await text("Grep", { pattern: "no such text", path: "b", glob: "*.md" })).toContain(
        "[1 file was skipped, because a rule denies reading it]",
      );
      const named = await call("Grep", { pattern: "foo", path: "b/c.ts" });
      expect(named).toMatchObject({ isError: true, data: { code: "UNREADABLE" } });
      expect(named.text).toBe(
        "A rule denies reading b/c.ts, so it was not searched. Continue without it.",
      );
    });

    it("shows names or counts with output_mode", async () => {
      const { text } = await session();
      const names = { pattern: "foo", output_mode: "files_with_matches" };
      expect(await text("Grep", names)).toBe(".github/ci.yml\na.ts\nb/c.ts\nb/d.md");
      expect(await text("Grep", { pattern: "foo", output_mode: "count" })).toBe(
        ".github/ci.yml: 1\na.ts: 1\nb/c.ts: 2\nb/d.md: 1",
      );
    });

    it("shows context around matches, with a separator at gaps", async () => {
      const lines = Array.from({ length: 9 }, (_, index) =>
        index % 4 === 1 ? "hit" : `l${index}`,
      );
      const { text } = await session({ "app/a": `${lines.join("\n")}\n`, "app/end": "hit" });
      expect(await text("Grep", { pattern: "hit", context: 1, path: "a" })).toBe(
        "a\n1- l0\n2: hit\n3- l2\n--\n5- l4\n6: hit\n7- l6",
      );
      expect(await text("Grep", { pattern: "hit", context: 2, path: "a" })).toBe(
        "a\n1- l0\n2: hit\n3- l2\n4- l3\n5- l4\n6: hit\n7- l6\n8- l7",
      );
      expect(await text("Grep", { pattern: "hit", context: 3, head_limit: 1, path: "a" })).toBe(
        "a\n1- l0\n2: hit\n3- l2\n4- l3\n5- l4\n\n[there are more than these 1; narrow the search, or raise head_limit]",
      );
      expect(await text("Grep", { pattern: "hit", context: 1, path: "end" })).toBe("end\n1: hit");
    });

    it("searches one directory, one file, or files that match a glob", async () => {
      const { text, root } = await session();
      expect(await text("Grep", { pattern: "bar", path: "b" })).toBe("b/c.ts\n2: bar\n3: foo bar");
      expect(await text("Grep", { pattern: "bar", path: join(root, "b/c.ts") })).toBe(
        "b/c.ts\n2: bar\n3: foo bar",
      );
      const names = { pattern: "foo", output_mode: "files_with_matches" };
      expect(await text("Grep", { ...names, glob: "*.ts" })).toBe("a.ts\nb/c.ts");
      expect(await text("Grep", { ...names, glob: "b/**" })).toBe("b/c.ts\nb/d.md");
      expect(await text("Grep", { ...names, glob: "*.{md,yml}" })).toBe(".github/ci.yml\nb/d.md");
      expect(await text("Grep", { ...names, glob: "c.*", path: "b" })).toBe("b/c.ts");
      expect(await text("Grep", { pattern: "foo", glob: "*.py" })).toBe(
        "No matches in files like *.py.",
      );
      expect(await text("Grep", { ...names, path: "node_modules/lib" })).toBe(
        "node_modules/lib/i.js",
      );
    });

    it.for([
      ["FOO", true, 6],
      ["FOO", false, 0],
      ["^foo$", false, 1],
      ["fo{2}\\(", false, 1],
      ["\\bbar\\b", false, 2],
      ["-e", false, 0],
      ["--help", false, 0],
      ["^$", false, 1],
      ["(?=foo)foo(?! )", false, 4],
      ["(o)\\1", false, 6],
    ] as const)(
      "finds /%s/ (ignoring case: %s) in %s lines",
      async ([pattern, ignore_case, count]) => {
        const { call } = await session();
        const { data } = await call("Grep", { pattern, ignore_case });
        const { files } = data as { readonly files: readonly { readonly matches: number }[] };
        expect(files.reduce((sum, { matches }) => sum + matches, 0)).toBe(count);
      },
    );

    it("shows 100 entries by default, or as many as head_limit allows", async () => {
      const { text } = await session({ "app/a": "x\n".repeat(150), "app/b": "x\n" });
      const shown = await text("Grep", { pattern: "x" });
      expect(shown.split("\n").filter((line) => line.endsWith(": x"))).toHaveLength(100);
      expect(shown).toMatch(
        /\n\n\[there are more than these 100; narrow the search, or raise head_limit\]$/,
      );
      expect(await text("Grep", { pattern: "x", head_limit: 151 })).toMatch(/150: x\nb\n1: x$/);
      expect(await text("Grep", { pattern: "x", head_limit: 150 })).toMatch(/150: x\n\n\[there/);
      const files = { pattern: "x", output_mode: "count", head_limit: 1 };
      expect(await text("Grep", files)).toMatch(/^a: 150\n\n\[there are more than these 1;/);
    });

    it("truncates long lines, and a result that is too long", async () => {
      const { text } = await session({ "app/a": `x${"y".repeat(600)}\n`.repeat(80) });
      const shown = await text("Grep", { pattern: "x" });
      expect(shown).toContain(`1: x${"y".repeat(499)} [truncated]\n`);
      expect(shown.length).toBeLessThan(31_000);
      expect(shown).toMatch(/\[\d+ lines left out; narrow the search\]$/);
    });

    it("applies nested and negated ignore files", async () => {
      const hit = "hit\n";
      const { text } = await session({
        "app/.gitignore": "*.log\n!keep.log\nbuild/\n/only-top\n# hit\ndeep/**/x\n",
        "app/a.log": hit,
        "app/keep.log": hit,
        "app/build/out": hit,
        "app/only-top": hit,
        "app/sub/only-top": hit,
        "app/sub/.gitignore": "!a.log\nlocal\n",
        "app/sub/a.log": hit,
        "app/sub/b.log": hit,
        "app/sub/local": hit,
        "app/sub/in/local": hit,
        "app/local": hit,
        "app/deep/1/2/x": hit,
        "app/deep/1/y": hit,
        "app/.git/info/exclude": "excluded\n",
        "app/excluded": hit,
        "app/.git/HEAD": "",
        "app/.git/objects/x": "",
        "app/.git/refs/x": "",
      });
      const names = { pattern: "^hit", output_mode: "files_with_matches" };
      expect((await text("Grep", names)).split("\n")).toEqual([
        "deep/1/y",
        "keep.log",
        "local",
        "sub/a.log",
        "sub/only-top",
      ]);
      expect(await text("Grep", { ...names, path: "sub" })).toBe("sub/a.log\nsub/only-top");
      expect(await text("Grep", { ...names, path: "build" })).toBe("build/out");
      expect(await text("Grep", { ...names, path: "a.log" })).toBe("a.log");
      expect(await text("Grep", { ...names, glob: "*.log" })).toBe("keep.log\nsub/a.log");
    });

    it("explains what is wrong with a regular expression", async () => {
      const { call } = await session();
      const { text, isError, data } = await call("Grep", { pattern: "foo(" });
      expect([isError, data]).toEqual([true, { code: "BAD_PATTERN" }]);
      expect(text).toMatch(/^Grep was not run: .*Unterminated group\. Fix the pattern\.$/);
    });

    it("reports a search path that does not exist", async () => {
      const { call } = await session();
      expect((await call("Grep", { pattern: "x", path: "none" })).data).toEqual({
        code: "MISSING",
      });
    });

    it("stops a search when the user interrupts", async () => {
      const { tool } = await session();
      const context = { usedTools: [], notify: () => undefined, signal: AbortSignal.abort() };
      const { text, isError } = await tool("Grep").run({ pattern: "foo" }, context);
      expect([text, isError]).toEqual(["Grep was interrupted.", true]);
    });

    it("searches text in several scripts", async () => {
      const { text } = await session({ "app/a": "\uFEFFÄrger\nstraße\n日本\n" });
      expect(await text("Grep", { pattern: "^ä", ignore_case: true })).toBe("a\n1: Ärger");
      expect(await text("Grep", { pattern: "^..$" })).toBe("a\n3: 日本");
    });
  });
}

const ripgrep = installedRipgrep();

describeSearch("the built-in engine", undefined);
if (ripgrep !== undefined) describeSearch("ripgrep", ripgrep);

describe("the built-in search alone", () => {
  it("stops an expression that would run forever, and leaves no thread behind", async () => {
    const { call } = await workspaceTools({ "app/a": `${"a".repeat(40)}!\n` }, () => ({
      searchTimeoutMs: 400,
    }));
    const workers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
    const before = workers();
    const { text, isError } = await call("Grep", { pattern: "^(a+)+$" });
    expect(isError).toBe(true);
    expect(text).toContain("reached its time limit");
    expect(workers()).toBeLessThanOrEqual(before);
  });

  it("shows the matches that were found before the time limit", async () => {
    // More than one batch for the worker.
    const good = Array.from({ length: 70 }, (_, index) => [`app/a${index}`, "aaa\n"]);
    const files = { ...Object.fromEntries(good), "app/b": `${"a".repeat(40)}!\n` };
    const { text } = await workspaceTools(files, () => ({ searchTimeoutMs: 800 }));
    const names = { pattern: "^(a+)+$", output_mode: "files_with_matches" };
    expect(await text("Grep", names)).toMatch(
      /^a0\n(?:a\d+\n){63}\n\[stopped at the time limit; there may be more matches: narrow the search\]$/,
    );
  });

  it("stops in the middle of a search when the user interrupts", async () => {
    const { call } = await workspaceTools({ "app/a": `${"a".repeat(40)}!\n` });
    const controller = new AbortController();
    const running = call("Grep", { pattern: "^(a+)+$" }, controller.signal);
    setTimeout(() => controller.abort(), 200);
    expect((await running).text).toBe("Grep was interrupted.");
  });

  it("accepts expressions that are not valid with the Unicode flag", async () => {
    const { text } = await workspaceTools({ "app/a": "a-b\n" });
    expect(await text("Grep", { pattern: "a\\-b" })).toBe("a\n1: a-b");
  });
});

describe("ripgrep", () => {
  it("falls back to the built-in search if ripgrep cannot run or fails", async () => {
    for (const script of [undefined, "#!/bin/sh\necho 'error: broken' >&2\nexit 2\n"]) {
      const { text } = await workspaceTools(
        { "app/a": "foo\n", ...(script === undefined ? {} : { rg: script }) },
        (home) => ({ findRipgrep: () => join(home, "rg") }),
      ).then(async (session) => {
        if (script !== undefined) await chmod(join(session.home, "rg"), 0o755);
        return session;
      });
      expect(await text("Grep", { pattern: "foo" })).toBe("a\n1: foo");
    }
  });

  it("starts ripgrep without a shell, with the pattern after a double dash, and without keys", async () => {
    const script = `#!/bin/sh
printf '%s\\n' "$@" > "$0.arguments"
env > "$0.env"
echo '{"type":"summary","data":{}}'
`;
    const { text, home } = await workspaceTools({ "app/a": "foo\n", rg: script }, (directory) => ({
      env: { PATH: process.env["PATH"], MY_API_KEY: "secret-secret" },
      findRipgrep: () => join(directory, "rg"),
    }));
    await chmod(join(home, "rg"), 0o755);
    expect(await text("Grep", { pattern: "--pre=$(touch x)" })).toBe("No matches.");
    const { readFile } = await import("node:fs/promises");
    const seen = (await readFile(join(home, "rg.arguments"), "utf8")).trim().split("\n");
    expect(seen.slice(-3)).toEqual(["--", "--pre=$(touch x)", "./"]);
    expect(seen).toContain("--no-config");
    expect(await readFile(join(home, "rg.env"), "utf8")).not.toContain("secret-secret");
  });

  it("ends a ripgrep that hangs at the time limit", async () => {
    const { call, home } = await workspaceTools(
      { "app/a": "foo\n", rg: "#!/bin/sh\nexec sleep 30\n" },
      (directory) => ({ findRipgrep: () => join(directory, "rg"), searchTimeoutMs: 300 }),
    );
    await chmod(join(home, "rg"), 0o755);
    expect((await call("Grep", { pattern: "foo" })).text).toContain("time limit");
  });

  it("gives ripgrep 20 seconds by default", async () => {
    const { call, home } = await workspaceTools(
      { "app/a": "foo\n", rg: "#!/bin/sh\ntouch ../started\nexec sleep 30\n" },
      (directory) => ({ findRipgrep: () => join(directory, "rg") }),
    );
    await chmod(join(home, "rg"), 0o755);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const running = call("Grep", { pattern: "foo" });
    while (!existsSync(join(home, "started"))) await setImmediate();
    vi.advanceTimersByTime(19_999);
    const count = vi.getTimerCount();
    vi.advanceTimersByTime(1);
    expect(vi.getTimerCount()).toBeLessThan(count);
    vi.useRealTimers();
    expect((await running).text).toContain("time limit");
  });

  it("finds ripgrep in PATH, but never in the workspace", async () => {
    const { home, root } = await workspaceTools({
      "app/bin/rg": "",
      "tools/rg": "",
      "plain/rg": "",
    });
    await chmod(join(home, "app/bin/rg"), 0o755);
    await chmod(join(home, "tools/rg"), 0o755);
    const find = (...directories: readonly string[]): string | undefined =>
      findRipgrep({
        root,
        additionalDirectories: [],
        platform: "linux",
        env: { PATH: directories.join(":") },
      } as unknown as ToolWorkspace);
    expect(find(join(root, "bin"))).toBeUndefined();
    expect(find("bin", "", ".")).toBeUndefined();
    expect(
      find(join(home, "plain"), join(home, "none"), join(root, "bin"), join(home, "tools")),
    ).toBe(join(home, "tools/rg"));
  });
});

/** The ripgrep of this machine, if it is installed. Then the contract is tested with it too. */
function installedRipgrep(): string | undefined {
  try {
    return execFileSync("which", ["rg"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return undefined;
  }
}
