// `node watch-and-end.process.ts URL`: reads, watches, stops watching, and closes nothing.
import process from "node:process";
import { createPostgresBackend } from "@caliban/memory-postgres";

const [url = ""] = process.argv.slice(2);
const backend = createPostgresBackend({ url, project: "ends", scope: "project" });
await backend.list({ limit: 1 });
const stop = await backend.watch?.(() => undefined);
await stop?.();
process.stdout.write("done\n");
