import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../../../scripts/workspace.mjs";
import {
  CORPUS,
  CORPUS_HOST,
  CORPUS_ROOT,
  filesBelow,
  type Manifest,
  storedName,
} from "../../support/corpus/copy-corpus.ts";

const HOUR_MS = 3_600_000;

/** Copies what was made into the repository, without what names this machine. */
export function storeCorpus(version: string): void {
  rmSync(join(CORPUS, "data"), { recursive: true, force: true });
  const stored = filesBelow(CORPUS_ROOT).map((name) => {
    const from = join(CORPUS_ROOT, name);
    const to = join(CORPUS, "data", storedName(name));
    mkdirSync(dirname(to), { recursive: true });
    if (name.endsWith(".lock")) writeFileSync(to, neutralLock(readFileSync(from, "utf8")));
    else cpSync(from, to);
    const { mode, mtimeMs } = statSync(from);
    return {
      path: storedName(name),
      mode: (mode & 0o777).toString(8),
      mtimeMs,
      sha256: createHash("sha256").update(readFileSync(to)).digest("hex"),
    };
  });
  const now = new Date(Date.now() + HOUR_MS).toISOString();
  const manifest: Manifest = { version, now, files: stored };
  const text = JSON.stringify(manifest).replaceAll(/(?<=\[|\},)(?=\{"path")/g, "\n");
  writeFileSync(join(CORPUS, "manifest.json"), `${text}\n`);
  checkNeutral(stored.map(({ path }) => path));
}

/** Another boot of the same machine left it: the lock is abandoned, whatever runs with its process id. */
function neutralLock(text: string): string {
  const record = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return `${JSON.stringify({ ...record, host: CORPUS_HOST, boot: "earlier-boot/pid:[1]" })}\n`;
}

function checkNeutral(paths: readonly string[]): void {
  for (const path of paths) {
    const text = readFileSync(join(CORPUS, "data", path), "latin1");
    const found = [`"${hostname()}"`, root].find((name) => text.includes(name));
    if (found !== undefined) throw new Error(`${path} names this machine: ${found}`);
  }
}
