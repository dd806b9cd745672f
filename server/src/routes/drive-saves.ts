import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { cancelDriveSaves } from '#server/operations/processing/drive-saves/cancel.ts'
import {
  listDriveSaves,
  type DriveSaveFacts,
} from '#server/operations/processing/drive-saves/facts.ts'
import { startDriveSaves } from '#server/operations/processing/drive-saves/start.ts'
import { viewDriveSave } from '#server/views/drive-save.ts'

/** Results that are saved to a connected drive. */
export function createDriveSaveRoutes(deps: Deps) {
  return {
    listDriveSaves: async ({ params, context }) =>
      answer(await listDriveSaves(asUser(deps, context), params)),
    startDriveSaves: async ({ params, body, context }) =>
      answer(await startDriveSaves(asUser(deps, context), { ...params, ...body })),
    cancelDriveSaves: async ({ params, query, context }) =>
      answer(await cancelDriveSaves(asUser(deps, context), { ...params, taskId: query.taskId })),
  } satisfies Partial<Handlers>
}

function answer(saves: readonly DriveSaveFacts[]) {
  return { status: 200 as const, body: { driveSaves: saves.map(viewDriveSave) } }
}
