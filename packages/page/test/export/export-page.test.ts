import { expect, it } from "vitest";
import { exportPage } from "../../src/node/export-page.ts";
import { memoryData, projectsOf, topicText } from "../memory-data.ts";

it("removes a text from every view before anything is made of it, even if it spans lines", async () => {
  const data = memoryData();
  const secret = "BEGIN\none\ntwo\nEND";
  await data.save({
    scope: "project",
    slug: "a",
    text: topicText("a", secret),
    ifMatch: undefined,
  });
  await data.save({
    scope: "user",
    slug: "b",
    text: topicText("b", "plain text"),
    ifMatch: undefined,
  });
  const html = await exportPage({
    projects: projectsOf({ a1: data }),
    client: { script: "run()", style: "" },
    redact: async (text) => text.replaceAll(secret, "[redacted]"),
  });
  const [, json = ""] = /id="stored">(.*)<\/script>/.exec(html) ?? [];
  const stored = JSON.parse(json) as Readonly<Record<string, unknown>>;
  expect(Object.keys(stored)).toEqual(
    expect.arrayContaining([
      "projects",
      "about",
      "prompt",
      "topics",
      "inbox",
      "changes",
      "generation?id=2",
      "health/findings",
      "health/pipeline",
    ]),
  );
  expect(stored["topic?scope=project&slug=a"]).toMatchObject({ body: "[redacted]" });
  expect(stored["topic?scope=user&slug=b"]).toMatchObject({ body: "plain text" });
  expect(json).not.toMatch(/\btwo\b/);
  expect(html).toContain("connect-src 'none'");
});
