import { reviewCopyKeyOf, stripKeyOf } from '#server/operations/media/storage/keys.ts'
import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'
import { storeObject } from '#tests/contract/cases/stored-object.ts'
import { storeReview, type StoredReview } from '#tests/integration/orders/stored-review.ts'

const waiting = ({ server, me }: World): Promise<StoredReview> =>
  storeReview(server.deps, me.userId)
const nothing = { uncovered: [], added: [], wholly: [] }

export const faceReviewCases: OperationCases = {
  getFaceReview: {
    valid: async (world) => ({ params: { id: (await waiting(world)).id }, status: 200 }),
  },
  saveFaceReview: {
    valid: async (world) => ({
      params: { id: (await waiting(world)).id },
      body: {
        faceReview: {
          basedOn: 0,
          decisions: { ...nothing, uncovered: ['doubtful'], wholly: [{ startMs: 0, endMs: 90 }] },
        },
      },
      status: 200,
    }),
    invalid: [
      { body: { faceReview: { basedOn: -1, decisions: nothing } }, field: 'faceReview.basedOn' },
      {
        body: { faceReview: { basedOn: 0, decisions: { ...nothing, uncovered: ['../x'] } } },
        field: 'faceReview.decisions.uncovered.0',
      },
    ],
  },
  finishFaceReview: {
    valid: async (world) => ({
      params: { id: (await waiting(world)).id },
      body: { faceReview: { basedOn: 0 } },
      status: 200,
    }),
    invalid: [{ body: { faceReview: { basedOn: 0.5 } }, field: 'faceReview.basedOn' }],
  },
  getFaceReviewVideo: {
    valid: async (world) => {
      const { id, uploadId } = await waiting(world)
      await storeObject(world, reviewCopyKeyOf(uploadId))
      return { params: { id }, headers: { range: 'bytes=1-2' }, status: 206 }
    },
  },
  getFaceStrip: {
    valid: async (world) => {
      const { id, uploadId } = await waiting(world)
      await storeObject(world, stripKeyOf(uploadId, 'certain'))
      return { params: { id, trackId: 'certain' }, status: 200 }
    },
  },
}
