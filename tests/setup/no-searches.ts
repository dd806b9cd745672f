import type { Deps } from '#server/deps.ts'

/**
 * Keeps a server from searching each checked video ahead of its first edit: that takes several
 * times as much processor time as the check. An edit that needs moments still searches.
 */
export function withoutSearches({ queue }: Pick<Deps, 'queue'>): void {
  const enqueue = queue.enqueue.bind(queue)
  const others: Deps['queue']['enqueue'] = async (tx, kind, data, options) => {
    if (kind !== 'search-moments') await enqueue(tx, kind, data, options)
  }
  Object.assign(queue, { enqueue: others })
}
