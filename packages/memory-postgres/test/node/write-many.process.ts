// `node write-many.process.ts URL PROJECT WRITER COUNT`: commits COUNT changes, each with a record, and prints the number of each that
// was acknowledged. Repeats a commit that failed because the server was away.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresBackend } from "@caliban/memory-postgres";

const [url = "", project = "", writer = "", count = ""] = process.argv.slice(2);
const backend = createPostgresBackend({ url, project, scope: "project" });
const names = [`${writer}-a`, `${writer}-b`];
let versions: ReadonlyMap<string, string> = new Map();

for (let number = 1; number <= Number(count); number += 1) {
  const changes = names.map((name) => ({
    name,
    expected: versions.get(name) ?? null,
    text: String(number),
  }));
  const record = {
    id: `${writer}-${number}`,
    at: "2026-11-18T08:00:00.000Z",
    who: "agent",
    action: "write",
    files: [],
  } as const;
  versions = await committed({ changes, record });
  process.stdout.write(`${number}\n`);
}

async function committed(
  request: Parameters<typeof backend.commit>[0],
): Promise<ReadonlyMap<string, string>> {
  for (;;) {
    try {
      const result = await backend.commit(request);
      if (result.kind === "committed") return result.versions;
      // No other process writes these entries.
      throw new Error(`unexpected conflict over ${result.names.join(", ")}`);
    } catch (error) {
      const isAway =
        error instanceof Error && "code" in error && error.code === "STORE_UNAVAILABLE";
      if (!isAway) throw error;
      await sleep(50);
    }
  }
}
