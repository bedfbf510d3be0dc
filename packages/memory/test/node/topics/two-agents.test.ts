import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/history/change.ts";
import { parseIndexLines } from "../../../src/index-file/index-lines.ts";
import { type StoreHome, storeHome } from "./store-home.ts";
import { topic } from "./topic-input.ts";
import { RUNTIME } from "../../../../../test/support/runtime.ts";

const OTHER = join(import.meta.dirname, "other-agent.process.ts");
const OURS = join(import.meta.dirname, "write-shared.process.ts");
const ROUNDS = process.env["FULL"] === "1" ? 400 : 100;

describe("another agent that writes to the same directory without a lock", () => {
  it(
    "loses no text to this store, and every text it replaces is in the history",
    { timeout: 60_000 },
    async () => {
      const home = await storeHome({ "MEMORY.md": "# Theirs\n\n- [Theirs](theirs.md) — a hook\n" });
      const report = join(home.historyDirectory, "..", "report.jsonl");
      const other = start(OTHER, [home.directory, report, String(ROUNDS)]);
      const store = home.open();
      let written = 0;
      const failures: unknown[] = [];
      const busy = expect.objectContaining({ code: "CHANGED_MEANWHILE" }) as unknown;
      while (other.exitCode === null || written === 0) {
        const name = `shared-${written % 2}`;
        const seen = await store.read(name);
        const request = { ...topic(name, `Ours ${written}.`), ifMatch: seen?.hash };
        const result = await store
          .write(request)
          .catch((error: unknown) => void failures.push(error));
        if (result?.kind === "written") written++;
      }
      expect(failures).toEqual(failures.map(() => busy));
      await store.recordExternalChanges();
      await expectNothingLost(home, report);
      expectChain(await store.log());
    },
  );

  it(
    "loses no text even if our process is killed again and again",
    { timeout: 60_000 },
    async () => {
      const home = await storeHome({ "MEMORY.md": "# Theirs\n" });
      const report = join(home.historyDirectory, "..", "report.jsonl");
      const other = start(OTHER, [home.directory, report, String(ROUNDS)]);
      for (let kill = 0; other.exitCode === null; kill++) {
        const ours = start(OURS, [home.directory, home.historyDirectory]);
        await Promise.race([once(ours, "exit"), delay(250 + ((kill * 37) % 60))]);
        ours.kill("SIGKILL");
        if (ours.exitCode === null && ours.signalCode === null) await once(ours, "exit");
      }
      const store = home.open();
      await store.write(topic("last"));
      await store.recordExternalChanges();
      await expectNothingLost(home, report);
      expect((await home.names()).filter((name) => !name.endsWith(".md"))).toEqual([]);
    },
  );
});

function start(script: string, args: readonly string[]): ChildProcess {
  const argv = ["--conditions=caliban:source", script, ...args];
  return spawn(RUNTIME, argv, { stdio: ["ignore", "inherit", "inherit"] });
}

async function delay(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Every replaced text of the other agent is in the history, and each of its lines in the index. */
async function expectNothingLost(home: StoreHome, report: string): Promise<void> {
  const entries = (await readFile(report, "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { name?: string; text?: string; line?: string });
  const changes = await home.open().log();
  const kept = new Set(changes.flatMap(({ files }) => files.map(({ before }) => before)));
  for (const { files } of changes) for (const { after } of files) kept.add(after);
  const replaced = entries.filter(({ text }) => text !== undefined);
  const lost = [];
  for (const { name, text } of replaced) {
    if (!kept.has(text ?? "") && (await home.text(`${name}.md`)) !== text) lost.push(text);
  }
  expect(lost).toEqual([]);
  const index = await home.text("MEMORY.md");
  const lines = entries.flatMap(({ line }) => line ?? []);
  expect(lines.filter((line) => !index.includes(line))).toEqual([]);
  const listed = parseIndexLines(index).map(({ slug }) => slug);
  expect(listed.length).toBe(new Set(listed).size);
}

/** Each change starts from the text that the previous one left: no text was overwritten unseen. */
function expectChain(changes: readonly Change[]): void {
  const last = new Map<string, string | null>();
  for (const { files } of changes.toReversed()) {
    for (const { slug, before, after } of files) {
      const known = last.has(slug) ? last.get(slug) : before;
      expect({ slug, before }).toEqual({ slug, before: known });
      last.set(slug, after);
    }
  }
}
