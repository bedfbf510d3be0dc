// Creates test/corpus/data with a build of the version whose data it is: node test/corpus/make/make-corpus.ts <clone>
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { appendFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CORPUS_ROOT } from "../../support/corpus/copy-corpus.ts";
import { startModelServer } from "../../support/model-server/model-server.ts";
import { MODEL_PORT, PROJECT_FILES } from "./project-files.ts";
import { recordExpectations } from "./record-expectations.ts";
import { startMemoryServer } from "./memory-server.ts";
import { storeCorpus } from "./store-corpus.ts";

const [clone = ""] = process.argv.slice(2);
const bin = join(clone, "apps/caliban/dist/bin.js");
const node = join(clone, "node_modules/node/bin/node");
if (!existsSync(bin)) throw new Error(`No build in "${clone}". Usage: make-corpus.ts <clone>`);

const home = join(CORPUS_ROOT, "home");
const app = join(home, "app");

interface RunInput {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly exitCode?: number | null;
  readonly cwd?: string;
}

async function caliban(args: readonly string[], input: RunInput = {}): Promise<string> {
  const { stdin, env = {}, exitCode = 0, cwd = app } = input;
  const child = spawn(node, [bin, ...args], {
    cwd,
    env: { HOME: home, PATH: process.env["PATH"], ...env },
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(stdin);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => void (stdout += String(chunk)));
  child.stderr?.on("data", (chunk) => void (stderr += String(chunk)));
  const [ended] = (await once(child, "close")) as [number | null];
  if (ended !== exitCode) {
    throw new Error(`caliban ${args.join(" ")} ended with ${ended}:\n${stdout}${stderr}`);
  }
  process.stdout.write(`$ caliban ${args.join(" ")}\n${stderr}`);
  return stdout;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function git(...args: readonly string[]): void {
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_DATE: "2026-01-05T09:00:00Z",
    GIT_COMMITTER_DATE: "2026-01-05T09:00:00Z",
  };
  const identity = ["-c", "user.name=Corpus", "-c", "user.email=corpus@example.com"];
  const { status, stderr } = spawnSync("git", [...identity, ...args], { cwd: app, env });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${String(stderr)}`);
}

const projectHome = (): string =>
  join(home, ".local/share/caliban/projects", app.slice(1).replaceAll("/", "-"));
const topicPath = (slug: string): string => join(projectHome(), "memory", `${slug}.md`);
const writeTopic = (slug: string, type: string, description: string): readonly string[] => [
  "memory",
  "write",
  slug,
  "--type",
  type,
  "--description",
  description,
];

async function makeProject(): Promise<void> {
  rmSync(CORPUS_ROOT, { recursive: true, force: true });
  for (const [name, text] of Object.entries(PROJECT_FILES)) write(join(home, name), text);
  git("init", "-q", "-b", "main", "--template=");
  git("remote", "add", "origin", "https://user@example.com/team/app.git");
  git("add", "README.md");
  git("commit", "-q", "-m", "first commit");
  for (const name of ["index", "COMMIT_EDITMSG", "logs"]) {
    rmSync(join(app, ".git", name), { recursive: true, force: true });
  }
}

async function makeTopics(): Promise<void> {
  await caliban(writeTopic("deploy", "project", "migrations before the feature flag"), {
    stdin: "First the migrations, then the flag. Uses [[release-train]].\n",
  });
  await caliban(writeTopic("release-train", "project", "we ship on Thursdays"), {
    stdin: "We ship on Thursdays. Checklist in [[deploy]]; history in [[never-written]].\n",
  });
  await caliban(writeTopic("editor", "user", "prefers Helix with two spaces"), {
    stdin: "Uses Helix.\n",
  });
  await caliban(writeTopic("reviews", "feedback", "wants short pull requests"), {
    stdin: "Keep pull requests below 300 lines.\n\n## Why\n\nLong ones wait for days.\n",
  });
  await caliban(writeTopic("api-docs", "reference", "where the API is documented"), {
    stdin: "See https://example.com/api. `parseTopicHeader` reads user_id.\n",
  });
  await caliban(writeTopic("größe-日本", "reference", "Maße und 大きさ — naïve café"), {
    stdin: "Größen: ½ Zoll. 東京の事務所は二階です。 Emoji: 🦑\n",
  });
  // A new text for a topic, of the user's and of the agent's.
  await caliban([...writeTopic("editor", "user", "prefers Helix, two spaces"), "--replace"], {
    stdin: "Uses Helix with two spaces, never tabs.\n",
  });
  await caliban(["memory", "mv", "release-train", "release-thursday"]);
  await caliban(writeTopic("scratch", "project", "to be removed"), { stdin: "Gone soon.\n" });
  await caliban(["memory", "rm", "scratch", "--force"]);
  await caliban(writeTopic("token-hint", "project", "to be purged"), { stdin: "Purge me.\n" });
  await caliban(["memory", "rm", "token-hint", "--purge", "--force"]);
  await caliban([...writeTopic("reviews", "feedback", "wants tiny pull requests"), "--replace"], {
    stdin: "Keep pull requests below 100 lines.\n",
  });
  await caliban(["memory", "undo"]);
  // Text of the user's in the index, and a change that caliban did not make.
  const index = join(projectHome(), "memory/MEMORY.md");
  writeFileSync(
    index,
    `# Notes\n\nHand-written: ask Ada about billing.\n\n${readFileSync(index, "utf8")}\n<!-- a comment of the user's -->\nLast hand-written line, 日本.\n`,
  );
  appendFileSync(topicPath("deploy"), "\nEdited by hand: tell the team first.\n");
  await caliban(["memory", "log"]);
  // Only works on a terminal. A text that cannot be saved is kept as a draft.
  const editor = `VISUAL="${node} ${join(import.meta.dirname, "break-header.mjs")}"`;
  const edit = `HOME=${home} ${editor} ${node} ${bin} memory edit api-docs`;
  spawnSync("script", ["-qec", edit, "/dev/null"], { cwd: app, input: "n\n", timeout: 10_000 });
  await caliban(["memory", "import", "--from", "dir", join(home, "notes/imported"), "--yes"]);
  // As Claude Code writes them, and not in the index.
  write(
    topicPath("ci_flakes"),
    "---\nname: CI flakes\ndescription: the upload test fails at night\ntype: project\n---\n\nRun it twice. **Why:** the bucket is rotated at 02:00.\n",
  );
  chmodSync(topicPath("ci_flakes"), 0o600);
  const then = new Date("2026-10-02T08:00:00Z");
  utimesSync(topicPath("ci_flakes"), then, then);
}

