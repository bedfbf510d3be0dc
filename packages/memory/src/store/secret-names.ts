import type { Change } from "../history/change.ts";
import type { FindSecrets } from "./secrets.ts";
import { parseTopicSlug, slugKey, type TopicSlug } from "../topics/slug.ts";

/** Names with the kind of the secret that each contains. */
export type SecretNames = ReadonlyMap<string, string>;

const REPLACEMENT = "renamed-topic";
// With a blank line, so that no name is read together with the next.
const LINES_PER_NAME = 2;

/** The names that contain a secret. All are scanned at once, because each scan has a fixed cost. */
export async function findSecretNames(
  names: Iterable<string>,
  findSecrets: FindSecrets,
): Promise<SecretNames> {
  const all = [...new Set(names)].filter((name) => name !== "" && !name.includes("\n"));
  const found = await findSecrets(all.join("\n".repeat(LINES_PER_NAME)));
  return new Map(found.map(({ kind, line }) => [all[(line - 1) / LINES_PER_NAME] ?? "", kind]));
}

/** A text without these names, for messages. */
export function maskNames(text: string, names: SecretNames): string {
  return [...names].reduce(
    (masked, [name, kind]) => masked.replaceAll(name, `[secret removed: ${kind}]`),
    text,
  );
}

/** A free name for a topic whose own name contains a secret. */
export function replacementName(taken: Iterable<TopicSlug>): TopicSlug {
  const keys = new Set([...taken].map(slugKey));
  for (let count = 1; ; count++) {
    const slug = parseTopicSlug(count === 1 ? REPLACEMENT : `${REPLACEMENT}-${count}`);
    if (!keys.has(slugKey(slug))) return slug;
  }
}

/** Removes the secrets from what changes record besides texts: agents, users, sessions, origins, and the names of erased topics. */
export async function withoutSecretNames(
  changes: readonly Change[],
  findSecrets: FindSecrets,
): Promise<readonly Change[]> {
  const secrets = await findSecretNames(changes.flatMap(recordedNames), findSecrets);
  if (secrets.size === 0) return changes;
  return changes.map(({ agent, user, session, files, ...change }) => ({
    ...change,
    ...(agent === undefined || secrets.has(agent) ? {} : { agent }),
    ...(user === undefined || secrets.has(user) ? {} : { user }),
    ...(session === undefined || secrets.has(session) ? {} : { session }),
    files: files.map(({ from, ...file }) => ({
      ...file,
      ...(isErased(file) && secrets.has(file.slug) ? { slug: parseTopicSlug(REPLACEMENT) } : {}),
      ...(from === undefined || secrets.has(from.path) ? {} : { from }),
    })),
  }));
}

/** Everything that a change records besides texts and times. */
export function recordedNames({
  agent = "",
  user = "",
  session = "",
  files,
}: Pick<Change, "agent" | "user" | "session" | "files">): string[] {
  return [agent, user, session, ...files.flatMap(({ slug, from }) => [slug, from?.path ?? ""])];
}

function isErased({ before, after }: Change["files"][number]): boolean {
  return before === null && after === null;
}
