import { type Disk, nodeDisk } from "@caliban/common/node";

/** The real disk; `before` runs ahead of every call, with the number of the call. */
export function interceptedDisk(before: (step: number) => void): Disk {
  let step = 0;
  const wrap =
    <Args extends readonly unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      before(step++);
      return await method(...args);
    };
  return {
    create: wrap(nodeDisk.create),
    openToAppend: wrap(nodeDisk.openToAppend),
    write: wrap(nodeDisk.write),
    sync: wrap(nodeDisk.sync),
    truncate: wrap(nodeDisk.truncate),
    close: wrap(nodeDisk.close),
    syncDirectory: wrap(nodeDisk.syncDirectory),
    rename: wrap(nodeDisk.rename),
    link: wrap(nodeDisk.link),
    unlink: wrap(nodeDisk.unlink),
    makeDirectory: wrap(nodeDisk.makeDirectory),
    touch: wrap(nodeDisk.touch),
  };
}
