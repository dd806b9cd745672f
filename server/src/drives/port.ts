/** What a drive gives for a code, or for a refresh token. */
export interface DriveTokens {
  readonly accessToken: string
  readonly accessLifeS: number
  /** Null where the drive gives no new one. */
  readonly refreshToken: string | null
  /** What was granted, separated by spaces; null where the drive repeats nothing. */
  readonly scopes: string | null
}

/** Why a drive did not do what it was asked for. `token`: it counts no more; `away`: the rest. */
type DriveFaultKind = 'token' | 'away'

/** A refusal or failure of a drive. Says nothing of tokens or people, so that logs may. */
export class DriveFault extends Error {
  override readonly name = 'DriveFault'
  readonly kind: DriveFaultKind

  constructor(kind: DriveFaultKind) {
    super(`The drive did not answer as asked: ${kind}`)
    this.kind = kind
  }
}

/** What a person is asked for at the drive. */
interface DriveLogin {
  readonly state: string
  /** SHA-256 of the verifier, base64url (RFC 7636). */
  readonly challenge: string
  /** Also who agreed before is asked, which alone brings a refresh token. */
  readonly asksAgain: boolean
}

/** A cloud drive, by its public interface. All but `loginUrl` throw `DriveFault`. */
export interface Drive {
  loginUrl(login: DriveLogin): string
  redeem(code: string, verifier: string): Promise<DriveTokens>
  refresh(refreshToken: string): Promise<DriveTokens>
  /** Makes a token and all that belongs to its login worthless; one that is so already is fine. */
  revoke(token: string): Promise<void>
  /** The address of the account, or null where the drive does not say it. */
  readEmail(accessToken: string): Promise<string | null>
}
