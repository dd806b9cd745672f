import { sql } from 'drizzle-orm'
import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { NOTICE_KINDS, users } from './people.ts'

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
    kind: text('kind', { enum: NOTICE_KINDS }).notNull(),
    /** The job, task, upload, account or lot that it tells of. */
    cause: uuid('cause').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [unique('notices_once').on(t.kind, t.cause), index('notices_user').on(t.userId)],
)
