import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Meeting } from "../meetings.ts";
import { generateTopics, topicFile } from "../topic-texts.ts";

/** Topic files, and a directory for an index of them. */
export interface TopicDirectory {
  readonly topics: string;
  /** The state directory of an index. Each name is a separate index. */
  readonly state: (name: string) => string;
  /** Runs an action with a new word in one file, and restores the file afterwards. */
  readonly withOneChanged: <T>(word: string, action: () => Promise<T>) => Promise<T>;
  readonly remove: () => void;
}

const DAY_SECONDS = 86_400;

export function createTopicDirectory(meetings: readonly Meeting[], count: number): TopicDirectory {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "caliban-bench-")));
  const topics = join(home, "memory");
  mkdirSync(topics);
  // In whole seconds, so that the time of a changed file can be restored exactly.
  const yesterday = Math.floor(Date.now() / 1_000) - DAY_SECONDS;
  const write = (path: string, text: string): void => {
    writeFileSync(path, text);
    utimesSync(path, yesterday, yesterday);
  };
  const paths = generateTopics(meetings, count).map((topic) => {
    const path = join(topics, `${topic.slug}.md`);
    write(path, topicFile(topic));
    return path;
  });
  return {
    topics,
    state: (name) => join(home, "state", name),
    withOneChanged: async (word, action) => {
      const path = paths[Math.floor(count / 2)] ?? "";
      const text = readFileSync(path, "utf8");
      writeFileSync(path, `${text}\nAnd the ${word}.\n`);
      try {
        return await action();
      } finally {
        write(path, text);
      }
    },
    remove: () => rmSync(home, { recursive: true }),
  };
}
