import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { RUNTIME } from "../../../../../test/support/runtime.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import type { PipelineReport } from "../../../src/run/pipeline-report.ts";
import type { ProcessInput } from "./pipeline.process.ts";
import { writeSessions } from "../session-files.ts";

const PROCESS = join(import.meta.dirname, "pipeline.process.ts");
const MEMORY = { memory_md: "# Memory\n- all", memory_summary: "all", skills: [] };

/** A model behind HTTP that records what it was asked about. */
async function startModel(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const about = (request.url ?? "").slice(1);
    request.resume();
    request.on("end", () => {
      asked.push(about);
      const learned = { rollout_summary: about, rollout_slug: null, raw_memory: `- ${about}` };
      response.end(JSON.stringify(about === "memory" ? MEMORY : learned));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it(
  "reads each of 64 sessions once and consolidates once when eight processes start together",
  { timeout: 120_000 },
  async () => {
    const directory = await temporaryDirectory();
    const sessions = join(directory, "sessions");
    const ids = writeSessions(
      sessions,
      Array.from({ length: 64 }, (_, n) => `we use tool ${n}`),
    );
    const { url, asked } = await startModel();
    const input: ProcessInput = { directory, sessions, url };
    const reports = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const args = ["--conditions=caliban:source", PROCESS, JSON.stringify(input)];
        const { stdout } = await promisify(execFile)(RUNTIME, args);
        return (JSON.parse(stdout) as { readonly report: PipelineReport }).report;
      }),
    );
    expect(asked.filter((about) => about !== "memory").toSorted()).toEqual([...ids].toSorted());
    expect(asked.filter((about) => about === "memory")).toHaveLength(1);
    expect(reports.reduce((sum, { sessionsRead }) => sum + sessionsRead, 0)).toBe(64);
    expect(reports.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const generation = await createGenerations({ directory: join(directory, "autonomous") }).read();
    expect(generation).toMatchObject({ number: 1 });
  },
);
