const MAX_NAME_CHARACTERS = 64;
const MAX_PATH_CHARACTERS = 200;
const MAX_DEPTH = 4;
const SEGMENT = /^[A-Za-z0-9._-]+$/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$|clock\$)$/;

/**
 * A name that is one on every system and leads nowhere else: lower case, `[a-z0-9-]`, 1 to 64 characters; `undefined` when
 * nothing of the text is left.
 */
export function safeName(text: string): string | undefined {
  // A long text is cut before, so that it costs no time.
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

/** A name that is not taken, whatever the case of its letters: the same with a number behind it, where it has to be. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let [free, count] = [name, 1];
  while (taken.has(free.toLowerCase())) {
    count += 1;
    const suffix = `-${count}`;
    free = `${name.slice(0, MAX_NAME_CHARACTERS - suffix.length).replace(/-+$/, "")}${suffix}`;
  }
  return free;
}

/** Whether a relative path stays below where it is put, and is one on every system. */
export function isSafePath(path: string): boolean {
  if (path.length > MAX_PATH_CHARACTERS) return false;
  const segments = path.split("/");
  return segments.length <= MAX_DEPTH && segments.every(isSafeSegment);
}

function isSafeSegment(segment: string): boolean {
  if (!SEGMENT.test(segment) || segment === "." || segment === "..") return false;
  // Windows takes a dot at the end away, and knows its devices with any ending.
  return !segment.endsWith(".") && !isDeviceName(segment);
}

function isDeviceName(name: string): boolean {
  return DEVICE.test((name.split(".")[0] ?? "").toLowerCase());
}
