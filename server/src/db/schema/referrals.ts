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
    /** When both got their tokens. */
    rewardedAt: at('rewarded_at'),
    /** When both rewards were taken back. */
    reversedAt: at('reversed_at'),
  },
  (t) => [index('referral_redemptions_code').on(t.codeId, t.claimedAt)],
)
