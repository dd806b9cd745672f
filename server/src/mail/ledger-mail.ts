import { page, paragraph } from './mail-page.ts'
import type { OutgoingMail } from './port.ts'

/** To the operator, when books differ. It names rows and no people. */
export function ledgerAlarmMail(
  {
    differences,
    differenceCount,
  }: { readonly differences: readonly string[]; readonly differenceCount: number },
  { to }: { readonly to: string },
): OutgoingMail {
  const title = 'The books of tokens and money do not agree'
  const lines = [
    `The audit of this night found ${differenceCount} ${differenceCount === 1 ? 'difference' : 'differences'}. Nothing was changed.`,
    ...differences,
    'See it again at any time: npm run operator -- audit. docs/money.md says what to do.',
  ]
  return {
    to,
    subject: title,
    text: [title, '', ...lines, ''].join('\n'),
    html: page(title, lines.map(paragraph), null),
  }
}
