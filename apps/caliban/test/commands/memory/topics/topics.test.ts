import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../../../fake-host.ts";
import { DEPLOY, FLAGS, MEMORY, typing, withTopics, write } from "./project-with-topics.ts";

describe("caliban memory list", () => {
  it("lists one line per topic", async () => {
    const { caliban } = await withTopics();
    expect(await caliban("memory", "list")).toEqual({
      exitCode: 0,
      stdout: `\
  deploy  project  2 days ago  run migrations first
  flags   project  2 days ago  where flags are
`,
      stderr: "",
    });
    const { topics } = JSON.parse((await caliban("memory", "list", "--json")).stdout) as {
      topics: readonly object[];
    };
    expect(topics[0]).toMatchObject({
      slug: "deploy",
      type: "project",
      description: "run migrations first",
    });
  });

  it("names the directory of the topics when there are none, without creating it", async () => {
    const { caliban, home } = await machine();
    const { stdout, exitCode } = await caliban("memory", "list");
    expect({ stdout, exitCode }).toEqual({ stdout: `no topics yet in ~/${MEMORY}\n`, exitCode: 0 });
    expect((await readdir(home)).toSorted()).toEqual(["app"]);
  });
});

describe("caliban memory show", () => {
  it("shows a topic with its age and hash", async () => {
    const { caliban } = await withTopics();
    const { stdout, exitCode } = await caliban("memory", "show", "deploy");
    expect(exitCode).toBe(0);
    expect(stdout.replace(/hash \w{12}/, "hash HASH")).toBe(`\
deploy (project), written 2 days ago; verify before relying on it, hash HASH
run migrations first

First the migrations; see [[flags]].
`);
  });

  it("exits with 3 for an unknown topic and suggests a similar name", async () => {
    const { caliban } = await withTopics();
    expect(await caliban("memory", "show", "deplyo")).toEqual({
      exitCode: 3,
      stdout: "",
      stderr: 'caliban: no topic "deplyo". Did you mean deploy?\n',
    });
    expect((await caliban("memory", "show", "../x")).exitCode).toBe(2);
  });
});

