/** The agents that caliban has hooks for. */
export const HOOK_AGENTS = ["claude", "codex", "gemini", "qwen", "opencode", "pi"] as const;

export type HookAgent = (typeof HOOK_AGENTS)[number];

export function isHookAgent(name: string): name is HookAgent {
  return HOOK_AGENTS.some((agent) => agent === name);
}

/** What another agent calls a hook for. */
export interface HookEvent {
  /** As the agent calls it. The answer repeats it. */
  readonly name: string;
  /** The agent's own id of the conversation. */
  readonly session: string;
  readonly cwd: string | undefined;
  readonly moment: HookMoment;
}

export type HookMoment =
  | { readonly kind: "start" }
  /** The conversation was summarized, so that notes may appear once more. */
  | { readonly kind: "compacted" }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "call"; readonly call: AgentCall };

/** A call of a tool, in the terms of no agent. */
export type AgentCall =
  | { readonly kind: "command"; readonly command: string }
  | {
      readonly kind: "file";
      readonly action: "read" | "edit" | "create";
      /** As the agent wrote it: absolute, or relative to its directory. */
      readonly path: string;
      readonly text: string;
    };
