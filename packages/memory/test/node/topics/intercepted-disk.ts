import { basename } from "node:path";
import { type Disk, nodeDisk } from "@caliban/common/node";

/** A system call on its way: its place in the order, its name, and the files it is for. */
export interface DiskCall {
  readonly step: number;
  readonly name: keyof Disk;
  readonly files: string;
}

type Hook = (call: DiskCall) => void;

/** The real disk, with a look at every call before and after it is made. A hook that throws makes the call fail. */
export function interceptedDisk({
  before,
  after,
}: {
  readonly before?: Hook;
  readonly after?: Hook;
}): Disk {
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
    create: wrap("create", nodeDisk.create),
    openToAppend: wrap("openToAppend", nodeDisk.openToAppend),
    write: wrap("write", nodeDisk.write),
    sync: wrap("sync", nodeDisk.sync),
    truncate: wrap("truncate", nodeDisk.truncate),
    close: wrap("close", nodeDisk.close),
    syncDirectory: wrap("syncDirectory", nodeDisk.syncDirectory),
    rename: wrap("rename", nodeDisk.rename),
    link: wrap("link", nodeDisk.link),
    unlink: wrap("unlink", nodeDisk.unlink),
    makeDirectory: wrap("makeDirectory", nodeDisk.makeDirectory),
    touch: wrap("touch", nodeDisk.touch),
  };
}
