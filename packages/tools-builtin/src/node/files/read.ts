import type { ToolResult } from "@caliban/agent-core";
import { FileToolError } from "../file-tool-error.ts";
import type { FileToolAction } from "../file-tool.ts";
import { resolveAllowedPath } from "../resolve-path.ts";
import type { FileInputs } from "../schemas/file-input.ts";
import type { ToolState } from "../tool-state.ts";
import { withActivation } from "./activation.ts";
import { describeBinary } from "./binary-kind.ts";
import { type ByteSink, readFileChunks } from "./file-fingerprint.ts";
import { createLineCollector, type LineRange, type LineWindow } from "./line-window.ts";
import { startsAsImage } from "./image-start.ts";
import { withOpenFile } from "./open-file.ts";

const MAX_LINES = 2_000;

/** Shows lines of a file, and remembers the content of the file. */
export const read: FileToolAction<"Read"> = async (input, state, { signal }) => {
  if (input.file_path.startsWith("memory://")) return await readAddress(input, state);
  const resolved = resolveAllowedPath(state, input.file_path, "read");
  const collector = createLineCollector(toRange(input));
  let isFirst = true;
  const sink: ByteSink = (bytes) => {
    if (isFirst) rejectBinary(resolved.display, bytes);
    isFirst = false;
    collector.push(bytes);
    return collector.isFull() ? "enough" : "more";
  };
  const shown = await withOpenFile(resolved, async (file) => {
    if (!startsAsImage(file)) return await readFileChunks(file, sink, signal);
    const { readImage } = await import("./read-image.ts");
    return { image: readImage(resolved.display, file) };
  });
  if ("image" in shown) return await withActivation(state, resolved.path, shown.image);
  const { fingerprint, isComplete } = shown;
  state.seenFiles.set(resolved.path, fingerprint);
  const window = collector.end();
  const result = render({ name: resolved.display, input, window, isComplete });
  return await withActivation(state, resolved.path, { ...result, isExact: true });
};

async function readAddress(
  input: FileInputs["Read"],
  { workspace }: ToolState,
): Promise<ToolResult> {
  const url = input.file_path;
  const found = (await workspace.resolveUrl?.(url)) ?? {
    problem: "This session has no memory. Continue without it.",
  };
  if ("problem" in found) return { text: found.problem, isError: true };
  const collector = createLineCollector(toRange(input));
  collector.push(Buffer.from(found.text));
  return render({ name: url, input, window: collector.end(), isComplete: true });
}

function toRange({ offset = 1, limit = MAX_LINES }: FileInputs["Read"]): LineRange {
  return { offset, limit: Math.min(limit, MAX_LINES) };
}

function rejectBinary(name: string, bytes: Uint8Array): void {
  const reason = describeBinary(bytes);
  if (reason !== undefined) throw new FileToolError("NOT_TEXT", `${name} is ${reason}.`);
}

interface ReadLines {
  readonly name: string;
  readonly input: FileInputs["Read"];
  readonly window: LineWindow;
  /** False if the file was not read to its end, so that its number of lines is not known. */
  readonly isComplete: boolean;
}

function render({ name, input, window, isComplete }: ReadLines): ToolResult {
  const { lines, totalLines } = window;
  const data = { path: name, lines: lines.length, totalLines: isComplete ? totalLines : undefined };
  if (isComplete && totalLines === 0) return { text: `${name} is empty.`, data };
  if (lines.length === 0) {
    const text = `${name} has only ${countedLines(totalLines)}, so there is no line ${input.offset}. Use a smaller offset.`;
    return { text, isError: true, data };
  }
  const text = lines.map((line) => `${line.number}\t${line.text}`).join("\n");
  return { text: `${text}${remainderNote(window, isComplete)}`, data };
}

function remainderNote({ lines, totalLines }: LineWindow, isComplete: boolean): string {
  const last = lines.at(-1)?.number ?? 0;
  const more = isComplete ? totalLines - last : undefined;
  if (more !== undefined && more <= 0) return "";
  const amount = more === undefined ? "more lines" : countedLines(more, "more ");
  return `\n\n[${amount}: continue with offset ${last + 1}]`;
}

function countedLines(count: number, adjective = ""): string {
  return `${count} ${adjective}${count === 1 ? "line" : "lines"}`;
}
