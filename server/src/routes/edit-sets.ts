import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import {
  deleteEditSet,
  listEditSets,
  saveEditSet,
} from '#server/operations/media/edit-sets/edit-sets.ts'
import { viewEditSet } from '#server/views/edit-set.ts'

/** Edits with their options that a user saved to choose them again. */
export function createEditSetRoutes(deps: Deps) {
  return {
    listEditSets: async ({ context }) => {
      const sets = await listEditSets(asUser(deps, context))
      return { status: 200, body: { editSets: sets.map(viewEditSet) } }
    },
    saveEditSet: async ({ params, body, context }) => {
      const set = await saveEditSet(asUser(deps, context), { ...params, ...body.editSet })
      return { status: 200, body: { editSet: viewEditSet(set) } }
    },
    deleteEditSet: async ({ params, context }) => {
      await deleteEditSet(asUser(deps, context), params)
      return { status: 204 }
    },
  } satisfies Partial<Handlers>
}
