import type { PipelineNotice } from "../../run/notice.ts";
import type { SessionSource, SourceFile } from "../../transcript/session-source.ts";
import type { KnownFile } from "../../store/pipeline-store.ts";
import type { RunPipelineInput } from "./pipeline-run.ts";

/** Updates the registry. Whatever could not be read is reported and stays as it was. */
export async function registerSessions(
  input: Pick<RunPipelineInput, "project" | "store" | "sources">,
): Promise<readonly PipelineNotice[]> {
  const notices = await Promise.all(input.sources.map((source) => registerSource(source, input)));
  return notices.flat();
}

async function registerSource(
  source: SessionSource,
  { project, store }: Pick<RunPipelineInput, "project" | "store">,
): Promise<readonly PipelineNotice[]> {
  const { files, isComplete, notices } = await source.list();
  const known = new Map<string, SourceFile>();
  for (const file of store.registry.known(project, source.name)) known.set(file.path, file);
  const found: KnownFile[] = [];
  let seen = 0;
  for (const file of files) {
    const before = known.get(file.path);
    if (before !== undefined) seen += 1;
    if (before?.mtimeMs === file.mtimeMs && before.size === file.size) continue;
    // One open file at a time, however many there are.
    found.push(await identify(source, file));
  }
  // Nearly always all known files still exist, and thousands need not be compared one by one.
  const gone = isComplete && seen < known.size ? missingFiles(known, files) : [];
  if (found.length > 0 || gone.length > 0) {
    const forgetGone = source.forgetsRemoved;
    store.registry.update(project, { source: source.name, found, gone, forgetGone });
  }
  return notices;
}

function missingFiles(
  known: ReadonlyMap<string, SourceFile>,
  files: readonly SourceFile[],
): readonly string[] {
  const listed = new Set(files.map(({ path }) => path));
  return [...known.keys()].filter((path) => !listed.has(path));
}

async function identify(source: SessionSource, file: SourceFile): Promise<KnownFile> {
  const found = await source.identify(file);
  const { path, mtimeMs, size } = file;
  const threadId = "id" in found ? found.id : undefined;
  return { path, mtimeMs, size, kind: found.kind, threadId };
}
