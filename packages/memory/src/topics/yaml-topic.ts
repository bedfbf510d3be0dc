// Only imported dynamically. The files that it lists are also imported statically by stores: imported dynamically, they
// would need the bundler's runtime, which imports a Node module.
export { parseTopic } from "./parse-topic.ts";
export { renderTopic } from "./render-topic.ts";
