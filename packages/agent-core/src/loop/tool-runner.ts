import { createQueue, requireArguments } from "@caliban/common";
import type { PermissionPolicy } from "../permissions/decide-permission.ts";
import { type EnforcedRule, enforcedNote } from "../permissions/enforced-rule.ts";
import type { PermissionRequest } from "../permissions/match-rule.ts";
import type { Objection } from "../permissions/objection.ts";
import {
  createPermissionGate,
  type PermissionGate,
  type PermissionGateInput,
  permissionRequest,
} from "../permissions/permission-gate.ts";
import { cancelledText, changedTargetText, unknownToolText } from "../permissions/refusals.ts";
import {
  categoryOf,
  type PartsOf,
  type SeenText,
  type Tool,
  type ToolCall,
  type ToolResult,
} from "../tool.ts";
import {
  type Annotate,
  type AnnotateLimits,
  createAnnotator,
  type FinishedToolCall,
} from "./annotate-result.ts";
import { seenInCommand } from "../prompt/seen-command.ts";
import { createConversationRecord } from "./conversation-record.ts";
import { createKeyedQueue } from "./keyed-queue.ts";

/** The tools of a session, the rules for them, and how to reach the user. */
export interface ToolRunnerInput extends Omit<PermissionGateInput, "policy" | "notify"> {
  /** Their names must be unique. */
  readonly tools: readonly Tool[];
  /** Without it there are no rules: memory and read-only tools are allowed, the user is asked about others. */
  readonly policy?: PermissionGateInput["policy"] | undefined;
  /** Shows a one-line notice to the user. Notices are dropped without it. */
  readonly notify?: PermissionGateInput["notify"] | undefined;
  readonly session?: string | undefined;
  /**
   * The tools used since the user's last message, for a runner that does not see all of them. By default, those that
   * this runner ran since `onUserMessage`.
   */
  readonly usedTools?: (() => readonly string[]) | undefined;
  /** What the model read before this runner was created, such as the messages of a resumed conversation. */
  readonly seenBefore?: SeenText | undefined;
  /** Says in one sentence why only the user may decide about a call, each time and in every mode. */
  readonly reservedReason?:
    | ((call: Pick<ToolCall, "name" | "input"> & Pick<Tool, "permission">) => string | undefined)
    | undefined;
  /** Removes secrets from every text of a result, for the model and for programs. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Looks for something against a call before permissions are decided, and can only make the decision stricter. */
  readonly beforeCall?: ((call: ProposedCall) => Promise<Objection | undefined>) | undefined;
  /** Adds a framed text of others to a result, such as the output of a hook. Not called for a call that was refused. */
  readonly afterCall?: ((finished: FinishedToolCall) => Promise<string | undefined>) | undefined;
  /** Adds a note to the text of a result, such as a memory that applies to it. */
  readonly annotate?: Annotate | undefined;
  /** How long a note may take; by default a few seconds of real time. */
  readonly annotateLimits?: Partial<AnnotateLimits> | undefined;
}

/** A call that may be refused. */
export interface ProposedCall extends Pick<ToolCall, "name" | "input" | "signal"> {
  readonly permission: string;
}

/** Runs the model's calls. */
export interface ToolRunner {
  /**
   * Runs one call. A refusal is an error result: a denied call has the data `{ code: "DENIED", message }` with a message
   * for the user, and a call whose target changed while it waited has the data `{ code: "CHANGED" }`. An exception is a
   * bug in the tool and does not affect later calls.
   */
  readonly run: (call: ToolCall) => Promise<ToolResult>;
  /** Starts a turn: the tools used so far are not a source of what comes after the user's new message. */
  readonly onUserMessage: (text?: string) => void;
  /** Takes note of a message in the middle of a turn: the tools used so far are still a source of what comes after it. */
  readonly onMessageDuringTurn: (text: string) => void;
  /** Takes note of a text that the model reads and that is neither the user's nor a result, such as a hook's. */
  readonly onTextOfOthers: (text: string) => void;
}

