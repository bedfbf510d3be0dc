import type {
  JsonSchema,
  Notice,
  PermissionPolicy,
  Tool,
  ToolContext,
  ToolResult,
} from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import {
  type Author,
  type Evidence,
  isMemoryError,
  type MemoryOrigin,
  type Proposal,
  type ProposalRequest,
  slugKey,
  type TopicStore,
} from "@caliban/memory";
import type { MemorySearch } from "@caliban/memory/search";
import type { MemoryNames } from "./memory-names.ts";
import { MEMORY_INPUT_SCHEMAS } from "./schemas/memory-input-schemas.ts";
import type { MemoryInputs, MemoryToolName } from "./schemas/memory-input.ts";
import { MEMORY_OUTPUT_SCHEMAS } from "./schemas/memory-output-schemas.ts";
import type { UserChange, UserScope } from "./user-scope.ts";
import type { CountedChange } from "./write-limit.ts";

/** The parts that the memory tools need. */
export interface MemoryToolsInput {
  readonly store: MemoryToolsStore;
  /** Put before the name of every tool, so that an agent can use several stores: `user_`. */
  readonly prefix?: string | undefined;
  /** Which agent makes the changes, for the history of a store that several use. */
  readonly agent?: string | undefined;
  /** Which user the agent works for, for the history of a store that several use. */
  readonly user?: string | undefined;
  /** What tells the user and the model how to undo a change. Without it, results do not mention undo. */
  readonly undoHint?: UndoHint | undefined;
  /** Milliseconds since 1970. The current time by default. */
  readonly now?: (() => number) | undefined;
  /** The search behind MemorySearch. Searches the topics of the store by default. */
  readonly search?: MemorySearch | undefined;
  /** A second memory, about the user and for all projects. With it, the tools that name a topic take a `scope`. */
  readonly userScope?: UserScope | undefined;
  /** Topics that a team shares, which can be read where the project has none of the name. */
  readonly teamTopics?: Pick<TopicStore, "read"> | undefined;
  /** The tools show nothing that these rules deny. Pass a function if they can change. */
  readonly policy?: PermissionPolicy | (() => PermissionPolicy) | undefined;
  /** Finds lines of files the model has read that support the text of a topic. Without it, topics have no evidence. */
  readonly findEvidence?: FindEvidence | undefined;
  /** Where changes wait that the user should see first. Without it, every change is saved. */
  readonly inbox?: MemoryInbox | undefined;
  /** `other-agent` for agents whose conversation is not known here. By default, it depends on the conversation. */
  readonly origin?: "other-agent" | undefined;
}

/** Where changes wait for the user. `openInbox` of `@caliban/memory/node` makes one. */
export interface MemoryInbox {
  readonly propose: (request: ProposalRequest) => Promise<Pick<Proposal, "id">>;
  /** Which changes wait: those that an untrusted text may have suggested, or all. `untrusted` by default. */
  readonly holds?: "untrusted" | "all" | undefined;
  /** Tells the user how to review proposals, such as a command. */
  readonly reviewHint?: string | Pick<Notice, "message" | "parts"> | undefined;
}

/** Returns the lines of files that support a text, at most a few. */
export type FindEvidence = (text: string) => Promise<readonly Evidence[]>;

/** The part of a topic store that the tools use. */
export interface MemoryToolsStore extends Pick<TopicStore, "list" | "read" | "write" | "remove"> {
  /** Whose memory it is; `project` if left out. */
  readonly scope?: TopicStore["scope"] | undefined;
}

/** Whose memory a call is about. */
type TopicScope = "project" | "user";

/** How to undo a change, such as a command. Parts let a surface spell commands its own way. */
type UndoHint = (change: string, scope: TopicScope) => string | Pick<Notice, "message" | "parts">;

/** What the tools work with: the input with its defaults, behind the rules. */
export interface MemoryToolContext extends Pick<
  MemoryToolsInput,
  "store" | "undoHint" | "findEvidence" | "inbox" | "origin"
> {
  readonly names: MemoryNames;
  readonly scope: TopicScope;
  /** Reads what a team shares; absent without a team. */
  readonly readShared?: TopicStore["read"] | undefined;
  /** The memory of the other scope, if there is one. */
  readonly other?: (() => MemoryToolContext) | undefined;
  /** Decides about a change of memory about the user: what the model gets instead, if it may not be made. */
  readonly refuseChange?: RefuseChange | undefined;
  /** The author of a change, from the session that makes it and the origin of its text. */
  readonly authorOf: (
    context: Pick<ToolContext, "session" | "usedTools">,
    origin: MemoryOrigin,
  ) => Author;
  readonly now: () => number;
  readonly search: MemorySearch;
  readonly searchesSessions: boolean;
  /** Called before every change. Loads the limit with the first one. */
  readonly countChange: (change: CountedChange) => Promise<void>;
}

