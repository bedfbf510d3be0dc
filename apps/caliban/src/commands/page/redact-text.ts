import { redactSecrets } from "@caliban/common/secrets";
import type { Host } from "../../host.ts";

/** Removes from a text what must not leave this machine: secrets, and the home directory with the user's name. */
export function redactText({ home }: Pick<Host, "home">): (text: string) => Promise<string> {
  return async (text) => {
    const { text: redacted } = await redactSecrets(text);
    return home === undefined || home === "/" ? redacted : redacted.replaceAll(home, "~");
  };
}
