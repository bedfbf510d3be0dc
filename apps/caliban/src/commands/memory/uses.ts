import { basename } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { formatAge, type MemoryUse, type UseCounts } from "@caliban/memory";
import { readUse, type ReadUse } from "@caliban/memory/node";
import type { Host } from "../../host.ts";
import type { Project } from "../../project/project.ts";
import { renderNamedRows } from "../render-rows.ts";

/** Reads how often the memories of a project were used. */
export async function readUses(project: Pick<Project, "environment" | "home">): Promise<ReadUse> {
  const projectHome = await project.home();
  if (projectHome === undefined) return { counts: undefined };
  return readUse({ environment: project.environment, project: basename(projectHome.home) });
}

const MAX_ROWS = 20;

/** Lists the memories that were used last, with what became of them; empty if there are none. */
export function renderUses(counts: UseCounts | undefined, host: Host): string {
  const used = Object.entries(counts?.memories ?? {}).toSorted(
    ([, one], [, other]) => other.lastMs - one.lastMs,
  );
  if (used.length === 0) return "";
  const rows = used
    .slice(0, MAX_ROWS)
    .map(([address, use]) => [
      terminalSafeLine(address.replace(/^memory:\/\/topics\//, "")),
      formatAge(use.lastMs, host.now()),
      formatUse(use),
    ]);
  const more = used.length - rows.length;
  const rest = more <= 0 ? "" : `… and ${more} more\n`;
  return `memory that was used, latest first:\n${renderNamedRows(rows, host).join("")}${rest}`;
}

/** For example `shown 3 times, followed 1, ignored 0, read 2`. */
function formatUse({ shown, followed, ignored, read, found }: MemoryUse): string {
  const times = shown === 1 ? "once" : `${shown} times`;
  const notes = shown === 0 ? [] : [`shown ${times}`, `followed ${followed}`, `ignored ${ignored}`];
  const own = [read > 0 ? [`read ${read}`] : [], found > 0 ? [`found ${found}`] : []].flat();
  return [...notes, ...own].join(", ");
}

/** The same for programs. */
export function usesJson(counts: UseCounts | undefined): object | undefined {
  if (counts === undefined) return undefined;
  return {
    since: new Date(counts.sinceMs).toISOString(),
    memories: Object.entries(counts.memories).map(([address, use]) => useJson(address, use)),
  };
}

function useJson(address: string, { lastMs, ...use }: MemoryUse): object {
  return { address, ...use, lastUsed: new Date(lastMs).toISOString() };
}

const TOPICS = { project: "memory://topics/", user: "memory://user/topics/" } as const;

/** How often each topic was used, ignored and last used, for programs. */
export async function topicUses(
  project: Pick<Project, "environment" | "home">,
  scope: keyof typeof TOPICS,
): Promise<(slug: string) => object> {
  const { counts } = await readUses(project);
  return (slug) => {
    const use = counts?.memories[`${TOPICS[scope]}${slug}`];
    if (use === undefined) return { used: 0, followed: 0, ignored: 0 };
    const { shown, read, found, followed, ignored, lastMs } = use;
    const lastUsed = new Date(lastMs).toISOString();
    return { used: shown + read + found, lastUsed, followed, ignored };
  };
}
