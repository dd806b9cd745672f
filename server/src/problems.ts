/**
 * Refusals: what the server expects to go wrong, by code. An operation or an adapter that must
 * refuse throws a `Problem`, which rolls back the transaction it is in. It knows no HTTP:
 * `http/problem-answer.ts` maps each code to a status. Anything else that is thrown is a bug and
 * becomes a plain 500.
 */

/**
 * Every code, as `area/what-happened`. Codes are stable and never reused: the app has words for
 * each. A new code needs its line here and its status in `http/problem-answer.ts`.
 */
export type ProblemCode =
  | 'auth/account-locked'
  | 'auth/code-invalid'
  | 'auth/code-wrong'
  | 'auth/other-user'
  | 'auth/passkey-refused'
  | 'auth/permission-missing'
  | 'auth/redirect-not-allowed'
  | 'auth/session-not-found'
  | 'auth/signed-out'
  | 'auth/xsrf'
  | 'external-auths/away'
  | 'external-auths/not-found'
  | 'external-auths/permission-missing'
  | 'external-auths/refresh-expired'
  | 'external-auths/save-permission-missing'
  | 'face-reviews/changed'
  | 'face-reviews/file-not-found'
  | 'face-reviews/finished'
  | 'face-reviews/not-found'
  | 'face-reviews/searching'
  | 'human/not-verified'
  | 'human/other-provider'
  | 'media-assets/account-full'
  | 'media-assets/file-not-found'
  | 'media-assets/in-use'
  | 'media-assets/not-found'
  | 'media-assets/too-long'
  | 'media-assets/too-many'
  | 'media-assets/wrong-kind'
  | 'media-job-tasks/already-retried'
  | 'media-job-tasks/not-delivered'
  | 'media-job-tasks/redo-late'
  | 'media-job-tasks/redo-used'
  | 'media-job-tasks/not-failed'
  | 'media-job-tasks/not-found'
  | 'media-jobs/not-found'
  | 'media-jobs/thumbnail-not-found'
  | 'music-tracks/not-found'
  | 'orders/already-paid'
  | 'orders/attestation-missing'
  | 'orders/amount-too-high'
  | 'orders/canceled'
  | 'orders/changed'
  | 'orders/metadata-pending'
  | 'orders/not-found'
  | 'orders/not-paid'
  | 'orders/work-started'
  | 'outputs/not-found'
  | 'parts/busy'
  | 'parts/damaged'
  | 'parts/idle'
  | 'parts/length-required'
  | 'parts/not-stored'
  | 'parts/offset-differs'
  | 'parts/signature-invalid'
  | 'parts/superseded'
  | 'parts/upload-ended'
  | 'parts/wrong-size'
  | 'edit-sets/not-found'
  | 'edit-sets/too-many'
  | 'passkeys/not-found'
  | 'passkeys/too-many'
  | 'push/not-allowed'
  | 'payments/amount-out-of-range'
  | 'payments/disputed'
  | 'payments/insufficient-tokens'
  | 'payments/no-portal'
  | 'payments/not-found'
  | 'payments/not-withdrawable'
  | 'payments/off'
  | 'payments/provider-away'
  | 'payments/session-not-found'
  | 'payments/signature-invalid'
  | 'presets/doubled'
  | 'presets/needs-sound'
  | 'presets/unfit-options'
  | 'presets/not-offered'
  | 'referrals/age-not-confirmed'
  | 'referrals/already-redeemed'
  | 'referrals/code-not-allowed'
  | 'referrals/code-taken'
  | 'referrals/limit-reached'
  | 'referrals/not-found'
  | 'referrals/not-new'
  | 'referrals/own-code'
  | 'request/idempotency-conflict'
  | 'request/in-progress'
  | 'request/invalid'
  | 'request/malformed-json'
  | 'request/method-not-allowed'
  | 'request/not-found'
  | 'request/range-not-satisfiable'
  | 'request/too-large'
  | 'request/too-many'
  | 'request/too-slow'
  | 'request/unsupported-media-type'
  | 'request/wrong-host'
  | 'samples/not-found'
  | 'subscriptions/already-active'
  | 'subscriptions/not-cancelable'
  | 'subscriptions/not-found'
  | 'subscriptions/not-resumable'
  | 'subscriptions/plan-not-offered'
  | 'system/not-built'
  | 'system/unavailable'
  | 'uploads/aborted'
  | 'uploads/account-full'
  | 'uploads/excerpt-refused'
  | 'uploads/failed'
  | 'uploads/held'
  | 'uploads/host-not-allowed'
  | 'uploads/in-use'
  | 'uploads/link-away'
  | 'uploads/link-expired'
  | 'uploads/link-refused'
  | 'uploads/no-space'
  | 'uploads/no-such-sound'
  | 'uploads/not-complete'
  | 'uploads/not-found'
  | 'uploads/not-open'
  | 'uploads/other-purpose'
  | 'uploads/parts-missing'
  | 'uploads/provider-not-offered'
  | 'uploads/too-large'
  | 'uploads/too-many-open'
  | 'users/not-found'
  | 'wallets/not-found'

