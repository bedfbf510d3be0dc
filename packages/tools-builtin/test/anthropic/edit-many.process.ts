// Edits a file that several processes share, and creates files of its own, with the memory tool.
import { createFsTopicStore } from "@caliban/memory/node";
import { anthropicMemoryHandler } from "../../src/anthropic/anthropic-memory-handler.ts";

const [directory = "", writer = "", count = ""] = process.argv.slice(2);
const store = createFsTopicStore({ directory, findSecrets: async () => [] });
const tool = anthropicMemoryHandler(store, { session: `s-${writer}`, onError: "return" });
const path = "/memories/shared.md";
const replies: string[] = [];
replies.push(await tool.create({ path, file_text: "Shared.\n\nEND" }));
for (let n = 0; n < Number(count); n++) {
  const line = `writer ${writer}, line ${n}`;
  replies.push(
    n % 2 === 0
      ? await tool.insert({ path, insert_line: 2, insert_text: line })
      : await tool.str_replace({ path, old_str: "\nEND", new_str: `\n${line}\nEND` }),
    await tool.create({ path: `/memories/own-${writer}-${n}.md`, file_text: line }),
  );
}
process.stdout.write(JSON.stringify(replies));
