/** Milliseconds of computing that an action takes: others at work on the machine do not count. */
export async function cpuTimeOf(action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
