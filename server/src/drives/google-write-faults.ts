import * as v from 'valibot'
import { WriteFault } from './writer.ts'

const errorSchema = v.object({
  error: v.object({ errors: v.pipe(v.array(v.object({ reason: v.string() })), v.minLength(1)) }),
})

/** Reasons of 403 that pass with time (Drive API, "Resolve errors"). */
const LIMITS: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'sharingRateLimitExceeded',
  'backendError',
])
/** The connection was made for less than this. */
const RIGHTS: ReadonlySet<string> = new Set([
  'insufficientPermissions',
  'insufficientScopes',
  'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
])

/** What an answer of the Drive API that is no success means for a file that is written. */
export function readWriteFault(
  status: number,
  body: unknown,
  retryAfter: string | undefined,
): WriteFault {
  const parsed = v.safeParse(errorSchema, body)
  const reason = parsed.success ? (parsed.output.error.errors[0]?.reason ?? '') : ''
  const retryAfterS = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : null
  if (status === 401 || RIGHTS.has(reason)) return new WriteFault('token')
  if (reason === 'storageQuotaExceeded') return new WriteFault('full')
  const passes = status !== 400 && (status !== 403 || LIMITS.has(reason) || retryAfterS !== null)
  return passes ? new WriteFault('away', retryAfterS) : new WriteFault('refused')
}
