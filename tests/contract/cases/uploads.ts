import { eq } from 'drizzle-orm'
import { uploadImports, uploadRequests } from '#server/db/schema.ts'
import { seal } from '#server/db/vault.ts'
import { cipherOf } from '#server/operations/processing/imports/cipher.ts'
import { momentPicturesKeyOf, momentVideoKeyOf } from '#server/operations/media/storage/keys.ts'
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
