import type { Change } from "../../history/change.ts";
import { slugKey, type TopicSlug } from "../../topics/slug.ts";
import { readTopicFile } from "./files/topic-files.ts";

/** The texts that names have, those on the disk and those that are to be. */
export interface TextsThere {
  /** The text under a name, or under one that is the same for some file systems. */
  readonly find: (slug: TopicSlug) => Promise<string | undefined>;
  readonly take: (slug: TopicSlug, text: string) => void;
}

/** Each file is read once, however many ask for its name. */
export function createTextsThere(
  directory: string | undefined,
  slugs: readonly TopicSlug[],
): TextsThere {
  const exact = new Set(slugs);
  const alike = new Map(slugs.map((slug) => [slugKey(slug), slug]));
  const texts = new Map<string, string | undefined>();
  return {
    find: async (slug) => {
      const key = slugKey(slug);
      const same = exact.has(slug) ? slug : alike.get(key);
      if (directory === undefined || same === undefined) return texts.get(key);
      if (!texts.has(same)) texts.set(same, (await readTopicFile(directory, same))?.text);
      return texts.get(same);
    },
    take: (slug, text) => void texts.set(slugKey(slug), text),
  };
}

/** Whether this very text came from this very file before. */
export type TextsTaken = (file: {
  readonly slug: TopicSlug;
  readonly path: string | undefined;
  readonly text: string;
}) => boolean;

export function textsTaken(changes: readonly Change[]): TextsTaken {
  const taken = new Map<string, Set<string | null>>();
  for (const { slug, after, from } of changes.flatMap(({ files }) => files)) {
    if (from === undefined) continue;
    const key = `${slug}/${from.path}`;
    taken.set(key, (taken.get(key) ?? new Set()).add(after));
  }
  return ({ slug, path, text }) => taken.get(`${slug}/${path ?? ""}`)?.has(text) === true;
}