/** Returns the result for the model if a change may not be made; `undefined` if it may. */
type RefuseChange = (change: UserChange, context: ToolContext) => Promise<ToolResult | undefined>;

/** A memory tool, defined by what it does with a validated input. */
export interface MemoryToolDefinition<Name extends MemoryToolName> {
  readonly name: Name;
  readonly description: string | ((memory: MemoryToolContext) => string);
  readonly permission: string;
  readonly isReadOnly: boolean;
  /** Whether a call names a topic, whose scope it can name as well. */
  readonly hasScope?: boolean | undefined;
  /** Without it, every pattern in a deny or ask rule matches, because a change is not checked by the name on disk. */
  readonly subjectOf?: Tool["subjectOf"];
  readonly execute: (
    input: MemoryInputs[Name],
    context: ToolContext,
    memory: MemoryToolContext,
  ) => Promise<ToolResult>;
}

/** Creates a tool that validates its input and reports refusals of the store to the model. */
export function createMemoryTool<Name extends MemoryToolName>(
  definition: MemoryToolDefinition<Name>,
  memory: MemoryToolContext,
): Tool {
  const { name, description, permission, isReadOnly, subjectOf } = definition;
  const { names } = memory;
  const fields = MEMORY_INPUT_SCHEMAS[name];
  const schema = withNames(memory.inbox === undefined ? withoutEnforce(fields) : fields, names);
  const takesScope = definition.hasScope === true && memory.other !== undefined;
  const text = typeof description === "string" ? description : description(memory);
  return {
    name: names.tool(name),
    description: `${text}${names.about}`,
    permission,
    isReadOnly,
    inputSchema: takesScope ? withScope(schema) : schema,
    outputSchema: MEMORY_OUTPUT_SCHEMAS[name],
    ...(subjectOf === undefined ? {} : { subjectOf }),
    orderKey: topicKey,
    run: async (input, context) => {
      // The validating schemas are only loaded with the first call; the model sees plain data.
      const [{ MEMORY_INPUTS }, { parseInput }] = await Promise.all([
        import("./schemas/memory-input.ts"),
        import("../parse-input.ts"),
      ]);
      const { scope, rest } = takesScope ? splitScope(input) : { scope: "project", rest: input };
      const parsed = parseInput(MEMORY_INPUTS[name], names.tool(name), rest);
      if ("problem" in parsed) return { text: parsed.problem, isError: true };
      if (scope === undefined) return invalidScope(names.tool(name));
      const scoped = (scope === "user" ? memory.other?.() : undefined) ?? memory;
      return await reportRefusal(isReadOnly, () =>
        definition.execute(parsed.input, context, scoped),
      );
    },
  };
}

/** Only where there is an inbox can a rule be suggested. */
function withoutEnforce(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema["properties"]) || !("enforce" in schema["properties"])) return schema;
  const { enforce: _, ...properties } = schema["properties"];
  return { ...schema, properties };
}

const SCOPE = {
  type: "string",
  enum: ["project", "user"],
  description: "user: about the user, for every project. Default: project.",
};

function withScope(schema: JsonSchema): JsonSchema {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  return { ...schema, properties: { ...properties, scope: SCOPE } };
}

interface ScopedInput {
  /** `undefined` if it is not a scope. */
  readonly scope: TopicScope | undefined;
  readonly rest: unknown;
}

function splitScope(input: unknown): ScopedInput {
  if (!isRecord(input)) return { scope: "project", rest: input };
  const { scope = "project", ...rest } = input;
  return { scope: scope === "project" || scope === "user" ? scope : undefined, rest };
}

function invalidScope(tool: string): ToolResult {
  return { text: `${tool} was not run: scope must be "project" or "user".`, isError: true };
}

/** The descriptions of fields name other tools. */
function withNames(schema: JsonSchema, names: MemoryNames): JsonSchema {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const renamed = Object.entries(properties).map(([field, value]) => {
    const description = isRecord(value) ? value["description"] : undefined;
    if (!isRecord(value) || typeof description !== "string") return [field, value];
    return [field, { ...value, description: names.rename(description) }];
  });
  return { ...schema, properties: Object.fromEntries(renamed) };
}

/** Calls for one topic run in the order in which the model made them. */
function topicKey(input: unknown): string | undefined {
  const name = topicName(input);
  return name === undefined ? undefined : slugKey(name);
}

/** The topic that an input names. */
export function topicName(input: unknown): string | undefined {
  const name = isRecord(input) ? input["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

async function reportRefusal(
  isReadOnly: boolean,
  action: () => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    return await action();
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    const reason = error.message.replace(/\.?$/, ".");
    const text = `${isReadOnly ? "That did not work" : "Nothing was changed"}: ${reason}`;
    return { text, isError: true, data: { code: error.code } };
  }
}
