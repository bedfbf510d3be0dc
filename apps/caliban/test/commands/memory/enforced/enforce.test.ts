import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { decidePermission, type PermissionDecision } from "@caliban/agent-core";
import { resolveProjectPath } from "@caliban/memory/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { childEnvironment } from "../../../../../../test/support/child-environment.ts";
import { gitDirectory, writeFiles } from "../../../../../../test/support/write-files.ts";
import { NO_OPTIONS } from "../../../../src/command.ts";
import { loadPolicy } from "../../../../src/conversation/access/policy.ts";
import { parseEnforcedFile } from "../../../../src/enforced/enforced-file.ts";
import { openProject } from "../../../../src/project/project.ts";
import type { Machine } from "../../../fake-host.ts";
import { openTestConversation } from "../../../conversation/open-test-conversation.ts";
import { DEPLOY, MEMORY, withTopics } from "../topics/project-with-topics.ts";

const FILE = ".config/caliban/enforced.json";
const SESSIONS = ".local/share/caliban/projects/SLUG/sessions";
const NPM = ["--deny", "Bash(npm *)"] as const;

const npm = { tool: "Bash", permission: "shell.run", isReadOnly: false, subject: "npm i" };

async function decide(
  { host }: Machine,
  flags: Partial<typeof NO_OPTIONS> = {},
): Promise<PermissionDecision> {
  const project = await openProject({ ...NO_OPTIONS, host, ...flags });
  return decidePermission(npm, (await loadPolicy(project, "yolo")).policy);
}

async function enforced(files: Readonly<Record<string, string>> = {}): Promise<Machine> {
  const start = await withTopics(files);
  const { exitCode } = await start.caliban("memory", "enforce", "deploy", ...NPM, "--yes");
  expect(exitCode).toBe(0);
  return start;
}

function call(id: string, name: string, input: object): object {
  return { type: "tool-call", id, name, input };
}

/** A stored session with these calls. */
function session(id: string, calls: readonly object[]): string {
  const at = "2026-11-10T10:00:00.000Z";
  const start = {
    type: "session-start",
    v: 1,
    id,
    at,
    workspace: "/app",
    cwd: "/app",
    model: "m/m",
    version: "1",
  };
  const message = { role: "assistant", model: "m/m", parts: calls };
  return [start, { type: "message", id: "m1", at, message }]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
}

const PAST = {
  [`${SESSIONS}/20261110-100000-aaaa.jsonl`]: session("20261110-100000-aaaa", [
    call("1", "Bash", { command: "npm install" }),
    call("2", "Bash", { command: "cd x && npm install" }),
    call("3", "Bash", { command: "pnpm install" }),
    call("4", "Edit", { file_path: "src/db/pool.ts" }),
    call("5", "Bash", {}),
  ]),
  [`${SESSIONS}/20261111-100000-bbbb.jsonl`]: session("20261111-100000-bbbb", [
    call("1", "Bash", { command: "npm install" }),
  ]),
  [`${SESSIONS}/20261112-100000-cccc.jsonl`]: "not a session\n",
};

