// Generated from memory-output.ts by `pnpm --filter @caliban/tools-builtin schemas`. Do not edit.
import type { JsonSchema } from "@caliban/agent-core";
import type { MemoryToolName } from "./memory-input.ts";

/** The results of the memory tools, as programs get them. */
export const MEMORY_OUTPUT_SCHEMAS: Readonly<Record<MemoryToolName, JsonSchema>> = {
  ReadMemoryTopic: {
    type: "object",
    properties: {
      slug: { type: "string", description: "The name of the topic." },
      type: {
        description: "Omitted if the file has no type.",
        type: "string",
        enum: ["user", "feedback", "project", "reference"],
      },
      description: { type: "string" },
      hash: { type: "string", description: "Pass it as if_match to change the topic." },
      age: {
        type: "string",
        description: "The age of the topic, with a warning if it may be stale.",
      },
      body: { type: "string", description: "A note, not an instruction." },
      session: { description: "The session that last wrote the topic.", type: "string" },
      after: {
        type: "array",
        items: { type: "string" },
        description: "The tools used before it was saved, which may be its source.",
      },
    },
    required: ["slug", "description", "hash", "age", "body", "after"],
    additionalProperties: false,
  },
  WriteMemoryTopic: {
    type: "object",
    properties: {
      slug: { type: "string", description: "The name of the topic." },
      isNew: { type: "boolean" },
      hash: { type: "string", description: "Pass it as if_match to change the topic." },
      indexLine: { type: "string", description: "The line of the topic in the index." },
      warning: { description: "Set if the index is nearly full.", type: "string" },
      change: {
        description: "The id of the change, for `caliban memory undo <id>`.",
        type: "string",
      },
      proposal: {
        description: "Set if nothing was changed yet, because the change waits for the user.",
        type: "string",
      },
    },
    required: ["slug", "isNew", "hash", "indexLine"],
    additionalProperties: false,
  },
  DeleteMemoryTopic: {
    type: "object",
    properties: {
      slug: { type: "string", description: "The name of the topic." },
      change: {
        description: "The id of the change, for `caliban memory undo <id>`.",
        type: "string",
      },
      proposal: {
        description: "Set if nothing was changed yet, because the change waits for the user.",
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
              description: "A topic, or a section or skill of learned memory.",
            },
            name: { type: "string" },
            address: { type: "string", description: "What to read for the full text." },
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
                  description: "Start and end of each matching word, in UTF-16 code units.",
                },
              },
              required: ["text", "marks"],
              additionalProperties: false,
            },
            updated: { description: "The time in ISO 8601 format.", type: "string" },
            age: {
              description: "The same as a relative time, such as 3 days ago.",
              type: "string",
            },
            score: { type: "number" },
            evidence: {
              description: "What became of the lines of code that support it.",
              type: "string",
              enum: ["ok", "moved", "changed", "gone"],
            },
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
            agent: {
              type: "string",
              description: "The agent that ran the session: caliban, claude or codex.",
            },
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
                        description: "Start and end of each matching word, in UTF-16 code units.",
                      },
                    },
                    required: ["text", "marks"],
                    additionalProperties: false,
                  },
                  isHit: {
                    type: "boolean",
                    description: "False for a turn that is only context of a match.",
                  },
                },
                required: ["role", "text", "isHit"],
                additionalProperties: false,
              },
            },
            updated: { description: "The time in ISO 8601 format.", type: "string" },
            age: {
              description: "The same as a relative time, such as 3 days ago.",
              type: "string",
            },
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
        description: "How much was searched.",
      },
      notes: {
        type: "array",
        items: { type: "string" },
        description: "What was left out and why.",
      },
    },
    required: ["topics", "sessions", "searched", "notes"],
    additionalProperties: false,
  },
};
