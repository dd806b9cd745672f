/** Runs tasks one after another, in the order they were given; resolves as the task does. */
export type Serial = <T>(task: () => Promise<T>) => Promise<T>

/**
 * Makes a `Serial`. A task that rejects does not stop the ones behind it.
 * @param onFailed called with what a task threw, beside the rejection that its caller gets
 */
export function createSerial(onFailed: (thrown: unknown) => void): Serial {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const done = last.then(task)
    last = done.catch(onFailed)
    return done
  }
}

/**
 * Makes a function that runs `work`, one run at a time. A run looks at what there is to do when it
 * begins, so a call during one is answered by the next run: what called may have come too late for
 * this one. Calls that wait share a run.
 */
export function createFollowUp<T>(work: () => Promise<T>): () => Promise<T> {
  const inTurn = createSerial(() => undefined)
  let waiting: Promise<T> | null = null
  return () =>
    (waiting ??= inTurn(() => {
      waiting = null
      return work()
    }))
}
