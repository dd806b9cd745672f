/**
 * What the engine needs from outside. `adapters/` implements it for browsers, tests/fakes for
 * simulated time; tests/suites holds one suite for each port, which both must pass.
 */
import type {
  UploadFile,
  UploadPartRow,
  UploadRow,
  UploadTrim,
  UploadWait,
} from '#src/local/db/rows.ts'
import type { Ids } from '#src/lib/ids.ts'
import type { Log } from '#src/lib/log.ts'
import type { Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'

export interface UploadDeps {
  readonly clock: Clock
  readonly ids: Ids
  /** 0 <= value < 1 */
  readonly random: () => number
  readonly locks: UploadLocks
  readonly store: UploadStore
  readonly api: UploadApi
  readonly transport: PartTransport
  readonly bytes: UploadBytes
  /** How the server usually cuts files, as this device last heard; null when it has not. */
  readonly usualPartBytes: () => Promise<number | null>
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>
  readonly log: Log
  readonly onProgress: (progress: UploadProgress) => void
  /**
   * Slots before anything was measured, 1 to 5. A host whose transport reports whole parts only
   * starts with fewer.
   */
  readonly firstSlots: number
}

/** Progress of a driven upload, in memory only, at most 4 a second. */
export interface UploadProgress {
  readonly uploadId: string
  /** Bytes that the server holds, of unfinished parts too; never decreases. */
  readonly safeBytes: number
  /** Handed to the network and not acknowledged. */
  readonly inFlightBytes: number
  /** Of acknowledged bytes; 0 before the first measurement. */
  readonly bytesPerSecond: number
  readonly secondsLeft: number | null
  /** Milliseconds since the last byte moved. */
  readonly quietForMs: number
  /**
   * Why nothing is being sent although the state is 'uploading': a pause too short for a state of
   * its own.
   */
  readonly pause: UploadWait | null
  /**
   * True when this device cannot store what is safe; after a reload some bytes may be sent again.
   */
  readonly isUnsaved: boolean
}

/**
 * Rows of uploads and parts. [Note: upload epoch] Each driver that claims an upload raises its
 * epoch; a write with an older epoch changes nothing and returns null, so that a driver that lost
 * its lock cannot undo the work of its successor.
 */
export interface UploadStore {
  list(): Promise<readonly UploadRow[]>
  read(uploadId: string): Promise<UploadRow | null>
  /**
   * Replaces the row by `change(row)` in one transaction; returns the new row. Null when there is
   * no such row or, with an epoch given, the row has another one. Without an epoch, the row passed
   * to `change` counts all safe parts, also those that its driver has not reported in the row yet.
   */
  change(
    uploadId: string,
    epoch: number | null,
    change: (row: UploadRow) => UploadRow,
  ): Promise<UploadRow | null>
  parts(uploadId: string): Promise<readonly UploadPartRow[]>
  /**
   * Adds a safe part, strictly durable. Raises `safeBytes` of the row to the given sum; null leaves
   * it. Resolves with null when the epoch has moved on.
   */
  putPart(epoch: number, part: UploadPartRow, safeBytes: number | null): Promise<UploadRow | null>
  /**
   * Makes exactly these parts safe, because the server's list wins. Null when the epoch has moved
   * on.
   */
  replaceParts(
    uploadId: string,
    epoch: number,
    parts: readonly UploadPartRow[],
  ): Promise<UploadRow | null>
  /** Deletes what only an unfinished upload needs: handle, copy, part rows, file of an excerpt. */
  dropBytes(uploadId: string): Promise<void>
  /** Deletes the row and everything that belongs to it, its excerpts too. */
  remove(uploadId: string): Promise<void>
  /**
   * Calls the listener with the current row soon (never before `watch` returns) and at every
   * change, also from other tabs; null when there is no such row. Returns the function that stops
   * it.
   */
  watch(uploadId: string, listener: (row: UploadRow | null) => void): () => void
  watchAll(listener: (uploadIds: readonly string[]) => void): () => void
}

/** Named exclusive locks of this origin. */
export interface UploadLocks {
  /**
   * Waits for the lock and runs `work` under it. Rejects with the signal's reason when aborted
   * while waiting; an abort after that does not matter.
   */
  withLock<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /**
   * Runs `work` under the lock if the lock is free and has no queue; otherwise returns null at
   * once.
   */
  withFreeLock<T>(name: string, work: () => Promise<T>): Promise<T | null>
  /** Whether any context holds the lock now. */
  isHeld(name: string): Promise<boolean>
  /** Whether any context is queued for the lock. */
  isAwaited(name: string): Promise<boolean>
}

export type PartHeaders = Readonly<Record<string, string>>

/** A part whose URL is asked for. */
export interface WantedPart {
  readonly partNumber: number
  /** SHA-256 in base64; null where the URL needs none, or none is wanted. */
  readonly sha256: string | null
}

/** One part as the server lists it: stored, held in part, or only planned. */
export interface ServerPart {
  readonly partNumber: number
  readonly sizeBytes: number
  /** Null for a stored part, and for one whose URL was not asked for. */
  readonly url: string | null
  /** What `url` wants to be sent exactly so; null where it is content with the checksum. */
  readonly headers: PartHeaders | null
  readonly eTag: string | null
  readonly storedBytes: number | null
  /** SHA-256 (base64) of the stored bytes; null when the storage does not know it. */
  readonly sha256: string | null
  /** Bytes of an unfinished part that the server holds. */
  readonly heldBytes: number
}

/** The server's view of an upload. */
export interface ServerUpload {
  readonly uploadRequestId: string
  readonly state: 'open' | 'completed' | 'validated' | 'failed' | 'aborted'
  readonly failureReason: string | null
  /** The server fails at its check and goes on trying; absent from older servers. */
  readonly isCheckLate?: boolean
  /** Null for an upload without a plan, such as an import. */
  readonly plan: { readonly partSizeBytes: number; readonly partCount: number } | null
  /** Whether unfinished parts resume: their URLs take HEAD and PATCH. */
  readonly isResumable: boolean
  /** Whether a part gets its URL only with its hash. */
  readonly urlsNeedChecksums: boolean
  /** The hash of the whole (see `treeHash`), once the upload is completed. */
  readonly treeSha256: string | null
  /** Parts that the server has something to say about; missing parts may be left out. */
  readonly parts: readonly ServerPart[]
}

/** Why a call failed. `silent` covers every answer that is not the server's own. */
export type UploadApiProblem =
  | { readonly kind: 'silent' }
  /** Something in between answered in the server's place, by this status. */
  | { readonly kind: 'foreign'; readonly status: number }
  | { readonly kind: 'busy'; readonly retryAfterMs: number | null }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'gone' }
  /** 409: the server has other parts than the client named; read its part list. */
  | { readonly kind: 'parts-differ' }
  | { readonly kind: 'in-use' }
  | { readonly kind: 'no-space' }
  /** The server's own refusal, with its stable code. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string | null }

export interface UploadApi {
  /** Idempotent by the row's `idempotencyKey`. */
  create(row: UploadRow, signal: AbortSignal): Promise<Result<ServerUpload, UploadApiProblem>>
  /** What the server has, with fresh URLs for the first missing parts. */
  read(
    uploadRequestId: string,
    signal: AbortSignal,
  ): Promise<Result<ServerUpload, UploadApiProblem>>
  /** Where the upload stands, without its parts: cheap enough to ask again and again. */
  readState(
    uploadRequestId: string,
    signal: AbortSignal,
  ): Promise<
    Result<Pick<ServerUpload, 'state' | 'failureReason' | 'isCheckLate'>, UploadApiProblem>
  >
  /**
   * Fresh URLs for these parts, 1 to 100, for stored ones too: they may have to be replaced. They
   * live for an hour, or for `lifetimeSeconds` (60 to 86,400).
   */
  partUrls(
    uploadRequestId: string,
    parts: readonly WantedPart[],
    signal: AbortSignal,
    lifetimeSeconds?: number,
  ): Promise<Result<readonly ServerPart[], UploadApiProblem>>
  /**
   * What the server holds of parts that are not stored, in bytes by part number; a part that is
   * missing here has nothing held, or is stored. Cheap: it has no body and ends no attempt.
   */
  heldParts(
    uploadRequestId: string,
    signal: AbortSignal,
  ): Promise<Result<ReadonlyMap<number, number>, UploadApiProblem>>
  /** Idempotent. Names the hash of every part, which the server compares with what it stored. */
  complete(
    uploadRequestId: string,
    parts: readonly UploadPartRow[],
    signal: AbortSignal,
  ): Promise<Result<ServerUpload, UploadApiProblem>>
  /**
   * Reachability check: whether the server answers at all. Cheap, changes nothing. False also when
   * aborted.
   */
  ping(signal: AbortSignal): Promise<boolean>
  /** Idempotent. */
  abort(uploadRequestId: string, signal: AbortSignal): Promise<Result<void, UploadApiProblem>>
}

