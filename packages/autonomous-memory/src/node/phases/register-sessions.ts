import type { SessionSource, SourceFile } from "../../session-source.ts";
import type { KnownFile } from "../../store/pipeline-store.ts";
import type { PipelineParts } from "./pipeline-parts.ts";

/** Brings the registry up to date; what could not be looked at is said and changes nothing. */
export async function registerSessions(
  parts: Pick<PipelineParts, "project" | "store" | "sources">,
): Promise<readonly string[]> {
  const problems = await Promise.all(parts.sources.map((source) => registerSource(source, parts)));
  return problems.flat();
}

async function registerSource(
  source: SessionSource,
  { project, store }: Pick<PipelineParts, "project" | "store">,
): Promise<readonly string[]> {
  const { files, isComplete, problems } = await source.list();
  const known = new Map<string, SourceFile>();
  for (const file of store.registry.known(project, source.name)) known.set(file.path, file);
  const found: KnownFile[] = [];
  let seen = 0;
  for (const file of files) {
    const before = known.get(file.path);
    if (before !== undefined) seen += 1;
    if (before?.mtimeMs === file.mtimeMs && before.size === file.size) continue;
    // oxlint-disable-next-line no-await-in-loop -- one file is open at a time, however many there are
    found.push(await identified(source, file));
  }
  // Nearly always all are still there, and thousands need not be looked for one by one.
  const gone = isComplete && seen < known.size ? missing(known, files) : [];
  if (found.length > 0 || gone.length > 0) {
    const forgetGone = source.forgetsRemoved;
    store.registry.update(project, { source: source.name, found, gone, forgetGone });
  }
  return problems;
}

function missing(
  known: ReadonlyMap<string, SourceFile>,
  files: readonly SourceFile[],
): readonly string[] {
  const listed = new Set(files.map(({ path }) => path));
  return [...known.keys()].filter((path) => !listed.has(path));
}

async function identified(source: SessionSource, file: SourceFile): Promise<KnownFile> {
  const found = await source.identify(file);
  const { path, mtimeMs, size } = file;
  const threadId = "id" in found ? found.id : undefined;
  return { path, mtimeMs, size, kind: found.kind, threadId };
}
