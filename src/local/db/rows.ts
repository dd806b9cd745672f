/**
 * The rows of this device's databases, one database per account (`onecut-account-<user id>`); those
 * of synced nouns are in `local/nouns`. Only their owner writes them (ARCHITECTURE.md, "One owner
 * per fact"); everything else reads them through live queries. It is one file so that a new version
 * of the database is seen as a whole.
 *
 * [Note: times on the device] `…AtEpochMs` is this device's clock; ISO strings are the server's.
 */
import type { components } from '#openapi/schema.gen.ts'
import type { JobState } from './job-state.ts'
import type { Pulled } from '#src/local/nouns/define-noun.ts'
import type { FoundMoments } from '#src/local/edits/found-moments.ts'
import type { MakeFailure, MakeProgress, MakeRequest, PieceStand } from '#src/local/made/make.ts'
import type { PreviewFailure } from '#src/local/previews/preview.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'
import type { Stretch } from '#recipes/stretch.ts'

type Schemas = components['schemas']

export type MediaJobRow = Pulled<Schemas['MediaJob']> & {
  readonly name: string
  readonly createdAt: string
  readonly uploadRequestId: string
}
/** What order, search and filters of the library need of a job ([Note: library entries]). */
export interface LibraryEntryRow {
  readonly _id: string
  readonly name: string
  readonly createdAt: string
  readonly uploadRequestId: string
  /** As far as the job alone tells, without its order. */
  readonly state: JobState['kind']
  readonly formats: readonly Schemas['PresetSlug'][]
}
export type OrderRow = Pulled<Schemas['Order']> & { readonly mediaJobId: string | null }

/** Single facts by key: the profile, `users/me`, capabilities, the list of uploads. */
export interface FactRow {
  readonly key: string
  readonly value: unknown
  readonly pulledAtEpochMs: number
}

/** Thumbnails and posters kept for offline use. Written and read by `images.ts` only. */
export interface ImageRow {
  readonly key: string
  readonly savedAtEpochMs: number
  /** It stands in the place of a picture ([Note: mosaics] in `images.ts`). */
  readonly isMosaic?: true
  /** Without an app lock, and only then. */
  readonly blob?: Blob
  /** With one: rows are sealed within a transaction, and a blob is read outside. */
  readonly sealable?: { readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string }
}

/**
 * Why an upload waits; `retryAtEpochMs` drives the countdown. `store`: the server answers and its
 * storage does not. `storage-write`: this device refuses writes. `no-space`: the server's disk is
 * full. `refused`: the server, or a machine in between, refuses; it may pass, and a person may try
 * again.
 */
export interface UploadWait {
  readonly reason: 'network' | 'server' | 'store' | 'storage-write' | 'no-space' | 'refused'
  /**
   * For `refused` the server's stable code, `upload/cors`, or `http/403`; for `network` `http/404`
   * where something in between answered in the server's place.
   */
  readonly code?: string
  readonly retryAtEpochMs: number
  readonly attempt: number
}

/** Stable codes; `components/problem` has the words. */
export type UploadFailureCode =
  | 'upload/refused'
  | 'upload/too-large'
  | 'upload/empty'
  | 'upload/no-space'
  | 'upload/cors'
  | 'upload/server-misconfigured'
  | 'upload/invalid-file'
  /** The hash of the stored file is not that of the chosen one. */
  | 'upload/mismatch'
  | 'upload/unexpected'

/** The state of one upload. docs/upload-engine.md has the diagram. */
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
  /** A page gives the remaining parts to the browser; the browser has no copy of them yet. */
  | { readonly kind: 'handing-over' }
  /** The browser sends the remaining parts, also without a page (Background Fetch). */
  | { readonly kind: 'handed-over' }
  | { readonly kind: 'finalising' }
  /** `isLate`: the server fails at its check and goes on trying. */
  | { readonly kind: 'verifying'; readonly isLate?: boolean }
  | { readonly kind: 'done'; readonly doneAtEpochMs: number }
  | { readonly kind: 'expired' }
  /** `before` is the state that an undo restores. */
  | {
      readonly kind: 'discarding'
      readonly undoUntilEpochMs: number
      readonly before?: UploadState
    }
  | { readonly kind: 'discarded' }
  | { readonly kind: 'failed'; readonly code: UploadFailureCode; readonly message: string | null }

