import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../../../../../test/support/write-files.ts";
import { type Machine, machine } from "../../../fake-host.ts";

const ROLE = "---\nname: role\ndescription: who they are\ntype: user\n---\n\nA tester.\n";
const MEMORY = ".local/share/caliban/projects/SLUG/memory";
const KEY = ["AK", "IAQWERTYUIOPASDFGH"].join("");

async function withRole(files: Readonly<Record<string, string>> = {}): Promise<Machine> {
  return await machine({
    [`${MEMORY}/MEMORY.md`]: "# Mine\n\n- [Role](role.md) — who\n",
    [`${MEMORY}/role.md`]: ROLE,
    ...files,
  });
}

/** Every Markdown file of a directory, byte for byte. */
async function bytesIn(directory: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".md")).toSorted();
  const texts = names.map(
    async (name) => [name, (await readFile(join(directory, name))).toString("base64")] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

/** Imports Claude Code's directory into an empty store and exports it into an empty directory. */
async function roundTrip(files: Readonly<Record<string, string>>): Promise<void> {
  const start = await machine();
  const project = join(start.home, "app").replaceAll(/[^A-Za-z0-9]/g, "-");
  const claude = join(start.home, ".claude/projects", project, "memory");
  await writeFiles(claude, files);
  await start.caliban("memory", "import", "--from", "claude", "--yes");
  const out = join(start.home, "out");
  const { exitCode, stderr } = await start.caliban(
    "memory",
    "export",
    "--to",
    "claude",
    "--output",
    out,
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(await bytesIn(out)).toEqual(await bytesIn(claude));
}

const INDEX = "# Memory\n\n- [Role](role.md) — who they are\n- [Gone](gone.md) — dead\n\nWords.\n";

describe("a round trip through Claude Code's layout", () => {
  it.for([
    ["plain", { "MEMORY.md": INDEX, "role.md": ROLE }],
    [
      "CRLF",
      { "MEMORY.md": INDEX.replaceAll("\n", "\r\n"), "role.md": ROLE.replaceAll("\n", "\r\n") },
    ],
    ["a byte order mark", { "MEMORY.md": `\uFEFF${INDEX}`, "role.md": `\uFEFF${ROLE}` }],
    ["no newline at the end", { "MEMORY.md": INDEX.trimEnd(), "role.md": ROLE.trimEnd() }],
    ["no header", { "MEMORY.md": INDEX, "role.md": "Just words.\n\n\n" }],
    [
      "unknown keys, comments and any key order",
      {
        "MEMORY.md": INDEX,
        "role.md":
          "---\n# mine\ntype: user   # flat\nzeta: [1, 2]\nname: role\ndescription: 'x'\noriginSessionId: abc\n---\nNo blank line.\n",
      },
    ],
    ["names with underscores", { "MEMORY.md": "- [x](user_role.md) — x\n", "user_role.md": ROLE }],
    ["topics without an index line", { "MEMORY.md": "# Nothing\n", "a.md": ROLE, "b.md": ROLE }],
    ["an empty index", { "MEMORY.md": "", "a.md": ROLE }],
    ["only an index", { "MEMORY.md": INDEX }],
    [
      "files of other kinds",
      { "MEMORY.md": INDEX, "role.md": ROLE, "x.json": "{}", "logs/a.md": "x" },
    ],
  ] as const)("keeps every byte of a directory with %s", async ([, files]) => {
    await expect(roundTrip(files)).resolves.toBeUndefined();
  });
});

describe("caliban memory export --to claude", () => {
  it("shows the table only once to a user who declines", async () => {
    const start = (await withRole()).with({
      isInteractive: () => true,
      confirm: async () => false,
    });
    const { stdout, stderr } = await start.caliban("memory", "export", "--to", "claude");
    expect(stdout).toMatch(/^Nothing was written\. .*\n$/);
    expect(stderr).toContain("to write     role.md");
  });

  it("previews an export into Claude Code's own directory and runs it with --yes", async () => {
    const start = await withRole();
    const preview = await start.caliban("memory", "export", "--to", "claude");
    expect(preview.stdout).toContain(
      "to ~/.claude/projects/-SLUG/memory\n  to write     role.md\n",
    );
    expect(preview.stdout).toContain("Nothing was written.");
    expect(await readdir(start.home)).not.toContain(".claude");
    const done = await start.caliban("memory", "export", "--to", "claude", "--yes");
    expect(done.stdout).toContain("written      role.md");
    const again = await start.caliban("memory", "export", "--to", "claude", "--yes");
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.stdout).toContain("unchanged    role.md    (same text)");
  });

  it("lists the exported topics in the index that Claude Code has already", async () => {
    const start = await withRole();
    const slug = join(start.home, "app").replaceAll(/[^A-Za-z0-9]/g, "-");
    const directory = join(start.home, ".claude/projects", slug, "memory");
    await writeFiles(directory, {
      "MEMORY.md": "- [Old](old.md) — theirs\n",
      "old.md": "Old.\n",
    });
    const preview = await start.caliban("memory", "export", "--to", "claude");
    expect(preview.stdout).toContain("to extend    MEMORY.md  (1 line more; its text is kept)");
    const done = await start.caliban("memory", "export", "--to", "claude", "--yes");
    expect(done).toMatchObject({ exitCode: 0 });
    expect(done.stdout).toContain("extended     MEMORY.md");
    const index = await readFile(join(directory, "MEMORY.md"), "utf8");
    expect(index).toMatch(/^- \[Old\]\(old\.md\) — theirs\n- \[[^\]]+\]\(role\.md\)/);
    const again = await start.caliban("memory", "export", "--to", "claude", "--yes");
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.stdout).toContain("unchanged    MEMORY.md  (lists every topic)");
  });

  it("keeps a file that changed while the user was asked", async () => {
    const start = await withRole();
    const directory = join(
      start.home,
      ".claude/projects",
      join(start.home, "app").replaceAll(/[^A-Za-z0-9]/g, "-"),
      "memory",
    );
    await writeFiles(directory, { "role.md": "Theirs.\n" });
    const asked = start.with({
      isInteractive: () => true,
      confirm: async () => {
        await writeFile(join(directory, "role.md"), "Newer.\n");
        return true;
      },
    });
    const { exitCode, stdout } = await asked.caliban(
      "memory",
      "export",
      "--to",
      "claude",
      "--replace",
    );
    expect(stdout).toContain("not written  role.md    (changed in the meantime)");
    expect(exitCode).toBe(1);
    expect(await readFile(join(directory, "role.md"), "utf8")).toBe("Newer.\n");
  });

  it("replaces different files only with --replace, and never follows a link", async () => {
    const start = await withRole({ "out/role.md": "Theirs.\n", "secret.md": "x\n" });
    await symlink(join(start.home, "secret.md"), join(start.home, "out/MEMORY.md"));
    const argv = [
      "memory",
      "export",
      "--to",
      "claude",
      "--output",
      join(start.home, "out"),
    ] as const;
    const kept = await start.caliban(...argv);
    expect(kept.exitCode).toBe(1);
    expect(kept.stdout).toContain(
      "not written  role.md    (exists with different content; replace it with --replace)",
    );
    expect(await readFile(join(start.home, "out/role.md"), "utf8")).toBe("Theirs.\n");
    const replaced = await start.caliban(...argv, "--replace");
    expect(replaced.stdout).toContain("replaced     role.md");
    expect(replaced.stdout).toContain("not written  MEMORY.md  (it is a symbolic link)");
    expect(await readFile(join(start.home, "out/role.md"), "utf8")).toBe(ROLE);
    expect(await readFile(join(start.home, "secret.md"), "utf8")).toBe("x\n");
    expect((await stat(join(start.home, "out/role.md"))).mode & 0o777).toBe(0o600);
  });
});

