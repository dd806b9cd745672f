import type { KeyboardEvent } from 'react'
import { plainText } from '#src/lib/typed-text.ts'

/** Keeps a typed minus sign out of a form's number fields: it would only be refused later. */
export function blockMinus(event: KeyboardEvent): void {
  if (isNegative(event.key)) event.preventDefault()
}

/** Whether a pasted text is a negative number, which is refused in words. */
export function isNegative(text: string): boolean {
  return plainText(text).startsWith('-')
}
