import type { components } from '#openapi/schema.gen.ts'
import type { CallDeps } from './direct-calls.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import { editSets } from '#src/local/nouns/edit-sets.ts'
import { ok, type Result } from '#src/lib/result.ts'

/** A set as a person saves it. `id` is made once, so that a repeat is the same set. */
export interface SetToSave {
  readonly id: string
  readonly name: string
  readonly requests: readonly components['schemas']['MediaJobTaskRequest'][]
}

/**
 * Saves a set at the server, then here. Needs the network; repeating is harmless. 422
 * `edit-sets/too-many`.
 */
export async function saveEditSet(
  { api, db, clock }: CallDeps,
  { id, name, requests }: SetToSave,
): Promise<Result<null, ApiFailure>> {
  const params = { path: { id } }
  const body = { editSet: { name, mediaJobTaskRequests: [...requests] } }
  const answer = await send(api.PUT('/v1/edit-sets/{id}', { params, body }))
  if (!answer.ok) return answer
  const row = editSets.toRow(answer.value.editSet, clock.now())
  await db.transaction('rw', db.editSets, () => putUnlessNewer(db.editSets, [row]))
  return ok(null)
}

/** Deletes a set at the server, then here. Needs the network; repeating is harmless. */
export async function deleteEditSet(
  { api, db }: CallDeps,
  id: string,
): Promise<Result<null, ApiFailure>> {
  const answer = await send(api.DELETE('/v1/edit-sets/{id}', { params: { path: { id } } }))
  if (!answer.ok) return answer
  await db.editSets.delete(id)
  return ok(null)
}
