const MAX_NAME_CHARACTERS = 64;
const MAX_PATH_CHARACTERS = 200;
const MAX_DEPTH = 4;
const SEGMENT = /^[A-Za-z0-9._-]+$/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$|clock\$)$/;

/**
 * A file name that is valid on every system and stays in its directory: lower case, `[a-z0-9-]`, 1 to 64 characters;
 * `undefined` when no such character is left.
 */
export function safeName(text: string): string | undefined {
  // Shortened first, so that a long text costs no time.
  const name = text
    .slice(0, MAX_NAME_CHARACTERS * 8)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, MAX_NAME_CHARACTERS)
    .replace(/-+$/, "");
  if (name === "") return undefined;
  return isDeviceName(name) ? `${name}-file` : name;
}

/** A name that is not taken, ignoring case; with a number appended if necessary. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  let [candidate, count] = [name, 1];
  while (taken.has(candidate.toLowerCase())) {
    count += 1;
    const suffix = `-${count}`;
    candidate = `${name.slice(0, MAX_NAME_CHARACTERS - suffix.length).replace(/-+$/, "")}${suffix}`;
  }
  return candidate;
}

/** Whether a relative path stays inside its directory and is valid on every system. */
export function isSafePath(path: string): boolean {
  if (path.length > MAX_PATH_CHARACTERS) return false;
  const segments = path.split("/");
  return segments.length <= MAX_DEPTH && segments.every(isSafeSegment);
}

function isSafeSegment(segment: string): boolean {
  if (!SEGMENT.test(segment) || segment === "." || segment === "..") return false;
  // Windows drops a trailing dot, and recognizes device names with any extension.
  return !segment.endsWith(".") && !isDeviceName(segment);
}

function isDeviceName(name: string): boolean {
  return DEVICE.test((name.split(".")[0] ?? "").toLowerCase());
}
