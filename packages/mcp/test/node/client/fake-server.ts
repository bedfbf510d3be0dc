import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { root } from "../../../../../scripts/workspace.mjs";

/** The fake server without its types, which halves the time of each start. */
export const FAKE_SERVER: string = writeScript();

function writeScript(): string {
  const source = readFileSync(new URL("fake-server.process.ts", import.meta.url), "utf8");
  const directory = join(root, "node_modules/.cache/caliban");
  const path = join(directory, "fake-server.mjs");
  mkdirSync(directory, { recursive: true });
  // Renamed, because another worker may be starting it.
  writeFileSync(`${path}.${process.pid}`, stripTypeScriptTypes(source));
  renameSync(`${path}.${process.pid}`, path);
  return path;
}
