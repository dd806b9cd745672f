import { eq } from 'drizzle-orm'
import type { SourceProbe } from '#recipes/types.ts'
import { samples, uploadImports, uploadRequests } from '#server/db/schema.ts'
import { seal } from '#server/db/vault.ts'
import { cipherOf } from '#server/operations/processing/imports/cipher.ts'
import {
  momentPicturesKeyOf,
  momentVideoKeyOf,
  sampleKeyOf,
} from '#server/operations/media/storage/keys.ts'
import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'
import { storeObject } from '#tests/contract/cases/stored-object.ts'
import { beginUpload, sendParts } from '#tests/setup/upload.ts'

const file = (more: Record<string, unknown> = {}) => ({
  uploadRequest: {
    idempotencyKey: crypto.randomUUID(),
    upload: {
      provider: 's3-multipart',
      metadata: { clientFilename: 'a.mp4', clientFileSize: 5, ...more },
    },
  },
})
const newUpload = async ({ me }: World): Promise<string> => (await beginUpload(me.client, 5))._id

const SAMPLE_OF = { mediaJobTaskPresetSlug: 'denoised-full-scene' } as const
const SAMPLED: SourceProbe = {
  durationMs: 10_000,
  width: 640,
  height: 360,
  frameRate: 25,
  hasAudio: false,
  videoCodec: 'h264',
  audioCodec: null,
  audioChannels: 0,
  isHdr: false,
  fileName: 'a.mp4',
}
/** A sample that is ready, of a new upload. */
const newSample = async (world: World) => {
  const id = await newUpload(world)
  const { db, clock, newId } = world.server.deps
  const sampleId = newId()
  await db.insert(samples).values({
    id: sampleId,
    uploadRequestId: id,
    presetSlug: SAMPLE_OF.mediaJobTaskPresetSlug,
    payload: {},
    sound: 0,
    state: 'ready',
    startMs: 0,
    durationMs: 8000,
    createdAt: clock(),
  })
  return { id, sampleId }
}

const LINK = 'https://www.dropbox.com/scl/fi/abc/scene.mp4?dl=1'
/** An import from `LINK`, whose host no test asks. */
const newImport = async (world: World): Promise<string> => {
  const id = await newUpload(world)
  const { db, secrets, clock } = world.server.deps
  await db.update(uploadRequests).set({ provider: 'link' }).where(eq(uploadRequests.id, id))
  await db.insert(uploadImports).values({
    uploadRequestId: id,
    host: 'dropbox.com',
    linkCipher: seal(secrets.vault, LINK, cipherOf({ id, userId: world.me.userId })),
    takesRanges: true,
    nextAt: clock(),
    lastByteAt: clock(),
  })
  return id
}

