import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { childEnvironment } from "../../../../test/support/child-environment.ts";
import { hasTool } from "../../../../test/support/optional-tool.ts";
import { startPostgres, type PostgresServer } from "../../../../test/support/postgres-server.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { createPostgresBackend, migrate, type PostgresBackend } from "../../src/node/index.ts";

const [WRITERS, COUNT] = [8, 200];
const PROJECT = "crash";

let server: PostgresServer;
const hasPostgres = await hasTool("postgres", async () => {
  server = await startPostgres({ isDurable: true });
});
afterAll(async () => server?.stop());

it.skipIf(!hasPostgres)(
  "loses nothing that was acknowledged, and shows no half-written commit, when the server is killed under 8 writers",
  async () => {
    await migrate({ url: server.url });
    const backend = createPostgresBackend({ url: server.url, project: PROJECT, scope: "project" });
    onTestFinished(() => backend.close());
    const home = await temporaryDirectory();
    const acknowledged = new Map<number, number>();
    const processes = Array.from({ length: WRITERS }, (_, writer) =>
      startWriter({ home, writer, onAcknowledged: (number) => acknowledged.set(writer, number) }),
    );
    const ended = processes.map(exitCode);

    const total = (): number => [...acknowledged.values()].reduce((sum, number) => sum + number, 0);
    await expect.poll(total, { interval: 5 }).toBeGreaterThan((WRITERS * COUNT) / 2);
    const before = new Map(acknowledged);
    await server.kill();
    await server.start();

    await expectWholePairs(backend, before);
    expect(await Promise.all(ended)).toEqual(Array.from({ length: WRITERS }, () => 0));
    await expectWholePairs(backend, acknowledged);
    expect([...acknowledged.values()]).toEqual(Array.from({ length: WRITERS }, () => COUNT));
    const recorded = await allIds(backend);
    expect(recorded.length).toBe(WRITERS * COUNT);
    for (let writer = 0; writer < WRITERS; writer += 1) {
      const own = recorded.filter((id) => id.startsWith(`w${writer}-`)).toReversed();
      expect(own).toEqual(Array.from({ length: COUNT }, (_, number) => `w${writer}-${number + 1}`));
    }
  },
);

/** Every commit writes the same number to both entries of its writer, and no acknowledged number is lost. */
async function expectWholePairs(
  backend: PostgresBackend,
  acknowledged: ReadonlyMap<number, number>,
): Promise<void> {
  const names = [...acknowledged.keys()].flatMap((writer) => [`w${writer}-a`, `w${writer}-b`]);
  const texts = new Map((await backend.read(names)).map(({ name, text }) => [name, text]));
  for (const [writer, number] of acknowledged) {
    const [a, b] = [texts.get(`w${writer}-a`), texts.get(`w${writer}-b`)];
    expect(a).toBe(b);
    expect(Number(a)).toBeGreaterThanOrEqual(number);
  }
}

async function allIds(backend: PostgresBackend): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await backend.history({ cursor, limit: 500 });
    ids.push(...page.changes.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== undefined);
  return ids;
}

function startWriter(input: {
  readonly home: string;
  readonly writer: number;
  readonly onAcknowledged: (number: number) => void;
}): ChildProcess {
  const script = fileURLToPath(new URL("write-many.process.ts", import.meta.url));
  const args = [server.url, PROJECT, `w${input.writer}`, String(COUNT)];
  const child = spawn(
    process.execPath,
    ["--no-warnings", "--conditions=caliban:source", script, ...args],
    { env: childEnvironment(input.home), stdio: ["ignore", "pipe", "inherit"] },
  );
  createInterface({ input: child.stdout }).on("line", (line) => input.onAcknowledged(Number(line)));
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  return await new Promise((resolve) => {
    child.on("close", resolve);
  });
}