/** The chosen file's own description. When it is chosen again, its bytes decide, not this. */
export interface UploadFile {
  readonly name: string
  readonly sizeBytes: number
  readonly lastModifiedEpochMs: number
  readonly type: string
}

/** The server's plan, stored unchanged. URLs are never stored. */
export interface PartPlan {
  readonly partSizeBytes: number
  readonly partCount: number
  readonly sizeBytes: number
}

export interface UploadRow {
  /** Local id (UUID), made when the file is chosen; also part of the locks' names. */
  readonly id: string
  /** `_id` at the server; null until the upload is created there. */
  readonly uploadRequestId: string | null
  /** `idempotencyKey` of the creating call: a random string plus a timestamp, made once. */
  readonly idempotencyKey: string
  readonly purpose: 'media-job' | 'media-asset' | 'excerpt'
  /** With the purpose `excerpt`, and only then. */
  readonly excerpt?: ExcerptOf
  /** Only a stretch of the chosen file is sent; absent = the whole. */
  readonly trim?: UploadTrim
  /** What is sent: of a trim its own size, and name and time of the whole. */
  readonly file: UploadFile
  readonly state: UploadState
  /** Raised by each driver that claims the upload; writes with an older epoch are refused. */
  readonly epoch: number
  readonly plan: PartPlan | null
  /** Bytes that the server holds, as last reported; never decreases. */
  readonly safeBytes: number
  /** The hash of the whole that server and device agree on; absent before completion. */
  readonly treeSha256?: string
  readonly probe: ProbeReport | null
  /** The server's findings on the arrived file; absent until they were pulled. */
  readonly arrivalFindings?: readonly Finding[]
  /** SHA-256 (hex) of the first MiB and the last MiB, to verify a file that is chosen again. */
  readonly fingerprint: { readonly head: string; readonly tail: string } | null
  readonly createdAtEpochMs: number
  readonly updatedAtEpochMs: number
}

/** The stretch that is sent of a chosen file, and what the file is recognised by. */
export interface UploadTrim {
  /** In milliseconds of the presentation of the whole, as they can be cut. */
  readonly fromMs: number
  readonly toMs: number
  readonly wholeDurationMs: number
  readonly wholeSizeBytes: number
  readonly wholeFingerprint: NonNullable<UploadRow['fingerprint']>
}

/** Which video an excerpt is of, and what of it the excerpt holds. */
interface ExcerptOf {
  /** The upload of the whole, on this device. */
  readonly uploadId: string
  /** The same at the server. */
  readonly uploadRequestId: string
  /** In order of their time, without overlaps, as times of the whole. */
  readonly stretches: readonly Stretch[]
}

/**
 * The file of an excerpt, or of an upload with a trim: its first bytes, and then these ranges of
 * the file of the whole.
 */
export interface ExcerptRow {
  readonly uploadId: string
  readonly head: Uint8Array<ArrayBuffer>
  readonly ranges: readonly { readonly start: number; readonly end: number }[]
  readonly sizeBytes: number
}

/** What this device found in the file of an upload. Written once; gone with the upload. */
export interface FoundMomentsRow extends FoundMoments {
  readonly uploadId: string
  /** Of what: another file, length or picture is searched again. */
  readonly of: string
}

/** Why a kept file is not on this device. */
export type KeptFileFault =
  /** The server does not have it any more. */
  | 'gone'
  /** The server refuses it. */
  | 'refused'
  /** The limit, or the device, has no room for it. */
  | 'no-room'
  /** The browser cannot write it. */
  | 'unwritable'
  /** It was here, and the browser has removed it. */
  | 'removed'
  /** A person ended it in the browser's own list. */
  | 'stopped'

/**
 * Of a file that the browser gets: from which byte, and since when, which tells one handing from
 * another.
 */
export interface HandedFile {
  readonly fromBytes: number
  readonly atEpochMs: number
}

/** A finished file that this device keeps, or is getting. `local/kept` has the bytes. */
export interface KeptFileRow {
  readonly outputId: string
  readonly taskId: string
  readonly mediaJobId: string
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly state: 'queued' | 'getting' | 'kept' | 'failed'
  /** With the state `failed`, and only then. */
  readonly fault?: KeptFileFault
  /** As last written, or as the browser last said; the files themselves decide. */
  readonly gotBytes: number
  /**
   * Given to the browser to get from there on; only with the state `getting`. The app's own loop
   * leaves such a file alone ([Note: got by the browser] in `local/kept/by-browser.ts`).
   */
  readonly handed?: HandedFile
  readonly queuedAtEpochMs: number
  /** Played, saved or shared; at first when it was asked for. */
  readonly lastOpenedAtEpochMs: number
}

