import { utf8Bytes } from "@caliban/common";
import { PipelineError } from "../run/errors.ts";
import type { PipelineNotice } from "../run/notice.ts";
import { cutAtSection } from "../text/cut-at-section.ts";
import { carryEdits } from "./carry-edits.ts";
import { type Digest, type EditRecord, NO_EDITS } from "./find-edits.ts";
import type { Digests, GenerationRecord } from "./generation-record.ts";
import {
  findGenerationEdits,
  type GenerationEdits,
  type GenerationSnapshot,
  MEMORY_FILE,
  skillNameIn,
  SKILLS_DIRECTORY,
  SUMMARY_FILE,
} from "./generation-snapshot.ts";
import type { NewGeneration } from "./generations.ts";
import { renderInputFiles } from "./input-files.ts";
import type { MemoryFile } from "./memory.ts";
import { sanitizeSkills } from "./safe-skills.ts";

const MAX_MEMORY_BYTES: number = 256 * 1024;
const MAX_SUMMARY_BYTES: number = 64 * 1024;
const MAX_NOTICES = 50;

export interface PlanInput extends Pick<
  NewGeneration,
  "memory" | "extractions" | "nowMs" | "isUnwanted"
> {
  readonly number: number;
  /** The current generation; `undefined` before the first. */
  readonly current: GenerationSnapshot | undefined;
  /** Earlier generations as they are now, by number. */
  readonly earlier: Readonly<Record<string, Digests>>;
}

/** A generation before anything is written. */
export interface GenerationPlan {
  readonly files: readonly MemoryFile[];
  /** Directories of skills that are copied unchanged. */
  readonly copiedSkills: readonly string[];
  readonly record: GenerationRecord;
  readonly notices: readonly PipelineNotice[];
}

/**
 * Plans the next generation: the model's answer, sanitized, with the user's edits applied.
 * @throws PipelineError `PERMANENT` when a text of the answer is empty
 */
export function planGeneration(input: PlanInput, digest: Digest): GenerationPlan {
  const { memory, current } = input;
  const edits = current && findGenerationEdits(current, digest);
  const limit = { [MEMORY_FILE]: MAX_MEMORY_BYTES, [SUMMARY_FILE]: MAX_SUMMARY_BYTES };
  const plan = (path: keyof typeof limit, answer: string, record: EditRecord): PlannedText =>
    planText({ path, answer, record, maxBytes: limit[path] }, digest);
  const memoryMd = wantedEdits(edits?.memoryMd.record ?? NO_EDITS, input);
  const memorySummary = wantedEdits(edits?.memorySummary.record ?? NO_EDITS, input);
  const document = plan(MEMORY_FILE, memory.memoryMd, memoryMd);
  const summary = plan(SUMMARY_FILE, memory.memorySummary, memorySummary);
  const { keptSkills = [], deletedSkills = [] } = edits ?? {};
  const kept = new Set(keptSkills.map((name) => name.toLowerCase()));
  const sanitized = sanitizeSkills(memory.skills, { kept, deleted: new Set(deletedSkills) });
  const skillFiles = sanitized.skills.flatMap(({ name, files }) =>
    files.map(({ path, content }) => ({ path: `${SKILLS_DIRECTORY}/${name}/${path}`, content })),
  );
  const files = [
    document.file,
    summary.file,
    ...renderInputFiles(input.extractions),
    ...skillFiles,
  ];
  const record = {
    number: input.number,
    previous: current?.record.number,
    madeAt: new Date(input.nowMs).toISOString(),
    files: { ...digestsOf(files, digest), ...copiedDigests(current, new Set(keptSkills)) },
    memoryMd,
    memorySummary,
    keptSkills,
    deletedSkills,
    seen: seenDigests(input),
  };
  const names = new Set(sanitized.skills.map(({ name }) => name));
  const notices = [
    ...document.notices,
    ...summary.notices,
    ...sanitized.notices,
    ...skillNotices(input, edits, names),
    ...ignoredEditNotices(input),
  ];
  return { files, copiedSkills: keptSkills, record, notices: limitNotices(notices) };
}

/** Without the user's own lines that the user forgot. */
function wantedEdits(record: EditRecord, { isUnwanted }: PlanInput): EditRecord {
  if (isUnwanted === undefined) return record;
  const added = record.added.flatMap((block) => {
    const wanted = block.lines.filter((line) => !isUnwanted(line));
    return wanted.every((line) => line.trim() === "") ? [] : [{ ...block, lines: wanted }];
  });
  return { ...record, added };
}

