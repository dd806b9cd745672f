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
  const found = live.kind === 'ready' ? live.value : null
  const isKnownEmpty =
    found === null && live.kind === 'ready' && pull.isSuccess && emptyData !== null
  const data = found?.data ?? (isKnownEmpty ? emptyData : null)
  const failure =
    live.kind === 'failed' ? ({ code: 'api/unexpected' } as const) : failureOf(pull.error)
  return {
    status: statusOf(data !== null, pull, failure !== null),
    data,
    asOfEpochMs: found?.asOfEpochMs ?? (isKnownEmpty ? pull.dataUpdatedAt : null),
    isFetching: pull.isFetching,
    failure,
    refresh: () => void pull.refetch(),
  }
}

/** A list is as old as its oldest row; an empty one was never seen unless a pull says so. */
export function foundList<R extends { readonly pulledAtEpochMs: number }, T>(
  rows: readonly R[],
  data: T,
): Found<T> | null {
  return rows.length === 0
    ? null
    : { data, asOfEpochMs: Math.min(...rows.map((row) => row.pulledAtEpochMs)) }
}

function statusOf(hasData: boolean, pull: PullState, hasFailed: boolean): Shown<unknown>['status'] {
  if (hasFailed) return 'failed'
  if (!hasData) return 'nothing-yet'
  return pull.isSuccess ? 'fresh' : 'from-device'
}
