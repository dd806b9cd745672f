import { sql, type SQL } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

/** What an account is told of by a notice. */
export const NOTICE_KINDS = [
  'edits-ready',
  'review-waits',
  'upload-waits',
  'trial-ends',
  'tokens-expire',
] as const

/** Of what an account's devices are told that asked for it. */
export const PUSH_KINDS = [
  'edits-ready',
  'review-waits',
  'upload-waits',
  'payment-problem',
] as const

/**
 * The mailbox that an address delivers to, as far as its spelling shows: without dots before the @
 * and without what follows a plus sign. Not every provider ignores dots; that this takes two people
 * of one provider for one person only costs a reward.
 */
export const mailboxOf = (email: AnyPgColumn | SQL) =>
  sql<string>`replace(
    replace(split_part(split_part(${email}, '@', 1), '+', 1), '.', '') || '@' || split_part(${email}, '@', 2),
    '@googlemail.com', '@gmail.com'
  )`

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** Lower case; one account per address. `deleted-<id>@invalid` of a deleted account. */
    email: text('email').notNull().unique(),
    profession: text('profession', { enum: ['Creator/Model', 'Video Editor', 'Other'] }),
    trialEndsAt: at('trial_ends_at').notNull(),
    createdAt: at('created_at').notNull(),
    /** When the person asked for it; null again when they sign in while there is time. */
    deletionRequestedAt: at('deletion_requested_at'),
    /** When the account ended for good; the row stays for the ledger and names no person. */
    deletedAt: at('deleted_at'),
    /** When erasing it was last begun; null until it is due. */
    eraseBegunAt: at('erase_begun_at'),
    /** When the last of its files and rows was gone. */
    erasedAt: at('erased_at'),
    /** HMAC of the mailbox of a deleted account: a new one of it gets no second trial or reward. */
    mailboxHash: text('mailbox_hash'),
    /** When the operator locked it, so that it cannot sign in; null while it can. */
    lockedAt: at('locked_at'),
    /** Kinds of notices of which the person wants no mail. */
    noticesOff: text('notices_off', { enum: NOTICE_KINDS }).array().notNull().default([]),
    /** Kinds of which the person wants no message on devices. */
    pushesOff: text('pushes_off', { enum: PUSH_KINDS }).array().notNull().default([]),
    /** The person wants mails to name the video that they are about. */
    mailsNameVideos: boolean('mails_name_videos').notNull().default(false),
    /** Mails, messages and file names are neutral ([Note: discreet] in mail/discreet.ts). */
    discreet: boolean('discreet').notNull().default(false),
    /** The person's own rule (media/deletions/owner-rule.ts), and when it was set; or null. */
    deleteSourcesAfterDays: integer('delete_sources_after_days'),
    sourceRuleSetAt: at('source_rule_set_at'),
  },
  (t) => [
    index('users_mailbox').on(mailboxOf(t.email)),
    index('users_mailbox_hash').on(t.mailboxHash),
    index('users_trial').on(t.trialEndsAt),
    index('users_to_delete')
      .on(t.deletionRequestedAt)
      .where(sql`erased_at is null and deletion_requested_at is not null`),
    index('users_source_rule')
      .on(t.sourceRuleSetAt)
      .where(sql`delete_sources_after_days is not null`),
    check('users_deleted', sql`(${t.deletedAt} is null) = (${t.mailboxHash} is null)`),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the cookie's random value, hex. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Browser and system, as the browser named them at sign-in. */
    deviceName: text('device_name'),
    createdAt: at('created_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
)

/** What signs a user in beside the mail (WebAuthn). Bytes are base64url. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    credentialId: text('credential_id').notNull().unique(),
    /** COSE. */
    publicKey: text('public_key').notNull(),
    /** Of signatures, as the device counts them; always 0 where it does not. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** How browsers reach the device, such as `internal` or `usb`. */
    transports: text('transports').array().notNull(),
    isBackedUp: boolean('is_backed_up').notNull(),
    name: text('name').notNull(),
    createdAt: at('created_at').notNull(),
    lastUsedAt: at('last_used_at'),
  },
  (t) => [index('passkeys_user').on(t.userId)],
)

/** A request to sign in: one link, one six-digit code, both dead after the first success. */
export const magicLinks = pgTable(
  'magic_links',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    purpose: text('purpose', { enum: ['signup', 'login'] }).notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** HMAC of the code with the row's id. */
    codeHash: text('code_hash').notNull(),
    codeAttempts: integer('code_attempts').notNull().default(0),
    /** SHA-256 of the cookie of the browser that asked; the code works only there. */
    browserHash: text('browser_hash').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** The referral code that the new account redeems, or null. */
    referralCode: text('referral_code'),
    /** Whether the new account begins with a trial, as its mail says. */
    hasTrial: boolean('has_trial').notNull().default(true),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (t) => [
    index('magic_links_email').on(t.email, t.createdAt),
    index('magic_links_expiry').on(t.expiresAt),
  ],
)

/**
 * Human-verification answers and challenges of passkeys already spent, kept until they would have
 * expired (stops replays).
 */
export const spentChallenges = pgTable(
  'spent_challenges',
  {
    signature: text('signature').primaryKey(),
    expiresAt: at('expires_at').notNull(),
  },
  (t) => [index('spent_challenges_expiry').on(t.expiresAt)],
)

/**
 * What happened to accounts, for the operator (db/security-log.ts). Swept when old.
 */
export const securityEvents = pgTable(
  'security_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: at('at').notNull(),
    event: text('event').notNull(),
    userId: uuid('user_id'),
    /** Keyed hash of where the call came from. */
    clientHash: text('client_hash'),
    facts: jsonb('facts').$type<Readonly<Record<string, string>>>().notNull(),
  },
  (t) => [
    index('security_events_at').on(t.at),
    index('security_events_user').on(t.userId, t.id),
    index('security_events_event').on(t.event, t.id),
  ],
)

/** One row per counted event, e.g. key `magic-link:address:<hash>`. Swept when old. */
export const rateEvents = pgTable(
  'rate_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    key: text('key').notNull(),
    at: at('at').notNull(),
  },
  (t) => [index('rate_events_key').on(t.key, t.at), index('rate_events_at').on(t.at)],
)

/** First answers of `Idempotency-Key` requests. */
export const idempotentAnswers = pgTable(
  'idempotent_answers',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    operation: text('operation').notNull(),
    key: text('key').notNull(),
    bodyHash: text('body_hash').notNull(),
    status: integer('status').notNull(),
    body: jsonb('body').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.operation, t.key] }),
    index('idempotent_answers_created').on(t.createdAt),
  ],
)

/** Signing keys of older versions, base64; a start moves them to the file of keys. */
export const serverSecrets = pgTable('server_secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  createdAt: at('created_at').notNull(),
})
