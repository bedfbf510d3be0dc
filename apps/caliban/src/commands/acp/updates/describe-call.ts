import { resolve } from "node:path";
import type { Diff, ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { expandTilde, isRecord, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { readTextFile, realPathIfExists } from "@caliban/common/node";
import { toolSubject } from "@caliban/tui";
import { fencedWhole, textContent } from "./fence.ts";

/** A call as an editor shows it. */
export interface DescribedCall {
  readonly title: string;
  readonly kind: ToolKind;
  readonly content: ToolCallContent[];
  readonly locations: ToolCallLocation[];
}

/** Where relative paths of a call start. */
export interface CallWorkspace {
  readonly root: string;
  readonly startDirectory: string;
  readonly platform: string;
  readonly home: string | undefined;
}

interface Call {
  readonly name: string;
  readonly input: unknown;
}

/**
 * Describes a call. With `isPlanned`, a change of a file is compared with what the file contains now; without it, the call
 * is an old one, and only what it says itself is shown.
 */
export function describeCall(
  { name, input }: Call,
  workspace: CallWorkspace,
  { isPlanned }: { readonly isPlanned: boolean },
): DescribedCall {
  const path = filePath(input, workspace);
  const line = isRecord(input) && typeof input["offset"] === "number" ? input["offset"] : undefined;
  const diff = path === undefined ? undefined : plannedDiff({ name, input }, path);
  const shown = diff === undefined || !isPlanned ? diff : completeDiff(diff, workspace);
  return {
    title: titleOf({ name, input }, workspace),
    kind: KINDS[name] ?? "other",
    content: contentOf({ name, input }, shown),
    locations: path === undefined ? [] : [{ path, ...(line === undefined ? {} : { line }) }],
  };
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: "read",
  ReadMemoryTopic: "read",
  Skill: "read",
  BashOutput: "read",
  Edit: "edit",
  Write: "edit",
  WriteMemoryTopic: "edit",
  DeleteMemoryTopic: "delete",
  Grep: "search",
  Glob: "search",
  MemorySearch: "search",
  Bash: "execute",
  WebFetch: "fetch",
  Task: "think",
  TodoWrite: "think",
  ExitPlanMode: "switch_mode",
};

function titleOf({ name, input }: Call, { root }: CallWorkspace): string {
  const tool = terminalSafeLine(name);
  if (name === "ExitPlanMode") return "Proposed plan";
  const subject = toolSubject(input, root);
  // Editors render titles as Markdown.
  const code = subject.replaceAll("`", "'");
  if (name === "Bash") return `\`${code}\``;
  return subject === "" ? tool : `${tool} \`${code}\``;
}

function contentOf({ name, input }: Call, diff: PlannedDiff | undefined): ToolCallContent[] {
  if (diff !== undefined) {
    const { path, oldText, newText } = diff;
    return [{ type: "diff", path, oldText: oldText ?? null, newText }];
  }
  if (!isRecord(input)) return [];
  const { plan, command } = input;
  if (name === "ExitPlanMode" && typeof plan === "string") return [textContent(plan)];
  if (name === "Bash" && typeof command === "string")
    return [textContent(fencedWhole(command, "sh"))];
  return [];
}

interface PlannedDiff extends Diff {
  /** Whether the texts are only the part of the file that changes. */
  readonly isPart: boolean;
  readonly isEverywhere: boolean;
}

/** What a call says itself about a change. */
function plannedDiff({ name, input }: Call, path: string): PlannedDiff | undefined {
  if (!isRecord(input)) return undefined;
  const { content, old_string: removed, new_string: added, replace_all: everywhere } = input;
  if (name === "Write" && typeof content === "string") {
    return { path, newText: content, isPart: false, isEverywhere: false };
  }
  if (name !== "Edit" || typeof removed !== "string" || typeof added !== "string") return undefined;
  const isEverywhere = everywhere === true;
  return { path, oldText: removed, newText: added, isPart: true, isEverywhere };
}

/** A larger file is not compared. */
const MAX_COMPARED_BYTES = 1024 * 1024;

/** Adds what the file contains now. Only for files of the workspace: the call has not been permitted yet. */
function completeDiff(diff: PlannedDiff, { root }: CallWorkspace): PlannedDiff {
  const real = realPathIfExists(diff.path);
  const realRoot = realPathIfExists(root) ?? root;
  if (real === undefined || !real.startsWith(`${realRoot}/`)) return diff;
  const file = readTextFile(real, MAX_COMPARED_BYTES, { isRealPath: true });
  if (file.kind !== "text" || file.fileBytes > MAX_COMPARED_BYTES) return diff;
  const before = file.text;
  const { oldText, newText, isPart, isEverywhere } = diff;
  if (!isPart) return { ...diff, oldText: before };
  // The call will fail, but what it asks for can still be shown.
  if (typeof oldText !== "string" || oldText === "" || !before.includes(oldText)) return diff;
  const after = isEverywhere
    ? before.replaceAll(oldText, () => newText)
    : before.replace(oldText, () => newText);
  return { ...diff, oldText: before, newText: after, isPart: false };
}

/** The absolute path that a call names. */
function filePath(
  input: unknown,
  { startDirectory, platform, home }: CallWorkspace,
): string | undefined {
  const text = isRecord(input) ? input["file_path"] : undefined;
  if (typeof text !== "string" || text === "" || /^memory:/i.test(text)) return undefined;
  return resolve(startDirectory, expandTilde(pathStyleOf(platform), text, home));
}
