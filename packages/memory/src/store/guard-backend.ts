import { isMemoryError, MemoryError } from "../errors.ts";
import { changeKey } from "../history/archived-change.ts";
import { type Change, parseChange } from "../history/change.ts";
import { compareNames } from "./map-backend.ts";
import type {
  BackendEntry,
  CommitRequest,
  CommitResult,
  HistoryPage,
  ListedPage,
  ListRequest,
  TopicBackend,
} from "./topic-backend.ts";

const TIMEOUT_MS = 10_000;

/** What `checkArguments` expects of a backend. */
export const BACKEND_METHODS = {
  list: "function",
  read: "function",
  commit: "function",
  history: "function",
} as const;

/**
 * Checks every answer of a backend, so that a mistake in one is an error with a name and not a lost topic. A request that
 * fails or takes too long is an error as well.
 */
export function guardBackend(backend: TopicBackend, timeoutMs: number = TIMEOUT_MS): TopicBackend {
  const ask = async <T>(what: string, request: () => Promise<T>): Promise<T> =>
    await withinLimit(what, request, timeoutMs);
  const { watch } = backend;
  const texts = createSeenTexts();
  return {
    list: async (request) =>
      checkListed(await ask("list the topics", () => backend.list(request)), request),
    read: async (names) => {
      const entries = await ask("read topics", () => backend.read(names));
      return checkRead(entries, { names: new Set(names), texts });
    },
    commit: async (request) => {
      const result = await ask("save the change", () => backend.commit(request));
      return checkCommit(result, { request, texts });
    },
    history: async (request) => {
      const page = await ask("read the history", () => backend.history(request));
      return checkHistory(page, request.cursor);
    },
    ...(watch === undefined ? {} : { watch: async (onChange) => await watch(onChange) }),
  };
}

async function withinLimit<T>(
  what: string,
  request: () => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    const advice =
      what === "save the change" ? "; it may or may not be saved, so read it again" : "";
    const message = `the store took more than ${timeoutMs / 1000} s to ${what}${advice}`;
    timer = setTimeout(() => reject(new MemoryError("STORE_UNAVAILABLE", message)), timeoutMs);
  });
  try {
    return await Promise.race([request(), limit]);
  } catch (error) {
    if (isMemoryError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MemoryError("STORE_UNAVAILABLE", `the store could not ${what}: ${reason}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

function checkListed(page: ListedPage, { after, limit }: ListRequest): ListedPage {
  const { entries, hasMore } = page;
  if (entries.length > limit)
    throw invalid(`returned ${entries.length} entries instead of at most ${limit}`);
  if (hasMore && entries.length === 0) throw invalid("promised more entries after an empty page");
  let last = after;
  for (const { name, version, head, bytes } of entries) {
    checkVersion(name, version);
    if (typeof head !== "string" || typeof bytes !== "number")
      throw invalid(`listed ${JSON.stringify(name)} without its head or size`);
    if (last !== undefined && compareNames(last, name) >= 0) {
      throw invalid(
        `returned its list out of order: ${JSON.stringify(name)} after ${JSON.stringify(last)}`,
      );
    }
    last = name;
  }
  return page;
}

type Read = Awaited<ReturnType<TopicBackend["read"]>>;

function checkRead(
  entries: Read,
  { names, texts }: { readonly names: ReadonlySet<string>; readonly texts: SeenTexts },
): Read {
  const seen = new Set<string>();
  for (const entry of entries) {
    const { name } = entry;
    if (!names.has(name) || seen.has(name))
      throw invalid(`returned ${JSON.stringify(name)}, which was not asked for, or twice`);
    seen.add(name);
    if ("problem" in entry) continue;
    checkVersion(name, entry.version);
    if (typeof entry.text !== "string")
      throw invalid(`returned ${JSON.stringify(name)} without a text`);
    texts.check(entry);
  }
  return entries;
}

function checkCommit(
  result: CommitResult,
  { request, texts }: { readonly request: CommitRequest; readonly texts: SeenTexts },
): CommitResult {
  const { changes } = request;
  if (result.kind === "conflict") {
    const known = new Set(changes.map(({ name }) => name));
    if (result.names.length > 0 && result.names.every((name) => known.has(name))) return result;
    throw invalid("reported a conflict without the names of entries that are in conflict");
  }
  for (const { name, text } of changes) {
    if (text === null) continue;
    const version = result.versions.get(name) ?? "";
    checkVersion(name, version);
    texts.check({ name, version, text });
  }
  return result;
}

/** The last known text of each entry, to notice a version that is used for another text. */
interface SeenTexts {
  readonly check: (entry: Pick<BackendEntry, "name" | "version" | "text">) => void;
}

const MAX_SEEN = 1_000;

function createSeenTexts(): SeenTexts {
  const seen = new Map<string, { readonly version: string; readonly text: string }>();
  return {
    check: ({ name, version, text }) => {
      const before = seen.get(name);
      if (before?.version === version && before.text !== text)
        throw invalid(`gave two texts of ${JSON.stringify(name)} the same version`);
      if (seen.size >= MAX_SEEN) seen.clear();
      seen.set(name, { version, text });
    },
  };
}

/** A record that is not a change is skipped, like a damaged line in a file. */
function checkHistory({ changes, next }: HistoryPage, cursor: string | undefined): HistoryPage {
  if (next !== undefined && next === cursor)
    throw invalid("returned the same page of the history twice");
  const valid = changes.flatMap((change) => parseChange({ ...change }) ?? []);
  const keys = new Set<string>(valid.map((change: Change) => changeKey(change)));
  if (keys.size < valid.length) throw invalid("returned a change of the history twice");
  return { changes: valid, next };
}

function checkVersion(name: string, version: unknown): void {
  if (typeof name !== "string") throw invalid("returned an entry without a name");
  if (typeof version !== "string" || version === "")
    throw invalid(`returned ${JSON.stringify(name)} without a version`);
}

function invalid(problem: string): MemoryError {
  return new MemoryError(
    "INVALID_BACKEND",
    `the backend of the store ${problem}; nothing more was done. Check it with topicBackendCases`,
  );
}
