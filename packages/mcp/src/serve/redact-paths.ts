/** Creates a function that replaces paths of this machine by `<name>`, because clients see a memory and not a machine. */
export function createPathRedactor(
  paths: readonly { readonly name: string; readonly path: string | undefined }[],
): (text: string) => string {
  const known = paths
    .flatMap(({ name, path = "" }) => (path.length < 2 ? [] : [{ name, path }]))
    // Inner directories before those that contain them.
    .toSorted((one, other) => other.path.length - one.path.length);
  return (text) =>
    known.reduce((redacted, { name, path }) => redacted.replaceAll(path, `<${name}>`), text);
}