/** What a refusal may carry besides its code and message. */
interface ProblemFacts {
  /** A message for each input that is wrong, by its path in the request, e.g. `user.email`. */
  readonly fields?: Readonly<Record<string, string>>
  /** Seconds after which trying again can help. */
  readonly retryAfterS?: number
  /** Only with `uploads/parts-missing`: what to send again. */
  readonly missingPartNumbers?: readonly number[]
  /** For the security log, never sent: whose account it was about, of a call without a session. */
  readonly ofUserId?: string | undefined
}

/** One expected refusal. The message is for the creator and says what to do. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly fields: ProblemFacts['fields']
  readonly retryAfterS: ProblemFacts['retryAfterS']
  readonly missingPartNumbers: ProblemFacts['missingPartNumbers']
  readonly ofUserId: ProblemFacts['ofUserId']

  constructor(code: ProblemCode, message: string, facts: ProblemFacts = {}) {
    super(message)
    this.code = code
    this.fields = facts.fields
    this.retryAfterS = facts.retryAfterS
    this.missingPartNumbers = facts.missingPartNumbers
    this.ofUserId = facts.ofUserId
  }
}

/** The refusal of a server that starts, stops, or waits for its database or its store. */
export function unavailable(): Problem {
  return new Problem(
    'system/unavailable',
    'Onecut is busy or restarting. Please try again in a moment.',
    { retryAfterS: 1 },
  )
}

/** Whether something ended because the database or the store was away: later it may work. */
export function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof Problem && thrown.code === 'system/unavailable'
}

/** The refusal of a file that is held after a report; it says neither who wrote it nor why. */
export function held(): Problem {
  return new Problem(
    'uploads/held',
    'This file is being reviewed and is not available for now. Nothing of it is lost. Please contact us if you have questions.',
  )
}

/** The refusal that was thrown, itself or inside a failed query; null for everything else. */
export function refusalIn(thrown: unknown): Problem | null {
  if (thrown instanceof Problem) return thrown
  return thrown instanceof Error && thrown.cause instanceof Problem ? thrown.cause : null
}

const NOT_FOUND = {
  'auth/session-not-found': 'This device is already signed out.',
  'external-auths/not-found':
    'Google Drive authentication required. Please connect your Google account first.',
  'face-reviews/file-not-found': 'There is no such picture or copy yet.',
  'face-reviews/not-found': 'This edit has no faces to review.',
  'media-assets/file-not-found': 'There is no picture or preview of this asset yet.',
  'media-assets/not-found': 'Media asset not found.',
  'media-job-tasks/not-found': 'Media job task not found.',
  'media-jobs/not-found': 'Media job not found.',
  'media-jobs/thumbnail-not-found': 'Thumbnail not found.',
  'music-tracks/not-found': 'Music track not found.',
  'orders/not-found': 'Order not found.',
  'outputs/not-found': 'Output not found.',
  'edit-sets/not-found': 'This set of edits is not there any more.',
  'passkeys/not-found': 'This passkey is already removed.',
  'payments/not-found': 'Payment not found.',
  'payments/session-not-found': 'Checkout session not found.',
  'referrals/not-found': 'Referral code not found.',
  'samples/not-found': 'This preview is not there any more, or not yet.',
  'subscriptions/not-found': 'Wallet subscription not found.',
  'uploads/not-found': 'Upload request not found.',
  'users/not-found': 'User not found.',
  'wallets/not-found': 'Wallet not found.',
} as const satisfies Partial<Record<ProblemCode, string>>

/**
 * The refusal for a row that does not exist or belongs to another user: the two answer alike, so
 * that an id says nothing about other accounts.
 */
export function notFound(code: keyof typeof NOT_FOUND): Problem {
  return new Problem(code, NOT_FOUND[code])
}
