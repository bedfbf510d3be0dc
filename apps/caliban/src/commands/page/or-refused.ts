import type { ChangeOutcome } from "@caliban/page";
import type { Host } from "../../host.ts";
import { describeError } from "./describe-error.ts";

type PageChange<Input> = (input: Input) => Promise<ChangeOutcome>;

/** A change whose problems that the user can fix are outcomes: one of several changes must not stop the others. */
export function orRefused<Input>(
  host: Pick<Host, "command">,
  change: PageChange<Input>,
): PageChange<Input> {
  return async (input) => {
    try {
      return await change(input);
    } catch (error) {
      const message = describeError(error, host);
      if (message === undefined) throw error;
      return refused(message);
    }
  };
}

export function refused(message: string): ChangeOutcome {
  return { kind: "refused", message };
}
