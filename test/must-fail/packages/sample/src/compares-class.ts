// breaks: caliban(errors-by-name)
import { SampleError } from "./sample-error.ts";

export function isSample(error: unknown): boolean {
  return error instanceof SampleError;
}
