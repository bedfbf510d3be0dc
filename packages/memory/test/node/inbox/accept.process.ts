// Accepts a proposal on the real disk. With "before" or "after", kills itself around the write of the topic.
import { openInbox } from "../../../src/node/inbox/open-inbox.ts";
import { createFsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";

const [inbox = "", directory = "", historyDirectory = "", id = "", killed = ""] =
  process.argv.slice(2);
const findSecrets = async (): Promise<readonly never[]> => [];
const store = createFsTopicStore({ directory, historyDirectory, findSecrets });
const { kind } = await openInbox(inbox, { findSecrets }).accept(id, {
  store: {
    ...store,
    write: async (input) => {
      if (killed === "before") process.kill(process.pid, "SIGKILL");
      const result = await store.write(input);
      if (killed === "after") process.kill(process.pid, "SIGKILL");
      return result;
    },
  },
});
process.stdout.write(kind);