describe("caliban memory export --to agents-md", () => {
  it("prints a document between marker lines", async () => {
    const start = await withRole();
    const { stdout } = await start.caliban("memory", "export", "--to", "agents-md");
    expect(stdout).toContain("### role: who they are\n\nA tester.\n");
    expect(stdout.startsWith("<!-- caliban:memory begin")).toBe(true);
    expect(stdout.endsWith("<!-- caliban:memory end -->\n")).toBe(true);
  });

  it("replaces its own block of a file and keeps the rest", async () => {
    const start = await withRole({ "app/AGENTS.md": "# Mine\n\nBe brief.\n" });
    const path = join(start.home, "app/AGENTS.md");
    const argv = ["memory", "export", "--to", "agents-md", "--output", path] as const;
    const mode = (await stat(path)).mode;
    await start.caliban(...argv);
    const first = await readFile(path, "utf8");
    expect(first.startsWith("# Mine\n\nBe brief.\n\n<!-- caliban:memory begin")).toBe(true);
    expect((await stat(path)).mode).toBe(mode);
    expect((await start.caliban(...argv)).stdout).toContain("is up to date");
    await writeFile(path, `${first}\nAlso mine.\n`);
    const directory = join(start.home, MEMORY.replace("SLUG", start.slug));
    await writeFile(join(directory, "new.md"), ROLE.replace("A tester", "New"));
    await start.caliban(...argv);
    const second = await readFile(path, "utf8");
    expect(second).toContain("### new: who they are\n\nNew.\n");
    expect(second.startsWith("# Mine\n\nBe brief.\n")).toBe(true);
    expect(second.endsWith("<!-- caliban:memory end -->\n\nAlso mine.\n")).toBe(true);
    await writeFile(path, first.replace("<!-- caliban:memory end -->", ""));
    const broken = await start.caliban(...argv);
    expect(broken).toMatchObject({ exitCode: 1, stdout: "" });
    expect(broken.stderr).toContain("fix or remove them");
  });

  it("exports a document larger than any topic that can be imported again", async () => {
    const long = "words\n".repeat(30_000);
    const start = await withRole({
      [`${MEMORY}/a.md`]: `A ${long}`,
      [`${MEMORY}/b.md`]: `B ${long}`,
    });
    const path = join(start.home, "AGENTS.md");
    await start.caliban("memory", "export", "--to", "agents-md", "--output", path);
    const { stdout } = await start.caliban("memory", "import", "--from", "agents-md", path);
    expect(stdout.match(/unchanged/g)?.length).toBe(3);
  });

  it("exports a document that can be imported as the same topics", async () => {
    const start = await withRole({
      [`${MEMORY}/flat.md`]: "no header\r\n<!-- caliban:memory end -->\n",
    });
    const path = join(start.home, "AGENTS.md");
    await start.caliban("memory", "export", "--to", "agents-md", "--output", path);
    const other = await machine();
    await writeFile(join(other.home, "AGENTS.md"), await readFile(path));
    await other.caliban(
      "memory",
      "import",
      "--from",
      "agents-md",
      join(other.home, "AGENTS.md"),
      "--yes",
    );
    const there = join(other.home, MEMORY.replace("SLUG", other.slug));
    expect(await readFile(join(there, "role.md"), "utf8")).toBe(ROLE);
    expect(await readFile(join(there, "flat.md"), "utf8")).toBe(
      "no header\r\n<!-- caliban:memory end -->\n",
    );
  });
});

