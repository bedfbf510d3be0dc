import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DAY_SECONDS = 86_400;

/** Writes session files from yesterday, each with one user message; returns their ids. */
export function writeSessions(directory: string, texts: readonly string[]): readonly string[] {
  mkdirSync(directory, { recursive: true });
  return texts.map((text, n) => {
    const id = `20261101-1200${String(n % 60).padStart(2, "0")}-${letters(n)}`;
    const at = "2026-11-01T12:00:00.000Z";
    const facts = { workspace: "/app", cwd: "/app", model: "a/b", version: "0.0.0" };
    const lines = [
      { type: "session-start", v: 1, id, at, ...facts },
      { type: "message", id: "m1", at, message: { role: "user", text } },
      { type: "turn-end", at, outcome: "done" },
    ];
    const path = join(directory, `${id}.jsonl`);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const yesterday = Date.now() / 1_000 - DAY_SECONDS - n;
    utimesSync(path, yesterday, yesterday);
    return id;
  });
}

function letters(n: number): string {
  return [3, 2, 1, 0]
    .map((at) => String.fromCodePoint(97 + (Math.floor(n / 26 ** at) % 26)))
    .join("");
}
