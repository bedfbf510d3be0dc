import { terminalSafeLine } from "@caliban/common";
import { unusedTopics } from "@caliban/memory";
import type { Host } from "../../../host.ts";
import { readUses } from "../uses.ts";
import type { OpenTopics } from "./open-topics.ts";

/** Topics that no session used for a long time, and what to do about them. Nothing is removed. */
export interface UnusedTopics {
  readonly slugs: readonly string[];
  /** The same with the number of sessions that did not use them. */
  readonly topics: readonly { readonly slug: string; readonly sessions: number }[];
  /** One line for each, for people. */
  readonly lines: readonly string[];
}

const MAX_LINES = 10;

/** Finds topics that were never shown, read or found in many sessions. */
export async function findUnusedTopics(
  { store, project }: OpenTopics,
  { command }: Host,
): Promise<UnusedTopics> {
  const { counts } = await readUses(project);
  const sessions = await project.sessions();
  if (counts === undefined || sessions === undefined) return { slugs: [], topics: [], lines: [] };
  const { sessionFiles } = await import("@caliban/sessions/node");
  const sessionsMs = sessionFiles(sessions.directory).map(({ id }) => startOf(id));
  const { topics } = await store.list();
  const unused = unusedTopics({ counts, topics, sessionsMs });
  const lines = unused
    .slice(0, MAX_LINES)
    .map(
      ({ slug, sessions: count }) =>
        `${terminalSafeLine(slug)} was not used in ${count} sessions; if it is out of date: ${command(`memory rm ${slug}`)}`,
    );
  return { slugs: unused.map(({ slug }) => slug), topics: unused, lines };
}

/** The id of a session begins with the time of its creation in UTC. */
function startOf(id: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(id) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) || 0;
}
