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
