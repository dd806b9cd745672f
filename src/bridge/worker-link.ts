import { releaseProxy, wrap, type Remote } from 'comlink'

/** A worker and its Comlink proxy. */
export interface WorkerLink<Api extends object> {
  readonly remote: Remote<Api>
  /** Ends the worker at once, with everything that runs in it. Safe to call twice. */
  terminate(): void
}

/**
 * Wraps a started worker. Calls `onDeath` once, when the worker's script cannot be loaded or throws
 * outside a call. The link is dead then and pending calls never resolve, so callers race them
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
