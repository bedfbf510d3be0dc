import { checkArguments } from "../../check-arguments.ts";
import type { SearchSource } from "../../search/live-index/source.ts";
import { slugFromKey, TEAM_TOPICS } from "../../search/live-index/topic-document.ts";
import { slugKey } from "../../topics/slug.ts";
import { topicDirectorySource } from "./topic-directory.ts";

export interface TeamTopicsSourceInput {
  /** The directory of the topics that the team shares. */
  readonly directory: string;
  /** The names of the project's own topics, which are used instead of the team's. */
  readonly ownNames: () => Promise<readonly string[]>;
}

/** The topics that a team shares, for a search: without those that the project has its own text for. */
export function teamTopicsSource(input: TeamTopicsSourceInput): SearchSource {
  checkArguments("teamTopicsSource", input, { directory: "string", ownNames: "function" });
  const { directory, ownNames } = input;
  const source = topicDirectorySource(directory, { name: TEAM_TOPICS });
  let own: ReadonlySet<string> = new Set();
  const isReplaced = (key: string): boolean => own.has(slugKey(slugFromKey(key)));
  return {
    ...source,
    list: async () => {
      own = new Set((await ownNames()).map(slugKey));
      return (await source.list()).filter(({ key }) => !isReplaced(key));
    },
    show: async (id) => {
      const key = id.slice(id.indexOf(":") + 1, -1);
      return isReplaced(key) ? undefined : await source.show(id);
    },
  };
}
