import { describe, expect, it } from "vitest";
import { ServerFailure } from "../../../src/client/server-failure.ts";
import type { Connection, ConnectionEvents } from "../../../src/node/client/connection.ts";
import { type Connector, createConnector } from "../../../src/node/client/connector.ts";

const CONNECTION: Connection = {
  offers: () => false,
  list: async () => ({ pages: [], isIncomplete: false }),
  call: async () => undefined,
  read: async () => undefined,
  close: async () => undefined,
};

interface Fixture {
  readonly connector: Connector;
  /** What happened, in order. */
  readonly log: readonly string[];
  /** The events of the last attempt to connect. */
  readonly events: () => ConnectionEvents | undefined;
}

function fixture(prepare: () => Promise<void> = async () => undefined): Fixture {
  const log: string[] = [];
  let last: ConnectionEvents | undefined;
  const connector = createConnector({
    prepare: async () => {
      await prepare();
      return async (events) => {
        log.push("connect");
        last = events;
        events.onTransport({
          close: async () => void log.push("transport closed"),
          kill: () => void log.push("transport killed"),
        });
        return CONNECTION;
      };
    },
    onConnected: () => void log.push("connected"),
    onLost: ({ message }) => void log.push(`lost: ${message}`),
  });
  return { connector, log, events: () => last };
}

const EXITED = new ServerFailure("ENDED", "exited with code 1");

describe("the connection to a server", () => {
  it("goes from idle over starting to connected, and shares one attempt", async () => {
    const { connector, log } = fixture();
    expect(connector.state()).toEqual({ kind: "idle" });
    const both = [connector.open(), connector.open()];
    expect(connector.state()).toEqual({ kind: "starting" });
    await Promise.all(both);
    expect(connector.state()).toEqual({ kind: "connected" });
    expect(log).toEqual(["connect", "connected"]);
  });

  it("becomes absent when the server ends, and connects again when it is opened", async () => {
    const { connector, log, events } = fixture();
    await connector.open();
    events()?.onEnd(EXITED);
    expect(connector.state()).toEqual({ kind: "absent", message: "exited with code 1" });
    await connector.open();
    expect(connector.state()).toEqual({ kind: "connected" });
    expect(log).toEqual([
      "connect",
      "connected",
      "lost: exited with code 1",
      "connect",
      "connected",
    ]);
  });

  it("becomes absent without connecting when the server may not be started", async () => {
    const refusal = new ServerFailure("NOT_STARTED", "its approval was withdrawn");
    const { connector, log } = fixture(async () => {
      throw refusal;
    });
    await expect(connector.open()).rejects.toBe(refusal);
    expect(connector.state()).toEqual({ kind: "absent", message: "its approval was withdrawn" });
    expect(log).toEqual(["lost: its approval was withdrawn"]);
  });

  it("starts nothing after it was closed during the preparation", async () => {
    const gate = Promise.withResolvers<void>();
    const { connector, log } = fixture(() => gate.promise);
    const opening = connector.open();
    await connector.close();
    gate.resolve();
    await expect(opening).rejects.toMatchObject({ code: "INTERRUPTED" });
    expect(log).toEqual([]);
  });

  it("reports nothing that happens after it was closed", async () => {
    const { connector, log, events } = fixture();
    await connector.open();
    await connector.close();
    events()?.onEnd(EXITED);
    expect(log).toEqual(["connect", "connected", "transport closed"]);
  });
});
