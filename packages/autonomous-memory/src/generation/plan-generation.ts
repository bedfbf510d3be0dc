import { utf8Bytes } from "@caliban/common";
import type { PlacedFile } from "../consolidation/consolidation-task.ts";
import { PipelineError } from "../errors.ts";
import { carryEdits } from "./carry-edits.ts";
import { cutAtSection } from "./cut-at-section.ts";
import type { Digests, GenerationRecord } from "./generation-record.ts";
import type { NewGeneration } from "./generations.ts";
import { type Digest, type EditRecord, NO_EDITS } from "./hand-edits.ts";
import { keptInputs } from "./kept-inputs.ts";
import { safeSkills } from "./safe-skills.ts";
import {
  findGenerationEdits,
  type GenerationEdits,
  MEMORY_FILE,
  type SeenGeneration,
  skillOf,
  SKILLS_DIRECTORY,
  SUMMARY_FILE,
} from "./seen-generation.ts";

const MAX_MEMORY_BYTES: number = 256 * 1024;
const MAX_SUMMARY_BYTES: number = 64 * 1024;
const MAX_NOTICES = 50;

export interface PlanInput extends Pick<NewGeneration, "memory" | "extractions" | "nowMs"> {
  readonly number: number;
  /** What is current now; `undefined` before the first time. */
  readonly current: SeenGeneration | undefined;
  /** Earlier generations as they are now, by their number. */
  readonly earlier: Readonly<Record<string, Digests>>;
}

/** A generation before anything is written. */
export interface GenerationPlan {
  readonly files: readonly PlacedFile[];
  /** Directories of skills that are copied as they are. */
  readonly copiedSkills: readonly string[];
  readonly record: GenerationRecord;
  readonly notices: readonly string[];
}

/**
 * Decides what the next generation holds: what was answered, made harmless, with what people did carried on.
 * @throws PipelineError `PERMANENT` when a text of the answer is empty
 */
export function planGeneration(input: PlanInput, digest: Digest): GenerationPlan {
  const { memory, current } = input;
  const edits = current && findGenerationEdits(current, digest);
  const limit = { [MEMORY_FILE]: MAX_MEMORY_BYTES, [SUMMARY_FILE]: MAX_SUMMARY_BYTES };
  const plan = (path: keyof typeof limit, answered: string, record: EditRecord): PlannedText =>
    planText({ path, answered, record, maxBytes: limit[path] }, digest);
  const memoryMd = edits?.memoryMd.record ?? NO_EDITS;
  const memorySummary = edits?.memorySummary.record ?? NO_EDITS;
  const long = plan(MEMORY_FILE, memory.memoryMd, memoryMd);
  const short = plan(SUMMARY_FILE, memory.memorySummary, memorySummary);
  const { keptSkills = [], deletedSkills = [] } = edits ?? {};
  const kept = new Set(keptSkills.map((name) => name.toLowerCase()));
  const made = safeSkills(memory.skills, { kept, deleted: new Set(deletedSkills) });
  const skillFiles = made.skills.flatMap(({ name, files }) =>
    files.map(({ path, content }) => ({ path: `${SKILLS_DIRECTORY}/${name}/${path}`, content })),
  );
  const files = [long.file, short.file, ...keptInputs(input.extractions), ...skillFiles];
  const record = {
    number: input.number,
    previous: current?.record.number,
    madeAt: new Date(input.nowMs).toISOString(),
    files: { ...digestsOf(files, digest), ...copiedDigests(current, new Set(keptSkills)) },
    memoryMd,
    memorySummary,
    keptSkills,
    deletedSkills,
    seen: seenNow(input),
  };
  const names = new Set(made.skills.map(({ name }) => name));
  const notices = [
    ...long.notices,
    ...short.notices,
    ...made.notices,
    ...skillNotices(input, edits, names),
    ...strayNotices(input),
  ];
  return { files, copiedSkills: keptSkills, record, notices: shortList(notices) };
}

function shortList(notices: readonly string[]): readonly string[] {
  if (notices.length <= MAX_NOTICES) return notices;
  const more = `${notices.length - MAX_NOTICES} more notices are not shown.`;
  return [...notices.slice(0, MAX_NOTICES), more];
}

interface PlannedText {
  readonly file: PlacedFile;
  readonly notices: readonly string[];
}

interface TextInput {
  readonly path: string;
  readonly answered: string;
  readonly record: EditRecord;
  readonly maxBytes: number;
}

function planText({ path, answered, record, maxBytes }: TextInput, digest: Digest): PlannedText {
  const text = answered.replaceAll("\0", "").toWellFormed().replaceAll(/\r\n?/g, "\n").trim();
  if (text === "") {
    throw new PipelineError("PERMANENT", `The new ${path} is empty; what was there stays.`);
  }
  const cut = cutAtSection(`${text}\n`, maxBytes);
  const carried = carryEdits(cut.text, record, digest);
  const notices = [
    ...(cut.isCut
      ? [`${path} was cut from ${utf8Bytes(text)} to ${utf8Bytes(cut.text)} bytes.`]
      : []),
    ...(carried.restored > 0
      ? [`${path}: ${lines(carried.restored)} that you wrote had been left out and stayed in.`]
      : []),
    ...(carried.removed > 0
      ? [`${path}: ${lines(carried.removed)} that you removed had come back and stayed out.`]
      : []),
  ];
  return { file: { path, content: carried.text }, notices };
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}

function digestsOf(files: readonly PlacedFile[], digest: Digest): Digests {
  return Object.fromEntries(files.map(({ path, content }) => [path, digest(content)]));
}

function copiedDigests(current: SeenGeneration | undefined, kept: ReadonlySet<string>): Digests {
  const entries = Object.entries(current?.digests ?? {});
  return Object.fromEntries(entries.filter(([path]) => kept.has(skillOf(path) ?? "")));
}

/** The three generations that are kept are the new one, the current one, and the one before it. */
function seenNow({ current, earlier }: PlanInput): Readonly<Record<string, Digests>> {
  if (current === undefined) return {};
  return { ...earlier, [current.record.number]: current.digests };
}

function skillNotices(
  { current }: PlanInput,
  edits: GenerationEdits | undefined,
  names: ReadonlySet<string>,
): readonly string[] {
  if (current === undefined || edits === undefined) return [];
  const kept = new Set(edits.keptSkills);
  const pruned = current.skills.filter((name) => !kept.has(name) && !names.has(name));
  return [
    ...edits.keptSkills.map((name) => `Skill ${shown(name)} is yours and is kept as it is.`),
    ...pruned.map((name) => `Skill ${shown(name)} is no longer part of the memory.`),
  ];
}

/** Edits that are not carried on: of files that are made anew each time, and of generations that were replaced. */
function strayNotices({ current, earlier }: PlanInput): readonly string[] {
  if (current === undefined) return [];
  const { record, digests } = current;
  const inputs = changedPaths(record.files, digests).filter(
    (path) => path === "raw_memories.md" || path.startsWith("rollout_summaries/"),
  );
  const old = Object.entries(earlier).flatMap(([number, now]) =>
    changedPaths(record.seen[number] ?? now, now).map((path) => `generations/${number}/${path}`),
  );
  return [
    ...inputs.map((path) => `${shown(path)} is made anew each time; your change to it ends here.`),
    ...old.map(
      (path) =>
        `${shown(path)} was changed after it had been replaced, which has no effect; make the change in memory://root again.`,
    ),
  ];
}

function changedPaths(before: Digests, now: Digests): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).toSorted();
}

function shown(text: string): string {
  return /^[\w./-]{1,200}$/.test(text) ? text : JSON.stringify(text.slice(0, 200));
}
