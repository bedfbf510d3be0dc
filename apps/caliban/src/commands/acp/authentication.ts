import type { AuthMethod } from "@agentclientprotocol/sdk";
import { resolveModel, OFFLINE_MODEL } from "@caliban/providers";
import type { Invocation } from "../../command.ts";
import { conversationFlags } from "../../cli/conversation-flags.ts";
import { openProject } from "../../project/project.ts";
import { authRequired, invalidParams } from "./protocol/request-error.ts";

/** How an editor's user gets a model. caliban stores no keys, so it can only look for one again. */
export const AUTH_METHODS: AuthMethod[] = [
  {
    id: "api-key",
    name: "API key in the environment",
    description:
      "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment that the editor gives caliban, or set models.default in the settings to a model on this machine.",
  },
  {
    id: "offline",
    name: "Offline model",
    description: "Use the built-in model, which answers from memory only and needs no key.",
  },
];

export interface Authentication {
  /** @throws RequestError if there is still no model, or for an unknown method */
  readonly authenticate: (methodId: string) => Promise<void>;
  readonly allowsOffline: () => boolean;
}

export function createAuthentication(invocation: Invocation): Authentication {
  let allowsOffline = false;
  return {
    allowsOffline: () => allowsOffline,
    authenticate: async (methodId) => {
      if (!AUTH_METHODS.some(({ id }) => id === methodId)) {
        throw invalidParams(`unknown method: ${JSON.stringify(methodId)}`);
      }
      if (methodId === "offline") {
        allowsOffline = true;
        return;
      }
      const problem = await missingModel(invocation);
      if (problem !== undefined) throw authRequired(problem);
    },
  };
}

/** Settings may have changed since; the environment of a running process cannot. */
async function missingModel(invocation: Invocation): Promise<string | undefined> {
  const { environment, settings } = await openProject(invocation);
  const { model } = conversationFlags(invocation);
  const chosen = resolveModel(model, {
    values: settings.values,
    env: environment.env,
    role: "default",
  });
  if ("problem" in chosen) return chosen.problem.message;
  const isRequested = model !== undefined || settings.values["models.default"] !== undefined;
  if (chosen.name !== OFFLINE_MODEL || isRequested) return undefined;
  return "still no API key. A running program does not see new variables: set the key in the editor's configuration of caliban, then restart the agent";
}
