import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { at, bytes } from './columns.ts'
import { externalAuths } from './drives.ts'
import { users } from './people.ts'
import { taskOutputs } from './work.ts'

/** Files of finished edits that the server puts into a drive, or has put there: one copy each. */
export const driveSaves = pgTable(
  'drive_saves',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    externalAuthId: uuid('external_auth_id')
      .notNull()
      .references(() => externalAuths.id, { onDelete: 'cascade' }),
    outputId: uuid('output_id')
      .notNull()
      .references(() => taskOutputs.id, { onDelete: 'cascade' }),
    state: text('state', { enum: ['open', 'saved', 'failed', 'canceled'] }).notNull(),
    /**
     * Of an open one, why the last try ended; null while none has failed since bytes went. With
     * `sign-in` nothing is tried until the drive is connected again.
     */
    problem: text('problem', { enum: ['away', 'sign-in'] }),
    failure: text('failure', {
      enum: ['drive-full', 'refused', 'silent', 'damaged', 'file-gone'],
    }),
    /** The drive's id of the file, chosen before it is made, so that it is made once. */
    fileId: text('file_id'),
    /** Where its bytes go, encrypted: who has it may write them. Null between two sessions. */
    sessionCipher: text('session_cipher'),
    /** As far as the drive has confirmed. */
    savedBytes: bytes('saved_bytes').notNull().default(0),
    /** Tries in a row that brought nothing forward. */
    attempts: integer('attempts').notNull().default(0),
    nextAt: at('next_at').notNull(),
    /** When the process that sends it last said so; null while none does. */
    seenAt: at('seen_at'),
    /** When it last came forward, or began. */
    lastByteAt: at('last_byte_at').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('drive_saves_once').on(t.outputId, t.externalAuthId),
    index('drive_saves_user').on(t.userId, t.createdAt),
    index('drive_saves_drive').on(t.externalAuthId),
    index('drive_saves_due')
      .on(t.nextAt)
      .where(sql`state = 'open'`),
  ],
)
