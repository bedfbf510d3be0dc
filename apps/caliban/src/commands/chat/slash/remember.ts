import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/remember TEXT`: sent as a message, so that the usual tools and permissions apply. */
export async function remember({ rest }: SlashInput): Promise<SlashResult> {
  if (rest === "")
    return { kind: "error", text: "missing text. Example: /remember we deploy with pnpm ship" };
  return { kind: "send", text: `Remember this: ${rest}` };
}

/** `/forget TEXT`: likewise. */
export async function forget({ rest }: SlashInput): Promise<SlashResult> {
  if (rest === "") return { kind: "error", text: "missing text. Example: /forget how we deploy" };
  return { kind: "send", text: `Forget this: ${rest}` };
}
