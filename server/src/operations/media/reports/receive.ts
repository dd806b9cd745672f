import { randomInt } from 'node:crypto'
import { inTransaction, type Ctx, type TxCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { ReportRow } from '#server/db/rows.ts'
import { reports } from '#server/db/schema.ts'
import { operatorReportMail, reportReceiptMail } from '#server/mail/report-mails.ts'
import { normaliseEmail } from '#server/operations/accounts/auth/email.ts'
import { countIfFree, countOfNetwork } from '#server/operations/core/limits.ts'
import { refuseUnverified } from '#server/operations/accounts/auth/request-link.ts'
import { hashToken } from '#server/operations/core/tokens.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'
import { recordStep } from './steps.ts'

/** What a person reports, checked against the contract, and where it comes from. */
interface NewReport extends Pick<
  ReportRow,
  'video' | 'relation' | 'reason' | 'signature' | 'contact'
> {
  readonly captchaToken: string
  readonly clientNetwork: string
}

/** Reports of one network in an hour ([Note: no lock for others] in core/limits.ts). */
const PER_NETWORK = 5
/** Reports in an hour whose receipt is mailed to one contact, and that are mailed at all. */
const MAILED_TO_CONTACT = 5
const MAILED_IN_ALL = 200

/** Without letters that are read as digits (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A report that was kept, and whether its reporter gets a mail. */
interface ReceivedReport {
  readonly report: ReportRow
  readonly isMailed: boolean
}

/**
 * Keeps a report and mails the operator and the reporter. When many come at once, they are kept
 * without mails, so that no one closes this for others, and no mailbox is flooded. Says
 * nothing of whether there is such a video. Refuses: `human/not-verified`, `request/invalid` for
 * the address, `request/too-many` of one network.
 */
export async function receiveReport(
  ctx: Ctx,
  { captchaToken, clientNetwork, ...words }: NewReport,
): Promise<ReceivedReport> {
  const contact = normaliseEmail(words.contact)
  await refuseUnverified(ctx, { captchaToken })
  return await inTransaction(ctx, async (ctx) => {
    const network = clientNetwork
    const what = 'reports were sent'
    await countOfNetwork(ctx, { key: 'report:client', network, limit: PER_NETWORK, what })
    const contactKey = `report:contact:${hashToken(contact)}`
    const isMailed =
      (await countIfFree(ctx, { key: contactKey, limit: MAILED_TO_CONTACT })) &&
      (await countIfFree(ctx, { key: 'report:receipts', limit: MAILED_IN_ALL }))
    const receivedAt = ctx.clock()
    const report = onlyRow(
      await ctx.db
        .insert(reports)
        .values({
          ...words,
          contact,
          id: ctx.newId(),
          receiptNumber: `R-${receivedAt.getUTCFullYear()}-${randomLetters(8)}`,
          receivedAt,
        })
        .returning(),
    )
    await recordStep(
      { ...ctx, actor: 'reporter' },
      { reportId: report.id, step: 'received', uploadRequestId: null, note: null },
    )
    if (isMailed) await queueMail(ctx, reportReceiptMail(report))
    await mailOperator(ctx, report)
    return { report, isMailed }
  })
}

async function mailOperator(ctx: TxCtx, report: ReportRow): Promise<void> {
  const { operatorMail } = ctx.settings
  const { id: reportId } = report
  if (operatorMail === null) ctx.log.warn('reports/no-operator-mail', { reportId })
  else if (await countIfFree(ctx, { key: 'report:all', limit: MAILED_IN_ALL }))
    await queueMail(ctx, operatorReportMail(report, { to: operatorMail }))
  // Kept, and listed by `reports list`.
  else ctx.log.warn('reports/not-mailed', { reportId })
}

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
