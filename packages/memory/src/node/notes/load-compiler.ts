import type { CompileGlob } from "../../notes/applies.ts";

/** Loads the library for globs, which few notes need. */
export async function loadCompiler(): Promise<CompileGlob> {
  const { default: picomatch } = await import("picomatch");
  return (glob) => picomatch(glob, { dot: true, noextglob: true });
}
