import { requireArguments } from "@caliban/common";
import type { Attachment } from "../message.ts";
import type { PermissionPolicy } from "../permissions/decide-permission.ts";
import { type EnforcedRule, enforcedNote } from "../permissions/enforced-rule.ts";
import type { PermissionRequest } from "../permissions/match-rule.ts";
import type { Objection } from "../permissions/objection.ts";
import {
  createPermissionGate,
  type PermissionGateInput,
  permissionRequest,
} from "../permissions/permission-gate.ts";
import { cancelledText, changedTargetText, unknownToolText } from "../permissions/refusals.ts";
import { categoryOf, type SeenText, type Tool, type ToolCall, type ToolResult } from "../tool.ts";
import {
  type Annotate,
  type AnnotateLimits,
  createAnnotator,
  type FinishedToolCall,
} from "./annotate-result.ts";
import { seenInCommand } from "../prompt/seen-command.ts";
import type { CreateChildRunner } from "./child-runner.ts";
import { type ConversationRecord, createConversationRecord } from "./conversation-record.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import { type Called, createPermit, type Permit, type PermittedCall } from "./permit-in-order.ts";
import { maskProgress, maskResult } from "./mask-result.ts";

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
  /** Takes note of what comes with a message of the user: an image can show a text of anyone. */
  readonly onAttachments: (attachments: readonly Attachment[]) => void;
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
  const { mask } = input;
  const mainRecord = createConversationRecord(input.seenBefore);
  const calls = createCallRunner(input);

  const runFor = async (caller: Caller, call: ToolCall): Promise<ToolResult> => {
    const { result, ran } = await calls.runInOrder(caller, call);
    const shown = mask === undefined ? result : maskResult(result, mask);
    // Outside of the queue: the next call need not wait for a hook or a note.
    return ran === undefined ? shown : await caller.complete({ ...ran, call, result: shown });
  };

  // Everything but the record is shared: rules, approvals, the order of questions, and the order of calls.
  const createChild: CreateChildRunner = ({ agent, annotate }) => {
    const { seen, ...recent } = mainRecord.current();
    const record = createConversationRecord(seen, recent);
    const child = { record, complete: createCompletion({ ...input, annotate }, record) };
    return { run: async (call) => await runFor(child, { ...call, agent }) };
  };
  const complete = createCompletion(input, mainRecord);
  const main: Caller = { record: mainRecord, complete, createChild };

  return {
    run: async (call) => await runFor(main, call),
    onUserMessage: (text) => {
      const command = text === undefined ? undefined : seenInCommand(text);
      calls.startTurn(command === undefined ? [] : [command.tool]);
      mainRecord.addMessage(text, true);
    },
    onMessageDuringTurn: (text) => mainRecord.addMessage(text, false),
    onTextOfOthers: mainRecord.addTextOfOthers,
    onAttachments: mainRecord.addAttachments,
  };
}

/** The main agent, or a subagent. */
interface Caller {
  readonly record: ConversationRecord;
  /** Adds to a result what hooks and memory have to say about it. */
  readonly complete: (finished: FinishedToolCall) => Promise<ToolResult>;
  /** Absent for a call of a subagent. */
  readonly createChild?: CreateChildRunner | undefined;
}

interface CallRunner {
  readonly runInOrder: (caller: Caller, call: ToolCall) => Promise<RanCall>;
  /** Starts with the tools that were used for the user's message itself. */
  readonly startTurn: (usedTools: readonly string[]) => void;
}

/** Runs the calls of a conversation and of its subagents, each when it is permitted and it is its turn. */
function createCallRunner(input: ToolRunnerInput): CallRunner {
  const { session, policy = NO_RULES, notify = () => undefined, mask } = input;
  const tools = toolsByName(input.tools);
  const decide = createPermissionGate({ ...input, policy, notify });
  const queue = createKeyedQueue();
  const permit = createPermit({ ...input, notify }, decide);
  let usedTools: readonly string[] = [];

  const runIfAllowed = async (
    { tool, call }: Called,
    { record, createChild }: Caller,
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
      agent: call.agent,
      usedTools: usedBefore,
      ...record.current(),
      notify,
      signal,
      access: given.access,
      progress: maskProgress(call, mask),
      createChild,
    });
    const { subject } = request;
    record.addCall({ tool, subject, result, isTrusted });
    return { result: withEnforcedNotes(result, given.notes), ran: { tool, subject } };
  };

  return {
    runInOrder: async (caller, call) => {
      const tool = tools.get(call.name);
      if (tool === undefined) return { result: refused(unknownToolText(call.name, tools.keys())) };
      const key = queueKey(tool, call.input);
      // Decided before it is its turn, so that the questions come in the order of the calls.
      const permitted = permit(caller, { tool, call });
      if (key === undefined) return await runIfAllowed({ tool, call }, caller, permitted);
      // A failure is reported where the call runs.
      permitted.catch(() => undefined);
      return await queue.run(key, () => runIfAllowed({ tool, call }, caller, permitted));
    },
    startTurn: (used) => {
      usedTools = used;
    },
  };
}

/** Adds to a result what hooks and memory have to say about it. */
function createCompletion(
  input: Pick<ToolRunnerInput, "afterCall" | "mask" | "annotate" | "annotateLimits">,
  record: Caller["record"],
): Caller["complete"] {
  const { afterCall, mask = (text: string) => text } = input;
  const annotated = createAnnotator(input);
  return async (finished) => {
    const added = await afterCall?.(finished);
    if (added === undefined) return await annotated(finished);
    const text = mask(added);
    record.addTextOfOthers(text);
    return await annotated({ ...finished, result: withText(finished.result, `\n${text}`) });
  };
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
  return withText(result, ["", ...notes.map(enforcedNote)].join("\n"));
}

function withText(result: ToolResult, text: string): ToolResult {
  return { ...result, text: `${result.text.trimEnd()}\n${text}` };
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
