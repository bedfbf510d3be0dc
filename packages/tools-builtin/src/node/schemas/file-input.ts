import { z } from "zod";

/** The validated input of each file tool. */
export interface FileInputs {
  readonly Read: {
    readonly file_path: string;
    readonly offset?: number | undefined;
    readonly limit?: number | undefined;
  };
  readonly Write: { readonly file_path: string; readonly content: string };
  readonly Edit: {
    readonly file_path: string;
    readonly old_string: string;
    readonly new_string: string;
    readonly replace_all?: boolean | undefined;
  };
  readonly Bash: {
    readonly command: string;
    readonly timeout_ms?: number | undefined;
    readonly description?: string | undefined;
    readonly run_in_background?: boolean | undefined;
  };
  readonly BashOutput: { readonly id: string; readonly stop?: boolean | undefined };
  readonly Grep: {
    readonly pattern: string;
    readonly path?: string | undefined;
    readonly glob?: string | undefined;
    readonly output_mode?: "content" | "files_with_matches" | "count" | undefined;
    readonly ignore_case?: boolean | undefined;
    readonly context?: number | undefined;
    readonly head_limit?: number | undefined;
  };
  readonly Glob: { readonly pattern: string; readonly path?: string | undefined };
  readonly WebFetch: { readonly url: string };
}

export type FileToolName = keyof FileInputs;

const filePath = z.string().min(1);
const directory = z.string().min(1).optional();

/** Validate the inputs. The JSON Schemas that the model sees are generated from these. */
export const FILE_INPUTS: { readonly [Name in FileToolName]: z.ZodType<FileInputs[Name]> } = {
  Read: z.strictObject({
    file_path: filePath,
    offset: z.int().min(1).optional().describe("The first line to read, starting at 1."),
    limit: z.int().min(1).optional(),
  }),
  Write: z.strictObject({ file_path: filePath, content: z.string() }),
  Edit: z.strictObject({
    file_path: filePath,
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  }),
  Bash: z.strictObject({
    command: z.string().min(1).max(100_000),
    timeout_ms: z.int().min(1).max(600_000).optional().describe("Default: 120000."),
    description: z.string().max(200).optional().describe("For the user, in a few words."),
    run_in_background: z.boolean().optional(),
  }),
  BashOutput: z.strictObject({ id: z.string(), stop: z.boolean().optional() }),
  Grep: z.strictObject({
    pattern: z.string().min(1).max(2_000),
    path: directory.describe("A file or directory."),
    glob: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("Only search matching files: *.ts, src/**"),
    output_mode: z.enum(["content", "files_with_matches", "count"]).optional(),
    ignore_case: z.boolean().optional(),
    context: z.int().min(0).max(50).optional().describe("Lines of context around each match."),
    head_limit: z.int().min(1).max(2_000).optional().describe("Default: 100."),
  }),
  Glob: z.strictObject({ pattern: z.string().min(1).max(500), path: directory }),
  WebFetch: z.strictObject({ url: z.string().max(2_000) }),
};
