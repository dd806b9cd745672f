import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { requireUser } from '#server/http/request-context.ts'
import {
  describeCurrentUser,
  readProfile,
  updateProfile,
} from '#server/operations/users/profile.ts'

/** The signed-in person and their profile. */
export function createUserRoutes(deps: Deps) {
  return {
    getCurrentUser: async ({ context }) => ({
      status: 200,
      body: await describeCurrentUser(deps, requireUser(context)),
    }),
    getProfile: async ({ params, context }) => ({
      status: 200,
      body: { userProfile: await readProfile(deps, requireUser(context), params.userId) },
    }),
    updateProfile: async ({ params, body, context }) => ({
      status: 200,
      body: {
        userProfile: await updateProfile(
          deps,
          requireUser(context),
          params.userId,
          body.userProfile.profession,
        ),
      },
    }),
  } satisfies Partial<Handlers>
}
