// Makes one change of a store on the real disk, and kills itself with SIGKILL before one of its system calls.
import { nodeDisk } from "@caliban/common/node";
import { createFsTopicStore } from "../../../../src/node/topics/fs-topic-store.ts";
import { interceptedDisk } from "../intercepted-disk.ts";
import { CHANGES } from "./crash-changes.ts";

const [directory = "", historyDirectory = "", change = "", killAt = ""] = process.argv.slice(2);
const before = ({ step }: { readonly step: number }): void => {
  if (step === Number(killAt)) process.kill(process.pid, "SIGKILL");
};
const store = createFsTopicStore({
  directory,
  historyDirectory,
  disk: interceptedDisk({ before }, nodeDisk),
  findSecrets: async () => [],
});
await CHANGES[change]?.(store);
process.stdout.write("survived");
