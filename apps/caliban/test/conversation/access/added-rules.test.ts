import { join } from "node:path";
import { parsePermissionRule, type PolicyRule } from "@caliban/agent-core";
import { expect, it } from "vitest";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { machine } from "../../fake-host.ts";
import { openTestConversation } from "../open-test-conversation.ts";

function rule(text: string): PolicyRule {
  const parsed = parsePermissionRule(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return { ...parsed.rule, source: "test" };
}

it("applies a rule that is added during a conversation, also to searches", async () => {
  const place = await machine();
  await writeFiles(join(place.home, "app"), { "a.txt": "word\n", "private/b.txt": "word\n" });
  const { conversation } = await openTestConversation(place);
  const grep = conversation.tools().find(({ name }) => name === "Grep");
  const search = async (): Promise<string | undefined> =>
    (await grep?.run({ pattern: "word" }, { usedTools: [], notify: () => undefined }))?.text;
  expect(await search()).toContain("private/b.txt");
  conversation.addRule("deny", rule("fs.read(private/*)"));
  expect(conversation.policy().deny.map(({ text }) => text)).toContain("fs.read(private/*)");
  expect(await search()).not.toContain("private/b.txt");
  await conversation.close();
});
