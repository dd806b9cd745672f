import type { components } from '#openapi/schema.gen.ts'
import type { KnownMoments } from '#server/operations/media/uploads/moments.ts'

type Wire = components['schemas']['UploadMoments']

/** The moments of an upload as the contract shows them. */
export function viewUploadMoments(found: KnownMoments): { uploadMoments: Wire } {
  const { state, uploadId } = found
  const none = { state, source: null, moments: [], pictures: null, video: null }
  if (found.state === 'unchecked') return { uploadMoments: none }
  const { durationMs, width, height, frameRate, nominalRate = null } = found.source
  const source = { durationMs, width, height, frameRate, nominalRate }
  if (found.state === 'searching') return { uploadMoments: { ...none, source } }
  const { placesMs, ...tiles } = found.pictures
  const stretches = [...(found.video?.stretches ?? [])]
  const address = `/editors/api/v1/upload-requests/${uploadId}/moments`
  return {
    uploadMoments: {
      state,
      source,
      moments: [...found.moments],
      pictures:
        placesMs.length === 0
          ? null
          : {
              url: `${address}/pictures`,
              placesMs: [...placesMs],
              ...tiles,
            },
      video: stretches.length === 0 ? null : { url: `${address}/video`, stretches },
    },
  }
}
