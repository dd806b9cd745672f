import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import * as v from 'valibot'
import { readJson } from '#server/net/read-json.ts'
import { DriveFault, type DriveFaultKind } from './port.ts'
import { WriteFault } from './writer.ts'

const errorSchema = v.object({
  error: v.object({ errors: v.pipe(v.array(v.object({ reason: v.string() })), v.minLength(1)) }),
})

/** What Drive is asked for, and what is sent with it. */
export interface DriveRequest {
  readonly link: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly writes?: {
    readonly method: 'POST' | 'PUT' | 'DELETE'
    readonly body: Readable | string
  }
}

/** An answer whose body is not read yet. */
export interface DriveAnswer {
  readonly url: URL
  readonly message: IncomingMessage
}

/** Reaches the host of Drive's interface and no other, also where Google names the address. */
export type DriveFetch = (request: DriveRequest) => Promise<DriveAnswer>

/** Google counts downloads of a file by the day; asking again at once only adds to the count. */
const QUOTA_REST_S = 3600
/**
 * Reasons of 403 that pass with time. Where Google asks for "exponential back-off", it names no
 * time; what runs in the background has its own.
 */
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
/** The connection was made for less than this. */
const RIGHTS: ReadonlySet<string> = new Set([
  'insufficientPermissions',
  'insufficientScopes',
  'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
])

/** What an answer that is no success means for a file that is read. */
export async function readDriveError(message: IncomingMessage): Promise<DriveFault> {
  const { status, reason, retryAfterS, isForGood } = await refusalOf(message)
  if (status === 401) return new DriveFault('token')
  if (status === 404 || status === 410) return new DriveFault('gone')
  if (reason === 'downloadQuotaExceeded')
    return new DriveFault('away', Math.max(retryAfterS ?? 0, QUOTA_REST_S))
  if (isForGood) return new DriveFault(REFUSALS[reason] ?? 'forbidden')
  return new DriveFault('away', retryAfterS)
}

/** What an answer that is no success means for a file that is written. */
export async function readWriteFault(message: IncomingMessage): Promise<WriteFault> {
  const { status, reason, retryAfterS, isForGood } = await refusalOf(message)
  if (status === 401 || RIGHTS.has(reason)) return new WriteFault('token')
  if (reason === 'storageQuotaExceeded') return new WriteFault('full')
  if (status === 400 || isForGood) return new WriteFault('refused')
  return new WriteFault('away', retryAfterS)
}

async function refusalOf(message: IncomingMessage) {
  const { statusCode: status = 0, headers } = message
  const parsed = v.safeParse(errorSchema, await readJson(message).catch(() => null))
  const reason = parsed.success ? (parsed.output.error.errors[0]?.reason ?? '') : ''
  const retryAfter = headers['retry-after'] ?? ''
  const retryAfterS = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null
  const isForGood = status === 403 && !LIMITS.has(reason) && retryAfterS === null
  return { status, reason, retryAfterS, isForGood }
}
