// Data: what the page shows and changes, implemented by the program.
export type {
  AcceptRequest,
  ChangeOutcome,
  FoundNote,
  GenerationFile,
  HealthFinding,
  KnownGeneration,
  KnownTopic,
  MemoryPageData,
  MemorySize,
  PageScope,
  PageTrigger,
  PipelineFacts,
  SaveRequest,
  TopicAddress,
  TopicDetails,
  TopicLinks,
} from "./data.ts";

// Projects: which memory is shown.
export type { PageProject, PageProjects } from "./projects.ts";