function limitNotices(notices: readonly PipelineNotice[]): readonly PipelineNotice[] {
  if (notices.length <= MAX_NOTICES) return notices;
  const message = `${notices.length - MAX_NOTICES} more notices are not shown.`;
  return [...notices.slice(0, MAX_NOTICES), { code: "MORE_NOTICES", message }];
}

interface PlannedText {
  readonly file: MemoryFile;
  readonly notices: readonly PipelineNotice[];
}

interface TextInput {
  readonly path: string;
  readonly answer: string;
  readonly record: EditRecord;
  readonly maxBytes: number;
}

function planText({ path, answer, record, maxBytes }: TextInput, digest: Digest): PlannedText {
  const text = answer.replaceAll("\0", "").toWellFormed().replaceAll(/\r\n?/g, "\n").trim();
  if (text === "") {
    throw new PipelineError("PERMANENT", `The new ${path} is empty; the previous one is kept.`);
  }
  const cut = cutAtSection(`${text}\n`, maxBytes);
  const carried = carryEdits(cut.text, record, digest);
  const notice = (code: PipelineNotice["code"], message: string): PipelineNotice => ({
    code,
    path,
    message: `${path}: ${message}`,
  });
  const [size, kept] = [utf8Bytes(text), utf8Bytes(cut.text)];
  const notices = [
    ...(cut.isCut ? [notice("TEXT_TRUNCATED", `truncated from ${size} to ${kept} bytes.`)] : []),
    ...(carried.restored > 0
      ? [notice("EDITS_KEPT", `kept ${lines(carried.restored)} you added.`)]
      : []),
    ...(carried.removed > 0
      ? [notice("EDITS_KEPT", `left out ${lines(carried.removed)} you removed.`)]
      : []),
  ];
  return { file: { path, content: carried.text }, notices };
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}

function digestsOf(files: readonly MemoryFile[], digest: Digest): Digests {
  return Object.fromEntries(files.map(({ path, content }) => [path, digest(content)]));
}

function copiedDigests(
  current: GenerationSnapshot | undefined,
  kept: ReadonlySet<string>,
): Digests {
  const entries = Object.entries(current?.digests ?? {});
  return Object.fromEntries(entries.filter(([path]) => kept.has(skillNameIn(path) ?? "")));
}

/** Three generations are kept: the new one, the current one, and the one before it. */
function seenDigests({ current, earlier }: PlanInput): Readonly<Record<string, Digests>> {
  if (current === undefined) return {};
  return { ...earlier, [current.record.number]: current.digests };
}

function skillNotices(
  { current }: PlanInput,
  edits: GenerationEdits | undefined,
  names: ReadonlySet<string>,
): readonly PipelineNotice[] {
  if (current === undefined || edits === undefined) return [];
  const kept = new Set(edits.keptSkills);
  const removed = current.skills.filter((name) => !kept.has(name) && !names.has(name));
  return [
    ...edits.keptSkills.map((name) => ({
      code: "SKILL_KEPT" as const,
      message: `Skill ${quote(name)}: kept unchanged because you edited it.`,
    })),
    ...removed.map((name) => ({
      code: "SKILL_REMOVED" as const,
      message: `Skill ${quote(name)}: removed from memory.`,
    })),
  ];
}

/** Hand edits without effect: to files that are always regenerated, and to generations that were replaced. */
function ignoredEditNotices({ current, earlier }: PlanInput): readonly PipelineNotice[] {
  if (current === undefined) return [];
  const { record, digests } = current;
  const inputs = changedPaths(record.files, digests).filter(
    (path) => path === "raw_memories.md" || path.startsWith("rollout_summaries/"),
  );
  const old = Object.entries(earlier).flatMap(([number, now]) =>
    changedPaths(record.seen[number] ?? now, now).map((path) => `generations/${number}/${path}`),
  );
  return [
    ...inputs.map((path) =>
      ignoredEdit(path, "your edit is lost; this file is always regenerated."),
    ),
    ...old.map((path) =>
      ignoredEdit(
        path,
        "your edit has no effect in an old generation; repeat it in memory://root.",
      ),
    ),
  ];
}

function ignoredEdit(path: string, reason: string): PipelineNotice {
  return { code: "EDIT_IGNORED", path, message: `${quote(path)}: ${reason}` };
}

function changedPaths(before: Digests, now: Digests): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).toSorted();
}

/** A name as it is if that is plain, otherwise in quotes. */
function quote(text: string): string {
  return /^[\w./-]{1,200}$/.test(text) ? text : JSON.stringify(text.slice(0, 200));
}