async function makeSessions(): Promise<void> {
  await caliban(["-p", "remember that we deploy with pnpm ship"]);
  await caliban(["-p", "how do we deploy?"]);
  await caliban(["--session", "release", "-p", "we always run the smoke tests before a release"]);
  await caliban(["-c", "-p", "when do we ship?"]);
  await caliban(["--no-learn", "-p", "never mention the surprise party"]);
  await caliban(["-p", "remember that the old wiki is read-only"]);
  await caliban(["-p", "forget the old wiki"]);
  const server = await startModelServer({
    port: MODEL_PORT,
    script: [
      {
        reasoning: "I should look at the file first.",
        text: "Let me look.",
        toolCalls: [
          { name: "Read", input: { file_path: "README.md" } },
          { name: "Bash", input: { command: "git status --short" } },
        ],
        usage: { inputTokens: 2100, outputTokens: 40, cacheReadTokens: 1900 },
      },
      { text: "The readme says hello. ½ 日本" },
      { text: "This answer is cut", stopAtLength: true },
      { status: 400, error: "bad request" },
    ],
  });
  const local = ["--model", "local/m"];
  await caliban([...local, "-p", "what does the readme say?"], { exitCode: 4 });
  await caliban([...local, "--session", "cut", "-p", "always use pnpm here, say why"]);
  await caliban([...local, "--session", "cut", "-p", "and again"], { exitCode: 5 });
  await server.close();
  // As a process leaves it that is killed while it appends a record.
  const sessions = join(projectHome(), "sessions");
  await caliban(["-p", "what is remembered about reviews?"]);
  const isLatest = (path: string): boolean => readFileSync(path, "utf8").includes("about reviews?");
  const path =
    readdirSync(sessions)
      .map((name) => join(sessions, name))
      .find(isLatest) ?? "";
  truncateSync(path, readFileSync(path).length - 30);
}

async function makeApprovals(): Promise<void> {
  await caliban(["memory", "approve", join(home, "notes/shared.md")]);
  await caliban(["mcp", "approve", "tickets", "--yes"]);
  // Only the screen gives this one, so the function behind its dialog is called.
  const module = join(clone, "packages/memory/dist/node/index.js");
  const { createPermissionApprovals } = (await import(module)) as {
    readonly createPermissionApprovals: (input: object) => {
      readonly approve: (subject: string) => Promise<void>;
    };
  };
  const kept = createPermissionApprovals({
    env: {},
    platform: process.platform,
    home,
    workspaceRoot: app,
  });
  await kept.approve("permission:shell.run(echo approved)");
}

/** A second project whose last write was killed between the topic and the index. */
async function makeInterruptedWrite(): Promise<void> {
  const cwd = join(home, "interrupted");
  await caliban(writeTopic("known", "project", "the old line"), { stdin: "Old.\n", cwd });
  const killer = join(import.meta.dirname, "kill-at-index.mjs");
  await caliban([...writeTopic("known", "project", "the new line"), "--replace"], {
    stdin: "New.\n",
    cwd,
    exitCode: null,
    env: { NODE_OPTIONS: `--import=${killer}` },
  });
}

await makeProject();
await makeTopics();
const memoryServer = await startMemoryServer();
await makeApprovals();
await makeSessions();
await memoryServer.close();
await caliban(["memory", "rebuild", "--now", "--recent"]);
const learned = join(projectHome(), "autonomous");
const generation = readFileSync(join(learned, "current"), "utf8").trim();
appendFileSync(
  join(learned, "generations", generation, "MEMORY.md"),
  "\n## By hand\n\nThe staging server restarts at noon.\n",
);
await caliban(["-p", "we use vitest and never jest in this project"]);
await caliban(["memory", "rebuild", "--now", "--recent"]);
await makeInterruptedWrite();
await caliban(["memory", "search", "deploy"]);
storeCorpus("0.0.0");
await recordExpectations({ bin, node });
