// Data: what the page shows and changes, implemented by the program.
export type {
  AcceptRequest,
  ChangeOutcome,
  Health,
  KnownTopic,
  MemoryPageData,
  PageScope,
  PageTrigger,
  SaveRequest,
  TopicAddress,
} from "./data.ts";
