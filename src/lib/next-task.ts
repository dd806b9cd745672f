/**
 * Resolves in a task of its own, so that the browser answers a press and paints before what
 * follows. A message and not a timer: timers of hidden pages wait for up to a second.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
