import type { ToolResult } from "@caliban/agent-core";
import type { FileInputs } from "../schemas/file-input.ts";
import type { ToolState } from "../tool-state.ts";
import type { FileToolAction } from "../file-tool.ts";
import { FileToolError } from "../file-tool-error.ts";
import { resolveAllowedPath } from "../resolve-path.ts";
import { describeBinary } from "./binary-kind.ts";
import { createLineCollector, type LineRange, type LineWindow } from "./line-window.ts";
import { withOpenFile } from "./open-file.ts";
import { readFileChunks } from "./file-fingerprint.ts";
import { withActivation } from "./with-activation.ts";

const MOST_LINES = 2_000;

/** Shows lines of a file, and remembers what the file was. */
export const read: FileToolAction<"Read"> = async (input, session, { signal }) => {
  if (input.file_path.startsWith("memory://")) return await readAddress(input, session);
  const located = resolveAllowedPath(session, input.file_path, "read");
  const collector = createLineCollector(rangeOf(input));
  let isFirst = true;
  const { mark, isWhole } = await withOpenFile(located, (file) =>
    readFileChunks(
      file,
      (bytes) => {
        if (isFirst) refuseBinary(located.display, bytes);
        isFirst = false;
        collector.push(bytes);
        return collector.isFull() ? "enough" : "more";
      },
      signal,
    ),
  );
  session.seenFiles.set(located.path, mark);
  const window = collector.end();
  const result = render({ name: located.display, input, window, isWhole });
  return await withActivation(session, located.path, result);
};

async function readAddress(
  input: FileInputs["Read"],
  { workspace }: ToolState,
): Promise<ToolResult> {
  const url = input.file_path;
  const found = (await workspace.resolveUrl?.(url)) ?? {
    problem: "There is no memory in this session.",
  };
  if ("problem" in found) return { text: found.problem, isError: true };
  const collector = createLineCollector(rangeOf(input));
  collector.push(Buffer.from(found.text));
  return render({ name: url, input, window: collector.end(), isWhole: true });
}

function rangeOf({ offset = 1, limit = MOST_LINES }: FileInputs["Read"]): LineRange {
  return { offset, limit: Math.min(limit, MOST_LINES) };
}

function refuseBinary(shown: string, bytes: Uint8Array): void {
  const reason = describeBinary(bytes);
  if (reason !== undefined) throw new FileToolError("NOT_TEXT", `${shown} is ${reason}.`);
}

interface Shown {
  readonly name: string;
  readonly input: FileInputs["Read"];
  readonly window: LineWindow;
  readonly isWhole: boolean;
}

function render({ name, input, window, isWhole }: Shown): ToolResult {
  const { lines, totalLines } = window;
  const data = { path: name, lines: lines.length, totalLines: isWhole ? totalLines : undefined };
  if (isWhole && totalLines === 0) return { text: `${name} is empty.`, data };
  if (lines.length === 0) {
    const text = `${name} has ${plural(totalLines)}, so there is none with the number ${input.offset}.`;
    return { text, isError: true, data };
  }
  const text = lines.map((line) => `${line.number}\t${line.text}`).join("\n");
  return { text: `${text}${rest(window, isWhole)}`, data };
}

function rest({ lines, totalLines }: LineWindow, isWhole: boolean): string {
  const last = lines.at(-1)?.number ?? 0;
  if (!isWhole) return `\n\n[there are more lines; read on with offset ${last + 1}]`;
  const more = totalLines - last;
  if (more <= 0) return "";
  const are = more === 1 ? "is" : "are";
  return `\n\n[there ${are} ${plural(more, "more ")}; read on with offset ${last + 1}]`;
}

function plural(count: number, adjective = ""): string {
  return `${count} ${adjective}${count === 1 ? "line" : "lines"}`;
}
