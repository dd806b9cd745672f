import { bigserial, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at, bytes, bytea } from './columns.ts'
import { users } from './people.ts'
import { uploadRequests } from './uploads.ts'

/** That a person confirmed, at the first order of a video, that everyone shown agreed. */
export const attestations = pgTable(
  'attestations',
  {
    uploadRequestId: uuid('upload_request_id')
      .primaryKey()
      .references(() => uploadRequests.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Whose order it came with; no reference: the job may go before the video. */
    mediaJobId: uuid('media_job_id').notNull(),
    /** Of the text (spec/attestation.ts), and the SHA-256 of its words, hex. */
    version: text('version').notNull(),
    textSha256: text('text_sha256').notNull(),
    attestedAt: at('attested_at').notNull(),
  },
  (t) => [index('attestations_user').on(t.userId, t.attestedAt)],
)

/** What a person wrote of a video, with or without an account. Kept when the video goes. */
export const reports = pgTable(
  'reports',
  {
    id: uuid('id').primaryKey(),
    /** `R-`, the year and 40 random bits: what the reporter has in hand. */
    receiptNumber: text('receipt_number').notNull().unique(),
    /** Which video, who the reporter is to it, and why, in the reporter's words. */
    video: text('video').notNull(),
    relation: text('relation', { enum: ['depicted', 'rights-holder', 'other'] }).notNull(),
    reason: text('reason').notNull(),
    signature: text('signature').notNull(),
    /** Address of the reporter, lower case. */
    contact: text('contact').notNull(),
    receivedAt: at('received_at').notNull(),
  },
  (t) => [index('reports_received').on(t.receivedAt)],
)

/**
 * What was done about a report, by whom and when. Rows are only added: a trigger refuses every
 * update and delete.
 */
export const reportSteps = pgTable(
  'report_steps',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    reportId: uuid('report_id')
      .notNull()
      .references(() => reports.id),
    step: text('step', {
      enum: ['received', 'shown', 'held', 'released', 'removed', 'rejected'],
    }).notNull(),
    /** `reporter`, or the operator by the name of their login. */
    actor: text('actor').notNull(),
    /** No reference: the video may go. */
    uploadRequestId: uuid('upload_request_id'),
    note: text('note'),
    at: at('at').notNull(),
  },
  (t) => [
    index('report_steps_report').on(t.reportId, t.id),
    index('report_steps_upload').on(t.uploadRequestId),
  ],
)

/** Files that were removed after a report: the same bytes are not accepted again. */
export const blockedFiles = pgTable(
  'blocked_files',
  {
    /** SHA-256 of the whole file, hex. */
    sha256: text('sha256').primaryKey(),
    sizeBytes: bytes('size_bytes').notNull(),
    reportId: uuid('report_id')
      .notNull()
      .references(() => reports.id),
    blockedAt: at('blocked_at').notNull(),
  },
  (t) => [index('blocked_files_size').on(t.sizeBytes)],
)

/** What held and removed videos look like: by it their copies are recognised. */
export const knownVideos = pgTable('known_videos', {
  /** No reference: the row stays when the account of a removed video is erased. */
  uploadRequestId: uuid('upload_request_id').primaryKey(),
  /** One picture a second ([Note: picture prints] in recipes); null where nothing could be read. */
  pictures: bytea('pictures'),
  madeAt: at('made_at').notNull(),
})
