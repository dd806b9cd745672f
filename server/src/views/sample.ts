import type { components } from '#openapi/schema.gen.ts'
import { sampledRecipe } from '#recipes/sample.ts'
import type { SampleRow } from '#server/db/rows.ts'

/** A sample as the contract shows it. */
export function viewSample(sample: SampleRow): components['schemas']['Sample'] {
  const { id, state, message, startMs, durationMs, uploadRequestId, presetSlug } = sample
  const url = `/editors/api/v1/upload-requests/${uploadRequestId}/samples/${id}`
  return {
    _id: id,
    state,
    message,
    shows: sampledRecipe(presetSlug)?.isOfDetail === true ? 'detail' : 'picture',
    startMs,
    durationMs,
    urls:
      state === 'ready'
        ? { before: `${url}/video?side=before`, after: `${url}/video?side=after` }
        : null,
  }
}
