import { type Profiler, Session } from "node:inspector";

/** Returns the blocks of code that ran since the last call. */
export type TakeCoverage = () => ReadonlySet<string>;

/** Uses the block coverage that V8 has built in, of all files but the fuzzer itself. */
export function startCoverage(): TakeCoverage {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return () => {
    let blocks: ReadonlySet<string> = new Set();
    // The callback runs before `post` returns.
    session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error !== null) throw error;
      blocks = new Set(result.flatMap(blocksThatRan));
    });
    return blocks;
  };
}

function blocksThatRan({ url, scriptId, functions }: Profiler.ScriptCoverage): readonly string[] {
  if (!url.startsWith("file:") || url.includes("/scripts/fuzz")) return [];
  return functions.flatMap(({ ranges }) =>
    ranges.flatMap(({ startOffset, endOffset, count }) =>
      count > 0 ? [`${scriptId}:${startOffset}-${endOffset}`] : [],
    ),
  );
}
