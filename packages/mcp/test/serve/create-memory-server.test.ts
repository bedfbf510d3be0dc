import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { Client, InMemoryTransport, ResourceNotFoundError } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createMemoryServer,
  type MemoryServerInput,
} from "../../src/serve/create-memory-server.ts";

async function connected(input: MemoryServerInput, name = "test-client"): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMemoryServer(input).connect(far);
  const client = new Client({ name, version: "1.0.0" });
  await client.connect(near);
  onTestFinished(() => client.close());
  return client;
}

async function storeWith(name: string): Promise<TopicStore> {
  const store = createMapTopicStore();
  await store.write({
    name,
    description: "run migrations first",
    type: "project",
    body: "Then flip the flag.",
    author: { who: "agent" },
  });
  return store;
}

const WRITE = {
  name: "WriteMemoryTopic",
  arguments: { name: "release", description: "every Tuesday", type: "project", body: "At noon." },
};

describe("a server for a topic store", () => {
  it("lists, reads, completes and searches the topics of the store", async () => {
    const client = await connected({ store: await storeWith("deploy") });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["memory://index", "memory://topics/deploy"]);
    const { contents } = await client.readResource({ uri: "memory://topics/deploy" });
    expect(contents).toMatchObject([{ text: expect.stringContaining("Then flip the flag.") }]);
    const list = await client.readResource({ uri: "memory://topics" });
    expect(list.contents).toMatchObject([{ text: "deploy (project): run migrations first\n" }]);
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "memory://topics/{slug}" },
      argument: { name: "slug", value: "DE" },
    });
    expect(completion.values).toEqual(["deploy"]);
    const found = await client.callTool({
      name: "MemorySearch",
      arguments: { query: "migrations" },
    });
    expect(JSON.stringify(found)).toContain("deploy");
  });

  it("writes topics to the store, with the client as the session in the history", async () => {
    const store = createMapTopicStore();
    const client = await connected({ store });
    expect(await client.callTool(WRITE)).not.toMatchObject({ isError: true });
    expect((await store.read("release"))?.text).toContain("At noon.");
  });

  it("refuses to write for a client whose name is a secret", async () => {
    const store = createMapTopicStore();
    const secret = ["gh", "p_", "w7RkT2mZq9LxV4nB8cYd3Fh6Jp0SgAeU5tXi"].join("");
    const client = await connected({ store }, `agent ${secret}`);
    const result = await client.callTool(WRITE);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain("GitHub token in the name of the session");
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(await store.read("release")).toBeUndefined();
  });

  it("offers no tool that changes memory when it is read-only, and refuses a call of one", async () => {
    const store = await storeWith("deploy");
    const client = await connected({ store, isReadOnly: true });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["ReadMemoryTopic", "MemorySearch"]);
    expect(await client.callTool(WRITE)).toMatchObject({ isError: true });
    expect(await store.read("release")).toBeUndefined();
  });

  it.for(["memory://topics/none", "memory://topics/a%2Fb", "memory://root", "file:///etc/passwd"])(
    "refuses to read %s",
    async (uri) => {
      const client = await connected({ store: createMapTopicStore() });
      const failure: unknown = await client.readResource({ uri }).catch((error: unknown) => error);
      // What the SDK makes of the code.
      expect(failure).toBeInstanceOf(ResourceNotFoundError);
    },
  );

  it("notifies a client of a change of a resource that it subscribed to", async () => {
    const store = await storeWith("deploy");
    const changed = Promise.withResolvers<string>();
    let onChange = (): void => undefined;
    const client = await connected({
      store,
      watch: (events) => {
        ({ onChange } = events);
        return () => undefined;
      },
    });
    client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
      changed.resolve(params.uri),
    );
    await client.subscribeResource({ uri: "memory://topics/deploy" });
    const before = await store.read("deploy");
    await store.write({
      name: "deploy",
      description: "run migrations last",
      type: "project",
      body: "Flip the flag first.",
      ifMatch: before?.hash,
      author: { who: "agent" },
    });
    onChange();
    expect(await changed.promise).toBe("memory://topics/deploy");
  });

  it("says what is missing when it is created without a store", () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a caller without types may do
    expect(() => createMemoryServer({} as MemoryServerInput)).toThrow(
      "createMemoryServer requires a store",
    );
  });
});
