import { createQueue } from "@caliban/common";
import type { PermissionRequest } from "../permissions/match-rule.ts";
import {
  type PermissionGate,
  type PermissionGateInput,
  permissionRequest,
} from "../permissions/permission-gate.ts";
import type { PartsOf, Tool, ToolCall } from "../tool.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import type { ToolRunnerInput } from "./tool-runner.ts";

export interface Called {
  readonly tool: Tool;
  readonly call: ToolCall;
}

/** Decides about calls in the order in which they were made: neither a call nor a question may overtake an earlier one. */
export function createPermit(
  {
    notify,
    reservedReason,
    beforeCall,
  }: Pick<PermissionGateInput, "notify"> & Pick<ToolRunnerInput, "reservedReason" | "beforeCall">,
  decide: PermissionGate,
): (caller: { readonly record: ConversationRecord }, called: Called) => Promise<PermittedCall> {
  const inOrder = createQueue();
  return async ({ record }, { tool, call }) => {
    const { permission } = tool;
    // Started before it is the turn of this call, so that calls do not wait for each other's hooks.
    const objecting = beforeCall?.({ ...call, permission });
    // A failure is reported where the answer is needed.
    objecting?.catch(() => undefined);
    const { decided, ...others } = await inOrder(async () => {
      const partsOf = await tool.loadPartsOf?.();
      const sandbox = await tool.sandboxOf?.(call.input, notify);
      const request: PermissionRequest = {
        ...permissionRequest(tool, call, partsOf),
        reservedReason: reservedReason?.({ ...call, permission }),
        objection: await objecting,
        sandbox,
      };
      const { objection } = request;
      if (objection !== undefined) record.addTextOfOthers(objection.text);
      return { request, partsOf, decided: decide(request, call) };
    });
    return { ...others, permit: await decided };
  };
}

export type Permit = Awaited<ReturnType<PermissionGate>>;

export interface PermittedCall {
  readonly request: PermissionRequest;
  readonly partsOf: PartsOf | undefined;
  readonly permit: Permit;
}
