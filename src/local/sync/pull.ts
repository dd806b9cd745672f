import type { ApiClient } from '#src/api/client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { sendRetrying } from '#src/api/send.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { Log } from '#src/lib/log.ts'
import type { Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'

export interface PullDeps {
  readonly api: ApiClient
  readonly db: AccountDb
  readonly clock: Clock
  /** 0 <= value < 1 */
  readonly random: () => number
  /** For pictures only; signed or own-origin addresses. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Base of relative picture addresses. */
  readonly origin: string
  readonly log: Log
}

/**
 * Brings a part of the server's state into the database in one transaction. Reads remotely, writes
 * locally, idempotent; what the caller shows comes from the database.
 */
export type Pull<A extends readonly unknown[], R = null> = (
  deps: PullDeps,
  ...args: [...A, AbortSignal?]
) => Promise<Result<R, ApiFailure>>

/** One read with the generic retries. */
export function read<T>(
  deps: PullDeps,
  call: () => Promise<Result<T, ApiFailure>>,
  signal: AbortSignal | undefined,
): Promise<Result<T, ApiFailure>> {
  return sendRetrying({ clock: deps.clock, random: deps.random }, call, signal)
}

/** `{ signal }` where there is one; `exactOptionalPropertyTypes` forbids an undefined one. */
export function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
