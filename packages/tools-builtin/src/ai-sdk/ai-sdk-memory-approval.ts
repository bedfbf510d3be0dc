import { terminalSafeLine } from "@caliban/common";
import type { WritingTool } from "../memory/memory-host.ts";
import { memoryNames } from "../memory/memory-names.ts";
import type { MemoryInputs } from "../memory/schemas/memory-input.ts";

export interface AiSdkApprovalOptions<
  Prefix extends string = string,
  Name extends WritingTool = WritingTool,
> {
  /** The prefix of the tools. */
  readonly prefix?: Prefix | undefined;
  /** The tools to ask about; both if left out. */
  readonly tools?: readonly Name[] | undefined;
}

/** Asks the user with a reason, which is shown next to the request. */
type AskAboutMemory<Name extends WritingTool> = (input: MemoryInputs[Name]) => {
  type: "user-approval";
  reason: string;
};

/** What `toolApproval` of the AI SDK accepts. */
export type AiSdkMemoryApproval<Prefix extends string, Name extends WritingTool> = {
  [Each in Name as `${Prefix}${Each}`]: AskAboutMemory<Each>;
};

/**
 * Lets the AI SDK ask the user before a memory tool changes something. Pass it as `toolApproval`.
 *
 * @example
 * import { memoryApproval } from "@caliban/tools-builtin/ai-sdk";
 *
 * const toolApproval = memoryApproval({ tools: ["DeleteMemoryTopic"] });
 * console.log(toolApproval.DeleteMemoryTopic({ name: "deploy", if_match: "v1" }).reason);
 * // Delete deploy from memory
 */
export function memoryApproval<
  const Prefix extends string = "",
  const Name extends WritingTool = WritingTool,
>(options: AiSdkApprovalOptions<Prefix, Name> = {}): AiSdkMemoryApproval<Prefix, Name> {
  const { prefix = "", tools = Object.keys(REASONS) } = options;
  const names = memoryNames(prefix, "project");
  const asked: ReadonlySet<string> = new Set(tools);
  const reasons = Object.entries(REASONS).filter(([name]) => asked.has(name));
  const entries = reasons.map(([name, reasonOf]) => [
    names.rename(name),
    (input: unknown) => ({ type: "user-approval", reason: reasonOf(input) }),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names and types come from one definition
  return Object.fromEntries(entries) as AiSdkMemoryApproval<Prefix, Name>;
}

/** The input is not validated yet: it is what the model sent. */
const REASONS: Readonly<Record<WritingTool, (input: unknown) => string>> = {
  WriteMemoryTopic: (input) =>
    `${text(input, "if_match") === "" ? "Save" : "Change"} ${text(input, "name")} in memory: ${text(input, "description")}`,
  DeleteMemoryTopic: (input) => `Delete ${text(input, "name")} from memory`,
};

function text(input: unknown, field: string): string {
  const value = new Map(Object.entries(Object(input))).get(field);
  return typeof value === "string" ? terminalSafeLine(value.slice(0, 200)) : "";
}