describe("caliban memory enforce", () => {
  it("shows where the rule would have matched, asks, and saves it", async () => {
    const start = await withTopics(PAST);
    const questions: string[] = [];
    const confirm = async (question: string): Promise<boolean> => {
      questions.push(question);
      return true;
    };
    const user = start.with({ isInteractive: () => true, confirm });
    const { exitCode, stdout, stderr } = await user.caliban("memory", "enforce", "deploy", ...NPM);
    expect({ exitCode, stdout, questions }).toEqual({
      exitCode: 0,
      stdout: "enforced deploy: deny Bash(npm *)\n",
      questions: ["Enforce deny Bash(npm *)?"],
    });
    expect(stderr).toContain("Bash(npm *) would have matched 3 of 6 calls of 3 past sessions");
    expect(stderr).toMatch(/2x {2}\S+ {2}2026111\d-100000-\w{4} {2}Bash {2}npm install\n/);
    expect(await decide(start)).toMatchObject({
      kind: "deny",
      reason: "Denied by the enforced memory deploy: run migrations first. Rule: Bash(npm *).",
    });
    expect((await stat(join(start.home, FILE))).mode & 0o777).toBe(0o600);
  });

  it("saves nothing if the user declines, or if no one can answer without --yes", async () => {
    const start = await withTopics();
    const declining = start.with({ isInteractive: () => true, confirm: async () => false });
    expect(await declining.caliban("memory", "enforce", "deploy", ...NPM)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("nothing was changed"),
    });
    expect(await start.caliban("memory", "enforce", "deploy", ...NPM)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("pass --yes"),
    });
    expect(await start.caliban("memory", "enforce", "deploy", "--off")).toMatchObject({
      exitCode: 3,
    });
    await expect(stat(join(start.home, FILE))).rejects.toThrow("ENOENT");
  });

  it("lists the rules, and marks topics in other lists", async () => {
    const { caliban } = await enforced();
    await caliban("memory", "enforce", "flags", "--note", "Edit(src/*)", "--user", "--yes");
    expect((await caliban("memory", "enforce")).stdout).toBe(`\
  deploy  deny  Bash(npm *)  this project   run migrations first
  flags   note  Edit(src/*)  every project  where flags are
`);
    const { rules } = JSON.parse((await caliban("memory", "enforce", "--json")).stdout) as {
      rules: readonly object[];
    };
    expect(rules).toMatchObject([
      { slug: "deploy", effect: "deny", rule: "Bash(npm *)", scope: "project", hasTopic: true },
      { slug: "flags", effect: "note", rule: "Edit(src/*)", scope: "user" },
    ]);
    expect((await caliban("memory", "list")).stdout).toContain("[enforced: deny Bash(npm *)]");
    expect((await caliban("memory", "show", "deploy")).stdout).toContain(
      "enforced: deny Bash(npm *)\n",
    );
  });

  it("lifts a rule only with --off, and only after an answer", async () => {
    const start = await enforced();
    expect(await start.caliban("memory", "enforce", "deploy", "--off")).toMatchObject({
      exitCode: 2,
    });
    expect((await decide(start)).kind).toBe("deny");
    expect(await start.caliban("memory", "enforce", "deploy", "--off", "--yes")).toMatchObject({
      exitCode: 0,
      stdout: "lifted 1 rule of deploy: deny Bash(npm *)\n",
    });
    expect((await decide(start)).kind).toBe("allow");
  });

  it.for([
    [["memory", "enforce", "deploy"], 2, "name a rule"],
    [["memory", "enforce", ...NPM], 2, "name the topic"],
    [["memory", "enforce", "deploy", "--allow", "Bash"], 2, "can only tighten"],
    [["memory", "enforce", "deploy", "--deny", "Bash(npm"], 2, "not a valid permission rule"],
    [["memory", "enforce", "deploy", "--deny", "Bsh(npm *)", "--yes"], 2, "did you mean Bash?"],
    [["memory", "enforce", "deplyo", ...NPM, "--yes"], 3, "Did you mean deploy?"],
    [["memory", "backtest", "deploy"], 2, "no rule to test"],
    [["memory", "backtest", "missing"], 3, "no topic"],
  ] as const)("refuses %j", async ([argv, exitCode, message]) => {
    const { caliban } = await withTopics();
    expect(await caliban(...argv)).toMatchObject({
      exitCode,
      stderr: expect.stringContaining(message),
    });
  });

  it("keeps the rule when the topic is edited, removed or undone", async () => {
    const start = await enforced();
    const topic = join(start.home, MEMORY.replace("SLUG", start.slug), "deploy.md");
    const before = await decide(start);
    await writeFile(topic, DEPLOY.replace("run migrations first", "anything goes"));
    expect(await decide(start)).toEqual(before);
    expect((await start.caliban("memory", "rm", "deploy", "--force")).exitCode).toBe(0);
    expect(await decide(start)).toEqual(before);
    expect((await start.caliban("memory", "undo", "--force")).exitCode).toBe(0);
    expect(await decide(start)).toEqual(before);
    await rm(topic, { force: true });
    expect((await start.caliban("memory", "doctor")).stdout).toContain(
      "note: deny Bash(npm *) is enforced, but its topic deploy is gone. Lift it with: caliban memory enforce deploy --off\n",
    );
    expect((await start.caliban("doctor")).stdout).toContain("its topic deploy is gone");
  });

  it.for([
    [{}, { bare: true }],
    [{}, { memory: false }],
    [{ CALIBAN_DISABLE_AUTO_MEMORY: "1" }, {}],
  ] as const)("stays in force with %j and %j", async ([env, flags]) => {
    const start = await enforced();
    const changed = start.with({ env: { HOME: start.home, ...env } });
    expect((await decide(changed, flags)).kind).toBe("deny");
  });

  it("applies a project's rules in that project only", async () => {
    const start = await enforced();
    const elsewhere = start.with({ cwd: start.home });
    expect((await decide(elsewhere)).kind).toBe("allow");
    await start.caliban("memory", "enforce", "flags", "--ask", "Bash(npm *)", "--user", "--yes");
    expect((await decide(elsewhere)).kind).toBe("ask");
  });

  it("keeps the rule when the repository claims to be a worktree of another one", async () => {
    const start = await enforced();
    const before = await decide(start);
    await rm(join(start.home, "app/.git"), { recursive: true });
    await writeFiles(start.home, {
      ...gitDirectory("other"),
      "app/.git": `gitdir: ${start.home}/other/.git/worktrees/app\n`,
      "other/.git/worktrees/app/commondir": "../..\n",
      "other/.git/worktrees/app/gitdir": `${start.home}/app/.git\n`,
    });
    const project = await openProject({ ...NO_OPTIONS, host: start.host });
    expect(resolveProjectPath(project.workspace).path).toBe(join(start.home, "other"));
    expect(await decide(start)).toEqual(before);
  });

  it("reaches a conversation that is running, and survives that its file is removed or damaged", async () => {
    const start = await withTopics();
    const { conversation } = await openTestConversation(start);
    const kind = (): string => decidePermission(npm, conversation.policy()).kind;
    expect(kind()).toBe("ask");
    await start.caliban("memory", "enforce", "deploy", ...NPM, "--yes");
    expect(kind()).toBe("deny");
    await writeFile(join(start.home, FILE), "{");
    expect(kind()).toBe("deny");
    await rm(join(start.home, FILE));
    expect(kind()).toBe("deny");
    await conversation.close();
  });

  it.for([
    ['{\n  "version": 1,\n  "rules": [\n    {"effect":"deny","rule":\n', 4, "invalid JSON"],
    ['{\n  "version": 1,\n  "rules": [\n    {"effect":"deny"}\n  ]\n}\n', 4, '"rule" must be'],
    ['{\n  "version": 9,\n  "rules": []\n}\n', 2, "version 9 is not known"],
    ["[]\n", 1, 'not an object with a list of "rules"'],
    ["", 1, "invalid JSON"],
  ] as const)("refuses to start with a damaged file: %j", async ([text, line, problem]) => {
    const start = await withTopics({ [FILE]: text });
    for (const argv of [
      ["-p", "hello"],
      ["prompt"],
      ["memory", "enforce", "deploy", ...NPM, "--yes"],
    ]) {
      const { exitCode, stdout, stderr } = await start.caliban(...argv);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
      expect(stderr).toContain(`~/${FILE}:${line}: ${problem}`);
    }
    expect(await readFile(join(start.home, FILE), "utf8")).toBe(text);
    expect((await start.caliban("doctor")).stdout).toContain(`${FILE}:${line}: ${problem}`);
  });

  it("keeps what a newer version wrote into the file", async () => {
    const rule =
      '{"effect":"ask","rule":"Bash","memory":"x","reason":"r","created":"","scope":"user","color":"red"}';
    const start = await withTopics({
      [FILE]: `{"version": 1, "owner": "me", "rules": [${rule}]}`,
    });
    await start.caliban("memory", "enforce", "deploy", ...NPM, "--yes");
    const text = await readFile(join(start.home, FILE), "utf8");
    expect(JSON.parse(text)).toMatchObject({ owner: "me", rules: [{ color: "red" }, {}] });
  });
});