describe("caliban memory write", () => {
  it("writes, shows and keeps what a topic applies to and which topics it replaces", async () => {
    const start = await withTopics();
    const fields = ["--applies-path", "src/db/**", "--applies-path", "*.sql"];
    const more = ["--applies-command", "npm *", "--supersedes", "deploy", "--expect", "Tool? npm"];
    await typing(start, "Text.\n").caliban(...write("notes", ...fields, ...more));
    const shown = `\
what it is
applies to paths: src/db/**, *.sql
applies to commands: npm *
supersedes: deploy
expect: Tool? npm
`;
    expect((await start.caliban("memory", "show", "notes")).stdout).toContain(shown);
    await typing(start, "Other.\n").caliban(...write("notes", "--replace"));
    expect((await start.caliban("memory", "show", "notes")).stdout).toContain(shown);
    await typing(start, "Other.\n").caliban(...write("notes", "--replace", "--supersedes", ""));
    const { stdout } = await start.caliban("memory", "show", "notes", "--json");
    const topic = JSON.parse(stdout) as object;
    expect(topic).toMatchObject({ applies: { paths: ["src/db/**", "*.sql"] } });
    expect(topic).not.toHaveProperty("supersedes");
    const read = await start.caliban("memory", "read", "memory://topics/notes");
    expect(read.stdout).toContain('applies: {"paths": ["src/db/**", "*.sql"]');
  });

  it.for([
    [["--applies-path", "../secret"], 'applies.paths: "../secret" must not contain ".."'],
    [["--applies-path", "{a*,b*}*".repeat(12)], "has too many stars or alternatives"],
    [["--supersedes", "notes"], 'supersedes: "notes" cannot supersede itself'],
  ] as const)("rejects %j", async ([options, message]) => {
    const { caliban } = typing(await withTopics(), "Text.\n");
    const { exitCode, stderr } = await caliban(...write("notes", ...options));
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(message);
  });

  it("saves the text from stdin in a private file with an index line and a project record", async () => {
    const start = await machine();
    const { stdout, exitCode, stderr } = await typing(start, "Some text.\n").caliban(
      ...write("notes"),
    );
    expect({ stdout, exitCode, stderr }).toEqual({
      exitCode: 0,
      stdout: "saved notes\n  - [notes](notes.md) — project: what it is\n",
      stderr: "",
    });
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    expect((await stat(join(home, "memory"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(home, "memory/notes.md"))).mode & 0o777).toBe(0o600);
    const record = JSON.parse(await readFile(join(home, "project.json"), "utf8")) as object;
    expect(record).toEqual({
      version: 1,
      path: join(start.home, "app"),
      rootCommits: [],
      remotes: [],
    });
    expect((await start.caliban("prompt")).stdout).toContain(
      "- [notes](notes.md) — project: what it is",
    );
  });

  it("replaces a topic only with --replace", async () => {
    const start = typing(await withTopics(), "New.\n");
    const refused = await start.caliban(...write("deploy"));
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("topic deploy already exists. Replace it with --replace");
    expect((await start.caliban(...write("deploy", "--replace"))).stdout).toContain(
      "replaced deploy",
    );
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain("New.");
  });

  it.for([
    ["a missing type", ["memory", "write", "a", "--description", "d"], 2, "--type is required"],
    [
      "an unknown type",
      ["memory", "write", "a", "--type", "x", "--description", "d"],
      2,
      "--type must be one of user, feedback, project, reference, not",
    ],
    [
      "a missing description",
      ["memory", "write", "a", "--type", "user"],
      2,
      "--description is required",
    ],
    ["an invalid name", [...write("a/b")], 2, "path separator"],
    ["the name of a device", [...write("con")], 2, "device"],
  ] as const)("rejects %s when writing a topic", async ([, argv, code, message]) => {
    const { exitCode, stderr } = await typing(await machine(), "text").caliban(...argv);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
  });

  it("rejects a secret by kind and line without --allow-secrets, and doctor removes it", async () => {
    const secret = ["AK", "IAQWERTYUIOPASDFGH"].join("");
    const start = typing(await machine(), `First line.\nkey: ${secret}\n`);
    const { exitCode, stderr } = await start.caliban(...write("keys"));
    expect(exitCode).toBe(1);
    expect(stderr).toContain("line 2 of the body");
    expect(stderr).not.toContain(secret);
    expect((await start.caliban(...write("keys", "--allow-secrets"))).exitCode).toBe(0);
    const { stdout, exitCode: found } = await start.caliban("memory", "doctor");
    expect(found).toBe(1);
    expect(stdout).toContain("SECRET");
    expect(stdout).not.toContain(secret);
    expect((await start.caliban("memory", "doctor", "--fix")).exitCode).toBe(0);
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    const everything = await Promise.all(
      ["memory/keys.md", "history/changes.jsonl"].map((name) => readFile(join(home, name), "utf8")),
    );
    expect(everything.join("")).not.toContain(secret);
  });
});

describe("caliban memory mv, rm, log and undo", () => {
  it("renames a topic and updates the links to it", async () => {
    const { caliban } = await withTopics();
    expect((await caliban("memory", "mv", "flags", "feature-flags")).stdout).toBe(
      "renamed flags to feature-flags; updated links in deploy\n",
    );
    expect((await caliban("memory", "show", "deploy")).stdout).toContain("[[feature-flags]]");
    expect((await caliban("memory", "mv", "nothing", "x")).exitCode).toBe(3);
    expect((await caliban("memory", "mv", "deploy", "feature-flags")).exitCode).toBe(1);
  });

  it("removes a topic only after confirmation, and undo restores it", async () => {
    const start = await withTopics();
    expect(await start.caliban("memory", "rm", "deploy")).toMatchObject({ exitCode: 2 });
    const asked: string[] = [];
    const answering = (answer: boolean): Machine =>
      start.with({
        isInteractive: () => true,
        confirm: async (question) => (asked.push(question), answer),
      });
    expect(await answering(false).caliban("memory", "rm", "deploy")).toMatchObject({ exitCode: 1 });
    const { stdout } = await answering(true).caliban("memory", "rm", "deploy");
    expect(asked).toEqual(["Remove deploy?", "Remove deploy?"]);
    const [, id = ""] = /caliban memory undo (\w+)/.exec(stdout) ?? [];
    expect((await start.caliban("memory", "show", "deploy")).exitCode).toBe(3);
    expect((await start.caliban("memory", "undo", id)).stdout).toContain(
      `undid remove ${id}: deploy`,
    );
    expect((await start.caliban("memory", "show", "deploy")).exitCode).toBe(0);
    const { stdout: log } = await start.caliban("memory", "log", "deploy");
    expect(
      log.split("\n").map((line) => line.replaceAll(/[0-9a-f]{8}|\d{4}-\d\d-\d\d \d\d:\d\d/g, "X")),
    ).toEqual(["  X  X  you  undo    deploy (of X)", "  X  X  you  remove  deploy (undone)", ""]);
  });

  it("purges a topic permanently", async () => {
    const start = typing(await machine(), "A text to forget.\n");
    await start.caliban(...write("gone"));
    expect((await start.caliban("memory", "rm", "gone", "--purge", "--force")).stdout).toContain(
      "permanently erased",
    );
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    expect(await readFile(join(home, "history/changes.jsonl"), "utf8")).not.toContain("to forget");
    expect((await start.caliban("memory", "undo")).exitCode).toBe(3);
  });

  it("purges a topic under every name it ever had", async () => {
    const start = typing(await machine(), "A text to forget.\n");
    await start.caliban(...write("first"));
    await start.caliban("memory", "mv", "first", "second");
    await start.caliban("memory", "mv", "second", "Second");
    await start.caliban("memory", "rm", "Second", "--purge", "--force");
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    expect(await readFile(join(home, "history/changes.jsonl"), "utf8")).not.toContain("to forget");
  });

  it("undoes a redone change before an older one", async () => {
    const start = await machine();
    await typing(start, "One.").caliban(...write("one"));
    await typing(start, "Two.").caliban(...write("two"));
    const { stdout } = await start.caliban("memory", "undo");
    const [, redo = ""] = /caliban memory undo (\w+)/.exec(stdout) ?? [];
    await start.caliban("memory", "undo", redo);
    expect((await start.caliban("memory", "log", "two")).stdout).not.toMatch(
      /write +two \(undone\)/,
    );
    expect((await start.caliban("memory", "undo")).stdout).toContain("two (removed)");
    expect((await start.caliban("memory", "show", "one")).exitCode).toBe(0);
  });

  it("exits with 3 when there is nothing to undo or to show", async () => {
    const { caliban, home } = await machine();
    expect((await caliban("memory", "log", "--json")).exitCode).toBe(3);
    expect((await caliban("memory", "rebuild-index")).exitCode).toBe(0);
    expect((await caliban("memory", "doctor", "--fix")).exitCode).toBe(0);
    expect(await caliban("memory", "undo")).toMatchObject({ exitCode: 3 });
    expect(await caliban("memory", "log")).toMatchObject({ exitCode: 3 });
    expect(await readdir(home)).toEqual(["app"]);
  });
});

describe("caliban memory doctor and rebuild-index", () => {
  it("reports problems of the topics and fixes what it can", async () => {
    const { caliban } = await withTopics({
      [`${MEMORY}/MEMORY.md`]:
        "Mine.\n\n- [gone](gone.md) — project: gone\n- [deploy](deploy.md) — project: old words\n",
      [`${MEMORY}/broken.md`]: "---js\nprocess.exit(1)\n---\n",
    });
    const { stdout, exitCode } = await caliban("memory", "doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toBe(`\
broken.md:1: MALFORMED: The header begins with "---js"; its first line must be exactly ---. Run: caliban memory edit broken
MEMORY.md:3: DEAD_LINE: The line links to gone, which no longer exists.
MEMORY.md:4: STALE_LINE: The line does not match deploy.md.
broken.md: ORPHAN: The index has no line for broken.
flags.md: ORPHAN: The index has no line for flags.
flags.md: DUPLICATE: It has the same text as deploy.md; keep one of them.
Fix 4 of 6 with: caliban memory doctor --fix
`);
    const fixed = await caliban("memory", "doctor", "--fix");
    expect(fixed.exitCode).toBe(1);
    expect(fixed.stdout.match(/^fixed/gm)).toHaveLength(4);
    expect(fixed.stdout.match(/^not fixed/gm)).toHaveLength(2);
    expect((await caliban("memory", "rebuild-index")).stdout).toBe("the index is up to date\n");
  });

  it("finds secrets in topics, drafts, the index and the history, and removes them", async () => {
    const secret = ["AK", "IAQWERTYUIOPASDFGH"].join("");
    const start = await withTopics({
      [`${MEMORY}/flags.md`]: FLAGS.replace("First", "Other"),
      [`${MEMORY}/MEMORY.md`]: `The key is ${secret}.\n`,
      ".local/share/caliban/projects/SLUG/drafts/deploy.0123456789ab.md": `key: ${secret}\n`,
    });
    await typing(start, `key ${secret}`).caliban(...write("keys", "--allow-secrets"));
    await typing(start, "No key any more.").caliban(...write("keys", "--replace"));
    const { stdout } = await start.caliban("memory", "doctor");
    expect(stdout.match(/^\S+: SECRET/gm)).toEqual([
      "MEMORY.md:1: SECRET",
      "drafts/deploy.0123456789ab.md:1: SECRET",
      "keys.md: SECRET",
    ]);
    const fixed = await start.caliban("memory", "doctor", "--fix");
    expect(fixed.exitCode).toBe(0);
    expect(fixed.stdout).toContain(
      "fixed      drafts/deploy.0123456789ab.md:1: SECRET: A secret (AWS access key id) was removed from the draft. Revoke the secret.\n",
    );
    expect(fixed.stdout).not.toContain("--fix");
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    const files = ["memory/MEMORY.md", "drafts/deploy.0123456789ab.md", "history/changes.jsonl"];
    const texts = await Promise.all(files.map((name) => readFile(join(home, name), "utf8")));
    expect(texts.join("")).not.toContain(secret);
    expect((await start.caliban("memory", "show", "keys")).stdout).toContain("No key any more.");
  });

  it("keeps and reports index lines that the user wrote", async () => {
    const { caliban } = await withTopics({
      [`${MEMORY}/flags.md`]: FLAGS.replace("First", "Other"),
      [`${MEMORY}/MEMORY.md`]: "- [Guide](GUIDE.md): ask Bob\n- [deploy](deploy.md) my words\n",
    });
    const { stdout } = await caliban("memory", "doctor", "--fix");
    expect(stdout).toContain(
      "not fixed  MEMORY.md:1: DEAD_LINE: The line links to GUIDE, which no longer exists. You wrote this line",
    );
    expect((await caliban("prompt")).stdout).toContain(
      "- [Guide](GUIDE.md): ask Bob\n- [deploy](deploy.md) my words\n",
    );
  });

  it.for([
    ["something-else", 1],
    ["Flags", 0],
    ["123", 1],
  ] as const)(
    "checks the name %j in the header of flags.md: exit code %i",
    async ([name, code]) => {
      const { caliban } = await withTopics({
        [`${MEMORY}/flags.md`]: FLAGS.replace("First", "Other").replace(
          "name: flags",
          `name: ${name}`,
        ),
      });
      await caliban("memory", "rebuild-index");
      expect((await caliban("memory", "doctor")).exitCode).toBe(code);
    },
  );

  it("reports topics that differ only in case, and the prompt has both", async () => {
    const { caliban } = await withTopics({
      [`${MEMORY}/DEPLOY.md`]: DEPLOY.replace("First", "Third"),
    });
    expect((await caliban("memory", "doctor")).stdout).toContain("differs from");
    const { stdout } = await caliban("prompt");
    expect(stdout).toContain("- [DEPLOY](DEPLOY.md)");
    expect(stdout).toContain("- [deploy](deploy.md)");
  });

  it("finds no problems in valid topics", async () => {
    const { caliban } = await withTopics({
      [`${MEMORY}/flags.md`]: FLAGS.replace("First", "Other"),
    });
    expect((await caliban("memory", "rebuild-index")).stdout).toContain("2 added");
    expect(await caliban("memory", "doctor")).toEqual({
      exitCode: 0,
      stdout: "no problems found\n",
      stderr: "",
    });
  });
});

describe("caliban memory path", () => {
  it("prints paths for scripts", async () => {
    const { caliban } = await withTopics();
    expect((await caliban("memory", "path")).stdout).toBe(`~/${MEMORY}\n`);
    expect((await caliban("memory", "path", "deploy")).stdout).toBe(`~/${MEMORY}/deploy.md\n`);
    expect((await caliban("memory", "path", "nothing")).exitCode).toBe(3);
  });

  it("prints the text of a memory address, and suggests others for an unknown one", async () => {
    const { caliban } = await withTopics();
    const index = await caliban("memory", "read", "memory://index");
    expect(index.stdout).toContain("- [deploy](deploy.md)");
    expect((await caliban("memory", "read", "memory://topics/deploy")).stdout).toMatch(
      /^---\nname:/,
    );
    const prefix = await caliban("memory", "read", "memory://prefix", "--json");
    const { text } = JSON.parse(prefix.stdout);
    expect(text).toContain("<auto-memory-index");
    expect(text).toContain("[what it was built from]\nworkspace ");
    const nothing = await caliban("memory", "read", "memory://topics/../x");
    expect(nothing).toMatchObject({ exitCode: 3, stdout: "" });
    expect(nothing.stderr).toContain("memory://index");
  });
});

describe("every subcommand of caliban memory", () => {
  const HOSTILE = "\u001B]52;c;ZXZpbA==\u0007\u001B[2J\u202Eevil";
  const VERBS = [
    ["list"],
    ["show", "evil"],
    ["search", "evil"],
    ["doctor"],
    ["log"],
    ["rebuild-index"],
    ["mv", "evil", "other"],
    ["path", "other"],
    ["read", "memory://topics/other"],
    ["rm", "other", "--force"],
    ["undo"],
    ["import", "--from", "/nowhere\u001B[2J"],
  ] as const;

  const UNSEEN = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu;

  it("escapes hostile text, also as JSON", async () => {
    const text = `---\nname: evil\ndescription: ${JSON.stringify(HOSTILE)}\nmetadata:\n  type: user\n  session: ${JSON.stringify(HOSTILE)}\n  after: [${JSON.stringify(HOSTILE)}]\n---\n\n${HOSTILE} [[${HOSTILE}]]\n`;
    for (const json of [[], ["--json"]]) {
      const { caliban } = await machine({ [`${MEMORY}/evil.md`]: text });
      for (const verb of VERBS) {
        const { stdout, stderr } = await caliban("memory", ...verb, ...json);
        const raw = [...(stdout + stderr).matchAll(UNSEEN)].map(([character]) => character);
        expect({ verb, raw }).toEqual({ verb, raw: [] });
      }
    }
  });

  it.for([
    [{ CALIBAN_DISABLE_AUTO_MEMORY: "1" }, [], "CALIBAN_DISABLE_AUTO_MEMORY"],
    [{}, ["--bare"], "--bare"],
    [{}, ["--no-memory"], "--no-memory"],
  ] as const)(
    "writes nothing when auto-memory is turned off (%j %j)",
    async ([env, flags, reason]) => {
      const start = await machine();
      const off = typing(start, "text").with({
        env: { HOME: start.home, ...env },
        readInput: async () => "text",
      });
      for (const argv of [
        write("a"),
        ["memory", "rebuild-index"],
        ["memory", "undo"],
        ["memory", "import"],
        ["memory", "adopt"],
      ]) {
        const { exitCode, stderr } = await off.caliban(...argv, ...flags);
        expect(exitCode).toBe(2);
        expect(stderr).toContain(`auto-memory is turned off by ${reason}`);
      }
      expect(await readdir(start.home)).toEqual(["app"]);
    },
  );
});
