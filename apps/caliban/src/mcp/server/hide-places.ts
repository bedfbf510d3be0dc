/** Takes paths of the disk out of what a client is told: it sees a memory, and no machine. */
export function createHidePlaces(
  places: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const known = Object.entries(places)
    .flatMap(([name, path]) => (path === undefined || path.length < 2 ? [] : [{ name, path }]))
    // A directory before those that it is in.
    .toSorted((one, other) => other.path.length - one.path.length);
  return (text) =>
    known.reduce((hidden, { name, path }) => hidden.replaceAll(path, `<${name}>`), text);
}
