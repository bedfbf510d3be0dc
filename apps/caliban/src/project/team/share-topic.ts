import { renderTopic, type StoredTopic } from "@caliban/memory";
import type { ProjectTopics } from "../topics.ts";
import type { OpenedTeam } from "./open-team.ts";

/** The author of a change that the user makes. */
const USER = { who: "person", origin: "user" } as const;

/** The file that others get: what the topic says, and nothing about the sessions of this user. */
export async function sharedText({ slug, topic }: StoredTopic): Promise<string> {
  const { description, type = "project", body, applies, supersedes, evidence } = topic;
  return await renderTopic({ name: slug, description, type, body, applies, supersedes, evidence });
}

/**
 * Moves a topic of the project to the team. It is shared first: a process that is killed in between leaves both, and the
 * project's own is used until it is shared again.
 */
export async function shareTopic(
  { engine }: Pick<OpenedTeam, "engine">,
  store: ProjectTopics["store"],
  stored: StoredTopic,
): Promise<"moved" | "changed"> {
  const { slug, hash } = stored;
  await engine.share({ slug, text: await sharedText(stored) });
  const removed = await store.remove({
    name: slug,
    ifMatch: hash,
    author: USER,
    moved: teamAddress(slug),
  });
  return removed.kind === "conflict" ? "changed" : "moved";
}

/**
 * Takes a topic back: the project gets the text, and everyone else loses it with their next sync. A text that the project
 * has of its own stays.
 */
export async function unshareTopic(
  { engine }: Pick<OpenedTeam, "engine">,
  store: ProjectTopics["store"],
  slug: string,
): Promise<"restored" | "kept-own"> {
  const shared = (await engine.topics()).find((topic) => topic.slug === slug);
  const own = await store.read(slug);
  if (shared !== undefined && own === undefined) {
    await store.edit({
      name: slug,
      text: shared.text,
      allowMalformed: true,
      author: USER,
      moved: teamAddress(slug),
    });
  }
  await engine.unshare(slug);
  return own === undefined ? "restored" : "kept-own";
}

function teamAddress(slug: string): string {
  return `memory://team/topics/${slug}`;
}
