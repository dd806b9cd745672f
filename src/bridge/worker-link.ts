import { releaseProxy, wrap, type Remote } from 'comlink'

/** A worker and the way to talk to it. */
export interface WorkerLink<Api extends object> {
  readonly remote: Remote<Api>
  /** Ends the worker at once; whatever runs in it is gone. Safe to call twice. */
  terminate(): void
}

/**
 * Wraps a started worker. `onDeath` is called once, when its script cannot be loaded or throws
 * outside of a call; the link is dead then and calls under way never answer, so callers race them
 * against `onDeath`.
 */
export function linkWorker<Api extends object>(
  worker: Worker,
  onDeath: () => void,
): WorkerLink<Api> {
  const remote = wrap<Api>(worker)
  let isOver = false
  const end = (): void => {
    isOver = true
    remote[releaseProxy]()
    worker.terminate()
  }
  const die = (): void => {
    if (isOver) return
    end()
    onDeath()
  }
  worker.addEventListener('error', die)
  worker.addEventListener('messageerror', die)
  return {
    remote,
    terminate: () => {
      if (!isOver) end()
    },
  }
}
