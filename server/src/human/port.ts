/** Decides whether a `captchaToken` came from a person's browser. */
export interface HumanVerification {
  readonly provider: 'altcha' | 'recaptcha'
  readonly siteKey: string | null
  /** A fresh proof-of-work challenge, or null for providers that make their own. */
  createChallenge(): Promise<Record<string, unknown> | null>
  /** True once for each solved challenge: a token that was accepted before is refused. */
  verify(captchaToken: string): Promise<boolean>
}
