/**
 * Begins work ahead of whoever waits for it: asking for one thing also begins the `ahead` things
 * after it, so that their waits overlap. Each is begun once. A test run that starts anew after a
 * failure begins where it goes on, not at the first.
 */
export function startAhead<T, R>(
  things: readonly T[],
  ahead: number,
  work: (thing: T) => Promise<R>,
): { outcome(thing: T): Promise<R>; begun(): readonly Promise<R>[] } {
  const begun = new Map<T, Promise<R>>()
  const begin = (thing: T): Promise<R> => {
    const outcome = begun.get(thing) ?? work(thing)
    // Whoever asks gets the failure; nobody has to.
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
