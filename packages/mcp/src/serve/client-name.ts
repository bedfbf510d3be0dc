const MOST_CHARACTERS = 60;
const NOT_PLAIN = /[^\p{L}\p{N}._@/ -]+/gu;

/** A client's name for itself as a session in the history: `mcp:claude-code`. It may hold anything, and no other kind of session looks like it. */
export function sessionOfClient(name: string | undefined): string {
  const plain = (name ?? "")
    .slice(0, MOST_CHARACTERS * 4)
    .toWellFormed()
    .normalize("NFKC")
    .replaceAll(NOT_PLAIN, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return `mcp:${plain.slice(0, MOST_CHARACTERS).toWellFormed().trim() || "unnamed"}`;
}
