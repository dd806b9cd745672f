import { externalAuths } from '#server/db/schema.ts'
import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'
import { storeResults } from '#tests/setup/saved-results.ts'

const storeJob = async ({ server, me }: World): Promise<string> =>
  (await storeResults(server.deps, me.userId, [10])).jobId

export const driveSaveCases: OperationCases = {
  listDriveSaves: {
    valid: async (world) => ({ params: { id: await storeJob(world) }, status: 200 }),
  },
  startDriveSaves: {
    valid: async (world) => {
      const { me, server } = world
      const externalAuthId = server.deps.newId()
      const now = server.deps.clock()
      await server.deps.db.insert(externalAuths).values({
        id: externalAuthId,
        userId: me.userId,
        provider: 'google-oauth',
        accountEmail: `${externalAuthId}@gmail.example`,
        scopes: 'https://www.googleapis.com/auth/drive.file',
        refreshCipher: 'x',
        accessExpiresAt: now,
        createdAt: now,
      })
      const body = { externalAuthId, taskIds: null }
      return { params: { id: await storeJob(world) }, body, status: 200 }
    },
    invalid: [
      { body: { externalAuthId: 'x', taskIds: null }, field: 'externalAuthId' },
      { body: { externalAuthId: crypto.randomUUID(), taskIds: [] }, field: 'taskIds' },
    ],
  },
  cancelDriveSaves: {
    valid: async (world) => ({ params: { id: await storeJob(world) }, status: 200 }),
  },
}
