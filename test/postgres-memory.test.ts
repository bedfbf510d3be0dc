import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { connectClient, until } from "./support/mcp-process.ts";
import { hasTool } from "./support/optional-tool.ts";
import { type PostgresServer, startPostgres } from "./support/postgres-server.ts";
import { createHome, type Ended, type TestHome } from "./support/run-caliban.ts";

let server: PostgresServer;
const hasPostgres = await hasTool("postgres", async () => {
  server = await startPostgres();
});

afterAll(() => server?.stop());

const SETTINGS = '[memory]\nstore = "postgres"\npostgres_url_variable = "TEAM_DATABASE"\n';
const NOTE = "Run the migrations, then `pnpm ship`.\n";
const WRITE = ["memory", "write", "deploy", "--type", "project", "--description", "how we deploy"];

/** A machine with nothing but caliban's settings and a clone at `~/app`. */
interface Machine extends Pick<TestHome, "home" | "slug"> {
  readonly caliban: (args: readonly string[], stdin?: string) => Promise<Ended>;
  readonly env: Readonly<Record<string, string>>;
}

async function createMachine(url = server.url, settings = SETTINGS): Promise<Machine> {
  const user = await createHome({ ".config/caliban/settings.toml": settings });
  const env = { TEAM_DATABASE: url };
  return {
    ...user,
    env,
    caliban: (args, stdin) => user.run(args, { env, ...(stdin === undefined ? {} : { stdin }) }),
  };
}

/** Puts a repository with one commit, or a clone of another one, at `~/app`. */
async function createRepository({ home }: Machine, from?: Machine): Promise<void> {
  const app = join(home, "app");
  await rm(app, { recursive: true });
  await git(
    home,
    from === undefined ? ["init", "-q", app] : ["clone", "-q", join(from.home, "app"), app],
  );
  if (from !== undefined) return await git(app, ["remote", "remove", "origin"]);
  // Another time is another root commit.
  await git(app, ["commit", "-q", "--allow-empty", "-m", home]);
}

async function git(directory: string, args: readonly string[]): Promise<void> {
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  await promisify(execFile)("git", ["-C", directory, ...author, ...args]);
}

/** The hash of every file of the memory directory, by name. */
async function hashes({ home, slug }: Machine): Promise<Readonly<Record<string, string>>> {
  const directory = join(home, ".local/share/caliban/projects", slug, "memory");
  const names = (await readdir(directory)).filter((name) => name.endsWith(".md")).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name))));
  return Object.fromEntries(
    names.map((name, at) => [
      name,
      createHash("sha256")
        .update(texts[at] ?? "")
        .digest("hex"),
    ]),
  );
}

async function logOf({ caliban }: Machine): Promise<unknown> {
  return JSON.parse((await caliban(["memory", "log", "--json"])).stdout);
}

