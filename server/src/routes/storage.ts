import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { readStorage } from '#server/operations/media/storage/overview.ts'
import { deleteStored } from '#server/operations/media/deletions/remove.ts'
import { viewStorage } from '#server/views/storage.ts'

/** What of a person lies on the server, and its deletion. */
export function createStorageRoutes(deps: Deps) {
  return {
    readStorage: async ({ context }) => ({
      status: 200,
      body: { storage: viewStorage(await readStorage(asUser(deps, context))) },
    }),
    deleteStoredSource: async ({ params, context }) => {
      await deleteStored(asUser(deps, context), { ...params, withResults: false })
      return { status: 204 }
    },
    deleteStoredVideo: async ({ params, context }) => {
      await deleteStored(asUser(deps, context), { ...params, withResults: true })
      return { status: 204 }
    },
  } satisfies Partial<Handlers>
}
