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
  const known = new Map(
    store.registry.known(project, source.name).map((file) => [file.path, file]),
  );
  const found: KnownFile[] = [];
  for (const file of files) {
    const before = known.get(file.path);
    // What is left in the end is no longer there.
    known.delete(file.path);
    if (before?.mtimeMs === file.mtimeMs && before.size === file.size) continue;
    // oxlint-disable-next-line no-await-in-loop -- one file is open at a time, however many there are
    found.push(await identified(source, file));
  }
  const gone = isComplete ? [...known.keys()] : [];
  if (found.length > 0 || gone.length > 0) {
    const forgetGone = source.forgetsRemoved;
    store.registry.update(project, { source: source.name, found, gone, forgetGone });
  }
  return problems;
}

async function identified(source: SessionSource, file: SourceFile): Promise<KnownFile> {
  const found = await source.identify(file);
  const { path, mtimeMs, size } = file;
  const threadId = "id" in found ? found.id : undefined;
  return { path, mtimeMs, size, kind: found.kind, threadId };
}
