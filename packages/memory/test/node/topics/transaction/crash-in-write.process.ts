// Makes one change of a store, and ends itself with SIGKILL before or after one of its system calls.
import { createFsTopicStore } from "../../../../src/node/topics/fs-topic-store.ts";
import { interceptedDisk } from "../intercepted-disk.ts";
import { topic } from "../store-home.ts";

const [directory = "", historyDirectory = "", change = "", when = "", at = ""] =
  process.argv.slice(2);
const killAt = ({ step }: { readonly step: number }): void => {
  if (step === Number(at)) process.kill(process.pid, "SIGKILL");
};
const disk = interceptedDisk(when === "before" ? { before: killAt } : { after: killAt });
const store = createFsTopicStore({
  directory,
  historyDirectory,
  disk,
  findSecrets: async () => [],
});
const author = { who: "agent" } as const;
if (change === "write")
  await store.write({ ...topic("known", "New."), description: "another line", replace: true });
if (change === "create") await store.write(topic("new"));
if (change === "remove") await store.remove({ name: "known", author });
if (change === "rename") await store.rename({ from: "known", to: "renamed", author });
if (change === "import") {
  const header = (name: string): string =>
    `---\nname: ${name}\ndescription: what ${name} is\nmetadata:\n  type: project\n---\n\n`;
  await store.importTopics({
    author,
    agent: "claude",
    files: ["new", "known"].map((name) => ({
      name,
      text: `${header(name)}About new.\n`,
      path: `/c/${name}.md`,
    })),
    index: "- [new](new.md) — project: what new is\n\nTheirs.\n",
  });
}
process.stdout.write("survived");
