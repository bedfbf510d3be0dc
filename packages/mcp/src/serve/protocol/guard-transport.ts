import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Transport,
} from "@modelcontextprotocol/server";
import { PROTOCOL_CODE, ProtocolError, isProtocolError } from "../protocol-error.ts";
import { checkSdkRequest, isKnownMethod } from "./requests.ts";

/** Refuses requests in the wrong order, and invalid ones among those that the SDK answers itself. For older clients. */
export function guardTransport(transport: Transport): Transport {
  let isInitialized = false;
  const refuse = ({ id }: JSONRPCRequest, { code, message }: ProtocolError): void => {
    transport.send({ jsonrpc: "2.0", id, error: { code, message } }).catch((cause: unknown) => {
      guarded.onerror?.(cause instanceof Error ? cause : new Error(String(cause)));
    });
  };
  const accept = (message: JSONRPCMessage): boolean => {
    if (!("method" in message) || !("id" in message)) return true;
    try {
      checkOrder(message.method, isInitialized);
      checkSdkRequest(message);
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      refuse(message, error);
      return false;
    }
    isInitialized ||= message.method === "initialize";
    return true;
  };
  const guarded: Transport = {
    start: async () => {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
      transport.onclose = () => guarded.onclose?.();
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
      transport.onerror = (error) => guarded.onerror?.(error);
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
      transport.onmessage = (message, extra) => {
        if (accept(message)) guarded.onmessage?.(message, extra);
      };
      await transport.start();
    },
    send: async (message: JSONRPCMessage, options) =>
      await transport.send(withOldCode(message), options),
    close: async () => await transport.close(),
    setProtocolVersion: (version) => transport.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => transport.setSupportedProtocolVersions?.(versions),
  };
  return guarded;
}

/**
 * Thrown for a resource that does not exist, to a client from before 2026-07-28. The SDK replaces the code that the
 * protocol had then, and leaves this one.
 */
export const OLD_NOT_FOUND = -32_902;

function withOldCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message) || message.error.code !== OLD_NOT_FOUND) return message;
  return { ...message, error: { ...message.error, code: PROTOCOL_CODE.resourceNotFound } };
}

function checkOrder(method: string, isInitialized: boolean): void {
  if (isInitialized && method === "initialize") {
    const message = "this connection is already initialized; open another one";
    throw new ProtocolError(PROTOCOL_CODE.invalidRequest, message);
  }
  // An unknown method is refused as such, at any time.
  if (!isInitialized && isKnownMethod(method)) {
    const message = `${method} is not allowed yet: the first request must be initialize`;
    throw new ProtocolError(PROTOCOL_CODE.invalidRequest, message);
  }
}
