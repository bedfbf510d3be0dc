// Enables the compile cache before anything large is loaded, as caliban does.
import { enableCompileCache } from "node:module";

enableCompileCache(process.argv[4]);
await import(new URL("ai-sdk.mjs", import.meta.url).href);
