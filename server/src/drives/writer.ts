import type { Readable } from 'node:stream'

/**
 * Why a drive did not take what it was given.
 *
 * - `token`: the token counts no more, or gives no right to write
 * - `full`: there is no room in the drive
 * - `refused`: it does not take this file, now or later
 * - `away`: later it may work
 */
export type WriteFaultKind = 'token' | 'full' | 'refused' | 'away'

/** A refusal or failure of a drive. Says nothing of tokens or people, so that logs may. */
export class WriteFault extends Error {
  override readonly name = 'WriteFault'
  readonly kind: WriteFaultKind
  /** How long the drive asks to be left alone. */
  readonly retryAfterS: number | null

  constructor(kind: WriteFaultKind, retryAfterS: number | null = null) {
    super(`The drive did not take what it was given: ${kind}`)
    this.kind = kind
    this.retryAfterS = retryAfterS
  }
}

/** One request to a drive, with a token that counts. */
export interface WriteCall {
  readonly token: string
  readonly signal: AbortSignal
}

/** A folder that only this program finds, by its mark, whatever people call it. */
interface MarkedFolder {
  readonly mark: string
  readonly name: string
  /** Null: at the top of the drive. */
  readonly parentId: string | null
}

/** A file that is to be made under an id that `newFileId` gave. */
interface NewDriveFile {
  readonly id: string
  readonly name: string
  readonly folderId: string
  readonly contentType: string
  readonly sizeBytes: number
}

/** What a drive says of a file that is there. */
export interface WrittenFile {
  readonly sizeBytes: number
  /** Hexadecimal digits; null where the drive does not say. */
  readonly md5: string | null
}

/** A stretch of a file, from `start`; `body` has `lengthBytes`. */
interface FilePiece {
  readonly start: number
  readonly lengthBytes: number
  readonly sizeBytes: number
  readonly body: Readable
}

/** How much of a file a session holds. `gone`: the session is over, whatever became of the file. */
export type SessionState =
  | { readonly kind: 'open'; readonly heldBytes: number }
  | { readonly kind: 'complete' }
  | { readonly kind: 'gone' }

/**
 * The writing side of a cloud drive. Everything throws `WriteFault`, what its fetch throws, or the
 * signal's reason.
 */
export interface DriveWriter {
  /** The drive's own id for a file that is not made yet. */
  newFileId(call: WriteCall): Promise<string>
  /** The file of this id, also where it is in the bin; null where there is none. */
  findFile(call: WriteCall, id: string): Promise<WrittenFile | null>
  /** Removes a file for good; one that is gone is fine. */
  removeFile(call: WriteCall, id: string): Promise<void>
  /** The id of the folder with this mark; makes it where there is none. */
  ensureFolder(call: WriteCall, folder: MarkedFolder): Promise<string>
  /**
   * Opens a session to write a file, and returns its address, which is a secret. Null where the
   * drive knows the id already: the file is there, or was.
   */
  openSession(call: WriteCall, file: NewDriveFile): Promise<string | null>
  readSession(call: WriteCall, session: string, sizeBytes: number): Promise<SessionState>
  writePiece(call: WriteCall, session: string, piece: FilePiece): Promise<SessionState>
}
