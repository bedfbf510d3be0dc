import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { renderIndexLine } from "../../packages/memory/src/index-file/render-line.ts";
import { renderTopic } from "../../packages/memory/src/topics/render-topic.ts";
import { parseNewTopicSlug } from "../../packages/memory/src/topics/slug.ts";
import { TOPIC_TYPES } from "../../packages/memory/src/topics/topic-type.ts";

const WORDS =
  "deploy port server test cache index user release branch script module queue error limit agent build".split(
    " ",
  );

/** A home directory with a project `app` that has many topics, each with links to others. */
export function createLargeHome(topics: number): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "caliban-bench-page-")));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  for (const name of ["HEAD", "objects/x", "refs/x"]) write(`app/.git/${name}`, "");
  const slug = `${home.slice(1).replaceAll("/", "-")}-app`;
  const directory = `.local/share/caliban/projects/${slug}/memory`;
  const lines = Array.from({ length: topics }, (_, at) => {
    const topic = topicAt(at, topics);
    write(`${directory}/${topic.name}.md`, renderTopic(topic));
    return renderIndexLine({ slug: topic.name, type: topic.type, description: topic.description });
  });
  write(`${directory}/MEMORY.md`, `# Memory index\n\n${lines.join("\n")}\n`);
  return home;
}

function topicAt(at: number, topics: number) {
  const word = (step: number): string => WORDS[(at * step + step) % WORDS.length] ?? "";
  const sentence = `The ${word(3)} of the ${word(5)} needs a ${word(7)} before the ${word(11)}. `;
  return {
    name: parseNewTopicSlug(`topic-${at}`),
    description: `${word(3)} and ${word(5)}, number ${at}`,
    type: TOPIC_TYPES[at % TOPIC_TYPES.length] ?? "project",
    body: `${sentence.repeat(10)}\nSee [[topic-${(at * 31) % topics}]] and [[topic-${(at + 1) % topics}]].\n`,
    updated: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
  };
}
