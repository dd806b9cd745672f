/**
 * The rows of this device's database, one database per account (`onecut-<user id>`). Written only
 * by their owner (ARCHITECTURE.md, "One owner per fact"); read through live queries.
 *
 * [Note: times on the device] `…AtEpochMs` is this device's clock; ISO strings are the server's.
 */
import type { components } from '#openapi/schema.gen.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'

type Schemas = components['schemas']

/** Server entities as last pulled, with the time of the pull. */
export interface Pulled<T> {
  readonly _id: string
  readonly value: T
  readonly pulledAtEpochMs: number
}
export type MediaJobRow = Pulled<Schemas['MediaJob']> & {
  readonly name: string
  readonly createdAt: string
  readonly uploadRequestId: string
}
export type OrderRow = Pulled<Schemas['Order']> & { readonly mediaJobId: string | null }
export type WalletRow = Pulled<Schemas['Wallet']>
export type WalletTransactionRow = Pulled<Schemas['WalletCoinTransaction']> & {
  readonly walletId: string
  readonly createdAt: string
}
export type PresetRow = Pulled<Schemas['MediaJobTaskPreset']> & {
  readonly slug: string
  readonly position: number
}
export type MediaAssetRow = Pulled<Schemas['MediaAsset']> & { readonly createdAt: string }

/**
 * Single facts by key: the profile, `users/me`, capabilities, when each collection was last pulled
 * whole.
 */
export interface FactRow {
  readonly key: string
  readonly value: unknown
  readonly pulledAtEpochMs: number
}

/** Thumbnails and posters kept for offline use. Write-once. */
export interface ImageRow {
  readonly key: string
  readonly blob: Blob
  readonly savedAtEpochMs: number
}

/**
 * Why an upload waits; `retryAtEpochMs` drives the countdown. `store`: the server answers, its
 * storage does not. `storage-write`: this device refuses writes.
 */
export interface UploadWait {
  readonly reason: 'network' | 'server' | 'store' | 'storage-write'
  readonly retryAtEpochMs: number
  readonly attempt: number
}

/** Stable codes; words in components/problem. */
export type UploadFailureCode =
  | 'upload/refused'
  | 'upload/too-large'
  | 'upload/empty'
  | 'upload/no-space'
  | 'upload/cors'
  | 'upload/server-misconfigured'
  | 'upload/invalid-file'
  | 'upload/unexpected'

/** One state of one upload (the table in docs: upload engine). */
export type UploadState =
  | { readonly kind: 'draft' }
  | { readonly kind: 'preparing' }
  | { readonly kind: 'queued' }
  | { readonly kind: 'uploading' }
  | { readonly kind: 'waiting'; readonly wait: UploadWait }
  | { readonly kind: 'needs-auth' }
  | { readonly kind: 'needs-permission' }
  | { readonly kind: 'needs-file'; readonly why: 'no-handle' | 'gone' | 'changed' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'finalising' }
  | { readonly kind: 'verifying' }
  | { readonly kind: 'done'; readonly doneAtEpochMs: number }
  | { readonly kind: 'expired' }
  /** `before` is what an undo goes back to. */
  | {
      readonly kind: 'discarding'
      readonly undoUntilEpochMs: number
      readonly before?: UploadState
    }
  | { readonly kind: 'discarded' }
  | { readonly kind: 'failed'; readonly code: UploadFailureCode; readonly message: string | null }

/** What the creator chose; identity of the bytes for re-choosing. */
export interface UploadFile {
  readonly name: string
  readonly sizeBytes: number
  readonly lastModifiedEpochMs: number
  readonly type: string
}

/** The server's plan, stored verbatim and never changed. URLs are never stored. */
export interface PartPlan {
  readonly partSizeBytes: number
  readonly partCount: number
  readonly sizeBytes: number
}