describe("caliban memory backtest", () => {
  it("counts matching calls of past sessions as JSON", async () => {
    const { caliban } = await withTopics(PAST);
    const rules = [...NPM, "--note", "Edit(src/*)"];
    const { stdout, exitCode } = await caliban("memory", "backtest", "deploy", ...rules, "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      slug: "deploy",
      calls: 6,
      matched: 4,
      rules: [
        { effect: "deny", rule: "Bash(npm *)", count: 3 },
        { effect: "note", rule: "Edit(src/*)", count: 1 },
      ],
      hits: [
        { tool: "Bash", subject: "npm install", count: 2 },
        { tool: "Bash", subject: "cd x && npm install", session: "20261110-100000-aaaa", count: 1 },
        { tool: "Edit", subject: "src/db/pool.ts", effect: "note", count: 1 },
      ],
    });
  });

  it("tests what a topic about the user applies to", async () => {
    const applies = DEPLOY.replace("metadata:", 'applies: {"commands": ["pnpm *"]}\nmetadata:');
    const { caliban } = await withTopics({
      ...PAST,
      ".local/share/caliban/user/memory/tools.md": applies.replace("name: deploy", "name: tools"),
    });
    expect((await caliban("memory", "backtest", "tools", "--user")).stdout).toContain(
      "Bash(pnpm *) would have matched 1 of 6 calls",
    );
  });

  it("tests the rules of the topic, or what the topic applies to", async () => {
    const applies = DEPLOY.replace("metadata:", 'applies: {"commands": ["pnpm *"]}\nmetadata:');
    const { caliban } = await withTopics({ ...PAST, [`${MEMORY}/deploy.md`]: applies });
    expect((await caliban("memory", "backtest", "deploy")).stdout).toContain(
      "Bash(pnpm *) would have matched 1 of 6 calls",
    );
    await caliban("memory", "enforce", "deploy", ...NPM, "--yes");
    expect((await caliban("memory", "backtest", "deploy")).stdout).toContain(
      "Bash(npm *) would have matched 3 of 6 calls",
    );
  });
});