describe("caliban memory export --to json", () => {
  it("exports everything as JSON that can be imported again", async () => {
    const start = await machine({ "notes/role.md": ROLE });
    await start.caliban("memory", "import", "--from", join(start.home, "notes"), "--yes");
    const { stdout } = await start.caliban("memory", "export", "--to", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      format: "caliban-memory",
      version: 1,
      exported: "2026-11-16T12:00:00.000Z",
      project: "~/app",
      topics: [
        {
          name: "role",
          type: "user",
          description: "who they are",
          bytes: 67,
          text: ROLE,
          provenance: [{ agent: "dir", path: "~/notes/role.md" }],
        },
      ],
    });
    const path = join(start.home, "memory.json");
    expect((await start.caliban("memory", "export", "--to", "json", "--output", path)).stdout).toBe(
      "wrote ~/memory.json\n",
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const again = await start.caliban("memory", "export", "--to", "json", "--output", path);
    expect(again.stderr).toContain("the file already exists. Choose another file");
    const other = await machine();
    await writeFile(join(other.home, "memory.json"), await readFile(path));
    await other.caliban("memory", "import", "--from", join(other.home, "memory.json"), "--yes");
    const there = join(other.home, MEMORY.replace("SLUG", other.slug));
    const here = join(start.home, MEMORY.replace("SLUG", start.slug));
    expect(await bytesIn(there)).toEqual(await bytesIn(here));
  });

  it.for([
    ["an invalid file", "{", "not a memory export"],
    [
      "an unsupported version",
      '{"format":"caliban-memory","version":9}',
      "unsupported version 9, expected 1",
    ],
    [
      "a topic without a text",
      '{"format":"caliban-memory","version":1,"topics":[{"name":"a"}]}',
      "topic 1 has no name or no text",
    ],
  ] as const)("rejects %s when it is imported", async ([, text, message]) => {
    const start = await machine({ "x.json": text });
    const { stdout, exitCode } = await start.caliban(
      "memory",
      "import",
      "--from",
      join(start.home, "x.json"),
      "--yes",
    );
    expect({ exitCode, isReported: stdout.includes(message) }).toEqual({
      exitCode: 1,
      isReported: true,
    });
  });
});

