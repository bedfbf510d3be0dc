import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseTopic as parseWithYaml } from "../../src/topics/parse-topic.ts";
import { renderTopic as renderWithYaml } from "../../src/topics/render-topic.ts";
import { parseTopicSlug } from "../../src/topics/slug.ts";
import { parseTopic, renderTopic } from "../../src/topics/topic-file.ts";
import { PIECES } from "./yaml-pieces.ts";

const TOPIC = {
  name: "deploy",
  description: "order",
  type: "project",
  body: "Flags last.",
} as const;
const HEADERS = [
  "",
  "No header.\n",
  "---\nname: deploy\ndescription: order\ntype: user\n---\n\nBody.\n",
  "---\nname: deploy # ours\ndescription: [a\n---\n\nBody.\n",
  "---\n# ours\nname: deploy\nmetadata: {type: user, extra: 1}\n---\n\nBody.\n",
  "---\nname: never closed\n",
  "\uFEFF---\r\nname: deploy\r\ntype: user\r\n---\r\n\r\nBody.\r\n",
];

it.for(HEADERS)("parses and replaces %j as a store does", async (file) => {
  expect(await parseTopic(file)).toEqual(parseWithYaml(file));
  const slug = { ...TOPIC, name: parseTopicSlug(TOPIC.name) };
  expect(await renderTopic(TOPIC, file)).toBe(renderWithYaml(slug, file));
});

it("parses what it renders", async () => {
  const line = fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }).map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(line, line, async (description, text) => {
      const body = `a${text}z`.replaceAll(/[\r\0]/g, "");
      const parsed = await parseTopic(await renderTopic({ ...TOPIC, description, body }));
      expect({ name: parsed.name, type: parsed.type, body: parsed.body }).toEqual({
        name: "deploy",
        type: "project",
        body,
      });
    }),
  );
});

it("renders a description of several lines as one line", async () => {
  const text = await renderTopic({ ...TOPIC, description: "  two\nlines " });
  expect((await parseTopic(text)).description).toBe("two lines");
});