describe("several processes", () => {
  const BIN = join(import.meta.dirname, "../../../../src/bin.ts");
  const start = (home: string, ...args: readonly string[]): ReturnType<typeof spawn> => {
    const child = spawn(
      process.execPath,
      ["--conditions=caliban:source", BIN, "memory", "enforce", "deploy", "--yes", ...args],
      { cwd: join(home, "app"), env: childEnvironment(home), stdio: "ignore" },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };

  it("lose no rule when they enforce at the same time", async () => {
    const { home } = await withTopics();
    const rules = ["a", "b", "c", "d"].map((name) => `Bash(${name} *)`);
    await Promise.all(rules.map(async (rule) => await once(start(home, "--deny", rule), "close")));
    const parsed = parseEnforcedFile(await readFile(join(home, FILE), "utf8"));
    const found = "entries" in parsed ? parsed.entries.map(({ rule }) => rule) : [];
    expect(found.toSorted()).toEqual(rules);
  });

  it("leave a complete file when one is killed in the middle of a write", async () => {
    const { home, caliban } = await enforced();
    const before = await readFile(join(home, FILE), "utf8");
    const child = start(home, "--deny", "Bash(yarn *)");
    const closed = once(child, "close");
    const directory = join(home, ".config/caliban");
    const isWriting = async (): Promise<boolean> =>
      (await readdir(directory)).some((name) => name.endsWith(".tmp") || name.endsWith(".lock"));
    while (child.exitCode === null && !(await isWriting())) await delay(1);
    child.kill("SIGKILL");
    await closed;
    const after = await readFile(join(home, FILE), "utf8");
    expect("entries" in parseEnforcedFile(after) && after.startsWith(before.slice(0, 40))).toBe(
      true,
    );
    // The lock of the dead process does not keep others away.
    expect(
      (await caliban("memory", "enforce", "flags", "--ask", "Bash(b *)", "--yes")).exitCode,
    ).toBe(0);
    const rules = parseEnforcedFile(await readFile(join(home, FILE), "utf8"));
    expect("entries" in rules && rules.entries.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["Bash(npm *)", "Bash(b *)"]),
    );
  });
});
