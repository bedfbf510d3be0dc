import type { ForgottenStatements } from "../../forgotten/forgotten-statements.ts";
import { stripExtraction, stripMemory } from "../../forgotten/strip-memory.ts";
import type { StoredExtraction } from "../../extraction/extraction.ts";
import type { CurrentGeneration } from "../../generation/generations.ts";
import type { PipelineRun } from "./pipeline-run.ts";

/** Makes what was learned from sessions with turns that are excluded now due again. */
export function rereadExcluded({ forgotten, store, project }: PipelineRun): void {
  for (const { session, at } of forgotten?.excludedSessions?.() ?? [])
    store.admin.reread(project, session, Date.parse(at));
}

/** The stored extractions without forgotten statements. */
export function withoutForgotten(
  { forgotten, tally }: PipelineRun,
  stored: readonly StoredExtraction[],
): readonly StoredExtraction[] {
  if (forgotten === undefined) return stored;
  return stored.map((extraction) => {
    const from = { session: extraction.threadId };
    const { value, removed } = stripExtraction(extraction, forgotten, from);
    tally.forgotten += removed;
    return value;
  });
}

/** The current memory as a model may see it. */
export function previousMemory(
  current: CurrentGeneration,
  forgotten: ForgottenStatements | undefined,
): CurrentGeneration {
  if (forgotten === undefined) return current;
  const isRemembered = (line: string): boolean => forgotten.strip(line).removed === 0;
  const handEdits = current.handEdits.map(({ path, addedLines, removedLines }) => ({
    path,
    addedLines: addedLines.filter(isRemembered),
    removedLines: removedLines.filter(isRemembered),
  }));
  return { ...stripMemory(current, forgotten).value, handEdits };
}

/** Writes the current memory again without what was forgotten since. That needs no model. */
export async function removeForgotten(
  run: PipelineRun,
  current: CurrentGeneration | undefined,
): Promise<void> {
  const { forgotten, generations, store, project, settings, clock, tally } = run;
  if (forgotten === undefined || current === undefined) return;
  await forgetRemovedLines(forgotten, current);
  const { value: memory, removed } = stripMemory(current, forgotten);
  if (removed === 0) return;
  const stored = store.consolidations.extractions(project, settings.maxRawMemories);
  const written = await generations.write({
    memory,
    basedOn: { number: current.number },
    extractions: withoutForgotten(run, stored).filter(
      ({ isRemoved, rawMemory }) => !isRemoved && rawMemory !== "",
    ),
    nowMs: clock.nowMs(),
    isStillClaimed: () => true,
    isUnwanted: isUnwanted(forgotten),
  });
  if (written.kind !== "written") return;
  tally.generation = written.number;
  tally.forgotten += removed;
  tally.notices.push(...written.notices);
}

/** Whether a line by the user is not to be carried over. */
export function isUnwanted(forgotten: ForgottenStatements): (line: string) => boolean {
  return (line) => forgotten.strip(line).removed > 0;
}

/** Lines that the user took out of the memory. A changed line is in both lists and stays known. */
async function forgetRemovedLines(
  forgotten: ForgottenStatements,
  { handEdits }: CurrentGeneration,
): Promise<void> {
  const texts = handEdits.filter(({ path }) => !path.startsWith("skills/"));
  if (texts.some(({ addedLines }) => addedLines.length > 0)) return;
  const removed = texts.flatMap(({ removedLines }) => removedLines);
  const statements = removed.filter(
    (line) => !line.startsWith("#") && forgotten.strip(line).removed === 0,
  );
  if (statements.length > 0) await forgotten.forget?.({ statements });
}
