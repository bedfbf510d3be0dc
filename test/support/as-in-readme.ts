/** Shows output made in a temporary home as if the home were `/home/me`, which is what the documents show. */
export function asInReadme(text: string, home: string): string {
  const slug = home.slice(1).replaceAll("/", "-");
  return text.replaceAll(home, "/home/me").replaceAll(slug, "home-me");
}

/** Paths are counted too, so a temporary home costs other tokens than the one in the documents. */
export function withoutTokenCounts(text: string): string {
  return text.replaceAll(/\d+(?= (?:of [\d,]+ )?tokens)/g, "N").trimEnd();
}
