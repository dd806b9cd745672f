/** Runs the work for all things, `atOnce` at a time. Rejects with the first failure. */
export async function inPool<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const left = things.values()
  await Promise.all(
    Array.from({ length: Math.min(atOnce, things.length) }, async () => {
      for (const thing of left) await work(thing)
    }),
  )
}
