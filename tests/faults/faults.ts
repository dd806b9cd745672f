/**
 * What kind of call a request is. Of a part URL: `part` is a PUT of the whole part, `append` a
 * PATCH of what is missing, `offset` a HEAD that asks how much the server holds, `storage-check` a
 * HEAD without a checksum, which only asks whether the storage answers. `sign` reads the upload,
 * `urls` asks for the URLs of some parts, `ping` is the reachability check; `other` are pages,
 * scripts and all other calls of the API.
 */
export type RequestKind =
  | 'part'
  | 'append'
  | 'offset'
  | 'storage-check'
  | 'create'
  | 'sign'
  | 'urls'
  | 'complete'
  | 'abort'
  | 'ping'
  | 'other'

/** Requests whose body is bytes of the file. */
export function carriesBytes(kind: RequestKind): boolean {
  return kind === 'part' || kind === 'append'
}

/**
 * How an answer looks. The server's own: `coded` is the JSON of this API, `xml` an error document
 * as S3 writes them. Of something in between: `json` of a gateway, an `html` page, or an `empty`
 * body.
 */
export type AnswerLook = 'coded' | 'xml' | 'json' | 'html' | 'empty'

/** What a rule may read. */
export interface RequestFacts {
  /**
   * Value of the cookie `fault-device`; '' without one. Lets several browsers share one proxy, each
   * with its own faults.
   */
  readonly device: string
  readonly kind: RequestKind
  readonly uploadId: string | null
  readonly partNumber: number | null
  /** Of the part; where the body of a request that carries bytes begins. */
  readonly offset: number
  /** How many requests of this kind for this upload and part came so far, this one included. */
  readonly attempt: number
}

/** One thing that goes wrong with one request. */
export type Fault =
  /** Held up before anything is read. */
  | { readonly kind: 'latency'; readonly delayMs: number }
  /**
   * The connection is reset after this many bytes of the body; the bytes before have reached the
   * server.
   */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /**
   * `before-body`: nothing is read and nothing answered. `after-body`: the server received
   * everything and its answer is swallowed. Both last until the client gives up.
   */
  | { readonly kind: 'black-hole'; readonly when: 'before-body' | 'after-body' }
  /** The server received everything; a reset comes instead of its answer. */
  | { readonly kind: 'lost-answer' }
  /** Answered and closed before the body was read. */
  | { readonly kind: 'early-answer'; readonly status: number }
  /** The body is read and thrown away; the answer looks like an S3 error unless it says how. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly code: string
      readonly retryAfterS?: number
      readonly look?: AnswerLook
    }
  /** Stored correctly, but the answer's ETag is damaged. */
  | { readonly kind: 'etag'; readonly how: 'missing' | 'weak' | 'wrong' }
  /** The last bytes do not arrive; the length says so. */
  | { readonly kind: 'short'; readonly missingBytes: number }
  | { readonly kind: 'bit-flip'; readonly atByte: number }
  /** The server's answer is delayed. */
  | { readonly kind: 'slow-answer'; readonly delayMs: number }
  /** The server receives it twice at the same time; the later answer counts. */
  | { readonly kind: 'twice' }
  /** 200 with an HTML page, as a hotel's captive portal answers. */
  | { readonly kind: 'portal' }
  /** 200 with a body that says that it failed: S3 may do so once it has started to answer. */
  | { readonly kind: 'error-in-success' }

export interface FaultRule {
  readonly match: (request: RequestFacts) => boolean
  readonly fault: Fault
  /** The rule is used up after this many requests. */
  readonly times: number
}

/** How slow a network is. Null: not limited. */
export interface NetworkSpeed {
  readonly latencyMs: number
  readonly totalBytesPerSecond: number | null
  readonly connectionBytesPerSecond: number | null
  /** Parts up to this number are not limited, so that some bytes are safe soon; none without it. */
  readonly quickParts?: number
}

export const FAST_NETWORK: NetworkSpeed = {
  latencyMs: 0,
  totalBytesPerSecond: null,
  connectionBytesPerSecond: null,
}
/**
 * Two parts are safe at once and the rest crawls: a test has time in the middle of an upload,
 * however busy the machine, without waiting for it.
 */
export const HALFWAY_NETWORK: NetworkSpeed = {
  ...FAST_NETWORK,
  totalBytesPerSecond: 1_500_000,
  quickParts: 2,
}
