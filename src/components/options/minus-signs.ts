import type { KeyboardEvent } from 'react'

/** Keeps a typed minus sign out of a form's number fields: it would only be refused later. */
export function blockMinus(event: KeyboardEvent): void {
  if (event.key === '-' || event.key === '−') event.preventDefault()
}

/** Whether a pasted text is a negative number, which a number field would silently change. */
export function isNegative(text: string): boolean {
  return /^\s*[-−]/.test(text)
}
