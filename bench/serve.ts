import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspaceNode } from "../scripts/workspace.mjs";
import { runLoad } from "../test/support/serve-load.ts";
import type { Measurement } from "./measurement.ts";
import { programOf } from "./startup.ts";

const CLIENTS = 200;
const SECONDS = 20;
const LIMITS = ["requests-per-second", "changes-per-minute", "changes-per-hour"];

/** Measures how many requests of 200 clients `caliban serve` answers, half of them writes, and what memory it takes. */
export async function benchServe(): Promise<readonly (Measurement | string)[]> {
  const home = mkdtempSync(join(tmpdir(), "caliban-bench-"));
  const cwd = join(home, "app");
  const env = { HOME: home };
  mkdirSync(cwd);
  mkdirSync(join(home, ".config/caliban"), { recursive: true });
  writeFileSync(join(home, ".config/caliban/settings.toml"), '[memory]\nwrite = "allow"\n');
  const add = ["serve", "token", "add", "bench", "--write", "--json"];
  const added = spawnSync(workspaceNode, [programOf(root), ...add], { cwd, env, encoding: "utf8" });
  const { token, stores } = JSON.parse(added.stdout) as {
    readonly token: string;
    readonly stores: readonly { readonly id: string }[];
  };
  const limits = LIMITS.flatMap((name) => [`--${name}`, "1000000"]);
  const server = spawn(workspaceNode, [programOf(root), "serve", ...limits], { cwd, env });
  try {
    const [printed] = (await once(server.stdout, "data")) as [Buffer];
    const { pid = 0 } = server;
    const start = residentMegabytes(pid);
    const end = performance.now() + SECONDS * 1_000;
    const memory: number[] = [];
    const timer = setInterval(() => memory.push(residentMegabytes(pid)), 500);
    const { requests, statuses, counters } = await runLoad({
      urls: [String(printed).trim()],
      tokens: [token],
      store: stores[0]?.id ?? "",
      clients: CLIENTS,
      memories: 20,
      goesOn: () => performance.now() < end,
    });
    clearInterval(timer);
    const isExact = counters.every(({ acknowledged, counted }) => acknowledged === counted);
    return [
      `${CLIENTS} clients: ${(requests / SECONDS).toFixed(0)} requests/s, answered ${JSON.stringify(statuses)}`,
      { name: "memory before the first request", value: start, unit: "MB" },
      {
        name: "memory at half time",
        value: memory[Math.floor(memory.length / 2)] ?? 0,
        unit: "MB",
      },
      { name: "memory at the end", value: memory.at(-1) ?? 0, unit: "MB" },
      `no lost updates: ${isExact ? "yes" : "no"}`,
    ];
  } finally {
    server.kill("SIGINT");
    await once(server, "exit");
    rmSync(home, { recursive: true });
  }
}

/** 0 where the system has no such file. */
function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch (error) {
    if (error instanceof Error && "code" in error) return 0;
    throw error;
  }
}
