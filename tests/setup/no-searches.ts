import type { Deps } from '#server/deps.ts'
import type { ToolRunner } from '#server/media/confined.ts'

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

/**
 * Keeps searches for moments from looking for faces in their pictures, as on a server that cannot:
 * that takes 30 ms a picture, and a test of `recipes/people` shows what faces do to moments.
 */
export function withoutFaces(runner: ToolRunner): ToolRunner {
  return async (tools, run, here) =>
    run.tool === 'node' && run.args((path) => path).includes('small-pictures.ts')
      ? { kind: 'failed', exitCode: 1, fault: null, stderrTail: '' }
      : await runner(tools, run, here)
}
