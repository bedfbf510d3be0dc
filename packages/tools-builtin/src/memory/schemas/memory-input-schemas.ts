// Generated from memory-input.ts by `pnpm --filter @caliban/tools-builtin schemas`. Do not edit.
import type { JsonSchema } from "@caliban/agent-core";
import type { MemoryToolName } from "./memory-input.ts";

/** The inputs of the memory tools, as the model sees them. */
export const MEMORY_INPUT_SCHEMAS: Readonly<Record<MemoryToolName, JsonSchema>> = {
  ReadMemoryTopic: {
    type: "object",
    properties: {
      name: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "The name of the topic as shown in the index: kebab-case, without .md.",
      },
    },
    required: ["name"],
    additionalProperties: false,
  },
  WriteMemoryTopic: {
    type: "object",
    properties: {
      name: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "The name of the topic as shown in the index: kebab-case, without .md.",
      },
      description: {
        type: "string",
        minLength: 1,
        description:
          "One line of at most 120 characters that states the fact itself. It is all that the index shows.",
      },
      type: {
        type: "string",
        enum: ["user", "feedback", "project", "reference"],
        description: "What the topic is about.",
      },
      body: {
        type: "string",
        minLength: 1,
        description: "The complete text in Markdown. Can link to [[other-topic]].",
      },
      applies: {
        description: "Where it matters: globs such as src/db/**, commands such as npm *.",
        type: "object",
        properties: {
          paths: { type: "array", items: { type: "string" } },
          commands: { type: "array", items: { type: "string" } },
        },
        additionalProperties: false,
      },
      supersedes: {
        description: "Older topics that this one replaces.",
        type: "array",
        items: { type: "string" },
      },
      enforce: {
        description: "Suggests rules such as Bash(npm *) to the user, who decides.",
        type: "object",
        properties: {
          level: { type: "string", enum: ["deny", "ask", "note"] },
          rules: {
            minItems: 1,
            maxItems: 20,
            type: "array",
            items: { type: "string", minLength: 1, maxLength: 500 },
          },
        },
        required: ["level", "rules"],
        additionalProperties: false,
      },
      if_match: {
        description:
          "The hash from ReadMemoryTopic. Required to change a topic; omit it for a new one.",
        type: "string",
        minLength: 1,
        maxLength: 200,
      },
    },
    required: ["name", "description", "type", "body"],
    additionalProperties: false,
  },
  DeleteMemoryTopic: {
    type: "object",
    properties: {
      name: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "The name of the topic as shown in the index: kebab-case, without .md.",
      },
      if_match: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "The hash from ReadMemoryTopic.",
      },
    },
    required: ["name", "if_match"],
    additionalProperties: false,
  },
  MemorySearch: {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: 1000,
        description: "What to search for: names, identifiers, keywords, or a question.",
      },
      limit: {
        description: "The maximum number of results in each list. Default: 8.",
        type: "integer",
        minimum: 1,
        maximum: 50,
      },
      kind: {
        description: "topics: topics and learned memory; sessions: past sessions. Default: all.",
        type: "string",
        enum: ["topics", "sessions", "all"],
      },
      type: {
        description: "Only topics of this type. Excludes sessions.",
        type: "string",
        enum: ["user", "feedback", "project", "reference"],
      },
      since: {
        description: "Only results since this time: 2026-10-01, or 12h, 7d, 2w, 3m (months), 1y.",
        type: "string",
        maxLength: 40,
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
};
