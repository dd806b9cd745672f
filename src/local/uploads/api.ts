/** What the page may ask of the upload worker; the same calls work in any host of the engine. */
import type { Result } from '#src/lib/result.ts'

export type { UploadProgress } from './ports.ts'

export interface UploadHostConfig {
  readonly userId: string
  /** An installed app keeps its right to read chosen files, so nothing needs copying. */
  readonly isInstalled: boolean
}

export interface UploadCommandFailure {
  readonly code:
    /** No such upload on this device. */
    | 'upload/not-found'
    /** The state does not allow it (any more); the live row shows why. */
    | 'upload/not-possible'
    /** The chosen file is another one; the upload is now in conflict. */
    | 'upload/file-differs'
    /** Only of a left draft: the file has changed since it was checked. */
    | 'upload/draft-outdated'
    /** The chosen file cannot be read. */
    | 'upload/file-unreadable'
    /** The device's database refused the change (full, or broken). Trying again may help. */
    | 'upload/not-saved'
    /** The worker could not be started or has ended; trying again starts a new one. */
    | 'upload/worker-unavailable'
}

export type CommandResult = Result<void, UploadCommandFailure>

/**
 * Commands write the row (raising its epoch), so that they reach whichever tab drives the upload.
 * All are safe to repeat. Every call answers with a `Result`; nothing is thrown across the worker's
 * border.
 */
export interface EngineCommands {
  /**
   * A draft begins. `file` is held in memory until the upload is over; null when a copy or handle
   * is stored already.
   */
  start(uploadId: string, file: File | null): Promise<CommandResult>
  pause(uploadId: string): Promise<CommandResult>
  resume(uploadId: string): Promise<CommandResult>
  /** Ends a wait now. */
  retryNow(uploadId: string): Promise<CommandResult>
  /**
   * Undoable for 10 s; then the server is told until it has understood. Of a finished upload it
   * only removes the receipt.
   */
  discard(uploadId: string): Promise<CommandResult>
  undoDiscard(uploadId: string): Promise<CommandResult>
  /** The same file chosen again; its content decides. */
  provideFile(
    uploadId: string,
    file: File,
    handle: FileSystemFileHandle | null,
  ): Promise<CommandResult>
  /**
   * A new upload of the file at hand, after 'expired', 'conflict' (of the file chosen last) or
   * 'failed'.
   */
  startOver(uploadId: string): Promise<CommandResult>
  /** The account is signed in again: whatever waited for that goes on. */
  signedIn(): Promise<void>
  /** A hint that the network is back: waits are cut short. */
  networkBack(): Promise<void>
}

/** The worker's interface over Comlink. */
export interface UploadWorkerApi extends EngineCommands {
  /**
   * Opens the account's database and goes on with every unfinished upload whose bytes can be read.
   * `held`: files that the page still has in memory, for a worker that takes over from one that
   * crashed. Idempotent for one account.
   */
  open(config: UploadHostConfig, held: readonly HeldFile[]): Promise<CommandResult>
  /**
   * Ends all transfers and closes the database; nothing is lost. The worker may be terminated
   * afterwards.
   */
  stop(): Promise<void>
}

export interface HeldFile {
  readonly uploadId: string
  readonly file: File
}
