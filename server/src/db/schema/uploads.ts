/**
 * The tables of files that come in: uploads with their parts and imports, the assets made of them,
 * and what was deleted. It is one file because the state of an upload decides what the others hold.
 */
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { at, bytes } from './columns.ts'
import { externalAuths } from './drives.ts'
import { users } from './people.ts'

export const uploadRequests = pgTable(
  'upload_requests',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    idempotencyKey: text('idempotency_key').notNull(),
    bodyHash: text('body_hash').notNull(),
    purpose: text('purpose', { enum: ['media-job', 'media-asset', 'excerpt'] }).notNull(),
    /**
     * Of an excerpt, the video that it is of; null of everything else, and once the row of the
     * video is gone.
     */
    excerptOf: uuid('excerpt_of').references((): AnyPgColumn => uploadRequests.id, {
      onDelete: 'set null',
    }),
    /** Of an excerpt, what it says that it holds (recipes/stretch.ts Stretch[]). */
    excerptStretches: jsonb('excerpt_stretches'),
    provider: text('provider', {
      enum: [
        's3-multipart',
        's3-singlepart',
        'dropbox-chooser-single-file',
        'google-drive-picker-single-file',
        'link',
      ],
    }).notNull(),
    clientFilename: text('client_filename').notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    /**
     * Of which stretch of the device's file this is, and how large that is; all null of a whole
     * file.
     */
    trimFromMs: integer('trim_from_ms'),
    trimToMs: integer('trim_to_ms'),
    trimOfBytes: bytes('trim_of_bytes'),
    partSizeBytes: bytes('part_size_bytes').notNull(),
    partCount: integer('part_count').notNull(),
    /**
     * open: parts may come; completed: whole file stored; validated / failed: after ffprobe;
     * aborted: parts deleted.
     */
    state: text('state', {
      enum: ['open', 'completed', 'validated', 'failed', 'aborted'],
    }).notNull(),
    /**
     * What the store is asked for outside of a transaction, until its answer is in this row
     * ([Note: calls of the store] in media/uploads/store-calls.ts); null while nothing is.
     */
    storeCall: text('store_call', { enum: ['opening', 'completing'] }),
    /** Since when. */
    storeCallAt: at('store_call_at'),
    /** When the store had nothing of it any more, once it is aborted. */
    bytesGoneAt: at('bytes_gone_at'),
    /** The store's own id of the multipart upload (S3), or null. */
    storeUploadId: text('store_upload_id'),
    objectKey: text('object_key').notNull(),
    /** Checksum of the whole file (media/uploads/checksum.ts); null until it is complete. */
    checksumSha256: text('checksum_sha256'),
    failureReason: text('failure_reason'),
    failureCode: text('failure_code', {
      enum: [
        'unreadable',
        'no-video',
        'unsupported',
        'too-long',
        'too-large',
        // Of imports that an earlier version began: now such an import waits for another link.
        'link-expired',
        'import-failed',
        'not-accepted',
      ],
    }),
    /** Raw tool output of a failed check, for support; never shown. */
    supportLog: text('support_log'),
    /** What the file turned out to be, once validated. */
    mediaKind: text('media_kind', { enum: ['video', 'image', 'audio'] }),
    contentType: text('content_type'),
    /** Normalised ffprobe result (recipes/types.ts SourceProbe) once validated. */
    probe: jsonb('probe'),
    /** Length as measured for a price before the check; provisional, the probe replaces it. */
    earlyDurationMs: integer('early_duration_ms'),
    /** Measured with it. */
    earlyHasAudio: boolean('early_has_audio'),
    /**
     * The sounds between which its owner chooses (media/sounds.ts SoundChoice[]), once validated;
     * null where there is no choice.
     */
    sounds: jsonb('sounds'),
    /**
     * What its owner chose, from 0; `probe` and `findings` are of it once the file is checked. Null
     * = what the rule takes.
     */
    chosenSound: integer('chosen_sound'),
    /** What the pre-checks say of it (checks/facts.ts Finding[]); null before the check. */
    findings: jsonb('findings'),
    /**
     * Cached moments of the source (recipes/types.ts Moment[]), made after its check, or by
     * the first task that needs them. What an older search has stored is made again.
     */
    moments: jsonb('moments'),
    /**
     * The tiles of the moment board (media/moment-pictures.ts MomentPictures), made after the
     * search; null before.
     */
    momentPictures: jsonb('moment_pictures'),
    /**
     * The stretches of the moment board in motion (media/moment-video.ts MomentVideo), made by the
     * search; null before.
     */
    momentVideo: jsonb('moment_video'),
    /** What its file takes. */
    momentVideoBytes: bytes('moment_video_bytes').notNull().default(0),
    /**
     * From it follows how voices and pictures of this upload are disguised (recipes/types.ts
     * PlanContext.secret): 32 bytes as hexadecimal digits. Who has it can undo that, so that it
     * leaves the database for plans only. Made here, so that no way to store an upload can forget
     * it.
     */
    secret: text('secret')
      .notNull()
      .default(
        sql`encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex')`,
      ),
    thumbnailKey: text('thumbnail_key'),
    /**
     * Of a video or sound that is an asset: its short piece is to be made, is stored, or could not
     * be made. Null for everything else.
     */
    assetPreview: text('asset_preview', { enum: ['waiting', 'ready', 'failed'] }),
    /** When its file was deleted: by its owner, or because its time was over. */
    sourceRemovedAt: at('source_removed_at'),
    /** Since when it is held after a report (media/reports/hold.ts); null while it is not. */
    heldAt: at('held_at'),
    /** When its owner was last told that it will be deleted. */
    deletionToldAt: at('deletion_told_at'),
    createdAt: at('created_at').notNull(),
    uploadEndedAt: at('upload_ended_at'),
    /** When the check last opened it again because stored bytes were damaged. */
    reopenedAt: at('reopened_at'),
    /** How often the system killed a tool of its check, but for the last time that it may. */
    checkKills: integer('check_kills').notNull().default(0),
    /** How often its check ended by a fault of the machine. */
    checkFaults: integer('check_faults').notNull().default(0),
    metadataProcessedAt: at('metadata_processed_at'),
  },
  (t) => [
    unique('upload_requests_key').on(t.userId, t.idempotencyKey),
    index('upload_requests_user').on(t.userId, t.createdAt),
    index('upload_requests_state').on(t.state, t.createdAt),
    index('upload_requests_kept')
      .on(t.uploadEndedAt)
      .where(sql`source_removed_at is null and state in ('validated', 'failed')`),
    index('upload_requests_assets')
      .on(t.uploadEndedAt)
      .where(sql`purpose = 'media-asset' and source_removed_at is null`),
    index('upload_requests_previews')
      .on(t.metadataProcessedAt)
      .where(sql`asset_preview = 'waiting'`),
    index('upload_requests_excerpts')
      .on(t.excerptOf)
      .where(sql`purpose = 'excerpt'`),
    index('upload_requests_store_calls')
      .on(t.storeCallAt)
      .where(sql`store_call is not null`),
    index('upload_requests_bytes_left')
      .on(t.createdAt)
      .where(sql`state = 'aborted' and bytes_gone_at is null`),
    index('upload_requests_held')
      .on(t.heldAt)
      .where(sql`held_at is not null`),
  ],
)

