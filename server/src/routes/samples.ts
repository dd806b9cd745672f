import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { askForSample, findSample } from '#server/operations/processing/samples/ask.ts'
import { viewSample } from '#server/views/sample.ts'

/** Samples of edits; their videos go through routes/downloads.ts. */
export function createSampleRoutes(deps: Deps) {
  return {
    createSample: async ({ params, body, context }) => {
      const sample = await askForSample(asUser(deps, context), { ...params, ...body })
      return { status: 200, body: { sample: viewSample(sample) } }
    },
    getSample: async ({ params, context }) => ({
      status: 200,
      body: { sample: viewSample(await findSample(asUser(deps, context), params)) },
    }),
  } satisfies Partial<Handlers>
}
