/** Replaces the path of a temporary home in output with the one that a document shows. */
export function showAsHome(
  text: string,
  { home, shown }: { readonly home: string; readonly shown: string },
): string {
  const slug = (path: string): string => path.slice(1).replaceAll("/", "-");
  return text.replaceAll(home, shown).replaceAll(slug(home), slug(shown));
}

/** Token counts include paths, so they differ between a temporary home and the one that a document shows. */
export function withoutTokenCounts(text: string): string {
  return text.replaceAll(/\d+(?= (?:of [\d,]+ )?tokens)/g, "N").trimEnd();
}
