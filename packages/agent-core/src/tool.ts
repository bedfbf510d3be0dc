/** A JSON Schema as plain data; nothing here reads it, it goes to the model as it is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One thing the model can do, with what the person may want to say about it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** `category.action`, such as `memory.write`: what permission rules name. */
  readonly permission: string;
  /** Whether it only looks: such tools work in plan mode. */
  readonly isReadOnly: boolean;
  readonly inputSchema: JsonSchema;
  /** What `data` of a result that is no error looks like; left out where programs are promised nothing. */
  readonly outputSchema?: JsonSchema | undefined;
  /** Calls with the same key run one after the other; `undefined` (or no function) means any order. */
  readonly orderKey?: (input: unknown) => string | undefined;
  /** What a pattern in parentheses is matched with, such as the command of a shell tool. */
  readonly subjectOf?: (input: unknown) => string | undefined;
  /**
   * A sentence on why this call is asked about every time, such as one that changes an instruction file; `undefined`
   * for any other.
   */
  readonly protects?: (input: unknown) => string | undefined;
  /** Checks its own input; bad input is an error result with a sentence, never an exception. */
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolResult>;
}

/** What of an AbortSignal is used: every one fits, and no library of a platform is needed for the type. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly addEventListener: (type: "abort", listener: () => void) => void;
  readonly removeEventListener: (type: "abort", listener: () => void) => void;
}

/** What a tool learns of the session it is used in. */
export interface ToolContext {
  readonly session?: string | undefined;
  /**
   * Names of the tools used since the person last spoke, in order of first use, this call not included: where a thought
   * may come from.
   */
  readonly after: readonly string[];
  /** Says one line to the person. */
  readonly notify: (line: string) => void;
  readonly signal?: CancelSignal | undefined;
}

/** What the model reads of a call; `data` is the same for programs. */
export interface ToolResult {
  readonly text: string;
  readonly isError?: boolean;
  readonly data?: unknown;
}

/** A call as the model makes it: neither the name nor the input has been checked. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly signal?: CancelSignal | undefined;
  /** Is told when the tool begins, after whatever had to be waited for or asked. */
  readonly onStart?: (() => void) | undefined;
}

/** The part of a permission before its dot: `memory` of `memory.write`. */
export function categoryOf(permission: string): string {
  const [category = ""] = permission.split(".", 1);
  return category;
}
