import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { NOTICE_KINDS, PUSH_KINDS, sessions, users } from './people.ts'

/**
 * Outgoing mail: the row is the intention, a job delivers it. In local-mailbox mode it stays here
 * and is shown at /dev/mail.
 */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** Where one press ends mails of this kind (RFC 8058); null where they cannot be ended. */
    unsubscribeUrl: text('unsubscribe_url'),
    createdAt: at('created_at').notNull(),
    sentAt: at('sent_at'),
  },
  (t) => [
    index('mails_created').on(t.createdAt),
    index('mails_recipient').on(t.recipient),
    index('mails_untold')
      .on(t.createdAt)
      .where(sql`sent_at is null and unsubscribe_url is not null`),
  ],
)

/**
 * What an account was told, once for each cause. Written in the transaction that queues its mail.
 */
export const notices = pgTable(
  'notices',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: [...NOTICE_KINDS, ...PUSH_KINDS] }).notNull(),
    /** The job, task, upload, account, lot or unpaid month that it tells of. */
    cause: uuid('cause').notNull(),
    createdAt: at('created_at').notNull(),
    /** When its user looked at the library, or followed the message; null until then. */
    seenAt: at('seen_at'),
  },
  (t) => [unique('notices_once').on(t.kind, t.cause), index('notices_user').on(t.userId)],
)

/**
 * Where the push service of a browser takes messages for it, by the browser's word. It ends with
 * the session that asked for it.
 */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id')
      .notNull()
      .unique()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** On a host of the operator's list when it was stored; looked at again with each message. */
    endpoint: text('endpoint').notNull().unique(),
    /** What messages are encrypted for, base64url. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    createdAt: at('created_at').notNull(),
    /** When its push service last took a message. */
    lastOkAt: at('last_ok_at'),
    /** Messages in a row that it has not taken within a day. */
    failures: integer('failures').notNull().default(0),
  },
  (t) => [index('push_subscriptions_user').on(t.userId)],
)

/**
 * Outgoing messages to devices: the row is the intention, a job delivers it, and it goes when a
 * push service has taken it.
 */
export const pushes = pgTable(
  'pushes',
  {
    id: uuid('id').primaryKey(),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    /** Of messages with one topic a device shows the last, and a push service keeps only that. */
    topic: text('topic').notNull(),
    title: text('title').notNull(),
    /** Path of the page that it leads to. */
    path: text('path').notNull(),
    /** Paths of pages that show the same: in sight of one, the message is not shown. */
    shownOn: text('shown_on').array().notNull(),
    createdAt: at('created_at').notNull(),
    /** Not before: when it was stored, or later by the word of its push service. */
    dueAt: at('due_at').notNull(),
  },
  (t) => [
    index('pushes_due').on(t.dueAt),
    index('pushes_created').on(t.createdAt),
    unique('pushes_once').on(t.subscriptionId, t.topic),
  ],
)
