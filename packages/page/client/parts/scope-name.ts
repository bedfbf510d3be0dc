/** Whose memory a row is, where rows of both are mixed. */
export function scopeName(scope: string): string {
  return scope === "user" ? "yours" : "project";
}

/** Texts that are not empty, in one line. */
export function inLine(texts: readonly (string | undefined | false)[]): string {
  return texts.filter((text) => text !== undefined && text !== false && text !== "").join(" · ");
}
