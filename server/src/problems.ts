/**
 * Refusals. An operation that must refuse throws a `Problem`: it rolls back the transaction it is
 * in and the edge turns it into `{ error: { message, code, fields? } }`. Anything else that is
 * thrown is a bug and becomes a plain 500.
 */

/** Status codes the API answers refusals with. */
export type ProblemStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 408
  | 409
  | 410
  | 411
  | 413
  | 415
  | 416
  | 422
  | 429
  | 500
  | 501
  | 503
  | 507

/**
 * One expected refusal: `code` is stable (`area/what-happened`), `message` is for the creator and
 * says what to do.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: ProblemStatus
  readonly code: string
  readonly fields: Readonly<Record<string, string>> | undefined
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfterS: number | undefined
  /** Only with `uploads/parts-missing`: what to send again. */
  readonly missingPartNumbers: readonly number[] | undefined

  constructor(
    status: ProblemStatus,
    code: string,
    message: string,
    more: {
      fields?: Record<string, string>
      retryAfterS?: number
      missingPartNumbers?: readonly number[]
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.fields = more.fields
    this.retryAfterS = more.retryAfterS
    this.missingPartNumbers = more.missingPartNumbers
  }
}

const notFoundCodes = {
  'Upload request': 'uploads/not-found',
  'Media job': 'media-jobs/not-found',
  'Media job task': 'media-job-tasks/not-found',
  'Media asset': 'media-assets/not-found',
  Output: 'outputs/not-found',
  Thumbnail: 'media-jobs/thumbnail-not-found',
} as const

/** What can be looked up and not be there. */
export type Findable = keyof typeof notFoundCodes

/** Somebody else's id answers exactly like one that does not exist. */
export function notFound(what: Findable): Problem {
  return new Problem(404, notFoundCodes[what], `${what} not found.`)
}
