// breaks: caliban(classes-are-errors)
export class TopicManager {
  readonly topics: readonly string[] = [];
}
