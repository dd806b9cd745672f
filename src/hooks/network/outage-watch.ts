import type { Query, QueryClient } from '@tanstack/react-query'
import { failureOf } from '#src/hooks/sync/query-client.ts'
import { outageOf, type Outage } from '#src/api/errors.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'

/** How soon after the end of an outage the screens are right again. */
const FIRST_CHECK_MS = 2 * SECOND_MS
/** Between checks while the server answers but pulls of a screen still do not reach it. */
const MAX_CHECK_MS = 60 * SECOND_MS

export interface OutageWatch {
  readonly queries: QueryClient
  /** The reachability check: whether the server itself answers now. Never rejects. */
  readonly isAnswered: () => Promise<boolean>
  readonly clock: Clock
  readonly isVisible: () => boolean
  /** Calls when the page is looked at again or the network is back; returns the end of it. */
  readonly onAttention: (listener: () => void) => () => void
}

/**
 * What keeps the pulls of the present screens from the server, by their last failures; null while
 * none is kept. A portal counts before other outages, since a person can end it.
 */
export function presentOutage(queries: QueryClient): Outage | null {
  const outages = keptFromServer(queries).map(outageOfQuery)
  return outages.find((outage) => outage === 'portal') ?? outages[0] ?? null
}

/**
 * While an outage keeps pulls of the present screens from the server: checks every 2 s whether the
 * server answers again, and then pulls them. Pauses while the page is hidden. Returns the end of
 * it.
 */
export function watchOutages(watch: OutageWatch): () => void {
  const end = new AbortController()
  void run(watch, end.signal)
  return () => end.abort()
}

async function run(watch: OutageWatch, signal: AbortSignal): Promise<void> {
  const { queries, isVisible, isAnswered } = watch
  let delayMs = FIRST_CHECK_MS
  while (!signal.aborted) {
    await outageBegins(queries, signal)
    await pause(watch, delayMs, signal)
    if (signal.aborted || !isVisible() || !(await isAnswered())) continue
    const kept = new Set(keptFromServer(queries))
    await queries.refetchQueries({ type: 'active', predicate: (query) => kept.has(query) })
    delayMs = presentOutage(queries) === null ? FIRST_CHECK_MS : Math.min(2 * delayMs, MAX_CHECK_MS)
  }
}

/** Resolves when there is an outage, or at the end of the watch. */
function outageBegins(queries: QueryClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!signal.aborted && presentOutage(queries) === null) return
      unsubscribe()
      signal.removeEventListener('abort', look)
      resolve()
    }
    const unsubscribe = queries.getQueryCache().subscribe(look)
    signal.addEventListener('abort', look)
    look()
  })
}

/** Waits, not longer than until the page gets attention or the watch ends. */
async function pause(
  { clock, onAttention }: OutageWatch,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  const attention = new AbortController()
  const ignore = onAttention(() => attention.abort())
  const early = AbortSignal.any([signal, attention.signal])
  await clock.sleep(delayMs, early).catch(() => undefined)
  ignore()
}

function keptFromServer(queries: QueryClient): readonly Query[] {
  return queries
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter((query) => outageOfQuery(query) !== null)
}

function outageOfQuery({ state }: Query): Outage | null {
  const failure = failureOf(state.error)
  return failure === null ? null : outageOf(failure)
}