/**
 * What the server needs to fetch a file that a person named by a link; gone with the upload's last
 * need of it.
 */
export const uploadImports = pgTable(
  'upload_imports',
  {
    uploadRequestId: uuid('upload_request_id')
      .primaryKey()
      .references(() => uploadRequests.id, { onDelete: 'cascade' }),
    /** What people are told of where it comes from. */
    host: text('host').notNull(),
    /** Where the file is ([Note: kinds of imports]), encrypted: who has it may have the file. */
    linkCipher: text('link_cipher').notNull(),
    /** The drive that gives it out; null of a link. */
    externalAuthId: uuid('external_auth_id').references(() => externalAuths.id, {
      onDelete: 'set null',
    }),
    /** MD5 of this version as its drive says, hex; compared with what has arrived. */
    md5: text('md5'),
    /** ETag or time of the version that is fetched; null where the host names none. */
    validator: text('validator'),
    /** Of the beginning of this version (processing/imports/head.ts); null where not known. */
    headSha256: text('head_sha256'),
    /** The host gives out pieces of this version, so that a break costs little. */
    takesRanges: boolean('takes_ranges').notNull(),
    /** How often it was begun from its first byte, where the host gives no pieces. */
    wholeTries: integer('whole_tries').notNull().default(0),
    /** How often the file was another one. */
    changes: integer('changes').notNull().default(0),
    /** Tries in a row that brought nothing. */
    attempts: integer('attempts').notNull().default(0),
    /**
     * Why the last try ended; null while none has failed since bytes came. With `gone` nothing is
     * tried until a person says again where the file is, with `sign-in` until they connect their
     * drive.
     */
    problem: text('problem', { enum: ['away', 'refused', 'no-space', 'gone', 'sign-in'] }),
    nextAt: at('next_at').notNull(),
    /** Bytes of parts that are not stored yet. */
    partialBytes: bytes('partial_bytes').notNull().default(0),
    /** When the process that fetches it last said so; null before the first. */
    seenAt: at('seen_at'),
    lastByteAt: at('last_byte_at').notNull(),
  },
  (t) => [
    index('upload_imports_due').on(t.nextAt),
    index('upload_imports_drive')
      .on(t.externalAuthId)
      .where(sql`external_auth_id is not null`),
  ],
)

