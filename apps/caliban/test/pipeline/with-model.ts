import { onTestFinished } from "vitest";
import type { ReceivedRequest } from "../../../../test/support/model-server/received-request.ts";
import {
  type Script,
  startModelServer,
} from "../../../../test/support/model-server/model-server.ts";
import type { Machine } from "../fake-host.ts";
import { ENABLED, machineWithPast, type PastSession } from "./past-sessions.ts";

export const SHIP: PastSession = {
  id: "20261110-100000-aaaa",
  said: "Always deploy with pnpm ship, never by hand.",
};

export const EXTRACTED =
  '{"rollout_summary":"They ship.","rollout_slug":"ship","raw_memory":"- Deploy with pnpm ship."}';
export const CONSOLIDATED =
  '{"memory_md":"# Memory\\n\\n- Deploy with pnpm ship.\\n","memory_summary":"Deploy with pnpm ship.","skills":[]}';

/** A model that learns the same from every session. */
export function learnsToShip({ text }: ReceivedRequest): { readonly text: string } {
  return { text: text.includes("raw_memory") ? EXTRACTED : CONSOLIDATED };
}

export interface MachineWithModel extends Machine {
  readonly directory: string;
  readonly requests: () => number;
  /** The text of all requests so far. */
  readonly asked: () => string;
}

/** A machine with past sessions and a local model server. */
export async function withModel(
  script: Script,
  {
    past = [SHIP],
    more = "",
    provider = "",
  }: {
    readonly past?: readonly PastSession[];
    /** More lines of `[memories]`, and sections after it. */
    readonly more?: string;
    /** More lines of the provider. */
    readonly provider?: string;
  } = {},
): Promise<MachineWithModel> {
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  const settings = `${ENABLED}${more}\n[models]\ndefault = "local/m"\n\n[providers.local]\nbase_url = "${server.baseUrl("chat-completions")}"\n${provider}`;
  const at = await machineWithPast(past, settings);
  return {
    ...at,
    requests: () => server.requests.length,
    asked: () => server.requests.map(({ text }) => text).join("\n"),
  };
}
