import type { GenerationFile, KnownGeneration } from "../data.ts";
import { diffRows, type DiffRow } from "./diff-view.ts";
import type { TimelineRow } from "./timeline-view.ts";

/** What one generation of learned memory says, and what changed in it. */
export interface GenerationView {
  readonly row: TimelineRow;
  /** The generation that it is compared with. */
  readonly previous: number | undefined;
  readonly isCurrent: boolean;
  readonly files: readonly {
    readonly path: string;
    /** `undefined` for a file that the generation before had. */
    readonly text: string | undefined;
    readonly diff: readonly DiffRow[];
  }[];
}

/** The lines of the timeline for the generations on disk, which are newest first. */
export function generationRows(generations: readonly KnownGeneration[]): readonly TimelineRow[] {
  const current = generations.find(({ isCurrent }) => isCurrent)?.number;
  return generations.map(({ number, madeAtMs, isCurrent, previous }) => ({
    scope: "learned",
    id: String(number),
    at: new Date(madeAtMs).toISOString(),
    author: "learned memory",
    session: undefined,
    origin: undefined,
    action: "learned",
    slugs: [`generation ${number}`],
    of: undefined,
    isUndone: current !== undefined && number > current,
    isErased: false,
    canUndo: isCurrent && previous !== undefined,
  }));
}

export interface GenerationTexts {
  readonly generations: readonly KnownGeneration[];
  readonly before: readonly GenerationFile[];
  readonly after: readonly GenerationFile[];
}

export function generationView(
  generation: KnownGeneration,
  { generations, before, after }: GenerationTexts,
): GenerationView {
  const { number, previous, isCurrent } = generation;
  const row = generationRows(generations).find(({ id }) => id === String(number));
  if (row === undefined) throw new Error(`generation ${number} is not in the list`);
  const paths = [...new Set([...after, ...before].map(({ path }) => path))];
  const files = paths.map((path) => {
    const text = textAt(after, path);
    const old = previous === undefined ? undefined : textAt(before, path);
    return { path, text, diff: diffRows(old ?? null, text ?? null) };
  });
  return { row, previous, isCurrent, files };
}

function textAt(files: readonly GenerationFile[], path: string): string | undefined {
  return files.find((file) => file.path === path)?.content;
}
