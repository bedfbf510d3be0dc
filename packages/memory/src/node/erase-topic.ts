import { basename } from "node:path";
import { checkArguments } from "../check-arguments.ts";
import type { TopicStore } from "../store/topic-store.ts";
import type { OpenedTopicStore } from "./open-topic-store.ts";
import { forgetSearch } from "./search/stored-index.ts";
import { removeDrafts } from "./topics/edit-topic-file.ts";

/** Erases what is left of a removed topic: in the history, in drafts and in search indexes. Returns the number of changes. */
export async function eraseTopic(
  topics: Pick<OpenedTopicStore, "locations" | "environment" | "draftsDirectory"> & {
    readonly store: Pick<TopicStore, "erase">;
  },
  slug: string,
): Promise<number> {
  checkArguments("eraseTopic", { ...topics, slug }, { store: "object", slug: "string" });
  const { store, locations, environment, draftsDirectory } = topics;
  const erased = await store.erase(slug);
  removeDrafts(draftsDirectory, slug);
  const { projectHome, isSharedDirectory } = locations;
  // Several projects may use a directory that the user chose.
  const isOwn = projectHome !== undefined && !isSharedDirectory;
  forgetSearch(environment, isOwn ? basename(projectHome) : undefined);
  return erased;
}
