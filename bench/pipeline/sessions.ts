import { mkdirSync, mkdtempSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory of session files that are old enough for the pipeline to read. */
export interface SessionDirectory {
  readonly home: string;
  readonly sessions: string;
}

const DAY_SECONDS = 86_400;

/** Generates typical sessions, which consist mostly of tool results. */
export function generateSessions(count: number, bytesEach: number): SessionDirectory {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "caliban-bench-")));
  const sessions = join(home, "project", "sessions");
  mkdirSync(sessions, { recursive: true });
  const yesterday = Date.now() / 1_000 - DAY_SECONDS;
  for (let n = 0; n < count; n++) {
    const path = join(sessions, `${sessionName(n)}.jsonl`);
    writeFileSync(path, sessionText(n, bytesEach));
    utimesSync(path, yesterday - n, yesterday - n);
  }
  return { home, sessions };
}

/** Has the format of a session id: a time and four letters. */
export function sessionName(n: number): string {
  const letters = [...Array(4).keys()].map((at) =>
    String.fromCodePoint(97 + (Math.floor(n / 26 ** at) % 26)),
  );
  return `20261101-120000-${letters.join("")}`;
}

function sessionText(n: number, bytes: number): string {
  const start = {
    type: "session-start",
    v: 1,
    id: sessionName(n),
    at: "2026-11-01T12:00:00.000Z",
    workspace: "/app",
    cwd: "/app",
    model: "loopback/model",
    version: "0.0.0",
  };
  const lines = [JSON.stringify(start)];
  let size = 0;
  for (let turn = 0; size < bytes; turn++) {
    for (const message of exchange(n, turn)) {
      const id = `m${lines.length}`;
      const line = JSON.stringify({ type: "message", id, at: "2026-11-01T12:00:01.000Z", message });
      lines.push(line);
      size += line.length + 1;
    }
  }
  return `${lines.join("\n")}\n`;
}

const PROSE =
  "The handler reads the request, checks the session and writes the answer; the cache is filled on the way. ";
const CODE =
  'export function render(items: readonly Item[]): string {\n  return items.map(String).join("\\n");\n}\n';

function exchange(n: number, turn: number): readonly object[] {
  const id = `c${turn}`;
  const call = { type: "tool-call", id, name: "Read", input: { file_path: `src/part-${turn}.ts` } };
  return [
    { role: "user", text: `Session ${n}, task ${turn}: please repair the part. ${PROSE}` },
    {
      role: "assistant",
      model: "loopback/model",
      parts: [{ type: "text", text: PROSE.repeat(6) }, call],
    },
    { role: "tool", results: [{ id, name: "Read", text: CODE.repeat(60), isError: false }] },
    {
      role: "assistant",
      model: "loopback/model",
      parts: [{ type: "text", text: PROSE.repeat(3) }],
    },
  ];
}