/** A part that the server confirmed, written with strict durability. Key [uploadId+partNumber]. */
export interface UploadPartRow {
  readonly uploadId: string
  readonly partNumber: number
  readonly eTag: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly safeAtEpochMs: number
}

/** File handle of the chosen file, where the browser gives one. */
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
 * Why this device did not make an edit. `made/unfinished`: its page went meanwhile.
 * `made/worker-died`: its worker did, as often as it was started. `made/not-saved`: this device
 * refused its files.
 */
export type MadeFailureCode =
  | MakeFailure['code']
  | PreviewFailure['code']
  | 'made/unfinished'
  | 'made/worker-died'
  | 'made/no-space'
  | 'made/not-saved'

/** One file of a device edit; its bytes are `made/<row id>/<place in the list>`. */
export interface MadeFileFacts {
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
}

/**
 * Where a device edit stands. `gone`: the browser removed its files. `missingBytes`: of
 * `made/no-space`, how much more room it needs.
 */
export type MadeState =
  | { readonly kind: 'making' }
  | { readonly kind: 'ready'; readonly files: readonly MadeFileFacts[] }
  | {
      readonly kind: 'failed'
      readonly code: MadeFailureCode
      readonly missingBytes?: number
    }
  | { readonly kind: 'gone' }

/** A device edit: which edit of which video, with all its files. The server knows nothing of it. */
export interface MadeFileRow {
  readonly id: string
  /** Local id of the upload whose file it is made of. */
  readonly uploadId: string
  /** As its file was called. */
  readonly videoName: string
  readonly slug: string
  readonly payload: unknown
  /** What the edit was called then, for when no catalogue is here. */
  readonly editName: string
  readonly state: MadeState
  /** By which it is made, so that it goes on by the same ones. */
  readonly moments?: MakeRequest['moments']
  /** Says which bytes its video has, for when the same video is chosen again. */
  readonly bytesKey?: string
  /** How far it was with its last kept piece, and on which rung. Null for none. */
  readonly kept?: (MakeProgress & Pick<PieceStand, 'rung'>) | null
  readonly createdAtEpochMs: number
  /** When a person first looked at it; null before. */
  readonly seenAtEpochMs: number | null
}

/**
 * The formats chosen for an upload and their options; they survive reload and crash. Keyed by local
 * upload id or uploadRequestId.
 */
export interface SelectionRow {
  readonly key: string
  readonly requests: readonly Schemas['MediaJobTaskRequest'][]
  readonly updatedAtEpochMs: number
}

/**
 * The step that a submission has reached; the screen shows it
 * (docs/product-decisions.md#preparation-progress).
 */
type SubmissionStage = 'waiting-for-upload' | 'creating-job' | 'analysing' | 'creating-order'

/**
 * "Submit for Editing": waits for the upload's request at the server, then creates job and order.
 * Keeps each id that the server returns.
 */
export interface SubmitEditsIntent {
  readonly kind: 'submit-edits'
  /** The device's upload; null when the upload request already existed at the server. */
  readonly uploadId: string | null
  readonly uploadRequestId: string | null
  readonly requests: readonly Schemas['MediaJobTaskRequest'][]
  readonly mediaJobId: string | null
  /**
   * The version of the text that was confirmed for the first order of the video; null when it was
   * attested before, absent in rows of an older app.
   */
  readonly attestedVersion?: string | null
  /**
   * The delivered edit that is made again at half price; null for all other orders, absent in rows
   * of an older app.
   */
  readonly redoOfTaskId?: string | null
  readonly stage: SubmissionStage
  /** The server has the whole file. */
  readonly isReceived: boolean
  /**
   * A chosen price depends on the length, so the server must measure the video before the order.
   */
  readonly needsAnalysis: boolean
  /**
   * The order was requested once both ends of the file were at the server; it can measure most
   * videos then.
   */
  readonly hasAskedEarly?: boolean
  /** The server measured the file; prices by length are known. */
  readonly isAnalysed: boolean
  /**
   * How often and for how long the measured length was polled, without the pauses while the page
   * was hidden. Both count from when the whole file was received.
   */
  readonly polls: number
  readonly polledForMs: number
}
export interface AbortUploadIntent {
  readonly kind: 'abort-upload'
  readonly uploadRequestId: string
}
/**
 * Names an asset whose file is on its way: waits until its upload is done, then makes the asset of
 * it and dismisses the upload's receipt.
 */
