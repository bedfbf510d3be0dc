const MOST_NAMES = 10;

/** Names in a row, the first few of them: one change may be about hundreds of topics. */
export function someNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
