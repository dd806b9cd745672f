import { plainText } from '#src/lib/typed-text.ts'

/**
 * The referral code of what was typed or pasted: the code itself, in quotation marks or in groups,
 * or the link of an invitation. A code has letters and digits only, so nothing else is meant.
 */
export function readReferralCode(text: string): string {
  const plain = plainText(text)
  const code = /\/invite\/([^/?#\s]+)/i.exec(plain)?.[1] ?? plain
  return code.replaceAll(/[\s"'“”„«»()<>[\]-]/g, '').replace(/[.,;:!]+$/, '')
}
