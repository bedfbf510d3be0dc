// Made from memory-input.ts by `pnpm --filter @caliban/tools-builtin schemas`: change it there.
import type { JsonSchema } from "@caliban/agent-core";
import type { MemoryToolName } from "./memory-input.ts";

/** What a model is shown of the inputs of the memory tools. */
export const MEMORY_INPUT_SCHEMAS: Readonly<Record<MemoryToolName, JsonSchema>> = {
  ReadMemoryTopic: {
    type: "object",
    properties: {
      name: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "The topic's name as the index has it, in kebab-case, without .md.",
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
        description: "The topic's name as the index has it, in kebab-case, without .md.",
      },
      description: {
        type: "string",
        minLength: 1,
        description:
          "One line of at most 120 characters that tells the fact itself: the index shows nothing else.",
      },
      type: {
        type: "string",
        enum: ["user", "feedback", "project", "reference"],
        description: "What the topic is about.",
      },
      body: {
        type: "string",
        minLength: 1,
        description: "The whole text in Markdown. May point to [[other-topic]].",
      },
      if_match: {
        description:
          "The hash that ReadMemoryTopic gave; needed to change a topic, left out for a new one.",
        type: "string",
        pattern: "^[0-9a-f]{12}$",
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
        description: "The topic's name as the index has it, in kebab-case, without .md.",
      },
      if_match: {
        type: "string",
        pattern: "^[0-9a-f]{12}$",
        description: "The hash that ReadMemoryTopic gave.",
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
        description: "What to look for: names, identifiers, words of the subject, or a question.",
      },
      limit: {
        description: "Most hits of each list; 8 when left out.",
        type: "integer",
        minimum: 1,
        maximum: 50,
      },
      kind: {
        description:
          "topics: notes, and what was learned; sessions: what was said in past sessions; all when left out.",
        type: "string",
        enum: ["topics", "sessions", "all"],
      },
      type: {
        description: "Only topics of this type, and no sessions.",
        type: "string",
        enum: ["user", "feedback", "project", "reference"],
      },
      since: {
        description: "Only what is from then on: 2026-10-01, or 12h, 7d, 2w, 3m (months), 1y.",
        type: "string",
        maxLength: 40,
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
};