describe("caliban memory import of a JSON export", () => {
  it("refuses an entry that was changed after the export and imports the others", async () => {
    const start = await withRole({ [`${MEMORY}/deploy.md`]: "Run migrations first.\n" });
    const { stdout: exported } = await start.caliban("memory", "export", "--to", "json");
    const other = await machine({ "x.json": exported.replace("migrations first", "rm -rf ~") });
    const path = join(other.home, "x.json");
    const { stdout, exitCode } = await other.caliban("memory", "import", "--from", path, "--yes");
    expect(exitCode).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      'entry "deploy" of x.json changed after the export: its text does not match its "sha256"',
    );
    const there = join(other.home, MEMORY.replace("SLUG", other.slug));
    expect(await readdir(there)).toEqual(["MEMORY.md", "role.md"]);
  });

  it("imports an entry of another program that has no hash", async () => {
    const topics = [{ name: "deploy", text: "Run migrations first.\n" }];
    const text = JSON.stringify({ format: "caliban-memory", version: 1, topics });
    const start = await machine({ "x.json": text });
    const path = join(start.home, "x.json");
    const { exitCode } = await start.caliban("memory", "import", "--from", path, "--yes");
    expect(exitCode).toBe(0);
  });
});

describe("caliban memory export --to tar", () => {
  it("writes the same bytes each time, and tar unpacks them", async () => {
    const start = await withRole({
      [`${MEMORY}/ümlaut.md`]: "---\nmetadata:\n  updated: 2026-11-01T00:00:00.500Z\n---\nÜ\n",
    });
    const path = join(start.home, "notes.tar");
    await start.caliban("memory", "export", "--to", "tar", "--output", path);
    const { stdout } = await start.caliban("memory", "export", "--to", "tar");
    expect(Buffer.from(stdout).equals(await readFile(path))).toBe(true);
    await mkdir(join(start.home, "unpacked"));
    execFileSync("tar", ["-xf", path, "-C", join(start.home, "unpacked")]);
    const here = join(start.home, MEMORY.replace("SLUG", start.slug));
    const unpacked = join(start.home, "unpacked/memory");
    expect(await bytesIn(unpacked)).toEqual(await bytesIn(here));
    const { mode, mtimeMs } = await stat(join(unpacked, "ümlaut.md"));
    expect([mode & 0o777, mtimeMs]).toEqual([0o600, Date.parse("2026-11-01T00:00:00Z")]);
  });

  it.for([
    ["1900-01-01T00:00:00Z", 0],
    ["9999-12-31T00:00:00Z", 8 ** 11 - 1],
  ] as const)(
    "clamps the time of a topic from %s to what a tar header can hold",
    async ([updated, seconds]) => {
      const start = await withRole({
        [`${MEMORY}/old.md`]: `---\nmetadata:\n  updated: ${updated}\n---\nOld.\n`,
      });
      const { stdout } = await start.caliban("memory", "export", "--to", "tar");
      const header = stdout.slice(stdout.indexOf("memory/old.md"));
      expect(Number.parseInt(header.slice(136, 147), 8)).toBe(seconds);
    },
  );

  it("refuses to print a tar file to a terminal", async () => {
    const start = (await withRole()).with({ isTerminal: true });
    const { exitCode, stdout, stderr } = await start.caliban("memory", "export", "--to", "tar");
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain("--output notes.tar");
  });
});

