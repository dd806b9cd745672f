import type { IncomingMessage } from 'node:http'

/** What a drive gives for a code, or for a refresh token. */
export interface DriveTokens {
  readonly accessToken: string
  readonly accessLifeS: number
  /** Null where the drive gives no new one. */
  readonly refreshToken: string | null
  /** What was granted, separated by spaces; null where the drive repeats nothing. */
  readonly scopes: string | null
}

/** A file of a drive. */
export interface DriveFile {
  readonly name: string
  readonly mimeType: string
  /** Null of what has no bytes, such as a document or a shortcut. */
  readonly sizeBytes: number | null
  /** The version of its bytes; null where the drive names none. */
  readonly revision: string | null
  /** Of the bytes of this version, hexadecimal digits. */
  readonly md5: string | null
  readonly isDownloadable: boolean
  readonly isTrashed: boolean
}

/** Why a drive did not do what it was asked for. */
export type DriveFaultKind =
  /** The token counts no more, or never did. */
  | 'token'
  /** The connection may not read this file, or files at all. */
  | 'forbidden'
  /** There is no such file for this connection. */
  | 'gone'
  /** The owner of the file, or their administrator, allows no downloads. */
  | 'not-downloadable'
  /** The drive keeps the file for itself, because it takes it for harmful. */
  | 'abusive'
  /** Later it may work: no answer, an overload, or a limit of downloads. */
  | 'away'

/** A refusal or failure of a drive. Says nothing of tokens, files or people, so that logs may. */
export class DriveFault extends Error {
  override readonly name = 'DriveFault'
  readonly kind: DriveFaultKind
  /** How long the drive asks to be left alone. */
  readonly retryAfterS: number | null

  constructor(kind: DriveFaultKind, retryAfterS: number | null = null) {
    super(`The drive did not answer as asked: ${kind}`)
    this.kind = kind
    this.retryAfterS = retryAfterS
  }
}

/** What a person is asked for at the drive. */
interface DriveLogin {
  readonly state: string
  /** SHA-256 of the verifier, base64url (RFC 7636). */
  readonly challenge: string
  /** Also who agreed before is asked, which alone brings a refresh token. */
  readonly asksAgain: boolean
  /** The person chooses a file on the way. */
  readonly wantsPick: boolean
}

/**
 * A cloud drive, by its public interface. All but `loginUrl` throw `DriveFault`, or the reason of
 * the signal that they were given.
 */
export interface Drive {
  loginUrl(login: DriveLogin): string
  redeem(code: string, verifier: string): Promise<DriveTokens>
  refresh(refreshToken: string): Promise<DriveTokens>
  /** Makes a token and all that belongs to its login worthless; one that is so already is fine. */
  revoke(token: string): Promise<void>
  /** The address of the account, or null where the drive does not say it. */
  readEmail(accessToken: string): Promise<string | null>
  readFile(accessToken: string, fileId: string, signal: AbortSignal): Promise<DriveFile>
  /**
   * The bytes of a file, or of the piece that the headers name; only 200 and 206 come back. Throws
   * `OutgoingError` too.
   */
  openFile(
    accessToken: string,
    fileId: string,
    asked: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  ): Promise<{ readonly url: URL; readonly message: IncomingMessage }>
}
