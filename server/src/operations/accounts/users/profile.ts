import { eq } from 'drizzle-orm'
import type { UserCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { UserRow } from '#server/db/rows.ts'
import { users } from '#server/db/schema.ts'
import { standingColumns } from './standing.ts'
import { isSubscribed, permissionsOf, type Permission } from '#server/policies/permissions.ts'
import { notFound } from '#server/problems.ts'

/** An account with what follows from it now. */
export interface UserFacts {
  readonly user: UserRow
  readonly permissions: readonly Permission[]
  readonly isInTrial: boolean
  readonly isSubscribed: boolean
}

/** The account of the signed-in person. */
export async function getCurrentUser(ctx: UserCtx): Promise<UserFacts> {
  const [row] = await ctx.db
    .select({ user: users, ...standingColumns })
    .from(users)
    .where(eq(users.id, ctx.user.id))
  if (row === undefined) throw notFound('users/not-found')
  const { user, ...standing } = row
  const now = ctx.clock()
  return {
    user,
    permissions: permissionsOf(user, standing, { now, takesPayments: ctx.settings.takesPayments }),
    isInTrial: now.getTime() < user.trialEndsAt.getTime(),
    isSubscribed: isSubscribed(standing, now),
  }
}

/**
 * What a person says of themselves, which mails and messages they want and how, and how long videos
 * stay.
 */
export type Profile = Pick<
  UserRow,
  | 'profession'
  | 'noticesOff'
  | 'mailsNameVideos'
  | 'discreet'
  | 'pushesOff'
  | 'deleteSourcesAfterDays'
>

/** The profile of the signed-in person; another person's id is `users/not-found`. */
export async function readProfile(
  ctx: UserCtx,
  { userId }: { readonly userId: string },
): Promise<Profile> {
  refuseOthers(ctx, userId)
  return await readUser(ctx)
}

/**
 * Chooses the profession, the mails that come and what they name, the messages to devices, and
 * the rule of deletion; what is left out stays. Another person's id is `users/not-found`.
 */
export async function updateProfile(
  ctx: UserCtx,
  {
    userId,
    profession,
    noticesOff,
    mailsNameVideos,
    discreet,
    pushesOff,
    deleteSourcesAfterDays,
  }: {
    readonly userId: string
    readonly profession?: Profile['profession'] | undefined
    readonly noticesOff?: Profile['noticesOff'] | undefined
    readonly mailsNameVideos?: boolean | undefined
    readonly discreet?: boolean | undefined
    readonly pushesOff?: Profile['pushesOff'] | undefined
    readonly deleteSourcesAfterDays?: number | null | undefined
  },
): Promise<Profile> {
  refuseOthers(ctx, userId)
  const changed = {
    ...(profession === undefined ? {} : { profession }),
    ...(noticesOff === undefined ? {} : { noticesOff: [...noticesOff] }),
    ...(mailsNameVideos === undefined ? {} : { mailsNameVideos }),
    ...(discreet === undefined ? {} : { discreet }),
    ...(pushesOff === undefined ? {} : { pushesOff: [...pushesOff] }),
    ...(deleteSourcesAfterDays === undefined ? {} : ruleOf(ctx, deleteSourcesAfterDays)),
  }
  return onlyRow(
    await ctx.db.update(users).set(changed).where(eq(users.id, ctx.user.id)).returning(),
  )
}

/** A rule counts from when it was last set, however often that is. */
function ruleOf({ clock }: Pick<UserCtx, 'clock'>, deleteSourcesAfterDays: number | null) {
  return {
    deleteSourcesAfterDays,
    sourceRuleSetAt: deleteSourcesAfterDays === null ? null : clock(),
  }
}

async function readUser(ctx: UserCtx): Promise<UserRow> {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, ctx.user.id))
  if (row === undefined) throw notFound('users/not-found')
  return row
}

function refuseOthers(ctx: UserCtx, userId: string): void {
  if (userId.toLowerCase() !== ctx.user.id) throw notFound('users/not-found')
}
