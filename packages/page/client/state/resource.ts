import { useEffect, useState } from "preact/hooks";
import { revision } from "./live.ts";
import { type Failure, read } from "./server.ts";

/** Reads an address, and again after each change. The old value stays until the new one is there. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the address
export function useResource<T>(address: string): T | Failure | undefined {
  const [value, setValue] = useState<{ readonly of: string; readonly value: T | Failure }>();
  const version = revision.value;
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const found = await read<T>(address);
      if (isCurrent) setValue({ of: address, value: found });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [address, version]);
  return value?.of === address ? value.value : undefined;
}
