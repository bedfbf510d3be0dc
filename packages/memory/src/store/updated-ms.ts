import type { TopicHeader } from "../topics/topic-header.ts";

/** The time in the header, because copying a file or checking it out changes its modification time. */
export function topicUpdatedMs({ updated }: TopicHeader, modifiedMs: number): number {
  const time = Date.parse(updated ?? "");
  return Number.isNaN(time) ? modifiedMs : time;
}