export const uploadCases: OperationCases = {
  createUploadRequest: {
    valid: async () => ({ body: file(), status: 201 }),
    invalid: [
      { body: file({ clientFileSize: -1 }), field: 'uploadRequest.upload.metadata.clientFileSize' },
      { body: file({ clientFilename: '' }), field: 'uploadRequest.upload.metadata.clientFilename' },
    ],
  },
  listUploadRequests: { valid: async () => ({ query: { limit: '2' }, status: 200 }) },
  getUploadRequest: {
    valid: async (world) => ({ params: { id: await newUpload(world) }, status: 200 }),
  },
  getUploadRequestMetadata: {
    valid: async (world) => ({ params: { id: await newUpload(world) }, status: 202 }),
  },
  getUploadMoments: {
    valid: async (world) => ({ params: { id: await newUpload(world) }, status: 200 }),
  },
  getUploadSounds: {
    valid: async (world) => ({ params: { id: await newUpload(world) }, status: 200 }),
  },
  chooseUploadSound: {
    valid: async (world) => ({
      params: { id: await newUpload(world) },
      body: { sound: 2 },
      status: 200,
    }),
    invalid: [
      { body: { sound: 0 }, field: 'sound' },
      { body: { sound: 9 }, field: 'sound' },
      { body: { sound: 1.5 }, field: 'sound' },
      { body: { sound: '2' }, field: 'sound' },
      { body: { sound: null }, field: 'sound' },
      { body: { sound: 2, number: 1 }, field: 'number' },
    ],
  },
  getMomentPictures: {
    valid: async (world) => {
      const id = await newUpload(world)
      await storeObject(world, momentPicturesKeyOf(id))
      await world.server.deps.db
        .update(uploadRequests)
        .set({
          momentPictures: { placesMs: [1], columns: 1, tileWidth: 192, tileHeight: 108 },
        })
        .where(eq(uploadRequests.id, id))
      return { params: { id }, status: 200 }
    },
  },
  getMomentVideo: {
    valid: async (world) => {
      const id = await newUpload(world)
      await storeObject(world, momentVideoKeyOf(id))
      await world.server.deps.db
        .update(uploadRequests)
        .set({ momentVideo: { stretches: [{ startMs: 0, endMs: 1, atMs: 0 }] } })
        .where(eq(uploadRequests.id, id))
      return { params: { id }, status: 200 }
    },
  },
  createSample: {
    valid: async (world) => {
      const { id } = await newSample(world)
      const probe = SAMPLED
      await world.server.deps.db
        .update(uploadRequests)
        .set({ state: 'validated', probe })
        .where(eq(uploadRequests.id, id))
      return { params: { id }, body: { sample: SAMPLE_OF }, status: 200 }
    },
    invalid: [
      { body: {}, field: 'sample' },
      { body: { sample: { mediaJobTaskPresetSlug: 'tube-cut' } }, field: 'sample' },
    ],
  },
  getSample: {
    valid: async (world) => ({ params: await newSample(world), status: 200 }),
  },
  getSampleVideo: {
    valid: async (world) => {
      const params = await newSample(world)
      const sample = { id: params.sampleId, uploadRequestId: params.id }
      await storeObject(world, sampleKeyOf(sample, 'after'))
      return { params, query: { side: 'after' }, status: 200 }
    },
  },
  completeUploadRequest: {
    valid: async ({ me }) => {
      const upload = await beginUpload(me.client, 5)
      return {
        params: { id: upload._id },
        body: {
          uploadRequest: {
            upload: { parts: await sendParts(me.client, upload, new Uint8Array(5)) },
          },
        },
        status: 200,
      }
    },
    invalid: [
      { body: { uploadRequest: { upload: { parts: [] } } }, field: 'uploadRequest.upload.parts' },
      {
        body: { uploadRequest: { upload: { parts: [{ partNumber: 0, eTag: 'x' }] } } },
        field: 'uploadRequest.upload.parts.0.partNumber',
      },
    ],
  },
  createPartUrls: {
    valid: async (world) => ({
      params: { id: await newUpload(world) },
      body: { partNumbers: [1] },
      status: 200,
    }),
    invalid: [
      { body: { partNumbers: [] }, field: 'partNumbers' },
      { body: { partNumbers: [0] }, field: 'partNumbers.0' },
      { body: { partNumbers: [1, 1] }, field: 'partNumbers' },
      { body: { partNumbers: [2] }, field: 'partNumbers' },
      { body: { partNumbers: ['1 or 1=1'] }, field: 'partNumbers.0' },
      { body: { partNumbers: [1], lifetimeSeconds: 59 }, field: 'lifetimeSeconds' },
      { body: { partNumbers: [1], lifetimeSeconds: 86_401 }, field: 'lifetimeSeconds' },
      {
        body: { partNumbers: Array.from({ length: 101 }, (_, index) => index + 1) },
        field: 'partNumbers',
      },
    ],
  },
  renewImport: {
    valid: async (world) => ({
      params: { id: await newImport(world) },
      body: { upload: { provider: 'link', link: LINK } },
      status: 200,
    }),
    invalid: [{ body: { upload: { provider: 'link', link: '' } }, field: 'upload.link' }],
  },
  listHeldParts: {
    valid: async (world) => ({ params: { id: await newUpload(world) }, status: 200 }),
  },
  abortUploadRequest: {
    valid: async (world) => ({ params: { id: await newUpload(world) }, status: 204 }),
  },
}