describe.skipIf(!hasPostgres)("memory in PostgreSQL", () => {
  it("finds the memory of a repository in every clone at any path, once the tables exist", async () => {
    const first = await createMachine();
    await createRepository(first);
    const early = await first.caliban(["memory", "list"]);
    expect(early).toMatchObject({ exitCode: 1, stdout: "" });
    expect(early.stderr).toContain("caliban memory migrate");
    expect((await first.caliban(["memory", "migrate"])).exitCode).toBe(0);
    expect((await first.caliban(["memory", "migrate"])).exitCode).toBe(0);
    expect((await first.caliban(WRITE, NOTE)).stderr).toBe("");

    // Another machine with a clone at the same path, which then moves.
    const second = await createMachine();
    await createRepository(second, first);
    expect((await second.caliban(["-p", "how do we deploy?"])).stdout).toContain(NOTE.trim());
    await rename(join(second.home, "app"), join(second.home, "elsewhere"));
    const moved = ["--workspace", join(second.home, "elsewhere")];
    await git(second.home, ["init", "-q", join(second.home, "app")]);
    expect((await second.caliban(["memory", "search", "migrations", ...moved])).stdout).toContain(
      "deploy",
    );
    expect((await second.caliban(["memory", ...moved])).stdout).toMatch(
      /memory:\/\/index \(\d+ tokens\)/,
    );
    expect((await second.caliban(["memory", "path", ...moved])).stderr).toContain("no path");
    expect((await second.caliban(["doctor", ...moved])).stdout).toContain(
      "PostgreSQL is reachable",
    );

    // Without a commit, nothing shows which project it is.
    const unknown = await second.caliban(["memory", "list"]);
    expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
    expect(unknown.stderr).toContain("caliban settings set memory.project NAME");

    // The memory stays when the repository gets a remote.
    const app = join(first.home, "app");
    await git(app, ["remote", "add", "origin", "git@example.com:acme/shop.git"]);
    expect((await first.caliban(["memory", "list"])).stdout).toContain("deploy");
  });

  it("copies memory both ways with its history, and nothing when that is repeated", async () => {
    const machine = await createMachine(
      server.url,
      '[memory]\npostgres_url_variable = "TEAM_DATABASE"\nproject = "copied"\n',
    );
    const { caliban } = machine;
    await caliban(["memory", "migrate"]);
    await caliban(WRITE, NOTE);
    await caliban([...WRITE, "--replace"], "Only `pnpm ship`.\n");
    await caliban(["memory", "write", "gone", "--type", "user", "--description", "x"], "x\n");
    await caliban(["memory", "rm", "gone", "--force"]);
    const [files, log] = [await hashes(machine), await logOf(machine)];

    const copy = async (to: string): Promise<unknown> =>
      JSON.parse((await caliban(["memory", "copy", "--to", to, "--json"])).stdout);
    const nothing = {
      copied: [],
      removed: [],
      kept: [],
      unchanged: 1,
      history: { copied: 0, leftOut: 0 },
    };
    expect(await copy("postgres")).toMatchObject({ copied: ["deploy"], history: { copied: 4 } });
    expect(await copy("postgres")).toMatchObject(nothing);
    expect(await hashes(machine)).toEqual(files);

    // Back to a machine without files.
    await rm(join(machine.home, ".local"), { recursive: true });
    expect(await copy("files")).toMatchObject({ copied: ["deploy"], history: { copied: 4 } });
    expect(await copy("files")).toMatchObject(nothing);
    expect(await hashes(machine)).toEqual(files);
    expect(await logOf(machine)).toEqual(log);

    // A topic that is newer in the target is kept.
    await caliban([...WRITE, "--replace"], "Newer in files.\n");
    expect(await copy("files")).toMatchObject({
      copied: [],
      kept: [{ name: "deploy", reason: "newer" }],
    });
    expect(await copy("postgres")).toMatchObject({ copied: ["deploy"], history: { copied: 1 } });
  });

  it("serves memory to clients and tells them about changes of other machines", async () => {
    const machine = await createMachine(server.url, `${SETTINGS}project = "served"\n`);
    await machine.caliban(["memory", "migrate"]);
    const connected = await connectClient(
      { ...machine, start: () => never(), run: () => never() },
      { env: machine.env },
    );
    const { client, notified } = connected;
    await client.listTools();
    await client.subscribeResource({ uri: "memory://index" });
    await machine.caliban(WRITE, NOTE);
    await until(() => notified.some((line) => line.includes("memory://index")));
    const read = await client.callTool({ name: "ReadMemoryTopic", arguments: { name: "deploy" } });
    expect(JSON.stringify(read.content)).toContain("pnpm ship");
  });

  it("starts without the server, and never prints a password", async () => {
    const wrong = await createMachine(
      server.url.replace("correct-horse", "wrong-horse-8"),
      `${SETTINGS}project = "p"\n`,
    );
    const down = await createMachine(
      "postgres://me:hidden-pass@127.0.0.1:1/db",
      `${SETTINGS}project = "p"\n`,
    );
    for (const { caliban, home } of [wrong, down]) {
      const asked = await caliban(["-p", "remember that we deploy with pnpm ship"]);
      const commands = [
        ["memory"],
        ["memory", "list"],
        ["memory", "explain"],
        ["doctor"],
        ["settings"],
        ["memory", "migrate"],
      ];
      const all = [asked, ...(await Promise.all(commands.map((args) => caliban(args))))];
      expect(asked).toMatchObject({ exitCode: 0 });
      expect(asked.stderr).toContain("WARNING: the agent works without its topics");
      expect(asked.stdout).toMatch(/PostgreSQL/);
      const printed = all.map(({ stdout, stderr }) => stdout + stderr).join("");
      expect(printed).not.toMatch(/wrong-horse-8|hidden-pass|postgres:\/\/(?!USER)/);
      const sessions = await promisify(execFile)("grep", [
        "-rlE",
        "wrong-horse-8|hidden-pass",
        home,
      ]).catch(() => ({ stdout: "" }));
      expect(sessions.stdout).toBe("");
    }
  });

  it("stops waiting for a server that accepts connections and never answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const url = `postgres://me:hidden-pass@127.0.0.1:${port}/db`;
    const { caliban } = await createMachine(url, `${SETTINGS}project = "p"\n`);
    const shown = await caliban(["memory"]);
    expect(shown.stdout).toContain("the store did not answer within 500 ms");
    const listed = await caliban(["memory", "list"]);
    expect(listed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(listed.stderr).toContain("PostgreSQL did not answer within");
  });

  it("ignores a store, a variable and a project that a repository sets", async () => {
    const machine = await createMachine(server.url, "");
    const own = `${SETTINGS}project = "stolen"\n`;
    await mkdir(join(machine.home, "app/.caliban"));
    await writeFile(join(machine.home, "app/.caliban/settings.toml"), own);
    const listed = await machine.caliban(["memory", "list"]);
    expect(listed.stdout).toContain("no topics yet in ~");
    for (const key of ["store", "postgres_url_variable", "project"])
      expect(listed.stderr).toContain(`memory.${key} is ignored in a project file`);
  });
});

function never(): never {
  throw new Error("not used");
}