export const uploadParts = pgTable(
  'upload_parts',
  {
    uploadRequestId: uuid('upload_request_id')
      .notNull()
      .references(() => uploadRequests.id, { onDelete: 'cascade' }),
    partNumber: integer('part_number').notNull(),
    eTag: text('e_tag').notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    storedAt: at('stored_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.uploadRequestId, t.partNumber] })],
)

/** With which checksums URLs of parts were signed, where a store takes no part without one. */
export const partChecksums = pgTable(
  'part_checksums',
  {
    uploadRequestId: uuid('upload_request_id')
      .notNull()
      .references(() => uploadRequests.id, { onDelete: 'cascade' }),
    partNumber: integer('part_number').notNull(),
    /** Base64. */
    checksumSha256: text('checksum_sha256').notNull(),
  },
  (t) => [primaryKey({ columns: [t.uploadRequestId, t.partNumber, t.checksumSha256] })],
)

export const mediaAssets = pgTable(
  'media_assets',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    uploadRequestId: uuid('upload_request_id')
      .notNull()
      .unique()
      .references(() => uploadRequests.id),
    name: text('name').notNull(),
    createdAt: at('created_at').notNull(),
    /**
     * When its owner deleted it. The row stays, and no list shows it, while an edit that is not
     * finished names it; then it goes with its files.
     */
    deletedAt: at('deleted_at'),
  },
  (t) => [
    index('media_assets_user').on(t.userId, t.createdAt),
    index('media_assets_deleted')
      .on(t.deletedAt)
      .where(sql`deleted_at is not null`),
  ],
)

/**
 * What was deleted of an account's files, why and when: a line is written with the deletion of the
 * rows, and `doneAt` when the bytes are gone. The lines outlive what they speak of.
 */
export const deletionLog = pgTable(
  'deletion_log',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** No reference: the upload's row may go later. */
    uploadRequestId: uuid('upload_request_id').notNull(),
    what: text('what', { enum: ['source', 'picture', 'faces', 'samples', 'results'] }).notNull(),
    reason: text('reason', { enum: ['owner', 'rule', 'retention', 'report', 'account'] }).notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    /** Of the object, or of `results` the beginning of the keys of all of them. */
    objectKey: text('object_key').notNull(),
    begunAt: at('begun_at').notNull(),
    doneAt: at('done_at'),
  },
  (t) => [
    index('deletion_log_user').on(t.userId, t.begunAt),
    index('deletion_log_undone')
      .on(t.begunAt)
      .where(sql`done_at is null`),
  ],
)
