import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { readBytes } from '#server/http/body.ts'
import { API_ROOT } from '#server/http/contract.ts'
import { problemAnswer } from '#server/http/problem-answer.ts'
import { receiveEvent } from '#server/operations/commerce/payments/events.ts'
import { Problem } from '#server/problems.ts'

const MAX_NOTICE_BYTES = 256 * 1024

/**
 * Where the payment provider posts its notices. Stands beside the contract: a notice is known by
 * its signature over the raw bytes, not by a cookie. 200 as soon as it is kept, 400 when its
 * signature is wrong.
 */
export function createPaymentWebhooks(deps: Deps): Hono {
  const app = new Hono()
  app.post(`${API_ROOT}/v1/payments/webhooks/:provider`, async (c) => {
    c.header('cache-control', 'no-store')
    try {
      if (c.req.param('provider') !== deps.payments.name)
        throw new Problem('request/not-found', 'There is nothing here.')
      const body = await readBytes(c.req.raw, { maxBytes: MAX_NOTICE_BYTES })
      const headers = Object.fromEntries(c.req.raw.headers)
      await receiveEvent(deps, { event: await deps.payments.readEvent(body, headers) })
      return c.json({})
    } catch (error) {
      return problemAnswer(error, deps.newId(), deps.log)
    }
  })
  return app
}
