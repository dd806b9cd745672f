/**
 * What the engine needs from outside. Implemented by `adapters/` for the browser and by tests/fakes
 * for simulated time.
 */
import type { PutOutcome } from './answers.ts'
import type { PutPace } from './watchdog.ts'
import type { UploadFile, UploadPartRow, UploadRow, UploadWait } from '#src/local/db/rows.ts'
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
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>
  readonly log: Log
  readonly onProgress: (progress: UploadProgress) => void
  /** How large the parts of this server usually are, as last heard; null: not known here. */
  readonly usualPartBytes: () => Promise<number | null>
  /**
   * Parts at once before anything was measured, 1 to 5. A host that hears of whole parts only
   * begins with fewer.
   */
  readonly firstSlots: number
}

/** Memory-only news of a driven upload, at most 4 a second. */
export interface UploadProgress {
  readonly uploadId: string
  /** Confirmed bytes; never goes back. */
  readonly safeBytes: number
  /** Sent but not confirmed. */
  readonly inFlightBytes: number
  /** 0 while nothing was measured. */
  readonly bytesPerSecond: number
  readonly secondsLeft: number | null
  /** Since when no byte has moved, in milliseconds. */
  readonly quietForMs: number
  /**
   * Why nothing is sent for the moment, though the state is still 'uploading': a pause too short
   * for a state of its own.
   */
  readonly pause: UploadWait | null
  /** This device cannot write down what is safe; a reload now may send some of it again. */
  readonly isUnsaved: boolean
}

/**
 * Rows of uploads and parts. [Note: upload epoch] whoever takes an upload over raises its epoch; a
 * write under an older epoch changes nothing and says so, so that a driver that lost its lock
 * cannot undo what its successor did.
 */
export interface UploadStore {
  list(): Promise<readonly UploadRow[]>
  read(uploadId: string): Promise<UploadRow | null>
  /**
   * Replaces the row by `change(row)` in one transaction. Null when there is no such row or, with
   * an epoch given, it has moved on. Without one, the row given to `change` counts all safe parts,
   * also those that its driver has not told the row of yet.
   */
  change(
    uploadId: string,
    epoch: number | null,
    change: (row: UploadRow) => UploadRow,
  ): Promise<UploadRow | null>
  parts(uploadId: string): Promise<readonly UploadPartRow[]>
  /**
   * Adds a safe part, strictly durable, and raises `safeBytes` of the row to the sum if one is
   * given. Null when the epoch has moved on.
   */
  putPart(epoch: number, part: UploadPartRow, safeBytes: number | null): Promise<UploadRow | null>
  /** The server's list wins: exactly these parts are safe. Null when the epoch has moved on. */
  replaceParts(
    uploadId: string,
    epoch: number,
    parts: readonly UploadPartRow[],
  ): Promise<UploadRow | null>
  /** Forgets what only an unfinished upload needs: handle, copy and part rows. */
  dropBytes(uploadId: string): Promise<void>
  /** Removes the row and everything that belongs to it. */
  remove(uploadId: string): Promise<void>
  /**
   * Tells the present row soon (never before it returns) and every change, also of other tabs.
   * Returns the function that ends it.
   */
  watch(uploadId: string, listener: (row: UploadRow | null) => void): () => void
  watchAll(listener: (uploadIds: readonly string[]) => void): () => void
}

/** Named exclusive locks of this origin. */
export interface UploadLocks {
  /**
   * Waits for the lock, runs `work` under it. Rejects with the signal's reason when aborted while
   * waiting.
   */
  withLock<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** Runs `work` under the lock if nobody has it or waits for it; else null, without waiting. */
  withFreeLock<T>(name: string, work: () => Promise<T>): Promise<T | null>
  /** Whether some context holds it now. */
  isHeld(name: string): Promise<boolean>
  /** Whether some context stands in the queue for it. */
  isAwaited(name: string): Promise<boolean>
}

/** One part as the server lists it. */
export interface ServerPart {
  readonly partNumber: number
  readonly sizeBytes: number
  readonly url: string | null
  readonly eTag: string | null
  readonly storedBytes: number | null
}

/** The server's word on an upload. */
export interface ServerUpload {
  readonly uploadRequestId: string
  readonly state: 'open' | 'completed' | 'validated' | 'failed' | 'aborted'
  readonly failureReason: string | null
  readonly parts: readonly ServerPart[]
}

/** Why a call gave nothing. `busy` and `silent` pass by themselves. */
export type UploadApiProblem =
  | { readonly kind: 'silent' }
  | { readonly kind: 'busy'; readonly retryAfterMs: number | null }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'gone' }
  /** 409: what the server has differs from what was said; its part list tells. */
  | { readonly kind: 'parts-differ' }
  | { readonly kind: 'in-use' }
  | { readonly kind: 'no-space' }
  | { readonly kind: 'refused'; readonly message: string | null }

export interface UploadApi {
  /** Idempotent by the row's `idempotencyKey`. */
  create(row: UploadRow, signal: AbortSignal): Promise<Result<ServerUpload, UploadApiProblem>>
  /** What is stored, with fresh URLs for the rest. */
  read(
    uploadRequestId: string,
    signal: AbortSignal,
  ): Promise<Result<ServerUpload, UploadApiProblem>>
  /** Idempotent. */
  complete(
    uploadRequestId: string,
    parts: readonly UploadPartRow[],
    signal: AbortSignal,
  ): Promise<Result<ServerUpload, UploadApiProblem>>
  /** Whether the server answers at all; cheap, changes nothing. False also when aborted. */
  ping(signal: AbortSignal): Promise<boolean>
  /** Idempotent. */
  abort(uploadRequestId: string, signal: AbortSignal): Promise<Result<void, UploadApiProblem>>
}

export interface PartRequest {
  readonly url: string
  readonly body: Blob
  /** SHA-256 of the body in base64, sent as `x-amz-checksum-sha256`. */
  readonly sha256: string
  readonly pace: PutPace
  readonly signal: AbortSignal
  /** Bytes of this attempt handed to the network so far. */
  readonly onSent: (sentBytes: number) => void
}

export interface PartTransport {
  /** Whether `onSent` hears of bytes on their way; false: of whole parts only. */
  readonly reportsProgress: boolean
  /** Sends one part. Rejects only with `AbortError`. */
  put(request: PartRequest): Promise<PutOutcome>
  /**
   * Whether whoever would take the part answers at all, and be it that it refuses; sends and
   * changes nothing. False also when aborted.
   */
  checkStorage(url: string, signal: AbortSignal): Promise<boolean>
  /** Whether the URL is on another origin than the API: only then can CORS be in the network. */
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
  /** What the file says of itself; hints, except for the size. */
  readonly file: UploadFile
  slice(start: number, end: number): Blob
  /** Bytes [start, end), all of them, or why not. */
  read(start: number, end: number): Promise<Result<ArrayBuffer, BytesProblem>>
}

export interface UploadBytes {
  /**
   * In memory, else the copy on this device, else the handle. Whether they are the right bytes is
   * the caller's to check.
   */
  open(row: UploadRow): Promise<Result<ByteSource, BytesProblem>>
  /** Holds the file in memory for this upload. */
  hold(uploadId: string, file: File): void
  /**
   * Copies a small file into the database beside the upload, so that it survives a reload; does
   * nothing when that is not wanted.
   */
  keepCopy(row: UploadRow): Promise<void>
  /** True when the bytes exist in this context's memory only. */
  isHeld(uploadId: string): boolean
  letGo(uploadId: string): void
}
