import * as v from 'valibot'
import { DriveFault, type DriveFaultKind } from './port.ts'

const errorSchema = v.object({
  error: v.object({ errors: v.pipe(v.array(v.object({ reason: v.string() })), v.minLength(1)) }),
})

/** Google counts downloads of a file by the day; asking again at once only adds to the count. */
const QUOTA_REST_S = 3600
/** Where Google asks for "exponential back-off", it names no time; the importer has its own. */
const LIMITS: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'sharingRateLimitExceeded',
  'backendError',
])
/** Reasons of 403 (Drive API, "Resolve errors", read 2026-11-23). */
const REFUSALS: Readonly<Record<string, DriveFaultKind>> = {
  cannotDownloadFile: 'not-downloadable',
  fileNotDownloadable: 'not-downloadable',
  cannotDownloadAbusiveFile: 'abusive',
}

/** What an answer of the Drive API that is no success means. */
export function readDriveError(
  status: number,
  body: unknown,
  retryAfter: string | undefined,
): DriveFault {
  const parsed = v.safeParse(errorSchema, body)
  const reason = parsed.success ? (parsed.output.error.errors[0]?.reason ?? '') : ''
  const retryAfterS = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : null
  if (status === 401) return new DriveFault('token')
  if (status === 404 || status === 410) return new DriveFault('gone')
  if (reason === 'downloadQuotaExceeded')
    return new DriveFault('away', Math.max(retryAfterS ?? 0, QUOTA_REST_S))
  if (status === 403 && !LIMITS.has(reason) && retryAfterS === null)
    return new DriveFault(REFUSALS[reason] ?? 'forbidden')
  return new DriveFault('away', retryAfterS)
}
