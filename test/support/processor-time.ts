/** Milliseconds of processor time that this process has used: unlike a clock, it does not count the work of others. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
