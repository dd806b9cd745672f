import type { components } from '#openapi/schema.gen.ts'
import type { UserRow } from '#server/db/rows.ts'
import type { Profile, UserFacts } from '#server/operations/accounts/users/profile.ts'

type Schemas = components['schemas']

/** The account of the signed-in person as the contract shows it. */
export function viewUser({
  user,
  permissions,
}: {
  readonly user: Pick<UserRow, 'id' | 'email' | 'createdAt'>
  readonly permissions: readonly Schemas['User']['permissions'][number][]
}): Schemas['User'] {
  return {
    _id: user.id,
    email: user.email,
    permissions: [...permissions],
    createdAt: user.createdAt.toISOString(),
  }
}

/** The profile that people fill in themselves. */
export function viewProfile({
  profession,
  noticesOff,
  mailsNameVideos,
  discreet,
  pushesOff,
  deleteSourcesAfterDays,
}: Profile): Schemas['UserProfile'] {
  return {
    profession,
    mailsOff: noticesOff,
    mailsNameVideos,
    discreet,
    pushesOff,
    deleteSourcesAfterDays,
  }
}

/** What the app asks about an account. */
export function viewFlags({ user, isInTrial, isSubscribed }: UserFacts): Schemas['UserFlags'] {
  return {
    isInTrial,
    trialEndsAt: user.trialEndsAt.toISOString(),
    hasActiveSubscription: isSubscribed,
  }
}
