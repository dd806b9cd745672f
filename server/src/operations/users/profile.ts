import { eq } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import type { Deps } from '#server/deps.ts'
import { users } from '#server/db/schema.ts'
import type { CurrentUser } from '#server/policies/current-user.ts'
import { permissionsOf } from '#server/policies/permissions.ts'
import { notFound } from '#server/problems.ts'

type Schemas = components['schemas']

/** The signed-in person with profile and flags. */
export async function describeCurrentUser(
  deps: Pick<Deps, 'db' | 'clock'>,
  user: CurrentUser,
): Promise<{
  user: Schemas['User']
  userProfile: Schemas['UserProfile']
  flags: Schemas['UserFlags']
}> {
  const row = await readUser(deps, user.id)
  return {
    user: {
      _id: row.id,
      email: row.email,
      permissions: [...permissionsOf(row, [], deps.clock())],
      createdAt: row.createdAt.toISOString(),
    },
    userProfile: { profession: row.profession },
    flags: {
      isInTrial: deps.clock().getTime() < row.trialEndsAt.getTime(),
      trialEndsAt: row.trialEndsAt.toISOString(),
      hasActiveSubscription: false,
    },
  }
}

/** The profile of the signed-in person; another person's id is 404 (decision 4.26). */
export async function readProfile(
  deps: Pick<Deps, 'db'>,
  user: CurrentUser,
  userId: string,
): Promise<Schemas['UserProfile']> {
  refuseOthers(user, userId)
  return { profession: (await readUser(deps, userId)).profession }
}

/** Chooses the profession, also again; another person's id is 404. */
export async function updateProfile(
  deps: Pick<Deps, 'db'>,
  user: CurrentUser,
  userId: string,
  profession: Schemas['Profession'],
): Promise<Schemas['UserProfile']> {
  refuseOthers(user, userId)
  await deps.db.update(users).set({ profession }).where(eq(users.id, user.id))
  return { profession }
}

async function readUser(
  deps: Pick<Deps, 'db'>,
  userId: string,
): Promise<typeof users.$inferSelect> {
  const [row] = await deps.db.select().from(users).where(eq(users.id, userId))
  if (row === undefined) throw notFound('users/not-found')
  return row
}

function refuseOthers(user: CurrentUser, userId: string): void {
  if (userId.toLowerCase() !== user.id) throw notFound('users/not-found')
}
