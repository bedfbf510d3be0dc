import { expect, it } from "vitest";
import type { PageProject } from "../../src/index.ts";
import { exportPage } from "../../src/node/export-page.ts";
import { memoryData, projectsOf, topicText, withGenerations } from "../memory-data.ts";

it("removes a text from every view before anything is made of it, even if it spans lines", async () => {
  const data = withGenerations(memoryData());
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

it("stores every project apart, and leaves out those that cannot be shown", async () => {
  const [one, other] = [memoryData(), memoryData()];
  const topic = { scope: "project", slug: "b", ifMatch: undefined } as const;
  await other.save({ ...topic, text: topicText("b", "of the other") });
  const projects = projectsOf({ a1: one, b2: other }, true);
  const [first] = await projects.list();
  const gone = { ...first, id: "c3", problem: "it is gone", path: "~/c3" } as PageProject;
  const html = await exportPage({
    projects: { ...projects, list: async () => [...(await projects.list()), gone] },
    client: { script: "run()", style: "" },
    redact: async (text) => text,
  });
  const [, json = ""] = /id="stored">(.*)<\/script>/.exec(html) ?? [];
  const stored = JSON.parse(json) as Readonly<Record<string, unknown>>;
  expect(stored["projects"]).toMatchObject({ isAll: true, rows: [{}, {}, { id: "c3" }] });
  expect(stored["@a1/topics"]).toEqual({ rows: [] });
  expect(stored["@b2/topic?scope=project&slug=b"]).toMatchObject({ body: "of the other" });
  expect(Object.keys(stored).filter((key) => key.startsWith("@c3"))).toEqual([]);
});