export interface CreateMediaAssetIntent {
  readonly kind: 'create-media-asset'
  readonly uploadId: string
  readonly name: string
  /** The draft of the options that wait for this asset; it gets the asset's id. Null for none. */
  readonly draftKey: string | null
}
export interface DeleteMediaAssetIntent {
  readonly kind: 'delete-media-asset'
  readonly mediaAssetId: string
}
/** Another name of a video, for all its jobs. */
export interface RenameVideoIntent {
  readonly kind: 'rename-video'
  readonly mediaJobId: string
  readonly uploadRequestId: string
  readonly name: string
}
/** What the owner of an edit decided of its faces so far; one for each task. */
export interface SaveFaceReviewIntent {
  readonly kind: 'save-face-review'
  readonly taskId: string
  /** The revision of the server's that this is to replace. */
  readonly basedOn: number
  readonly decisions: FaceDecisions
  /** What was sent last, whose answer may be lost; null before. */
  readonly sent: FaceDecisions | null
}
export type FaceDecisions = Schemas['FaceDecisions']
/** The sound that the edits of a video use; one for each video. */
export interface ChooseSoundIntent {
  readonly kind: 'choose-sound'
  readonly uploadRequestId: string
  /** Among all sounds of the file, from 1. */
  readonly sound: number
}

export type OutboxIntent =
  | SubmitEditsIntent
  | AbortUploadIntent
  | CreateMediaAssetIntent
  | DeleteMediaAssetIntent
  | RenameVideoIntent
  | SaveFaceReviewIntent
  | ChooseSoundIntent

type OutboxState =
  /**
   * `isForSession`: the server refused it for want of a session, which is no failed try. `limit`:
   * the server answered last that such calls came too often, in this sentence.
   */
  | { readonly kind: 'waiting'; readonly isForSession?: true; readonly limit?: string }
  | { readonly kind: 'sending'; readonly limit?: string }
  /**
   * Not retried automatically. `code` is the server's or ours; `message` is the server's text, kept
   * for support and never used in logic.
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

/** A review of faces as last pulled; `_id` is the task's. */
export interface FaceReviewRow {
  readonly _id: string
  readonly value: Schemas['FaceReview']
  readonly pulledAtEpochMs: number
}

/** The sounds of a video as last pulled; `_id` is the upload request's. */
export interface UploadSoundsRow {
  readonly _id: string
  readonly value: Schemas['UploadSounds']
  readonly pulledAtEpochMs: number
}

/** Contents of a form that are not sent yet. */
export interface DraftRow {
  readonly key: string
  readonly value: unknown
  readonly updatedAtEpochMs: number
}

/**
 * A payment by tokens without an answer yet, stored before it is sent
 * (docs/product-decisions.md#idempotency-keys). One for each order.
 */
export interface PaymentIntentRow {
  readonly orderId: string
  readonly walletId: string
  readonly coinAmount: number
  readonly remainingPayableCoinAmount: number
  readonly attempt: number
  /**
   * Used in the header and in the body's `idempotencyKey`: order, wallet, remaining, amount and
   * attempt.
   */
  readonly idempotencyKey: string
  readonly createdAtEpochMs: number
}

/**
 * A card payment for tokens that was begun on this device and whose end it has not seen, stored
 * before it is sent (docs/product-decisions.md#idempotency-keys). One for each purpose.
 */
export interface CheckoutRow {
  /** Wallet, order and amount: repeating them continues the payment. */
  readonly key: string
  readonly walletId: string
  readonly orderId: string | null
  readonly coinAmount: number
  /** Tokens of the wallet that pay the order too; absent from earlier rows, which have none. */
  readonly walletCoinAmount?: number
  readonly idempotencyKey: string
  /** The provider's; null until the server has answered. */
  readonly sessionId: string | null
  readonly createdAtEpochMs: number
}
