// As caliban does: the cache of compiled code is turned on before anything large is read.
import { enableCompileCache } from "node:module";

enableCompileCache(process.argv[4]);
await import(new URL("ai-sdk.mjs", import.meta.url).href);
