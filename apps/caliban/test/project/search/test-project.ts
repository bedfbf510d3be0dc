import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FoundMemory, MemorySearchRequest } from "@caliban/memory/search";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { openProjectSearch, type ProjectSearch } from "../../../src/project/search/open-search.ts";
import { type Machine, machine } from "../../fake-host.ts";

const AT = "2026-11-10T10:00:00.000Z";
const LEARNING = "[memories]\nenabled = true\n";

/** A home with a project, its sessions and what was learned from them. */
export interface TestProject {
  readonly machine: Machine;
  /** What is kept about the project. */
  readonly home: string;
  /** Where the snapshot of the search is. */
  readonly snapshot: string;
  readonly write: (path: string, content: string) => void;
  readonly append: (path: string, content: string) => void;
  /** Opens it as a new process would. */
  readonly open: (exceptSession?: () => string | undefined) => Promise<ProjectSearch>;
  /** The same, searched once. */
  readonly find: (request: string | MemorySearchRequest) => Promise<FoundMemory>;
}

export async function openTestProject(settings: string = LEARNING): Promise<TestProject> {
  const at = await machine({ ".config/caliban/settings.toml": settings });
  const { host, slug } = at;
  const home = join(at.home, ".local/share/caliban/projects", slug);
  const open: TestProject["open"] = async (exceptSession) => {
    const project = await openProject({ ...NO_OPTIONS, host });
    return await openProjectSearch({ project, exceptSession });
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
      const found = await search.memory.search(
        typeof request === "string" ? { query: request } : request,
      );
      await search.cache.settled();
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

/** Lines in which a person and an agent speak in turns, beginning with the person. */
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

/** The words of all passages; in `[ ]` a turn in which words stand that were looked for. */
export function formatTurns(found: FoundMemory): readonly string[] {
  return found.sessions.flatMap(({ turns }) =>
    turns.map(({ text: { text, marks } }) => (marks.length > 0 ? `[${text}]` : text)),
  );
}

/** Makes a generation of what was learned current. */
export function writeGeneration(
  place: Pick<TestProject, "write">,
  files: Readonly<Record<string, string>>,
  number = 1,
): void {
  for (const [path, content] of Object.entries(files))
    place.write(`autonomous/generations/${number}/${path}`, content);
  place.write("autonomous/current", `${number}\n`);
}
