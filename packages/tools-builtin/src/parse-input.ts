import type { z } from "zod";

/** An input that was proven, or sentences that tell the model how to call again. */
export type ParsedInput<T> = { readonly input: T } | { readonly problem: string };

/** Checks what a model sent. Nothing is guessed and nothing beside the schema is let through. */
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
