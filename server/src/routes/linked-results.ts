/**
 * `/editors/results/{outputId}?e=…&s=…`: one finished file for who has its address, without a
 * session. The address counts for an hour; it is for services that fetch files by themselves.
 */
import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { problemAnswer } from '#server/http/problem-answer.ts'
import {
  findLinkedResult,
  RESULT_LINK_PREFIX,
} from '#server/operations/processing/tasks/result-links.ts'
import { Problem } from '#server/problems.ts'
import { sendOutput } from './downloads.ts'

export function createLinkedResults(deps: Deps): Hono {
  const app = new Hono()
  app.get(`${RESULT_LINK_PREFIX}/:outputId`, async (c) => {
    const { e: expiresAt, s: signature } = c.req.query()
    const asked = { outputId: c.req.param('outputId'), expiresAt, signature }
    try {
      const output = await findLinkedResult(deps, asked)
      const context = { method: c.req.method, headers: c.req.header() }
      // Not every service follows to another host.
      const shown = { disposition: 'attachment', mayLead: false } as const
      const { raw } = await sendOutput(deps, context, output, shown)
      // No service keeps a copy of it beside the one that was asked for, and no list names it.
      raw.headers.set('cache-control', 'no-store')
      raw.headers.set('x-robots-tag', 'noindex')
      return raw
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return problemAnswer(error, deps.newId(), deps.log)
    }
  })
  return app
}
