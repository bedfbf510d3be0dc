// Loaded before the program: moves its clock to the time in CORPUS_CLOCK, so that ages do not depend on the day of the test.
const offsetMs = Date.parse(process.env["CORPUS_CLOCK"] ?? "") - Date.now();
const now = () => RealDate.now() + offsetMs;
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
});
