import { QueryClient } from '@tanstack/react-query'
import type { ApiFailure } from '#src/api/errors.ts'
import type { Result } from '#src/lib/result.ts'

/**
 * How a query function reports a failure: TanStack Query wants a throw. Read it back with
 * `failureOf`.
 */
export class CallFailed extends Error {
  readonly failure: ApiFailure

  constructor(failure: ApiFailure) {
    super(failure.code)
    this.name = 'CallFailed'
    this.failure = failure
  }
}

/**
 * Options for the whole app: `onLine` is not trusted, so calls are always tried; retries are the
 * client's own (`sendRetrying`), so the library makes none.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: 10_000,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

/**
 * The value of a result, or a throw that `failureOf` reads. Only inside query and mutation
 * functions.
 */
export function valueOrThrow<T>(result: Result<T, ApiFailure>): T {
  if (result.ok) return result.value
  throw new CallFailed(result.error)
}

/** The failure behind a query's error; null for none. */
export function failureOf(error: unknown): ApiFailure | null {
  if (error === null || error === undefined) return null
  return error instanceof CallFailed ? error.failure : { code: 'api/unexpected' }
}
