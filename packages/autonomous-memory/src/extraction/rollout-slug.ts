const MOST_CHARACTERS = 40;

/** A name for a session of `a-z`, `0-9` and `-`, at most 40 characters; none when nothing of the text can stand in one. */
export function slugOf(text: string): string | undefined {
  const slug = text
    .slice(0, 200)
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MOST_CHARACTERS)
    .replace(/-$/, "");
  return slug === "" ? undefined : slug;
}
