/** The files of a workspace, and what is needed to search them with every key. */
export interface PathIndex {
  readonly files: readonly string[];
  /** The directories, then the files. */
  readonly paths: readonly string[];
  /** The same in lower case. */
  readonly lower: readonly string[];
}

interface FindPathsInput {
  readonly index: PathIndex;
  readonly typed: string;
  readonly limit: number;
  /** Whether a later key made the search pointless. */
  readonly isStale: () => boolean;
}

/** So many paths take about a millisecond, so that keys are drawn in between. */
const CHUNK = 5_000;

/** Prepares a list of files in pieces. */
export async function indexPaths(files: readonly string[]): Promise<PathIndex> {
  const directories = new Set<string>();
  for (let start = 0; start < files.length; start += CHUNK) {
    for (const file of files.slice(start, start + CHUNK)) addDirectories(file, directories);
    await pause();
  }
  const paths = [...directories, ...files];
  const lower: string[] = [];
  for (let start = 0; start < paths.length; start += CHUNK) {
    for (const path of paths.slice(start, start + CHUNK)) lower.push(path.toLowerCase());
    await pause();
  }
  return { files, paths, lower };
}

/** Every directory that contains the file, with a slash at the end. */
function addDirectories(file: string, directories: Set<string>): void {
  // The parents of a known directory are known, too.
  let end = file.lastIndexOf("/");
  while (end > 0 && !directories.has(file.slice(0, end + 1))) {
    directories.add(file.slice(0, end + 1));
    end = file.lastIndexOf("/", end - 1);
  }
}

interface Ranked {
  readonly path: string;
  readonly rank: number;
}

/**
 * The paths that contain the typed characters in order, best first: those whose name starts with them, then those whose
 * name contains them, then those whose path does. Shorter paths come first among equals.
 */
export async function findPaths({
  index,
  typed,
  limit,
  isStale,
}: FindPathsInput): Promise<readonly string[]> {
  const wanted = typed.toLowerCase();
  let best: readonly Ranked[] = [];
  for (let start = 0; start < index.paths.length && !isStale(); start += CHUNK) {
    const found: Ranked[] = [...best];
    for (let at = start; at < Math.min(start + CHUNK, index.paths.length); at++) {
      const rank = rankOf(index.lower[at] ?? "", wanted);
      if (rank !== undefined) found.push({ path: index.paths[at] ?? "", rank });
    }
    // The order of the list decides among equals.
    best = found.toSorted(better).slice(0, limit);
    await pause();
  }
  return best.map(({ path }) => path);
}

function better(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || a.path.length - b.path.length;
}

function rankOf(path: string, wanted: string): number | undefined {
  if (wanted === "") return 0;
  if (path.startsWith(wanted)) return 0;
  const at = path.lastIndexOf(wanted);
  const nameStart = path.lastIndexOf("/", path.length - 2) + 1;
  if (at === nameStart) return 1;
  if (at > nameStart) return 2;
  if (at >= 0) return 3;
  return isSubsequence(path, wanted) ? 4 : undefined;
}

function isSubsequence(path: string, wanted: string): boolean {
  let at = -1;
  for (const character of wanted) {
    at = path.indexOf(character, at + 1);
    if (at === -1) return false;
  }
  return true;
}

async function pause(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
