/**
 * Starts work before a test asks for it: a request for one thing also starts the `ahead` things
 * after it, so that their waits overlap. Each is started once. A test run that restarts after a
 * failure starts where it continues, not at the first.
 */
export function startAhead<T, R>(
  things: readonly T[],
  ahead: number,
  work: (thing: T) => Promise<R>,
): { outcome(thing: T): Promise<R>; begun(): readonly Promise<R>[] } {
  const begun = new Map<T, Promise<R>>()
  const begin = (thing: T): Promise<R> => {
    const outcome = begun.get(thing) ?? work(thing)
    // The caller gets the failure; a thing that is never requested must not raise an unhandled
    // rejection.
    outcome.catch(() => undefined)
    begun.set(thing, outcome)
    return outcome
  }
  return {
    outcome: (thing) => {
      const at = things.indexOf(thing)
      const asked = begin(thing)
      for (const next of things.slice(at + 1, at + 1 + ahead)) void begin(next)
      return asked
    },
    begun: () => Array.from(begun.values()),
  }
}
