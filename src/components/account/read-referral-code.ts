import { referralCodeProblem } from '#spec/referral-code.ts'
import { plainText } from '#src/lib/typed-text.ts'

/**
 * The referral code of what was typed or pasted: the code itself, in quotation marks or in groups,
 * or the link of an invitation. A code has letters and digits only, so nothing else is meant.
 */
export function readReferralCode(text: string): string {
  const plain = plainText(text)
  const code = /\/invite\/([^/?#\s]+)/i.exec(plain)?.[1] ?? plain
  return code.replaceAll(/[\s"'<>\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pd}]/gu, '').replace(/[.,;:!]+$/, '')
}

/** What is said of a text in which another code was found: 'Read as ADA2026'; null else. */
export function referralCodeReadAs(text: string): string | null {
  const code = readReferralCode(text)
  const isCode = referralCodeProblem(code.toUpperCase()) === null
  return isCode && code !== text.trim() ? `Read as ${code}` : null
}
