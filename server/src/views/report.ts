import type { components } from '#openapi/schema.gen.ts'
import type { ReportRow } from '#server/db/rows.ts'
import { clocksOf } from '#server/operations/media/reports/clocks.ts'

/** What a reporter gets back: nothing of it tells whether there is such a video. */
export function viewReportReceipt({
  report,
  isMailed,
}: {
  readonly report: ReportRow
  readonly isMailed: boolean
}): components['schemas']['ReportReceipt'] {
  const { firstLookBy, decisionBy } = clocksOf(report)
  return {
    receiptNumber: report.receiptNumber,
    receivedAt: report.receivedAt.toISOString(),
    firstLookBy: firstLookBy.toISOString(),
    decisionBy: decisionBy.toISOString(),
    isMailed,
  }
}
