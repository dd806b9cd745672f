import { and, desc, eq, inArray } from 'drizzle-orm'
import { certaintyOf } from '#recipes/recognise.ts'
import type { TxCtx } from '#server/context.ts'
import { reports, reportSteps } from '#server/db/schema.ts'
import { operatorCopyMail } from '#server/mail/report-mails.ts'
import type { Recognised } from '#server/operations/media/known-videos/recognise.ts'
import { queueMail } from '#server/operations/core/mail/send.ts'
import { recordStep } from './steps.ts'

/**
 * Puts a recognised upload, which the caller has locked and marked as held, under the report of the
 * video that it was made from, and mails the operator.
 */
export async function reportRecognised(
  ctx: TxCtx,
  {
    uploadRequestId,
    recognised,
  }: {
    readonly uploadRequestId: string
    readonly recognised: Recognised
  },
): Promise<void> {
  const [report] = await ctx.db
    .select({ id: reports.id, receiptNumber: reports.receiptNumber })
    .from(reportSteps)
    .innerJoin(reports, eq(reports.id, reportSteps.reportId))
    .where(
      and(
        eq(reportSteps.uploadRequestId, recognised.uploadRequestId),
        inArray(reportSteps.step, ['held', 'removed']),
      ),
    )
    .orderBy(desc(reportSteps.id))
    .limit(1)
  if (report === undefined) throw new Error('A known video that no report has held')
  const { compared, spans } = recognised
  const alike = certaintyOf(recognised)
  await recordStep(
    { ...ctx, actor: 'server' },
    {
      reportId: report.id,
      step: 'held',
      uploadRequestId,
      note: `looks like ${recognised.uploadRequestId}: ${Math.round(alike * 100)} % alike in ${compared} of ${spans} places`,
    },
  )
  ctx.log.info('upload-recognised', { uploadRequestId, alike, compared, spans })
  const { operatorMail } = ctx.settings
  if (operatorMail === null) ctx.log.warn('reports/no-operator-mail', { reportId: report.id })
  else await queueMail(ctx, operatorCopyMail(report, { to: operatorMail }))
}
