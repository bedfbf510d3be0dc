import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OpenedMemorySearch } from "@caliban/memory/node";
import type { FoundMemory, MemorySearchRequest } from "@caliban/memory/search";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { openProjectSearch } from "../../../src/project/search.ts";
import { type Machine, machine } from "../../fake-host.ts";

const AT = "2026-11-10T10:00:00.000Z";
const LEARNING = "[memories]\nenabled = true\n";

/** A home directory with a project, its sessions and learned memory. */
export interface TestProject {
  readonly machine: Machine;
  /** The project home. */
  readonly home: string;
  /** The file of the stored search index. */
  readonly snapshot: string;
  readonly write: (path: string, content: string) => void;
  readonly append: (path: string, content: string) => void;
  /** Opens the search as a new process would. */
  readonly open: (exceptSession?: () => string | undefined) => Promise<OpenedMemorySearch>;
  /** Opens the search and searches once. */
  readonly find: (request: string | MemorySearchRequest) => Promise<FoundMemory>;
}

export async function openTestProject(settings: string = LEARNING): Promise<TestProject> {
  const at = await machine({ ".config/caliban/settings.toml": settings });
  const { host, slug } = at;
  const home = join(at.home, ".local/share/caliban/projects", slug);
  const open: TestProject["open"] = async (exceptSession) => {
    const project = await openProject({ ...NO_OPTIONS, host });
    return openProjectSearch({ project, exceptSession });
  };
  return {
    machine: at,
    home,
    snapshot: join(at.home, ".local/state/caliban/search", `${slug}.idx`),
    write: (path, content) => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), content);
    },
    append: (path, content) => appendFileSync(join(home, path), content),
    open,
    find: async (request) => {
      const search = await open();
      const found = await search.search(typeof request === "string" ? { query: request } : request);
      await search.settled();
      return found;
    },
  };
}

/** The first line of a session. */
export function started(id: string, more: object = {}): string {
  return line({
    type: "session-start",
    v: 1,
    id,
    at: AT,
    workspace: "/app",
    cwd: "/app",
    model: "a/b",
    version: "1.2.3",
    title: `title of ${id}`,
    ...more,
  });
}

/** Lines in which the user and the agent speak in turns, starting with the user. */
export function said(...texts: readonly string[]): string {
  return texts
    .map((text, at) =>
      message(
        at % 2 === 0
          ? { role: "user", text }
          : { role: "assistant", model: "a/b", parts: [{ type: "text", text }] },
        at + 1,
      ),
    )
    .join("");
}

export function message(content: object, number = 1, at = AT): string {
  return line({ type: "message", id: `m${number}`, at, message: content });
}

function line(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

/** The turns of all passages; turns that contain a searched word are in `[ ]`. */
export function formatTurns(found: FoundMemory): readonly string[] {
  return found.sessions.flatMap(({ turns }) =>
    turns.map(({ text: { text, marks } }) => (marks.length > 0 ? `[${text}]` : text)),
  );
}

/** Writes a generation of learned memory and makes it current. */
export function writeGeneration(
  here: Pick<TestProject, "write">,
  files: Readonly<Record<string, string>>,
  number = 1,
): void {
  for (const [path, content] of Object.entries(files))
    here.write(`autonomous/generations/${number}/${path}`, content);
  here.write("autonomous/current", `${number}\n`);
}
