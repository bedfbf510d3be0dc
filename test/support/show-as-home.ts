/** Shows output made in a temporary home as if it were made in the home that a document has. */
export function showAsHome(
  text: string,
  { home, shown }: { readonly home: string; readonly shown: string },
): string {
  const slug = (path: string): string => path.slice(1).replaceAll("/", "-");
  return text.replaceAll(home, shown).replaceAll(slug(home), slug(shown));
}

/** Paths are counted too, so a temporary home costs other tokens than the one in the documents. */
export function withoutTokenCounts(text: string): string {
  return text.replaceAll(/\d+(?= (?:of [\d,]+ )?tokens)/g, "N").trimEnd();
}
