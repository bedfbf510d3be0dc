const MAX_CHARACTERS = 40;

/** A name for a session of `a-z`, `0-9` and `-`, at most 40 characters; `undefined` when no such character is left. */
export function slugOf(text: string): string | undefined {
  const slug = text
    .slice(0, 200)
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_CHARACTERS)
    .replace(/-$/, "");
  return slug === "" ? undefined : slug;
}
