// Generated from file-input.ts by `pnpm --filter @caliban/tools-builtin schemas`. Do not edit.
import type { JsonSchema } from "@caliban/agent-core";
import type { FileToolName } from "./file-input.ts";

/** The inputs of the file tools, as the model sees them. */
export const FILE_INPUT_SCHEMAS: Readonly<Record<FileToolName, JsonSchema>> = {
  Read: {
    type: "object",
    properties: {
      file_path: { type: "string", minLength: 1 },
      offset: {
        description: "The first line to read, starting at 1.",
        type: "integer",
        minimum: 1,
        maximum: 9007199254740991,
      },
      limit: { type: "integer", minimum: 1, maximum: 9007199254740991 },
    },
    required: ["file_path"],
    additionalProperties: false,
  },
  Write: {
    type: "object",
    properties: { file_path: { type: "string", minLength: 1 }, content: { type: "string" } },
    required: ["file_path", "content"],
    additionalProperties: false,
  },
  Edit: {
    type: "object",
    properties: {
      file_path: { type: "string", minLength: 1 },
      old_string: { type: "string" },
      new_string: { type: "string" },
      replace_all: { type: "boolean" },
    },
    required: ["file_path", "old_string", "new_string"],
    additionalProperties: false,
  },
  Bash: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, maxLength: 100000 },
      timeout_ms: { description: "Default: 120000.", type: "integer", minimum: 1, maximum: 600000 },
      description: { description: "For the user, in a few words.", type: "string", maxLength: 200 },
      run_in_background: { type: "boolean" },
    },
    required: ["command"],
    additionalProperties: false,
  },
  BashOutput: {
    type: "object",
    properties: { id: { type: "string" }, stop: { type: "boolean" } },
    required: ["id"],
    additionalProperties: false,
  },
  Grep: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, maxLength: 2000 },
      path: { description: "A file or directory.", type: "string", minLength: 1 },
      glob: {
        description: "Only search matching files: *.ts, src/**",
        type: "string",
        minLength: 1,
        maxLength: 500,
      },
      output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
      ignore_case: { type: "boolean" },
      context: {
        description: "Lines of context around each match.",
        type: "integer",
        minimum: 0,
        maximum: 50,
      },
      head_limit: { description: "Default: 100.", type: "integer", minimum: 1, maximum: 2000 },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  Glob: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, maxLength: 500 },
      path: { type: "string", minLength: 1 },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  WebFetch: {
    type: "object",
    properties: { url: { type: "string", maxLength: 2000 } },
    required: ["url"],
    additionalProperties: false,
  },
};
