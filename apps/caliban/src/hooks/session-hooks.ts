import type {
  CancelSignal,
  FinishedToolCall,
  Objection,
  ProposedCall,
  TurnOutcome,
} from "@caliban/agent-core";
import type { HookEvent } from "@caliban/settings";
import type { Project } from "../project/project.ts";
import { type Hook, matchesTool } from "./hook.ts";
import { createHookRecord, type HookRecord, type HookRun } from "./hook-record.ts";
import { failureReason } from "./hook-failure.ts";
import { framedHookText, hookObjection } from "./hook-text.ts";
import { openHooks } from "./open-hooks.ts";
import { type HookOutcome, runHook } from "./run-hook.ts";

/** How a conversation came to be. */
export type StartSource = "startup" | "resume" | "clear" | "reload";

/** The hooks of a conversation. None of these functions fails because a hook does. */
export interface SessionHooks {
  /** Runs in the background. What these hooks say goes with the next result or message. */
  readonly onStart: (source: StartSource) => void;
  /** Returns framed texts for the model. */
  readonly onMessage: (text: string, signal: CancelSignal) => Promise<readonly string[]>;
  /** Never allows anything: an objection, or nothing. */
  readonly beforeCall: (call: ProposedCall) => Promise<Objection | undefined>;
  /** Returns framed texts for the model. */
  readonly afterCall: (finished: FinishedToolCall) => Promise<string | undefined>;
  /** Runs in the background. */
  readonly onStop: (outcome: TurnOutcome) => void;
  /** The last run of each hook by name. */
  readonly runs: () => ReadonlyMap<string, HookRun>;
  /** Waits a moment for the hooks in the background, then ends them. */
  readonly close: () => Promise<void>;
}

export interface SessionHooksInput {
  readonly project: Project;
  /** Shows one line to the user. */
  readonly notify: (message: string) => void;
  /** What every hook is told about the conversation now. */
  readonly facts: () => { readonly sessionId: string; readonly mode: string };
}

/** How long the end of a conversation waits for hooks in the background. */
const CLOSE_MS = 5_000;

/** Opens the hooks of a conversation, which has at least one. */
export async function createSessionHooks(input: SessionHooksInput): Promise<SessionHooks> {
  const { project, notify } = input;
  const { hooks, problems } = await openHooks(project);
  for (const problem of problems) notify(problem);
  const record = createHookRecord(notify);
  const background = createBackground();
  const runFor = createRunner({ ...input, hooks, record, ending: background.ending });
  let pending: readonly string[] = [];
  const withPending = (results: readonly HookResult[]): readonly string[] => {
    const texts = [...pending, ...textsOf(results)];
    pending = [];
    return texts;
  };
  return {
    onStart: (source) =>
      background.run(async () => {
        const results = await runFor("SessionStart", { fields: { source } });
        pending = [...pending, ...textsOf(results)];
      }),
    onMessage: async (prompt, signal) =>
      withPending(await runFor("UserPromptSubmit", { fields: { prompt }, signal })),
    beforeCall: async ({ name: tool, input: toolInput, signal }) => {
      const fields = { tool_name: tool, tool_input: toolInput };
      return strictest(await runFor("PreToolUse", { tool, fields, signal }));
    },
    afterCall: async ({ call: { name: tool, input: toolInput, signal }, result }) => {
      const { text, isError = false } = result;
      const response = { text, is_error: isError };
      const fields = { tool_name: tool, tool_input: toolInput, tool_response: response };
      const texts = withPending(await runFor("PostToolUse", { tool, fields, signal }));
      return texts.length === 0 ? undefined : texts.join("\n");
    },
    onStop: (outcome) =>
      background.run(async () => void (await runFor("Stop", { fields: reasonOf(outcome) }))),
    runs: record.runs,
    close: background.close,
  };
}

interface RunInput {
  /** The tool that the event is about. */
  readonly tool?: string | undefined;
  /** What hooks of this event are told. */
  readonly fields: object;
  readonly signal?: CancelSignal | undefined;
}

interface RunnerInput extends SessionHooksInput {
  readonly hooks: readonly Hook[];
  readonly record: HookRecord;
  readonly ending: AbortSignal;
}

/** Creates what runs the hooks of an event at the same time. */
function createRunner({
  project,
  facts,
  hooks,
  record,
  ending,
}: RunnerInput): (event: HookEvent, input: RunInput) => Promise<readonly HookResult[]> {
  return async (event, { tool, fields, signal }) => {
    const { sessionId, mode } = facts();
    const input = {
      hook_event_name: event,
      session_id: sessionId,
      cwd: project.workspace.root,
      permission_mode: mode,
      ...fields,
    };
    const { onExit } = project.host;
    const chosen = hooks.filter(
      (hook) => hook.event === event && (tool === undefined || matchesTool(hook.matcher, tool)),
    );
    const run = async (hook: Hook): Promise<HookResult> => {
      const outcome = await runHook(hook, { input, signal, ending, onExit });
      record.add(hook, outcome);
      return { hook, outcome };
    };
    return await Promise.all(chosen.map(run));
  };
}

interface Background {
  readonly run: (action: () => Promise<void>) => void;
  /** Aborted when the conversation has waited long enough. */
  readonly ending: AbortSignal;
  readonly close: () => Promise<void>;
}

function createBackground(): Background {
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    run: (action) => {
      const done = action().finally(() => running.delete(done));
      running.add(done);
    },
    ending: ending.signal,
    close: async () => {
      const timer = setTimeout(() => ending.abort(), CLOSE_MS);
      await Promise.all(running);
      clearTimeout(timer);
    },
  };
}

interface HookResult {
  readonly hook: Hook;
  readonly outcome: HookOutcome;
}

/** A denial wins. A hook that failed may have wanted to deny, so the user decides. */
function strictest(results: readonly HookResult[]): Objection | undefined {
  const objections = results.flatMap(({ hook, outcome }): readonly Objection[] => {
    if (outcome.kind === "interrupted") return [];
    if (outcome.kind === "failed") {
      return [hookObjection(hook, "ask", `it failed: ${failureReason(outcome.failure)}`)];
    }
    const { decision, reason } = outcome.answer;
    return decision === "deny" || decision === "ask" ? [hookObjection(hook, decision, reason)] : [];
  });
  return objections.find(({ effect }) => effect === "deny") ?? objections[0];
}

function textsOf(results: readonly HookResult[]): readonly string[] {
  return results.flatMap(({ hook, outcome }) => {
    const text = outcome.kind === "answered" ? (outcome.answer.context ?? "") : "";
    return text.trim() === "" ? [] : [framedHookText(hook, text)];
  });
}

/** Why a turn ended, as a hook is told. */
function reasonOf(outcome: TurnOutcome): object {
  switch (outcome.kind) {
    case "budget":
    case "not-sent":
    case "refused":
      return { reason: outcome.kind, message: outcome.message };
    case "failed":
      return { reason: outcome.kind, message: outcome.failure.message };
    case "done":
    case "interrupted":
    case "step-limit":
      return { reason: outcome.kind };
  }
}
