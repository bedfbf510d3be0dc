/** What a topic is about: the user, the user's feedback, the project, or something outside it. */
export const TOPIC_TYPES = ["user", "feedback", "project", "reference"] as const;

export type TopicType = (typeof TOPIC_TYPES)[number];

export function isTopicType(value: unknown): value is TopicType {
  return TOPIC_TYPES.some((type) => type === value);
}
