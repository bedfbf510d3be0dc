import { join } from "node:path";

const REPLACEMENT = join(
  import.meta.dirname,
  "../../packages/providers/src/node/http/lean-headers.ts",
);

/**
 * Gives the AI SDK's request code our own `Headers`. It makes them for every request, and the first touch of the global
 * loads Node's whole fetch: 16 to 28 ms, more than all the rest of a first request.
 */
export function leanHeaders() {
  return {
    name: "lean-headers",
    transform: {
      filter: { id: /[\\/]@ai-sdk[\\/]provider-utils[\\/]/ },
      handler: (code: string): string | undefined =>
        /\bHeaders\b/.test(code)
          ? `import { LeanHeaders as Headers } from ${JSON.stringify(REPLACEMENT)};\n${code}`
          : undefined,
    },
  };
}