/**
 * Creates a runner that checks permissions and runs calls in parallel; calls with the same order key run in the order in
 * which they were made.
 *
 * @example
 * import { createToolRunner, type Tool } from "@caliban/agent-core";
 *
 * const clock: Tool = {
 *   name: "Clock",
 *   description: "Tells the time.",
 *   permission: "clock.read",
 *   isReadOnly: true,
 *   inputSchema: { type: "object" },
 *   run: async () => ({ text: "12:00" }),
 * };
 * const runner = createToolRunner({ tools: [clock] });
 * const { text } = await runner.run({ name: "Clock", input: {} });
 * console.log(text); // 12:00
 */
export function createToolRunner(input: ToolRunnerInput): ToolRunner {
  requireArguments("createToolRunner", input, ["tools"]);
  const { session, policy = NO_RULES, notify = () => undefined, mask } = input;
  const tools = toolsByName(input.tools);
  const decide = createPermissionGate({ ...input, policy, notify });
  const queue = createKeyedQueue();
  let usedTools: readonly string[] = [];
  const record = createConversationRecord(input.seenBefore);
  const onTextOfOthers = (text: string): void => record.addText({ ...OTHERS, text });

  const permit = createPermit({ ...input, notify, onTextOfOthers }, decide);

  const runIfAllowed = async (
    tool: Tool,
    call: ToolCall,
    permitted: Promise<PermittedCall>,
  ): Promise<RanCall> => {
    const { request, partsOf, permit: given } = await permitted;
    const { signal } = call;
    const current = (): PermissionRequest => permissionRequest(tool, call, partsOf);
    const refusal = refusalOf(given, { call, request, current });
    if (refusal !== undefined) return { result: refusal };
    const usedBefore = input.usedTools?.() ?? usedTools;
    usedTools = [...new Set([...usedTools, tool.name])];
    call.onStart?.();
    const { isTrusted = false, ...result } = await tool.run(call.input, {
      session,
      usedTools: usedBefore,
      ...record.current(),
      notify,
      signal,
      access: given.access,
      progress: maskedProgress(call, mask),
    });
    const { subject } = request;
    record.addCall({ tool, subject, result, isTrusted });
    return { result: withEnforcedNotes(result, given.notes), ran: { tool, subject } };
  };

  const runInOrder = async (call: ToolCall): Promise<RanCall> => {
    const tool = tools.get(call.name);
    if (tool === undefined) return { result: refused(unknownToolText(call.name, tools.keys())) };
    const key = queueKey(tool, call.input);
    // Decided before it is its turn, so that the questions come in the order of the calls.
    const permitted = permit(tool, call);
    if (key === undefined) return await runIfAllowed(tool, call, permitted);
    // A failure is reported where the call runs.
    permitted.catch(() => undefined);
    return await queue.run(key, () => runIfAllowed(tool, call, permitted));
  };

  const complete = createCompletion({ ...input, onTextOfOthers });
  return {
    run: async (call) => {
      const { result, ran } = await runInOrder(call);
      const shown = mask === undefined ? result : masked(result, mask);
      // Outside of the queue: the next call need not wait for a hook or a note.
      return ran === undefined ? shown : await complete({ ...ran, call, result: shown });
    },
    onUserMessage: (text) => {
      const command = text === undefined ? undefined : seenInCommand(text);
      usedTools = command === undefined ? [] : [command.tool];
      record.addMessage(text, true);
    },
    onMessageDuringTurn: (text) => record.addMessage(text, false),
    onTextOfOthers,
  };
}

/** A text that is not from a tool, for those who judge where the model got its input from. */
const OTHERS = { tool: "hook", permission: "hook.run" } as const;

/** Adds to a result what hooks and memory have to say about it. */
function createCompletion(
  input: Pick<ToolRunnerInput, "afterCall" | "mask" | "annotate" | "annotateLimits"> &
    Pick<ToolRunner, "onTextOfOthers">,
): (finished: FinishedToolCall) => Promise<ToolResult> {
  const { afterCall, mask = (text: string) => text, onTextOfOthers } = input;
  const annotated = createAnnotator(input);
  return async (finished) => {
    const added = await afterCall?.(finished);
    if (added === undefined) return await annotated(finished);
    const text = mask(added);
    onTextOfOthers(text);
    return await annotated({ ...finished, result: withText(finished.result, text) });
  };
}

function withText(result: ToolResult, text: string): ToolResult {
  return { ...result, text: `${result.text.trimEnd()}\n\n${text}` };
}

