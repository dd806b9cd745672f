import type { Log } from '#server/log.ts'
import { Problem } from '#server/problems.ts'

/**
 * The answer to something thrown: a `Problem` as it says, anything else a plain 500 that is logged
 * with the request's id.
 */
export function problemAnswer(thrown: unknown, requestId: string, log: Log): Response {
  if (thrown instanceof Problem) {
    const body = {
      error: {
        message: thrown.message,
        code: thrown.code,
        ...(thrown.fields === undefined ? {} : { fields: thrown.fields }),
        ...(thrown.missingPartNumbers === undefined
          ? {}
          : { missingPartNumbers: thrown.missingPartNumbers }),
      },
    }
    const headers: Record<string, string> =
      thrown.retryAfterS === undefined
        ? {}
        : { 'retry-after': String(Math.max(1, Math.ceil(thrown.retryAfterS))) }
    return Response.json(body, { status: thrown.status, headers })
  }
  log.error('request/unexpected', thrown, { requestId })
  const message = `Something went wrong on our side. Nothing was lost; please try again. (${requestId})`
  return Response.json({ error: { message, code: 'system/unexpected' } }, { status: 500 })
}
