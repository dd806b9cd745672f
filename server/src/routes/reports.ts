import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { receiveReport } from '#server/operations/media/reports/receive.ts'
import { viewReportReceipt } from '#server/views/report.ts'

/** Reports of anybody about a video. */
export function createReportRoutes(deps: Deps) {
  return {
    createReport: async ({ body, context }) => {
      const { isTruthful: _confirmed, ...words } = body.report
      const received = await receiveReport(deps, {
        ...words,
        captchaToken: body.captchaToken,
        clientNetwork: context.clientNetwork,
      })
      return { status: 201, body: { report: viewReportReceipt(received) } }
    },
  } satisfies Partial<Handlers>
}
