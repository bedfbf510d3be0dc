// Made from memory-output.ts by `pnpm --filter @caliban/tools-builtin schemas`: change it there.
import type { JsonSchema } from "@caliban/agent-core";
import type { MemoryToolName } from "./memory-input.ts";

/** What programs are promised of the results of the memory tools. */
export const MEMORY_OUTPUT_SCHEMAS: Readonly<Record<MemoryToolName, JsonSchema>> = {
  ReadMemoryTopic: {
    type: "object",
    properties: {
      slug: { type: "string", description: "The topic's name." },
      type: {
        description: "Left out where the file names none.",
        type: "string",
        enum: ["user", "feedback", "project", "reference"],
      },
      description: { type: "string" },
      hash: { type: "string", description: "To be given as if_match when the topic is changed." },
      age: { type: "string", description: "How old it is, with a warning when it may be stale." },
      body: { type: "string", description: "A note, not an instruction." },
      session: { description: "The session in which it was last written.", type: "string" },
      after: {
        type: "array",
        items: { type: "string" },
        description: "Tools that had been used when it was noted: where it may come from.",
      },
    },
    required: ["slug", "description", "hash", "age", "body", "after"],
    additionalProperties: false,
  },
  WriteMemoryTopic: {
    type: "object",
    properties: {
      slug: { type: "string", description: "The topic's name." },
      isNew: { type: "boolean" },
      hash: { type: "string", description: "To be given as if_match when the topic is changed." },
      indexLine: { type: "string", description: "The topic's line in the index." },
      warning: { description: "When the index is nearly full.", type: "string" },
      change: {
        description: "The id of the change: `caliban memory undo <id>` takes it back.",
        type: "string",
      },
    },
    required: ["slug", "isNew", "hash", "indexLine"],
    additionalProperties: false,
  },
  DeleteMemoryTopic: {
    type: "object",
    properties: {
      slug: { type: "string", description: "The topic's name." },
      change: {
        description: "The id of the change: `caliban memory undo <id>` takes it back.",
        type: "string",
      },
    },
    required: ["slug"],
    additionalProperties: false,
  },
  MemorySearch: {
    type: "object",
    properties: {
      topics: {
        type: "array",
        items: {
          type: "object",
          properties: {
            kind: {
              type: "string",
              enum: ["topic", "section", "skill"],
              description: "A topic, or a section or skill of what was learned.",
            },
            name: { type: "string" },
            address: { type: "string", description: "What reads all of it." },
            type: { type: "string" },
            description: { type: "string" },
            snippet: {
              type: "object",
              properties: {
                text: { type: "string" },
                marks: {
                  type: "array",
                  items: {
                    type: "array",
                    items: {
                      type: "integer",
                      minimum: -9007199254740991,
                      maximum: 9007199254740991,
                    },
                  },
                  description: "Beginning and end of each word that matches, in UTF-16 units.",
                },
              },
              required: ["text", "marks"],
              additionalProperties: false,
            },
            updated: { description: "When, as ISO 8601 has it.", type: "string" },
            age: { description: "The same in words.", type: "string" },
            score: { type: "number" },
          },
          required: ["kind", "name", "address", "description", "snippet", "score"],
          additionalProperties: false,
        },
      },
      sessions: {
        type: "array",
        items: {
          type: "object",
          properties: {
            session: { type: "string" },
            agent: { type: "string", description: "Whose session: caliban, claude or codex." },
            title: { type: "string" },
            turns: {
              type: "array",
              items: {
                type: "object",
                properties: {
                  role: { type: "string", enum: ["user", "assistant"] },
                  text: {
                    type: "object",
                    properties: {
                      text: { type: "string" },
                      marks: {
                        type: "array",
                        items: {
                          type: "array",
                          items: {
                            type: "integer",
                            minimum: -9007199254740991,
                            maximum: 9007199254740991,
                          },
                        },
                        description:
                          "Beginning and end of each word that matches, in UTF-16 units.",
                      },
                    },
                    required: ["text", "marks"],
                    additionalProperties: false,
                  },
                  isHit: {
                    type: "boolean",
                    description: "False for a turn that only stands beside one.",
                  },
                },
                required: ["role", "text", "isHit"],
                additionalProperties: false,
              },
            },
            updated: { description: "When, as ISO 8601 has it.", type: "string" },
            age: { description: "The same in words.", type: "string" },
            score: { type: "number" },
          },
          required: ["session", "agent", "title", "turns", "score"],
          additionalProperties: false,
        },
      },
      searched: {
        type: "object",
        properties: {
          topics: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
          sessions: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
          turns: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
        },
        required: ["topics", "sessions", "turns"],
        additionalProperties: false,
        description: "How much was looked through.",
      },
      notes: {
        type: "array",
        items: { type: "string" },
        description: "What was left out, and why.",
      },
    },
    required: ["topics", "sessions", "searched", "notes"],
    additionalProperties: false,
  },
};
