import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { getCurrentUser, readProfile, updateProfile } from '#server/operations/users/profile.ts'
import { viewFlags, viewProfile, viewUser } from '#server/views/user.ts'

/** The signed-in person and their profile. */
export function createUserRoutes(deps: Deps) {
  return {
    getCurrentUser: async ({ context }) => {
      const facts = await getCurrentUser(asUser(deps, context))
      return {
        status: 200,
        body: {
          user: viewUser(facts),
          userProfile: viewProfile(facts.user),
          flags: viewFlags(facts),
        },
      }
    },
    getProfile: async ({ params, context }) => ({
      status: 200,
      body: { userProfile: viewProfile(await readProfile(asUser(deps, context), params)) },
    }),
    updateProfile: async ({ params, body, context }) => {
      const profile = await updateProfile(asUser(deps, context), {
        userId: params.userId,
        profession: body.userProfile.profession,
      })
      return { status: 200, body: { userProfile: viewProfile(profile) } }
    },
  } satisfies Partial<Handlers>
}
