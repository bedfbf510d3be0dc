import { INDEX_FILE } from "../../../topics/limits.ts";
import type { StoreFiles } from "../../../store/stored-files.ts";

/** A file of an export. */
export interface ExportFile {
  readonly name: string;
  readonly text: string;
  readonly updatedMs: number;
}

/** The topics, and the index after them: it refers to them. The index is as new as the newest topic. */
export function toExportFiles({ index, topics }: StoreFiles): readonly ExportFile[] {
  const latestMs = Math.max(0, ...topics.map(({ updatedMs }) => updatedMs));
  return [
    ...topics.map(({ slug, text, updatedMs }) => ({ name: `${slug}.md`, text, updatedMs })),
    ...(index === null ? [] : [{ name: INDEX_FILE, text: index, updatedMs: latestMs }]),
  ];
}
