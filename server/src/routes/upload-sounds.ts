import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { readUploadSounds } from '#server/operations/media/uploads/sounds.ts'
import { chooseSound } from '#server/operations/workflows/choices.ts'
import { viewUploadSounds } from '#server/views/upload-sounds.ts'

/** The choice among the sounds of a video, which count from 1 on the wire and from 0 here. */
export function createUploadSoundRoutes(deps: Deps) {
  return {
    getUploadSounds: async ({ params, context }) => ({
      status: 200,
      body: viewUploadSounds(await readUploadSounds(asUser(deps, context), params)),
    }),
    chooseUploadSound: async ({ params, body, context }) => ({
      status: 200,
      body: viewUploadSounds(
        await chooseSound(asUser(deps, context), { id: params.id, sound: body.sound - 1 }),
      ),
    }),
  } satisfies Partial<Handlers>
}
