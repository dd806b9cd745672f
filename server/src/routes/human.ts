import type { Deps } from '#server/deps.ts'
import type { components } from '#openapi/schema.gen.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { Problem } from '#server/problems.ts'

/** Challenges of the built-in human verification. */
export function createHumanRoutes(deps: Deps) {
  return {
    getHumanChallenge: async () => {
      const challenge = await deps.human.createChallenge()
      if (challenge === null)
        throw new Problem(
          'human/other-provider',
          'This server uses another kind of human verification.',
        )
      // Opaque here: made by the verification library, checked against the contract on its way out.
      return { status: 200, body: challenge as components['schemas']['HumanChallenge'] }
    },
  } satisfies Partial<Handlers>
}
