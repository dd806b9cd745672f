/**
 * The calls that the page makes to the upload worker. Every host of the engine offers the same
 * calls.
 */
import type { SealKeys } from '#src/local/db/seal.ts'
import type { Result } from '#src/lib/result.ts'

export type { UploadProgress } from '#src/local/uploads/ports.ts'

export interface UploadHostConfig {
  readonly userId: string
  /** An installed app keeps its permission to read chosen files, so no copy is needed. */
  readonly isInstalled: boolean
  /** Of an account with an app lock; null for others. */
  readonly keys: SealKeys | null
}

export interface UploadCommandFailure {
  readonly code:
    /** No such upload on this device. */
    | 'upload/not-found'
    /** The state does not allow the command (anymore); the live row shows why. */
    | 'upload/not-possible'
    /** The chosen file differs; the upload is in conflict now. */
    | 'upload/file-differs'
    /** Only for a left draft: the file has changed since it was checked. */
    | 'upload/draft-outdated'
    /** The chosen file cannot be read. */
    | 'upload/file-unreadable'
    /** The browser did not take the parts, mostly for lack of space; the upload goes on here. */
    | 'upload/not-handed-over'
    /** The device's database refused the change (full or broken). Trying again may help. */
    | 'upload/not-saved'
    /** The worker did not start or has ended; the next call starts a new one. */
    | 'upload/worker-unavailable'
}

export type CommandResult = Result<void, UploadCommandFailure>

/**
 * Commands write the row and raise its epoch, so they reach the tab that drives the upload. Each is
 * safe to repeat and answers with a `Result`; nothing is thrown across the worker boundary.
 */
export interface EngineCommands {
  /**
   * Starts a draft. The worker holds `file` in memory until the upload is over; pass null when a
   * copy or a handle is stored.
   */
  start(uploadId: string, file: File | null): Promise<CommandResult>
  pause(uploadId: string): Promise<CommandResult>
  resume(uploadId: string): Promise<CommandResult>
  /** Ends the current wait. */
  retryNow(uploadId: string): Promise<CommandResult>
  /**
   * Can be undone for 10 s; then the engine aborts the upload at the server and retries until the
   * server confirms. For a finished upload it only removes the receipt.
   */
  discard(uploadId: string): Promise<CommandResult>
  undoDiscard(uploadId: string): Promise<CommandResult>
  /** Takes the same file, chosen again. Its content decides, not its name. */
  provideFile(
    uploadId: string,
    file: File,
    handle: FileSystemFileHandle | null,
  ): Promise<CommandResult>
  /**
   * Starts a new upload of the available file after 'expired', 'conflict' (of the file chosen last)
   * or 'failed'.
   */
  startOver(uploadId: string): Promise<CommandResult>
  /** Resumes every upload that waited for a sign-in. */
  signedIn(): Promise<void>
  /** A hint that the network is back: ends waits early. */
  networkBack(): Promise<void>
}

/** What only a page can do: the browser takes parts from no worker. */
export interface HandOverCommands {
  /**
   * Gives the rest of an upload to the browser, which sends it without a page. Keep the page open
   * until it resolves. Refuses with `upload/not-handed-over`; the upload then goes on here.
   */
  handOver(uploadId: string): Promise<CommandResult>
}

/** What the page calls over Comlink. */
export interface UploadWorkerApi extends EngineCommands {
  /**
   * Opens the account's database and resumes every unfinished upload whose bytes are readable.
   * `held` are files that the page still has in memory, for a worker that replaces a crashed one.
   * Idempotent for one account.
   */
  open(config: UploadHostConfig, held: readonly HeldFile[]): Promise<CommandResult>
  /**
   * Ends all transfers and closes the database. The worker may be terminated afterwards; no
   * confirmed part is lost.
   */
  stop(): Promise<void>
}

export interface HeldFile {
  readonly uploadId: string
  readonly file: File
}
