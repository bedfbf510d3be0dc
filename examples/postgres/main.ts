// Memory of two users in one PostgreSQL database, shared by every machine that reaches it.
import { createTopicStore, type TopicStore } from "@caliban/memory";
import { loadMemory } from "@caliban/memory/node";
import { createPostgresBackend, migrate } from "@caliban/memory-postgres";

const url = process.env["DATABASE_URL"];
if (url === undefined) {
  console.log("Set DATABASE_URL to the address of a PostgreSQL server.");
  process.exit(1);
}
await migrate({ url });

const project = `example-${crypto.randomUUID()}`;
const backends = ["ann", "ben"].map((tenant) =>
  createPostgresBackend({ url, tenant, project, scope: "project" }),
);
const [ann, ben] = backends.map((backend) => createTopicStore({ backend })) as [
  TopicStore,
  TopicStore,
];

await ann.write({
  name: "deploy",
  description: "run migrations first",
  type: "project",
  body: "Then flip the flag.",
  author: { who: "agent", agent: "reviewer", user: "ann" },
});
console.log(
  `ann has ${(await ann.list()).topics.length} topic, ben has ${(await ben.list()).topics.length}`,
);

// Another process, on another machine: it has not seen the topic, so it may not replace it.
const other = createPostgresBackend({ url, tenant: "ann", project, scope: "project" });
const blind = await createTopicStore({ backend: other }).write({
  name: "deploy",
  description: "something else",
  type: "project",
  body: "Other.",
  author: { who: "agent" },
});
console.log(`a write by an agent that has not read the topic: ${blind.kind}`);

const { prefix } = await loadMemory({ directory: process.cwd(), store: ann });
console.log(prefix.split("\n").find((line) => line.startsWith("- [deploy]")));

const { undone } = await ann.undo({ author: { who: "person", user: "ann" } });
console.log(`undone: ${undone.action} by ${undone.agent} for ${undone.user}`);
for (const backend of [...backends, other]) await backend.close();
