import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionsSource } from "../../packages/autonomous-memory/src/node/index.ts";
import { type OpenedMemorySearch, openMemorySearch } from "../../packages/memory/src/node/index.ts";
import { searchTerms } from "../../packages/memory/src/search/index.ts";
import {
  renderRecord,
  type SessionMessage,
  type SessionRecord,
} from "../../packages/sessions/src/index.ts";
import type { SessionLines } from "./case.ts";

/** A project on disk with past conversations. */
export interface BenchProject {
  readonly search: OpenedMemorySearch;
  readonly topicsDirectory: string;
  readonly remove: () => void;
}

export interface BenchProjectInput {
  readonly sessions: readonly SessionLines[];
  /** Called with the directory of topics before anything is read. */
  readonly writeTopics?: (directory: string) => void;
}

export async function openBenchProject(input: BenchProjectInput): Promise<BenchProject> {
  const directory = mkdtempSync(join(tmpdir(), "caliban-applied-"));
  const [workspace, sessions, topics] = ["workspace", "sessions", "topics"].map((name) => {
    const path = join(directory, name);
    mkdirSync(path);
    return path;
  });
  if (workspace === undefined || sessions === undefined || topics === undefined)
    throw new Error("no directories");
  writeSessions(sessions, input.sessions, workspace);
  input.writeTopics?.(topics);
  const search = openMemorySearch({
    workspace,
    env: { HOME: directory },
    directory: topics,
    sources: async () => [
      sessionsSource({
        home: directory,
        env: {},
        sources: ["caliban"],
        sessionsDirectory: sessions,
        workspaceRoot: workspace,
        searchTerms,
      }),
    ],
  });
  if (!(await search.ready(600_000))) throw new Error("the index was not built");
  await search.settled();
  return {
    search,
    topicsDirectory: topics,
    remove: () => {
      search.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Stores conversations as the program does. */
export function writeSessions(
  directory: string,
  sessions: readonly SessionLines[],
  workspace: string,
): void {
  for (const [at, lines] of sessions.entries())
    writeFileSync(
      join(directory, `${sessionId(lines[0], at)}.jsonl`),
      sessionText(lines, workspace, at),
    );
}

function sessionId(day: string, at: number): string {
  return `${day.replaceAll("-", "")}-100000-${at.toString(36).padStart(4, "0")}`;
}

function sessionText([day, ...lines]: SessionLines, workspace: string, session: number): string {
  const start: SessionRecord = {
    type: "session-start",
    v: 1,
    id: sessionId(day, session),
    at: `${day}T10:00:00.000Z`,
    workspace,
    cwd: workspace,
    model: "anthropic/claude",
    version: "1.0.0",
  };
  const records = lines.flatMap((line, at) =>
    messagesOf(line, { at, workspace }).map((message, part): SessionRecord => {
      const minute = String(at % 60).padStart(2, "0");
      return {
        type: "message",
        id: `m${at * 2 + part + 1}`,
        at: `${day}T10:${minute}:0${part}.000Z`,
        message,
      };
    }),
  );
  return [start, ...records].map(renderRecord).join("");
}

function messagesOf(
  line: string,
  { at, workspace }: { readonly at: number; readonly workspace: string },
): readonly SessionMessage[] {
  const text = line.slice(3);
  if (line.startsWith("u: ")) return [{ role: "user", text }];
  if (line.startsWith("a: "))
    return [{ role: "assistant", model: "a/b", parts: [{ type: "text", text }] }];
  const [name = "", ...rest] = text.split(" ");
  const target = rest.join(" ");
  const input = ["Bash", "Grep"].includes(name)
    ? { command: target }
    : { file_path: join(workspace, target) };
  const id = `c${at}`;
  return [
    { role: "assistant", model: "a/b", parts: [{ type: "tool-call", id, name, input }] },
    { role: "tool", results: [{ id, name, text: "…", isError: false }] },
  ];
}