/** What is known about the network while a part is sent; `null` when nothing was measured. */
export interface PutPace {
  /** Attempts in a row that did not connect; each doubles the connect limit. */
  readonly failedConnects: number
  /** Times in a row that a body was sent whole and never answered; each doubles that limit. */
  readonly unanswered: number
  /** Usual time between two progress events. */
  readonly expectedGapMs: number | null
  readonly bytesPerSecond: number | null
}

/** A piece of a part: its bytes from `offset` on. The piece may be the whole part. */
export interface PartRequest {
  readonly url: string
  /** What `url` wants to be sent exactly so; null, or left out: the checksum alone. */
  readonly headers?: PartHeaders | null
  readonly body: Blob
  /** Where the body begins in the part. */
  readonly offset: number
  readonly partSizeBytes: number
  /** SHA-256 of the whole part in base64, sent as `x-amz-checksum-sha256`. */
  readonly sha256: string
  readonly pace: PutPace
  readonly signal: AbortSignal
  /** Called with the bytes of this body that were handed to the network so far. */
  readonly onSent: (sentBytes: number) => void
}

/** What a transport saw of one request. An abort is no outcome: it throws `AbortError`. */
export type PutOutcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** Without quotes; null when absent or hidden by CORS. */
      readonly eTag: string | null
      /** `Upload-Offset`: how much of the part the server holds. */
      readonly heldBytes: number | null
      readonly retryAfterMs: number | null
      /** `Code` of an S3 error document or `error.code` of ours; null when the body has none. */
      readonly errorCode: string | null
      /**
       * Whether the answer carries a mark of the storage itself: an ETag, an offset or a code. A
       * proxy, a balancer or a captive portal carries none.
       */
      readonly isOwn: boolean
    }
  /** Status 0, which hides every reason, or the end of an attempt by its watchdog. */
  | { readonly kind: 'silence'; readonly didStall: boolean; readonly movedBytes: number }

