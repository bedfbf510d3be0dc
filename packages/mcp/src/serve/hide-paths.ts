/** Takes paths of the disk out of what a client is told: it sees a memory, and no machine. */
export function createPathRedactor(
  places: readonly { readonly name: string; readonly path: string | undefined }[],
): (text: string) => string {
  const known = places
    .flatMap(({ name, path = "" }) => (path.length < 2 ? [] : [{ name, path }]))
    // A directory before those that it is in.
    .toSorted((one, other) => other.path.length - one.path.length);
  return (text) =>
    known.reduce((hidden, { name, path }) => hidden.replaceAll(path, `<${name}>`), text);
}
