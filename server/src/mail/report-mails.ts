import { page, paragraph } from './mail-page.ts'
import type { OutgoingMail } from './port.ts'

/** What the mails say of a report. */
interface ReportFacts {
  readonly receiptNumber: string
  readonly receivedAt: Date
  readonly relation: 'depicted' | 'rights-holder' | 'other'
  readonly contact: string
}

/** The receipt of a report. It repeats nothing that was typed: the address may be a stranger's. */
export function reportReceiptMail({ contact, receiptNumber }: ReportFacts): OutgoingMail {
  const title = 'We have received your report'
  const lines = [
    `Its number is ${receiptNumber}. Please keep it: it names the report in every later message.`,
    'We look at it within 48 hours and decide within 7 days. We write to you at this address.',
  ]
  const notYou = 'If you have sent no report, you need to do nothing.'
  return {
    to: contact,
    subject: `Your report ${receiptNumber}`,
    text: [title, '', ...lines, '', notYou, ''].join('\n'),
    html: page(title, lines.map(paragraph), notYou),
  }
}

/** To the operator, when the server has held what looks like a video of a report. */
export function operatorCopyMail(
  { receiptNumber }: Pick<ReportFacts, 'receiptNumber'>,
  { to }: { readonly to: string },
): OutgoingMail {
  const title = `A likely copy of a video of report ${receiptNumber}`
  const lines = [
    'A new upload looks like a video that this report had held or removed. It is held until you decide.',
    `See which: npm run operator -- reports show ${receiptNumber}`,
    'Release it where it is another video, remove it where it is the same; docs/reports.md says how.',
  ]
  return {
    to,
    subject: title,
    text: [title, '', ...lines, ''].join('\n'),
    html: page(title, lines.map(paragraph), null),
  }
}

const RELATIONS = {
  depicted: 'is shown in the video',
  'rights-holder': 'holds rights in the video',
  other: 'is neither shown nor a rights holder',
} as const

/** To the operator. What was typed stays in the database: mail travels through other machines. */
export function operatorReportMail(
  { receiptNumber, receivedAt, relation }: ReportFacts,
  { to }: { readonly to: string },
): OutgoingMail {
  const title = `Report ${receiptNumber}`
  const lines = [
    `Received ${receivedAt.toISOString()}. The reporter says that he or she ${RELATIONS[relation]}.`,
    `Read it within 48 hours: npm run operator -- reports show ${receiptNumber}`,
    'Decide within 7 days; docs/reports.md says how.',
  ]
  return {
    to,
    subject: `${title}: look at it within 48 hours`,
    text: [title, '', ...lines, ''].join('\n'),
    html: page(title, lines.map(paragraph), null),
  }
}