export interface UploadRow {
  /** Local id (UUID), made when the file is chosen; also the lock's name. */
  readonly id: string
  /** `_id` at the server; null until preparing succeeded. */
  readonly uploadRequestId: string | null
  /** `idempotencyKey` of the creating call: random string plus timestamp, made once. */
  readonly idempotencyKey: string
  readonly purpose: 'media-job' | 'media-asset'
  readonly file: UploadFile
  readonly state: UploadState
  /** Raised by each driver that takes the lock; results of an older epoch are refused. */
  readonly epoch: number
  readonly plan: PartPlan | null
  /** Sum of the sizes of safe parts; never goes back. */
  readonly safeBytes: number
  readonly probe: ProbeReport | null
  /** What the server's pre-checks said once it had looked; absent until asked. */
  readonly arrivalFindings?: readonly Finding[]
  /** SHA-256 (hex) of first MiB and last MiB, to verify a re-chosen file. */
  readonly fingerprint: { readonly head: string; readonly tail: string } | null
  readonly createdAtEpochMs: number
  readonly updatedAtEpochMs: number
}

/** A part the server confirmed; put with strict durability. Key [uploadId+partNumber]. */
export interface UploadPartRow {
  readonly uploadId: string
  readonly partNumber: number
  readonly eTag: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly safeAtEpochMs: number
}

/** File handle of the chosen file where the browser gives one. */
export interface HandleRow {
  readonly uploadId: string
  readonly handle: FileSystemFileHandle
}
/** Whole small files; written once, never updated (Chromium copies the bytes at each write). */
export interface BlobRow {
  readonly uploadId: string
  readonly blob: Blob
}

/**
 * Which formats are chosen for an upload, with their options: survives reload and crash. Keyed by
 * local upload id or uploadRequestId.
 */
export interface SelectionRow {
  readonly key: string
  readonly requests: readonly Schemas['MediaJobTaskRequest'][]
  readonly updatedAtEpochMs: number
}

/** How far a submission is: the true steps shown beside the bar (4.35). */
export type SubmissionStage = 'waiting-for-upload' | 'creating-job' | 'analysing' | 'creating-order'

/**
 * "Submit for Editing": waits for its upload's request, then makes job and order. What the server
 * gave is kept as it comes.
 */
export interface SubmitEditsIntent {
  readonly kind: 'submit-edits'
  /** The device's upload; null when the server's upload request was there already. */
  readonly uploadId: string | null
  readonly uploadRequestId: string | null
  readonly requests: readonly Schemas['MediaJobTaskRequest'][]
  readonly mediaJobId: string | null
  readonly stage: SubmissionStage
  /** The server has the whole file. */
  readonly isReceived: boolean
  /** A chosen price goes by the length, so the server's measure is needed before the order. */
  readonly needsAnalysis: boolean
  /**
   * The order was asked for since both ends of the file are at the server, which is when it can
   * measure most videos.
   */
  readonly hasAskedEarly?: boolean
  /** The server measured the file; prices by length are known. */
  readonly isAnalysed: boolean
  /**
   * Asked for the measure so often, and for so long in all, pauses while hidden not counted; both
   * from when the whole file was received.
   */
  readonly polls: number
  readonly polledForMs: number
}
export interface AbortUploadIntent {
  readonly kind: 'abort-upload'
  readonly uploadRequestId: string
}
export type OutboxIntent = SubmitEditsIntent | AbortUploadIntent

export type OutboxState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  /**
   * Not tried again by itself; `code` is the server's or ours, `message` the server's words, kept
   * for support and never for logic.
   */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** An intention the server has not accepted yet. */
export interface OutboxRow {
  readonly id: string
  readonly intent: OutboxIntent
  /** Root of the `Idempotency-Key` of each step (`<key>:job`, `<key>:order`); made once. */
  readonly idempotencyKey: string
  readonly state: OutboxState
  /** Failures in a row; 0 after each step that succeeded. */
  readonly attempt: number
  readonly notBeforeEpochMs: number
  readonly createdAtEpochMs: number
}

/** What a form holds that is not sent yet. */
export interface DraftRow {
  readonly key: string
  readonly value: unknown
  readonly updatedAtEpochMs: number
}

/** A payment by tokens that was not answered yet, saved before it is sent (4.13). One per order. */
export interface PaymentIntentRow {
  readonly orderId: string
  readonly walletId: string
  readonly coinAmount: number
  readonly remainingPayableCoinAmount: number
  readonly attempt: number
  /**
   * Both the header and the body's `idempotencyKey`: order, wallet, remaining, amount and attempt.
   */
  readonly idempotencyKey: string
  readonly createdAtEpochMs: number
}
