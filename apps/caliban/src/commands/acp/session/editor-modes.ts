import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { PERMISSION_MODES, type PermissionMode } from "@caliban/agent-core";
import { MODE_DESCRIPTIONS } from "@caliban/tui";
import type { Conversation } from "../../../conversation/conversation.ts";
import { KNOWN_MODELS } from "../../candidates/known-models.ts";

/** The permission modes, as an editor offers them. */
export function modesOf(conversation: Pick<Conversation, "policy">): SessionModeState {
  return {
    currentModeId: conversation.policy().mode,
    availableModes: PERMISSION_MODES.map((id) => ({
      id,
      name: id,
      description: MODE_DESCRIPTIONS[id],
    })),
  };
}

export function isMode(id: string): id is PermissionMode {
  return PERMISSION_MODES.some((mode) => mode === id);
}

/** The id of the option that selects the model. */
const MODEL_OPTION_ID = "model";

/** What an editor can configure: the model. One that is not known by name is offered while it is used. */
export function configOptionsOf(conversation: Pick<Conversation, "model">): SessionConfigOption[] {
  const current = conversation.model();
  const names = [...new Set([current, ...KNOWN_MODELS])];
  return [
    {
      type: "select",
      id: MODEL_OPTION_ID,
      name: "Model",
      category: "model",
      currentValue: current,
      options: names.map((value) => ({ value, name: value })),
    },
  ];
}

export function isModelOption(id: string): boolean {
  return id === MODEL_OPTION_ID;
}
