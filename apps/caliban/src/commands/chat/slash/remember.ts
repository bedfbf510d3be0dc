import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/remember TEXT`: in words, so that the same tools and permissions are used as always. */
export async function remember({ rest }: SlashInput): Promise<SlashResult> {
  if (rest === "")
    return { kind: "mistake", text: "Say what to remember: /remember we deploy with pnpm ship" };
  return { kind: "send", text: `Remember this: ${rest}` };
}

/** `/forget TEXT`: likewise. */
export async function forget({ rest }: SlashInput): Promise<SlashResult> {
  if (rest === "") return { kind: "mistake", text: "Say what to forget: /forget how we deploy" };
  return { kind: "send", text: `Forget this: ${rest}` };
}
