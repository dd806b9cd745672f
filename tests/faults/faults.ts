/**
 * What kind of call a request is; `knock` asks whether the parts' store answers; `other` are pages,
 * scripts and every other call of the API.
 */
export type RequestKind = 'part' | 'knock' | 'create' | 'sign' | 'complete' | 'abort' | 'other'

/** What a rule may look at. */
export interface RequestFacts {
  /**
   * Value of the cookie `fault-lane`; '' without one. Lets several browsers share one proxy, each
   * with its own faults.
   */
  readonly lane: string
  readonly kind: RequestKind
  readonly uploadId: string | null
  readonly partNumber: number | null
  /** How many requests of this kind for this upload and part came so far, this one included. */
  readonly attempt: number
}

/** One thing that goes wrong with one request. */
export type Fault =
  /** Held up before anything is read. */
  | { readonly kind: 'latency'; readonly delayMs: number }
  /**
   * The connection is reset after so many bytes of the body; what came before has reached the
   * server.
   */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /**
   * `before-body`: nothing is read and nothing answered. `after-body`: the server got it all and
   * its answer is swallowed. Both until the client gives up.
   */
  | { readonly kind: 'black-hole'; readonly when: 'before-body' | 'after-body' }
  /** The server got it all; instead of its answer comes a reset. */
  | { readonly kind: 'lost-answer' }
  /** Answered and closed before the body was read. */
  | { readonly kind: 'early-answer'; readonly status: number }
  /** The body is read and thrown away; the answer is an error document as S3 writes them. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly code: string
      readonly retryAfterS?: number
    }
  /** Stored well, but the answer's ETag is spoiled. */
  | { readonly kind: 'etag'; readonly how: 'missing' | 'weak' | 'wrong' }
  /** The last bytes do not arrive; the length says so. */
  | { readonly kind: 'short'; readonly missingBytes: number }
  | { readonly kind: 'bit-flip'; readonly atByte: number }
  /** The server's answer is held back. */
  | { readonly kind: 'slow-answer'; readonly delayMs: number }
  /** The server gets it twice at the same time; the later answer counts. */
  | { readonly kind: 'twice' }
  /** 200 with a page, as a hotel's network answers everything. */
  | { readonly kind: 'portal' }
  /** 200, whose body says that it failed: S3 may do so when it has begun to answer. */
  | { readonly kind: 'error-in-success' }

export interface FaultRule {
  readonly match: (request: RequestFacts) => boolean
  readonly fault: Fault
  /** After so many requests the rule is used up. */
  readonly times: number
}

/** A line as slow as wished. Null: as fast as it goes. */
export interface Line {
  readonly latencyMs: number
  readonly totalBytesPerSecond: number | null
  readonly connectionBytesPerSecond: number | null
  /**
   * Parts up to this number go as fast as it goes, so that something is safe soon; without it none.
   */
  readonly quickParts?: number
}

export const FAST_LINE: Line = {
  latencyMs: 0,
  totalBytesPerSecond: null,
  connectionBytesPerSecond: null,
}
/**
 * Two parts are safe at once and the rest crawls: time to look around in the middle, however busy
 * the machine, and none to wait for it.
 */
export const HALFWAY_LINE: Line = { ...FAST_LINE, totalBytesPerSecond: 1_500_000, quickParts: 2 }
