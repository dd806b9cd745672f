import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { sessions, users } from './people.ts'

/**
 * Cloud drives that a person connected. Tokens are encrypted by a key that is not in the database
 * (db/vault.ts); both are null once the drive is disconnected and its provider knows.
 */
export const externalAuths = pgTable(
  'external_auths',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider', { enum: ['google-oauth'] }).notNull(),
    /** Null where the person did not let us read it. */
    accountEmail: text('account_email'),
    /** As the provider granted them, separated by spaces. */
    scopes: text('scopes').notNull(),
    accessCipher: text('access_cipher'),
    accessExpiresAt: at('access_expires_at').notNull(),
    refreshCipher: text('refresh_cipher'),
    /** Since when the provider takes the refresh token no more; null while it does. */
    refreshBrokenAt: at('refresh_broken_at'),
    disconnectedAt: at('disconnected_at'),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('external_auths_account').on(t.userId, t.provider, t.accountEmail).nullsNotDistinct(),
    index('external_auths_unrevoked')
      .on(t.disconnectedAt)
      .where(sql`disconnected_at is not null and refresh_cipher is not null`),
  ],
)

/** Logins at a drive that have begun: each is of one session, and ends with its first answer. */
export const oauthStates = pgTable(
  'oauth_states',
  {
    /** SHA-256 of the state in the address, hex. */
    stateHash: text('state_hash').primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** What proves that the code is redeemed by who asked for it (PKCE), encrypted. */
    verifierCipher: text('verifier_cipher').notNull(),
    /** The page to go on to. */
    landingPath: text('landing_path').notNull(),
    /** The person chooses a file on the way. */
    wantsPick: boolean('wants_pick').notNull().default(false),
    expiresAt: at('expires_at').notNull(),
  },
  (t) => [index('oauth_states_expiry').on(t.expiresAt)],
)
