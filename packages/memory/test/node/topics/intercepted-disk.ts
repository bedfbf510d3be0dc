import { basename } from "node:path";
import { type Disk, nodeDisk } from "@caliban/common/node";

/** A system call that is about to be made: its position, its name, and its files. */
export interface DiskCall {
  readonly step: number;
  readonly name: keyof Disk;
  readonly files: string;
}

type Hook = (call: DiskCall) => void;

/**
 * The real disk without waiting for the hardware. Every test of states between system calls runs on it: a sync changes no
 * file that another process sees, and thousands of syncs take minutes.
 */
export const unsyncedDisk: Disk = {
  ...nodeDisk,
  sync: async () => undefined,
  syncDirectory: async () => undefined,
};

/** Calls a hook before and after each system call. A hook that throws makes the call fail. */
export function interceptedDisk(
  { before, after }: { readonly before?: Hook; readonly after?: Hook },
  disk: Disk = unsyncedDisk,
): Disk {
  let step = 0;
  const names = new Map<number, string>();
  const shown = (value: unknown): string =>
    typeof value === "number" ? (names.get(value) ?? "") : basename(String(value));
  const wrap =
    <Args extends readonly unknown[], Result>(
      name: keyof Disk,
      method: (...args: Args) => Promise<Result>,
    ) =>
    async (...args: Args): Promise<Result> => {
      const paths = name === "write" || name === "truncate" ? args.slice(0, 1) : args;
      const call = { step: step++, name, files: paths.map(shown).join(" ") };
      before?.(call);
      const result = await method(...args);
      if (typeof result === "number") names.set(result, shown(args[0]));
      after?.(call);
      return result;
    };
  return {
    create: wrap("create", disk.create),
    openToAppend: wrap("openToAppend", disk.openToAppend),
    write: wrap("write", disk.write),
    sync: wrap("sync", disk.sync),
    truncate: wrap("truncate", disk.truncate),
    close: wrap("close", disk.close),
    syncDirectory: wrap("syncDirectory", disk.syncDirectory),
    rename: wrap("rename", disk.rename),
    link: wrap("link", disk.link),
    unlink: wrap("unlink", disk.unlink),
    makeDirectory: wrap("makeDirectory", disk.makeDirectory),
    touch: wrap("touch", disk.touch),
  };
}