describe("caliban memory export", () => {
  it.for(["claude", "agents-md", "json", "tar"])(
    "exports no secret to %s without --allow-secrets",
    async (form) => {
      const start = await withRole({ [`${MEMORY}/key.md`]: ROLE.replace("A tester", KEY) });
      const out = join(start.home, "out");
      const argv = ["memory", "export", "--to", form, "--output", out] as const;
      const refused = await start.caliban(...argv);
      expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
      expect(refused.stderr).toContain("key.md:7: looks like a secret: AWS access key id");
      expect(refused.stderr).not.toContain(KEY);
      expect(await readdir(start.home)).not.toContain("out");
      const allowed = await start.caliban(...argv, "--allow-secrets");
      expect(allowed).toMatchObject({ exitCode: 0 });
      expect(allowed.stderr).toContain("key.md:7: looks like a secret");
    },
  );

  it("exports no secret of the index either", async () => {
    const start = await withRole({ [`${MEMORY}/MEMORY.md`]: `# Mine\n\nThe key is ${KEY}\n` });
    const { stdout, stderr, exitCode } = await start.caliban("memory", "export", "--to", "json");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toContain("MEMORY.md:3: looks like a secret: AWS access key id");
  });

  it.for([
    [[], "--to is required: one of claude, agents-md, json, tar"],
    [["--to", "yaml"], '--to must be one of claude, agents-md, json, tar, not "yaml"'],
    [["--to", "json", "--output", ""], "--output requires a path"],
  ] as const)("explains the usage when called with %j", async ([argv, message]) => {
    const { exitCode, stderr } = await (await withRole()).caliban("memory", "export", ...argv);
    expect({ exitCode, isReported: stderr.includes(message) }).toEqual({
      exitCode: 2,
      isReported: true,
    });
  });

  it("exits with 3 and creates nothing when there is nothing to export", async () => {
    const { caliban, home } = await machine();
    expect(await caliban("memory", "export", "--to", "json")).toMatchObject({ exitCode: 3 });
    expect(await readdir(home)).toEqual(["app"]);
  });
});

describe("a link of the repository", () => {
  it.for([
    ["claude", "link-directory"],
    ["claude", "link-directory/below"],
    ["agents-md", "AGENTS.md"],
    ["agents-md", "link-directory/new.md"],
    ["json", "link-directory/new.json"],
    ["tar", "link-directory/new.tar"],
    ["json", "dangling.json"],
  ] as const)(
    "never leads an export to %s out of the workspace through %s",
    async ([to, output]) => {
      const { caliban, home } = await withRole({ "private/.bashrc": "mine\n" });
      await symlink("../private/.bashrc", join(home, "app/AGENTS.md"));
      await symlink("../private", join(home, "app/link-directory"));
      await symlink("../private/later", join(home, "app/dangling.json"));
      const result = await caliban("memory", "export", "--to", to, "--output", output);
      expect(result).toMatchObject({
        exitCode: 1,
        stdout: "",
        stderr: expect.stringMatching(/cannot write ~\/app\/.*: it leads to ~\/private\b.*outside/),
      });
      expect(await readdir(join(home, "private"))).toEqual([".bashrc"]);
      expect(await readFile(join(home, "private/.bashrc"), "utf8")).toBe("mine\n");
    },
  );

  it("may lead to another file of the workspace", async () => {
    const { caliban, home } = await withRole({ "app/docs/AGENTS.md": "# Ours\n" });
    await symlink("docs/AGENTS.md", join(home, "app/AGENTS.md"));
    const { exitCode } = await caliban(
      "memory",
      "export",
      "--to",
      "agents-md",
      "--output",
      "AGENTS.md",
    );
    expect(exitCode).toBe(0);
    expect(await readFile(join(home, "app/docs/AGENTS.md"), "utf8")).toContain("A tester.");
  });
});