export interface PartTransport {
  /** True when `onSent` is called while bytes move; false when only whole bodies are reported. */
  readonly reportsProgress: boolean
  /** Sends a piece: PUT for a whole part, else PATCH. Rejects only with `AbortError`. */
  put(request: PartRequest): Promise<PutOutcome>
  /**
   * Asks by HEAD how much of the part the server holds; sends no data. It also ends an attempt
   * that the server still waits for. Rejects only with `AbortError`.
   */
  offset(request: Pick<PartRequest, 'url' | 'sha256' | 'pace' | 'signal'>): Promise<PutOutcome>
  /** Whether the URL is on another origin than the API: only then can CORS be at fault. */
  isForeign(url: string): boolean
}

/** Why the bytes of an upload cannot be read now. */
export type BytesProblem =
  | { readonly kind: 'no-handle' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'needs-permission' }

/** The bytes of one file, readable in slices. */
export interface ByteSource {
  readonly sizeBytes: number
  /** What the file says about itself; only the size is reliable. */
  readonly file: UploadFile
  slice(start: number, end: number): Blob
  /** All bytes of [start, end), or why they cannot be read. */
  read(start: number, end: number): Promise<Result<ArrayBuffer, BytesProblem>>
}

export interface UploadBytes {
  /**
   * Opens the file in memory, else the copy on this device, else the handle. The caller must check
   * that the bytes are the right ones.
   */
  open(row: UploadRow): Promise<Result<ByteSource, BytesProblem>>
  /**
   * Trims another file than the one that the upload was trimmed from, as near as it can be cut;
   * null where it cannot. Writes locally.
   */
  cutAgain(
    row: UploadRow,
    whole: ByteSource,
  ): Promise<{ readonly source: ByteSource; readonly trim: UploadTrim } | null>
  /** Keeps the file in memory for this upload. */
  hold(uploadId: string, file: File): void
  /**
   * Copies a small file into the database, so that the upload survives a reload; does nothing when
   * a copy is not wanted.
   */
  keepCopy(row: UploadRow): Promise<void>
  /** True when this context has the file in memory. */
  isHeld(uploadId: string): boolean
  letGo(uploadId: string): void
}
