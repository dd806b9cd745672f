import type { UploadRow } from '#src/local/db/rows.ts'
import type { UploadStore } from '#src/local/uploads/ports.ts'

/** Resolves when the row's epoch or state differs from `seen`; rejects when aborted. */
export function nextChange(
  store: Pick<UploadStore, 'watch'>,
  seen: UploadRow,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      unwatch()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = (): void => end(() => reject(signal.reason))
    let unwatch = (): void => undefined
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })
    unwatch = store.watch(seen.id, (row) => {
      if (row === null || row.epoch !== seen.epoch || row.state.kind !== seen.state.kind)
        end(resolve)
    })
  })
}

/** Runs `work` with a signal that aborts when the row changes, or with `outer`. */
export async function whileUnchanged<T>(
  store: Pick<UploadStore, 'watch'>,
  seen: UploadRow,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const changed = new AbortController()
  const signal = AbortSignal.any([outer, changed.signal])
  void nextChange(store, seen, signal).then(
    () => changed.abort(new DOMException('the upload changed', 'AbortError')),
    () => undefined,
  )
  try {
    return await work(signal)
  } finally {
    changed.abort(new DOMException('the work is done', 'AbortError'))
  }
}