/** Decides about calls in the order in which they were made: neither a call nor a question may overtake an earlier one. */
function createPermit(
  input: Pick<PermissionGateInput, "notify"> &
    Pick<ToolRunnerInput, "reservedReason" | "beforeCall"> &
    Pick<ToolRunner, "onTextOfOthers">,
  decide: PermissionGate,
): (tool: Tool, call: ToolCall) => Promise<PermittedCall> {
  const { notify, reservedReason, beforeCall } = input;
  const inOrder = createQueue();
  return async (tool, call) => {
    const { permission } = tool;
    // Started before it is the turn of this call, so that calls do not wait for each other's hooks.
    const objecting = beforeCall?.({ ...call, permission });
    // A failure is reported where the answer is needed.
    objecting?.catch(() => undefined);
    const { decided, ...others } = await inOrder(async () => {
      const partsOf = await tool.loadPartsOf?.();
      const sandbox = await tool.sandboxOf?.(call.input, notify);
      const request: PermissionRequest = {
        ...permissionRequest(tool, call, partsOf),
        reservedReason: reservedReason?.({ ...call, permission }),
        objection: await objecting,
        sandbox,
      };
      if (request.objection !== undefined) input.onTextOfOthers(request.objection.text);
      return { request, partsOf, decided: decide(request, call) };
    });
    return { ...others, permit: await decided };
  };
}

type Permit = Awaited<ReturnType<PermissionGate>>;

interface PermittedCall {
  readonly request: PermissionRequest;
  readonly partsOf: PartsOf | undefined;
  readonly permit: Permit;
}

interface RanCall {
  readonly result: ToolResult;
  /** Absent for a call that was refused. */
  readonly ran?: Pick<FinishedToolCall, "tool" | "subject">;
}

const NO_RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

function toolsByName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  if (!Array.isArray(tools)) throw new TypeError('createToolRunner: "tools" must be a list');
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    // The user wrote the rules for one of them, and we cannot know for which.
    if (byName.has(tool.name)) throw new Error(`two tools have the same name: "${tool.name}"`);
    byName.set(tool.name, tool);
  }
  return byName;
}

/** Includes the category, because reading and writing the same thing are two tools. */
function queueKey(tool: Tool, input: unknown): string | undefined {
  const key = tool.orderKey?.(input);
  return key === undefined ? undefined : `${categoryOf(tool.permission)}.${key}`;
}

/** Separate from other notes, because these come from rules of the user and no setting turns them off. */
function withEnforcedNotes(result: ToolResult, notes: readonly EnforcedRule[] = []): ToolResult {
  if (notes.length === 0) return result;
  return { ...result, text: [result.text.trimEnd(), "", ...notes.map(enforcedNote)].join("\n") };
}

function masked(result: ToolResult, mask: (text: string) => string): ToolResult {
  const { text, data } = result;
  return {
    ...result,
    text: mask(text),
    ...(data === undefined ? {} : { data: mapTexts(data, mask) }),
  };
}

function maskedProgress(
  { onProgress }: ToolCall,
  mask: ((text: string) => string) | undefined,
): ToolCall["onProgress"] {
  if (onProgress === undefined || mask === undefined) return onProgress;
  return ({ text, lines }) => onProgress({ text: mask(text), lines });
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]);
  return Object.fromEntries(entries);
}

interface RefusalInput {
  readonly call: ToolCall;
  readonly request: PermissionRequest;
  readonly current: () => PermissionRequest;
}

function refusalOf(
  { refusal }: Permit,
  { call, request, current }: RefusalInput,
): ToolResult | undefined {
  const { tool } = request;
  if (call.signal?.aborted === true) return refused(cancelledText(tool));
  if (refusal !== undefined) {
    const { text, message } = refusal;
    return { ...refused(text), data: { code: "DENIED", message } };
  }
  // While the user was asked, another call may have put a link in the way.
  if (isSameTarget(request, current())) return undefined;
  return { ...refused(changedTargetText(tool)), data: { code: "CHANGED" } };
}

function isSameTarget(one: PermissionRequest, other: PermissionRequest): boolean {
  return (
    one.subject === other.subject &&
    one.protectionReason === other.protectionReason &&
    JSON.stringify(one.parts) === JSON.stringify(other.parts)
  );
}

function refused(text: string): ToolResult {
  return { text, isError: true };
}
