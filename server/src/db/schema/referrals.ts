import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { users } from './people.ts'

/** What a person shares so that others sign up; two at most for each person. */
export const referralCodes = pgTable(
  'referral_codes',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** 4 to 20 of A-Z and 0-9 (spec/referral-code.ts). */
    code: text('code').notNull().unique(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [index('referral_codes_user').on(t.userId, t.createdAt)],
)

/** One person who redeemed a code, which each does once. */
export const referralRedemptions = pgTable(
  'referral_redemptions',
  {
    id: uuid('id').primaryKey(),
    codeId: uuid('code_id')
      .notNull()
      .references(() => referralCodes.id),
    refereeUserId: uuid('referee_user_id')
      .notNull()
      .unique()
      .references(() => users.id),
    /** HMAC of the mailbox: it redeems once, also when its account is deleted and made again. */
    refereeMailboxHash: text('referee_mailbox_hash').notNull().unique(),
    claimedAt: at('claimed_at').notNull(),
    /** When the person had subscribed; the money may still be on its way. */
    qualifiedAt: at('qualified_at'),
    /** When the person got their tokens. */
    rewardedAt: at('rewarded_at'),
    /** HMAC of the card of that month: a card brings one reward. Null where it is not known. */
    cardHash: text('card_hash').unique(),
    /** Until when the owner of the code waits at most, once the person has their tokens. */
    ownerWaitsUntil: at('owner_waits_until'),
    /** When it is next seen whether the owner gets theirs; null before that and after the end. */
    ownerLookAt: at('owner_look_at'),
    /** When the owner got their tokens. */
    ownerRewardedAt: at('owner_rewarded_at'),
    /** Why there is no reward: for both by the card, for the owner by their account; or null. */
    noReward: text('no_reward', { enum: ['card-known', 'owner-not-in-standing'] }),
    /** When all rewards were taken back, and none comes any more. */
    reversedAt: at('reversed_at'),
  },
  (t) => [
    index('referral_redemptions_code').on(t.codeId, t.claimedAt),
    index('referral_redemptions_look').on(t.ownerLookAt),
  ],
)
