import type { Readable } from 'node:stream'

/** A part that the store holds completely. `eTag` is opaque to all code but the store. */
export interface StoredPart {
  readonly partNumber: number
  readonly eTag: string
  readonly sizeBytes: number
  /** Base64 SHA-256 of the part's bytes, or null where the store does not know it. */
  readonly checksumSha256: string | null
}

/** The beginning of a part that broke off: `heldBytes` is at least 1. */
export interface HeldPart {
  readonly partNumber: number
  readonly heldBytes: number
}

/** What a store has of parts that are not stored. */
export interface HeldBytes {
  /** By number, and stored ones among them. */
  readonly parts: readonly HeldPart[]
  /** When the last of these bytes came; null while there are none. */
  readonly lastAt: Date | null
}

/** The bytes of a part that this server gets itself. */
export interface PartBytes {
  /**
   * Names the file and the version of it. Where the store keeps the beginning of a part that broke
   * off, the next try with the same version goes on behind it. Null: each try begins again.
   */
  readonly version: string | null
  /** The part's bytes behind the first `offset`; called once at most. */
  from(offset: number): AsyncIterable<Buffer>
}

/**
 * A part as the sender believes it to be stored; the checksum (base64 SHA-256) is compared again
 * when given.
 */
export interface ClaimedPart {
  readonly partNumber: number
  readonly eTag: string
  readonly checksumSha256?: string | null | undefined
}

/** What a multipart upload looks like; fixed at its creation. */
export interface MultipartPlan {
  readonly uploadId: string
  readonly objectKey: string
  readonly sizeBytes: number
  readonly partSizeBytes: number
  readonly partCount: number
}

/** A part that is about to be sent. */
interface PartToSign {
  readonly partNumber: number
  /** Base64 SHA-256 of its bytes, or null where the sender does not say it beforehand. */
  readonly checksumSha256: string | null
}

/** Where a part is sent to. */
export interface SignedPart {
  /** Relative when the store is this server. */
  readonly url: string
  /** Sent with the bytes exactly so, because the store may have them in the signature. */
  readonly headers: Readonly<Record<string, string>>
}

/** A byte range as the header `Range` says it: `end` is its last byte. */
export interface InclusiveRange {
  readonly start: number
  readonly end: number
}

/**
 * Where bytes live: the server's own disk, or an S3 bucket. Behaviour is fixed by
 * tests/suites/object-store.ts, which runs against every implementation. Part sizes: all
 * `partSizeBytes` but the last.
 */
export interface ObjectStore {
  /** Whether part URLs also take HEAD and PATCH, so that a part that broke off can go on. */
  readonly resumesParts: boolean
  /** Whether a part is signed only with its checksum, which the store then compares itself. */
  readonly urlsNeedChecksums: boolean
  /**
   * Bytes that new uploads may count on now, less than 0 when more was promised than is there; null
   * where the store has no end.
   */
  spareBytes(): Promise<number | null>
  /** Share of the storage that is in use, 0 to 1; null where it has no end. */
  usedShare(): Promise<number | null>
  /** Bytes that edits may take now; null where the store has no end. */
  roomForEdits(): Promise<number | null>
  /**
   * Whether the store does not answer, so that work which needs it waits. Its calls then throw
   * `system/unavailable`, and may be made again as they are. Never true of the server's own disk.
   */
  isAway(): Promise<boolean>
  /** Opens a multipart upload; returns the store's own id of it, or null when it needs none. */
  createMultipart(plan: MultipartPlan): Promise<{ storeUploadId: string | null }>
  /** What a `PUT` of exactly this part needs; good for `expiresInS` seconds. */
  signPart(
    plan: MultipartPlan,
    storeUploadId: string | null,
    part: PartToSign,
    expiresInS: number,
  ): Promise<SignedPart>
  /**
   * Stores one part whose bytes this server gets itself. Durable when it returns. Throws a
   * `Problem` as for a part that was sent, and what `bytes` throws; when they end early it is
   * `parts/idle`.
   */
  writePart(
    plan: MultipartPlan,
    storeUploadId: string | null,
    partNumber: number,
    bytes: PartBytes,
  ): Promise<void>
  /**
   * Parts that are completely stored, by number.
   * @param asked the only ones, one at least, that have to be in the answer; left out = all
   */
  listParts(
    plan: MultipartPlan,
    storeUploadId: string | null,
    asked?: readonly number[],
  ): Promise<StoredPart[]>
  /** What is held of parts that broke off; none where `resumesParts` is false. */
  heldParts(plan: MultipartPlan, storeUploadId: string | null): Promise<HeldBytes>
  /**
   * Makes the object from its parts and returns these by number; safe to repeat. Throws
   * `PartsMissing` when parts are missing. Never called in a transaction: it may take seconds.
   */
  completeMultipart(
    plan: MultipartPlan,
    storeUploadId: string | null,
    parts: readonly ClaimedPart[],
  ): Promise<readonly StoredPart[]>
  /**
   * Reads the completed object again and returns the numbers of the parts whose SHA-256 is not the
   * one under which they were stored, ascending; a part that is missing counts as damaged. Also
   * reads the unfinished file of an upload that `reopenMultipart` opened. Needs 1 MiB of memory.
   * Rejects with the reason of `signal`.
   */
  damagedParts(plan: MultipartPlan, signal: AbortSignal): Promise<readonly number[]>
  /**
   * Makes a completed object an unfinished upload again, so that its damaged parts can be sent
   * again, and returns the store's id of that; safe to repeat. `listParts` may still name the
   * damaged ones, until the caller forgets them.
   */
  reopenMultipart(
    plan: MultipartPlan,
    storeUploadId: string | null,
    damaged: readonly number[],
  ): Promise<{ storeUploadId: string | null }>
  /** Forgets the upload and its parts; safe to repeat. */
  abortMultipart(plan: MultipartPlan, storeUploadId: string | null): Promise<void>
  /**
   * Stores a finished local file under `objectKey`; the file may be moved. Durable when it returns.
   */
  putFile(objectKey: string, localPath: string, contentType: string): Promise<{ sizeBytes: number }>
  /** Size, or null when the object does not exist. */
  head(objectKey: string): Promise<{ sizeBytes: number } | null>
  /**
   * Bytes of an object or of a range of it. Where the store goes away among them, they end with
   * `system/unavailable`.
   */
  read(objectKey: string, range?: InclusiveRange): Promise<Readable>
  /**
   * Where a browser gets the object from the store itself, without a session, for `expiresInS`
   * seconds; null where this server is the store.
   */
  publicUrl(
    objectKey: string,
    shown: { readonly contentType: string; readonly disposition: string | null },
    expiresInS: number,
  ): Promise<string | null>
  /** Deletes the object; safe to repeat. */
  remove(objectKey: string): Promise<void>
  /** Deletes every object whose key begins with `prefix` and a slash; safe to repeat. */
  removeAll(prefix: string): Promise<void>
  /**
   * Ends multipart uploads older than `before` that `isOpen` does not know: left by a crash between
   * store and row. Also what a killed process has left of a file that it wrote, where the store
   * keeps that, much later. Returns how many, of which there is a most.
   */
  removeOrphans(before: Date, isOpen: (uploadId: string) => Promise<boolean>): Promise<number>
}
