import { diff3MergeRegions, diffIndices } from "node-diff3";

type List = readonly string[];

export interface ListVersions {
  readonly base: List;
  readonly mine: List;
  readonly theirs: List;
}

/** Merges lists whose items are never changed in part; `undefined` for a conflict. */
export function mergeLists({ base, mine, theirs }: ListVersions): List | undefined {
  const merged: string[] = [];
  for (const region of diff3MergeRegions([...mine], [...base], [...theirs])) {
    const items = region.stable
      ? region.bufferContent
      : mergeRegion({
          base: region.oContent,
          mine: region.aContent,
          theirs: region.bContent,
        });
    if (items === undefined) return undefined;
    merged.push(...items);
  }
  return merged;
}

/** Both sides changed the same part. */
function mergeRegion(versions: ListVersions): List | undefined {
  const { base, mine, theirs } = versions;
  if (isEqual(mine, theirs) || isEqual(base, theirs)) return mine;
  if (isEqual(base, mine)) return theirs;
  if (base.length === 0) return union(mine, theirs);
  const turned = { base, mine: theirs, theirs: mine };
  return (
    withoutCommonEnds(versions) ??
    extended(versions) ??
    extended(turned) ??
    oneByOne(versions) ??
    oneByOne(turned)
  );
}

/** Both sides begin or end with the same new item. */
function withoutCommonEnds({ base, mine, theirs }: ListVersions): List | undefined {
  const [first, last] = [mine[0], mine.at(-1)];
  if (first !== undefined && first === theirs[0] && first !== base[0]) {
    const rest = mergeRegion({ base, mine: mine.slice(1), theirs: theirs.slice(1) });
    if (rest !== undefined) return [first, ...rest];
  }
  if (last === undefined || last !== theirs.at(-1) || last === base.at(-1)) return undefined;
  const rest = mergeRegion({ base, mine: mine.slice(0, -1), theirs: theirs.slice(0, -1) });
  return rest && [...rest, last];
}

/** One side changed items in place, and the other one kept the first or the last of them. */
function oneByOne({ base, mine, theirs }: ListVersions): List | undefined {
  if (mine.length !== base.length) return undefined;
  const [first, last] = [base[0], base.at(-1)];
  if (theirs[0] === first && mine[0] !== first) {
    const rest = mergeRegion({
      base: base.slice(1),
      mine: mine.slice(1),
      theirs: theirs.slice(1),
    });
    return rest && [...mine.slice(0, 1), ...rest];
  }
  if (theirs.at(-1) !== last || mine.at(-1) === last) return undefined;
  const rest = mergeRegion({
    base: base.slice(0, -1),
    mine: mine.slice(0, -1),
    theirs: theirs.slice(0, -1),
  });
  return rest && [...rest, ...mine.slice(-1)];
}

/** One side replaced the part, and the other one added something before or after it. */
function extended({ base, mine, theirs }: ListVersions): List | undefined {
  if (startsWith(theirs, base)) return [...mine, ...theirs.slice(base.length)];
  if (endsWith(theirs, base)) return [...theirs.slice(0, -base.length), ...mine];
  // Or both replaced it in the same way.
  const isSameChange = mine.length >= base.length;
  return isSameChange && (startsWith(theirs, mine) || endsWith(theirs, mine)) ? theirs : undefined;
}

/** Both sides added something in the same place. What both added is there once; the order is the same for both. */
function union(mine: List, theirs: List): List {
  const [first, second] = mine.join("\n\n") < theirs.join("\n\n") ? [mine, theirs] : [theirs, mine];
  const merged: string[] = [];
  let from = 0;
  for (const { buffer1, buffer2, buffer2Content } of diffIndices([...first], [...second])) {
    const [start, length] = buffer1;
    merged.push(...first.slice(from, start + length));
    if (buffer2[1] > 0) merged.push(...buffer2Content);
    from = start + length;
  }
  return [...merged, ...first.slice(from)];
}

export function isEqual(one: List, other: List): boolean {
  return one.length === other.length && startsWith(one, other);
}

function startsWith(list: List, start: List): boolean {
  return start.length <= list.length && start.every((item, index) => item === list[index]);
}

function endsWith(list: List, end: List): boolean {
  return end.length <= list.length && isEqual(list.slice(list.length - end.length), end);
}
