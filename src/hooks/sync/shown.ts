import type { UseQueryResult } from '@tanstack/react-query'
import { failureOf } from './query-client.ts'
import type { Live } from './use-live.ts'
import type { ApiFailure } from '#src/api/errors.ts'

/**
 * A collection or thing as a screen shows it: the device's rows, and how the pull that freshens
 * them stands. `nothing-yet`: never had it, a pull runs. `from-device`: shown at once, a pull runs
 * or has not run. `fresh`: the last pull succeeded. `failed`: the last pull failed; `data` is what
 * the device still has, or null.
 */
export interface Shown<T> {
  readonly status: 'nothing-yet' | 'from-device' | 'fresh' | 'failed'
  /** Null means "not known", never "empty". */
  readonly data: T | null
  /** When the data was asked for ("as of 10:42"); this device's clock. */
  readonly asOfEpochMs: number | null
  readonly isFetching: boolean
  readonly failure: ApiFailure | null
  /** Asks the server now. */
  readonly refresh: () => void
}

/** What a local query found; null when the device never had it. */
export interface Found<T> {
  readonly data: T
  readonly asOfEpochMs: number | null
  /**
   * A list that was empty when it was last pulled. Shown only where a pull fails: until then the
   * server may well have more, and "nothing" would be said too early.
   */
  readonly wasEmpty?: true
}

type PullState = Pick<
  UseQueryResult,
  'error' | 'isFetching' | 'isSuccess' | 'dataUpdatedAt' | 'refetch'
>

/**
 * Joins rows and pull.
 * @param emptyData what "the pull succeeded and there is nothing" means (an empty list); null where
 * absence is a failure
 */
export function toShown<T>(
  live: Live<Found<T> | null>,
  pull: PullState,
  emptyData: T | null = null,
): Shown<T> {
  const known = live.kind === 'ready' ? live.value : null
  const failure =
    live.kind === 'failed' ? ({ code: 'api/unexpected' } as const) : failureOf(pull.error)
  const found = known?.wasEmpty === true && failure === null ? null : known
  const isKnownEmpty =
    found === null && live.kind === 'ready' && pull.isSuccess && emptyData !== null
  const data = found?.data ?? (isKnownEmpty ? emptyData : null)
  return {
    status: statusOf(data !== null, pull, failure !== null),
    data,
    asOfEpochMs: found?.asOfEpochMs ?? (isKnownEmpty ? pull.dataUpdatedAt : null),
    isFetching: pull.isFetching,
    failure,
    refresh: () => void pull.refetch(),
  }
}

/**
 * A list is as old as its oldest row; an empty one was never seen unless a pull says so.
 * @param listedAtEpochMs when the list was last pulled, where that is kept; asked for empty ones
 */
export function foundList<R extends { readonly pulledAtEpochMs: number }, T>(
  rows: readonly R[],
  data: T,
  listedAtEpochMs: number | null = null,
): Found<T> | null {
  if (rows.length > 0)
    return { data, asOfEpochMs: Math.min(...rows.map((row) => row.pulledAtEpochMs)) }
  return listedAtEpochMs === null ? null : { data, asOfEpochMs: listedAtEpochMs, wasEmpty: true }
}

function statusOf(hasData: boolean, pull: PullState, hasFailed: boolean): Shown<unknown>['status'] {
  if (hasFailed) return 'failed'
  if (!hasData) return 'nothing-yet'
  return pull.isSuccess ? 'fresh' : 'from-device'
}
