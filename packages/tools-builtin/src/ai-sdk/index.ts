export { toAiSdkTools } from "./ai-sdk-tools.ts";
