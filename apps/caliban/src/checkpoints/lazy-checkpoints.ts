import type { Checkpoints, CheckpointsInput } from "./checkpoints.ts";

/** Checkpoints whose code is loaded with the first change of a file, or with `/rewind`. */
export interface LazyCheckpoints {
  readonly onChange: Checkpoints["onChange"];
  readonly load: () => Promise<Checkpoints>;
}

export function createLazyCheckpoints(input: CheckpointsInput): LazyCheckpoints {
  let loading: Promise<Checkpoints> | undefined;
  const load = async (): Promise<Checkpoints> => {
    loading ??= import("./checkpoints.ts").then(({ createCheckpoints }) =>
      createCheckpoints(input),
    );
    return await loading;
  };
  return { load, onChange: async (change) => await (await load()).onChange(change) };
}
