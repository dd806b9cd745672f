import { randomInt } from 'node:crypto'
import { inTransaction, type Ctx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { ReportRow } from '#server/db/rows.ts'
import { reports } from '#server/db/schema.ts'
import { operatorReportMail, reportReceiptMail } from '#server/mail/report-mails.ts'
import { normaliseEmail } from '#server/operations/auth/email.ts'
import { countOrRefuse } from '#server/operations/auth/limits.ts'
import { refuseUnverified } from '#server/operations/auth/request-link.ts'
import { hashToken } from '#server/operations/auth/tokens.ts'
import { queueMail } from '#server/operations/mail/send.ts'
import { recordStep } from './steps.ts'

/** What a person reports, checked against the contract, and where it comes from. */
interface NewReport extends Pick<
  ReportRow,
  'video' | 'relation' | 'reason' | 'signature' | 'contact'
> {
  readonly captchaToken: string
  readonly clientNetwork: string
}

/** In an hour: of one asker, with one contact, and of all together. */
const PER_ASKER = 5
const PER_CONTACT = 5
const IN_ALL = 200

/** Without letters that are read as digits (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Keeps a report and mails the operator and the reporter. Says nothing of whether there is such a
 * video. Refuses: `human/not-verified`, `request/invalid` for the address, `request/too-many`.
 */
export async function receiveReport(
  ctx: Ctx,
  { captchaToken, clientNetwork, ...words }: NewReport,
): Promise<ReportRow> {
  const contact = normaliseEmail(words.contact)
  await refuseUnverified(ctx, { captchaToken })
  return await inTransaction(ctx, async (ctx) => {
    for (const [key, limit] of [
      [`report:client:${hashToken(clientNetwork)}`, PER_ASKER],
      [`report:contact:${hashToken(contact)}`, PER_CONTACT],
      ['report:all', IN_ALL],
    ] as const)
      await countOrRefuse(ctx, { key, limit, what: 'reports were sent' })
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
    await queueMail(ctx, reportReceiptMail(report))
    const { operatorMail } = ctx.settings
    if (operatorMail === null) ctx.log.warn('reports/no-operator-mail', { reportId: report.id })
    else await queueMail(ctx, operatorReportMail(report, { to: operatorMail }))
    return report
  })
}

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
