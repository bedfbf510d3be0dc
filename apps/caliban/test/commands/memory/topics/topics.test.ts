import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../../../fake-host.ts";

const MEMORY = ".local/share/caliban/projects/SLUG/memory";

const DEPLOY = `---
name: deploy
description: "run migrations first"
metadata:
  node_type: memory
  type: project
  updated: 2026-11-14T12:00:00.000Z
---

First the migrations; see [[flags]].
`;

const FLAGS = DEPLOY.replace("name: deploy", "name: flags").replace(
  "run migrations first",
  "where flags are",
);

/** A project with two topics that somebody made by hand. */
async function withTopics(files: Readonly<Record<string, string>> = {}): Promise<Machine> {
  return await machine({
    [`${MEMORY}/deploy.md`]: DEPLOY,
    [`${MEMORY}/flags.md`]: FLAGS,
    ...files,
  });
}

function typing(start: Machine, text: string): Machine {
  return start.with({ readInput: async () => text });
}

const write = (name: string, ...more: readonly string[]): readonly string[] => [
  "memory",
  "write",
  name,
  "--type",
  "project",
  "--description",
  "what it is",
  ...more,
];

describe("caliban memory list", () => {
  it("shows one line a topic", async () => {
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

  it("says where topics would be when there are none, and makes nothing", async () => {
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

  it("ends with 3 for a name that no topic has, and names the nearest", async () => {
    const { caliban } = await withTopics();
    expect(await caliban("memory", "show", "deplyo")).toEqual({
      exitCode: 3,
      stdout: "",
      stderr: 'caliban: there is no topic "deplyo". Did you mean deploy?\n',
    });
    expect((await caliban("memory", "show", "../x")).exitCode).toBe(2);
  });
});

describe("caliban memory write", () => {
  it("saves what comes on stdin, privately, with its index line and whose it is", async () => {
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

  it("replaces a topic only when told to", async () => {
    const start = typing(await withTopics(), "New.\n");
    const refused = await start.caliban(...write("deploy"));
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(
      "there is a topic deploy already; --replace puts yours in its place",
    );
    expect((await start.caliban(...write("deploy", "--replace"))).stdout).toContain(
      "replaced deploy",
    );
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain("New.");
  });

  it.for([
    ["no type", ["memory", "write", "a", "--description", "d"], 2, "--type is missing"],
    [
      "a type that is none",
      ["memory", "write", "a", "--type", "x", "--description", "d"],
      2,
      "is unknown",
    ],
    ["no description", ["memory", "write", "a", "--type", "user"], 2, "--description is missing"],
    ["a name that is none", [...write("a/b")], 2, "path separator"],
    ["a device", [...write("con")], 2, "device"],
  ] as const)("refuses %s", async ([, argv, code, words]) => {
    const { exitCode, stderr } = await typing(await machine(), "text").caliban(...argv);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(words);
  });

  it("refuses a secret by kind and line, unless told to keep it", async () => {
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
  it("rename with the links", async () => {
    const { caliban } = await withTopics();
    expect((await caliban("memory", "mv", "flags", "feature-flags")).stdout).toBe(
      "renamed flags to feature-flags; links changed in deploy\n",
    );
    expect((await caliban("memory", "show", "deploy")).stdout).toContain("[[feature-flags]]");
    expect((await caliban("memory", "mv", "nothing", "x")).exitCode).toBe(3);
    expect((await caliban("memory", "mv", "deploy", "feature-flags")).exitCode).toBe(1);
  });

  it("remove only when somebody confirms, and bring it back", async () => {
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
    ).toEqual([
      "  X  X  person  undo    deploy (of X)",
      "  X  X  person  remove  deploy (undone)",
      "",
    ]);
  });

  it("purge for good", async () => {
    const start = typing(await machine(), "A text to forget.\n");
    await start.caliban(...write("gone"));
    expect((await start.caliban("memory", "rm", "gone", "--purge", "--force")).stdout).toContain(
      "erased for good",
    );
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    expect(await readFile(join(home, "history/changes.jsonl"), "utf8")).not.toContain("to forget");
    expect((await start.caliban("memory", "undo")).exitCode).toBe(3);
  });

  it("purge a topic under every name it had", async () => {
    const start = typing(await machine(), "A text to forget.\n");
    await start.caliban(...write("first"));
    await start.caliban("memory", "mv", "first", "second");
    await start.caliban("memory", "mv", "second", "Second");
    await start.caliban("memory", "rm", "Second", "--purge", "--force");
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    expect(await readFile(join(home, "history/changes.jsonl"), "utf8")).not.toContain("to forget");
  });

  it("undo what was done again, not something older", async () => {
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

  it("say when there is nothing to undo or to show", async () => {
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
  it("name what is wrong, and mend it", async () => {
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
\`caliban memory doctor --fix\` mends 4 of these.
`);
    const fixed = await caliban("memory", "doctor", "--fix");
    expect(fixed.exitCode).toBe(1);
    expect(fixed.stdout.match(/^fixed/gm)).toHaveLength(4);
    expect(fixed.stdout.match(/^left/gm)).toHaveLength(2);
    expect((await caliban("memory", "rebuild-index")).stdout).toBe("the index is up to date\n");
  });

  it("find secrets wherever they are kept, and take them out", async () => {
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
    expect((await start.caliban("memory", "doctor", "--fix")).exitCode).toBe(0);
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    const files = ["memory/MEMORY.md", "drafts/deploy.0123456789ab.md", "history/changes.jsonl"];
    const texts = await Promise.all(files.map((name) => readFile(join(home, name), "utf8")));
    expect(texts.join("")).not.toContain(secret);
    expect((await start.caliban("memory", "show", "keys")).stdout).toContain("No key any more.");
  });

  it("leave lines that a person wrote, and say so", async () => {
    const { caliban } = await withTopics({
      [`${MEMORY}/flags.md`]: FLAGS.replace("First", "Other"),
      [`${MEMORY}/MEMORY.md`]: "- [Guide](GUIDE.md): ask Bob\n- [deploy](deploy.md) my words\n",
    });
    const { stdout } = await caliban("memory", "doctor", "--fix");
    expect(stdout).toContain(
      "left   MEMORY.md:1: DEAD_LINE: The line links to GUIDE, which no longer exists. You wrote this line",
    );
    expect((await caliban("prompt")).stdout).toContain(
      "- [Guide](GUIDE.md): ask Bob\n- [deploy](deploy.md) my words\n",
    );
  });

  it.for([
    ["something-else", 1],
    ["Flags", 0],
    ["123", 1],
  ] as const)("look at the name %j in a header of flags.md: exit code %i", async ([name, code]) => {
    const { caliban } = await withTopics({
      [`${MEMORY}/flags.md`]: FLAGS.replace("First", "Other").replace(
        "name: flags",
        `name: ${name}`,
      ),
    });
    await caliban("memory", "rebuild-index");
    expect((await caliban("memory", "doctor")).exitCode).toBe(code);
  });

  it("name topics that differ in case only, and show both", async () => {
    const { caliban } = await withTopics({
      [`${MEMORY}/DEPLOY.md`]: DEPLOY.replace("First", "Third"),
    });
    expect((await caliban("memory", "doctor")).stdout).toContain("differs from");
    const { stdout } = await caliban("prompt");
    expect(stdout).toContain("- [DEPLOY](DEPLOY.md)");
    expect(stdout).toContain("- [deploy](deploy.md)");
  });

  it("find nothing wrong with what is in order", async () => {
    const { caliban } = await withTopics({
      [`${MEMORY}/flags.md`]: FLAGS.replace("First", "Other"),
    });
    expect((await caliban("memory", "rebuild-index")).stdout).toContain("2 added");
    expect(await caliban("memory", "doctor")).toEqual({
      exitCode: 0,
      stdout: "nothing is wrong\n",
      stderr: "",
    });
  });
});

describe("caliban memory path", () => {
  it("prints places for scripts", async () => {
    const { caliban } = await withTopics();
    expect((await caliban("memory", "path")).stdout).toBe(`~/${MEMORY}\n`);
    expect((await caliban("memory", "path", "deploy")).stdout).toBe(`~/${MEMORY}/deploy.md\n`);
    expect((await caliban("memory", "path", "nothing")).exitCode).toBe(3);
  });

  it("prints what is at an address of memory, and says where to look when nothing is", async () => {
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

describe("caliban memory edit", () => {
  const editing = (start: Machine, change: (text: string) => string, code = 0): Machine =>
    start.with({
      isInteractive: () => true,
      env: { HOME: start.home, EDITOR: "ed" },
      openEditor: async (_command, path) => {
        const { readFile: read, writeFile } = await import("node:fs/promises");
        const before = await read(path, "utf8").catch(() => "");
        await writeFile(path, change(before));
        return code;
      },
    });

  it("takes an edit over, and makes the index line anew", async () => {
    const start = editing(await withTopics(), (text) =>
      text.replace("run migrations first", "run them last"),
    );
    expect((await start.caliban("memory", "edit", "deploy")).stdout).toBe("saved deploy\n");
    expect((await start.caliban("prompt")).stdout).toContain(
      "- [deploy](deploy.md) — project: run them last",
    );
    expect((await start.caliban("memory", "log")).stdout).toContain("edit");
    // What was looked at is not old any more.
    expect((await start.caliban("memory", "list")).stdout).toMatch(/deploy +project +today/);
  });

  it("keeps an edit that cannot be taken, and goes on with it", async () => {
    const start = await withTopics();
    const broken = await editing(start, (text) =>
      text.replace('description: "run', 'description: ["run'),
    ).caliban("memory", "edit", "deploy");
    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toContain("deploy.md: line 4: ");
    expect(broken.stderr).toContain(
      "your edit is kept in ~/.local/share/caliban/projects/SLUG/drafts/deploy.",
    );
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain(
      "run migrations first",
    );
    const mended = await editing(start, (text) => {
      expect(text).toContain('description: ["run');
      return text.replace('description: ["run', 'description: "I run');
    }).caliban("memory", "edit", "deploy");
    expect(mended.stderr).toContain("going on with the edit");
    expect(mended.stdout).toBe("saved deploy\n");
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain(
      "I run migrations first",
    );
  });

  it("never puts an old draft in place of a newer text", async () => {
    const start = await withTopics();
    await editing(start, (text) => text.replace('description: "run', 'description: ["run')).caliban(
      "memory",
      "edit",
      "deploy",
    );
    await typing(start, "A newer text.").caliban(...write("deploy", "--replace"));
    const { stderr, stdout } = await editing(start, (text) =>
      text.replace("newer", "NEWER"),
    ).caliban("memory", "edit", "deploy");
    expect(stderr).toContain("an edit of an older text of deploy is kept in");
    expect(stdout).toBe("saved deploy\n");
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain("A NEWER text.");
  });

  it("refuses an edit of what somebody else changed meanwhile, and keeps it", async () => {
    const start = await withTopics();
    const racing = start.with({
      isInteractive: () => true,
      env: { HOME: start.home, EDITOR: "ed" },
      openEditor: async (_command, path) => {
        await typing(start, "Theirs.").caliban(...write("deploy", "--replace"));
        const { appendFile } = await import("node:fs/promises");
        await appendFile(path, "Mine.\n");
        return 0;
      },
    });
    const { exitCode, stderr } = await racing.caliban("memory", "edit", "deploy");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "deploy was changed by somebody else while you edited it; your edit is kept in",
    );
    expect((await start.caliban("memory", "show", "deploy")).stdout).toContain("Theirs.");
  });

  it("leaves no draft behind when nothing was edited", async () => {
    const start = editing(await withTopics(), (text) => text, 1);
    expect((await start.caliban("memory", "edit", "deploy")).exitCode).toBe(1);
    const home = join(start.home, MEMORY.replace("SLUG", start.slug), "..");
    expect(await readdir(join(home, "drafts"))).toEqual([]);
  });

  it("opens the files that people write as they are", async () => {
    const start = editing(await machine({ "app/AGENTS.md": "Old.\n" }), () => "New.\n");
    expect((await start.caliban("memory", "edit", "project")).stdout).toBe(
      "edited ~/app/AGENTS.md\n",
    );
    expect(await readFile(join(start.home, "app/AGENTS.md"), "utf8")).toBe("New.\n");
    expect((await start.caliban("memory", "edit", "global")).stdout).toBe(
      "edited ~/.config/caliban/CLAUDE.md\n",
    );
  });

  it("changes nothing when the editor fails, or there is none", async () => {
    const start = await withTopics();
    const failed = await editing(start, (text) => `${text}x`, 1).caliban(
      "memory",
      "edit",
      "deploy",
    );
    expect(failed.exitCode).toBe(1);
    expect((await start.caliban("memory", "show", "deploy")).stdout).not.toContain("x\n");
    const headless = await start.caliban("memory", "edit", "deploy");
    expect(headless.exitCode).toBe(2);
    expect(headless.stderr).toContain("edit needs a terminal");
    const none = await start
      .with({ isInteractive: () => true })
      .caliban("memory", "edit", "deploy");
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain("neither VISUAL nor EDITOR is set");
  });
});

describe("every verb", () => {
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

  it("shows hostile text harmlessly, as JSON, too", async () => {
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
    "writes nothing where the notes are turned off (%j %j)",
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
