import type { z } from "zod";

/** A validated input, or a text that tells the model how to fix its call. */
export type ParsedInput<T> = { readonly input: T } | { readonly problem: string };

/** Validates what a model sent. Nothing is guessed, and unknown fields are rejected. */
export function parseInput<T>(schema: z.ZodType<T>, tool: string, input: unknown): ParsedInput<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { input: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) => {
    const field = path.join(".");
    return field === "" ? message : `${field}: ${message}`;
  });
  return {
    problem: `${tool} was not run. ${problems.join("; ")}. Call it again with the fields of its schema.`,
  };
}
