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
import { makeTopics, topicFile } from "../topic-texts.ts";

/** Topics in files, and a place for an index of them. */
export interface TopicDirectory {
  readonly topics: string;
  /** Where an index can be kept; each name is another one. */
  readonly snapshot: (name: string) => string;
  /** Runs with a word in one file that was not there before, and leaves the file as it was. */
  readonly withOneChanged: <T>(word: string, action: () => Promise<T>) => Promise<T>;
  readonly remove: () => void;
}

const DAY_SECONDS = 86_400;

export function makeTopicDirectory(meetings: readonly Meeting[], count: number): TopicDirectory {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "caliban-bench-")));
  const topics = join(home, "memory");
  mkdirSync(topics);
  // In whole seconds, so that a file that was changed can be given its time back.
  const yesterday = Math.floor(Date.now() / 1_000) - DAY_SECONDS;
  const write = (path: string, text: string): void => {
    writeFileSync(path, text);
    utimesSync(path, yesterday, yesterday);
  };
  const paths = makeTopics(meetings, count).map((topic) => {
    const path = join(topics, `${topic.slug}.md`);
    write(path, topicFile(topic));
    return path;
  });
  return {
    topics,
    snapshot: (name) => join(home, "state", `${name}.idx`),
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
