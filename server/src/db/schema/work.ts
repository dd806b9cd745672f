import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { at, bytes } from './columns.ts'
import { users } from './people.ts'
import { uploadRequests } from './uploads.ts'

export const mediaJobs = pgTable(
  'media_jobs',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    uploadRequestId: uuid('upload_request_id')
      .notNull()
      .references(() => uploadRequests.id),
    name: text('name').notNull(),
    /**
     * Set in the transaction that enqueues its first tasks: order fully paid and upload validated.
     */
    workflowStartedAt: at('workflow_started_at'),
    workflowEndedAt: at('workflow_ended_at'),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    index('media_jobs_user').on(t.userId, t.createdAt),
    index('media_jobs_upload').on(t.uploadRequestId),
    index('media_jobs_at_work')
      .on(t.workflowStartedAt)
      .where(sql`workflow_started_at is not null and workflow_ended_at is null`),
    index('media_jobs_ended')
      .on(t.workflowEndedAt)
      .where(sql`workflow_ended_at is not null`),
  ],
)

/** Edits with their options that a user saved under a name; 20 at most for each user. */
export const editSets = pgTable(
  'edit_sets',
  {
    /** Made by the client, so that a repeated save is the same set. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** As the contract has them; presets and assets in it may be gone. */
    requests: jsonb('requests').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [index('edit_sets_user').on(t.userId, t.createdAt)],
)

/**
 * One chosen edit. The row is the truth about its state; the queue only says "look at this row".
 */
export const mediaJobTasks = pgTable(
  'media_job_tasks',
  {
    id: uuid('id').primaryKey(),
    mediaJobId: uuid('media_job_id')
      .notNull()
      .references(() => mediaJobs.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    presetSlug: text('preset_slug').notNull(),
    name: text('name').notNull(),
    payload: jsonb('payload').notNull(),
    status: text('status', {
      enum: ['created', 'started', 'succeeded', 'failed', 'canceled'],
    }).notNull(),
    /** Raised by each worker that takes the task; results of an older attempt are refused. */
    attempt: integer('attempt').notNull().default(0),
    /** Attempts that failed; those that the end of their server cut off do not count. */
    tries: integer('tries').notNull().default(0),
    /** When the creator asked to try a failed task again; that is free, and possible once. */
    retriedAt: at('retried_at'),
    progressRatio: doublePrecision('progress_ratio').notNull().default(0),
    /** How far the review of its faces is (processing/faces/review.ts); null for other edits. */
    reviewState: text('review_state', { enum: ['searching', 'waiting', 'done'] }),
    /** Since when it waits for its owner. */
    reviewAskedAt: at('review_asked_at'),
    /** Estimated processor seconds; null until its work may begin. */
    costS: integer('cost_s'),
    errorMessage: text('error_message'),
    /** Raw tool output for support; never shown. */
    supportLog: text('support_log'),
    /** Filled when work begins, to estimate the rest from measured speed. */
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    /** When the files of its outputs were deleted. */
    filesRemovedAt: at('files_removed_at'),
    /** When its owner was told that they will be deleted. */
    deletionToldAt: at('deletion_told_at'),
    /** The delivered edit that this one makes again, at half price. */
    redoOfTaskId: uuid('redo_of_task_id').references((): AnyPgColumn => mediaJobTasks.id, {
      onDelete: 'set null',
    }),
    /**
     * The excerpt that it is made from, or was; null while it waits for the whole video, and of one
     * that is made from that.
     */
    sourceUploadId: uuid('source_upload_id').references(() => uploadRequests.id, {
      onDelete: 'set null',
    }),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    index('media_job_tasks_source')
      .on(t.sourceUploadId)
      .where(sql`source_upload_id is not null`),
    index('media_job_tasks_redo')
      .on(t.redoOfTaskId)
      .where(sql`redo_of_task_id is not null`),
    // One that failed or was cancelled gave its tokens back, so that another one may follow.
    uniqueIndex('media_job_tasks_one_redo')
      .on(t.redoOfTaskId)
      .where(sql`redo_of_task_id is not null and status not in ('failed', 'canceled')`),
    index('media_job_tasks_job').on(t.mediaJobId, t.position),
    index('media_job_tasks_status').on(t.status),
    index('media_job_tasks_reviews')
      .on(t.reviewAskedAt)
      .where(sql`review_state = 'waiting' and status = 'created'`),
    index('media_job_tasks_kept')
      .on(t.endedAt)
      .where(sql`files_removed_at is null and status = 'succeeded'`),
  ],
)

/**
 * How fast this server makes a recipe from pictures of one size: what its estimates are learned
 * from. A row for each recipe and size at most, with a few numbers each.
 */
export const renderSpeeds = pgTable(
  'render_speeds',
  {
    /** The slug of a recipe, `search` for the search for moments, or `faces` for that for faces. */
    work: text('work').notNull(),
    pictureSize: text('picture_size', { enum: ['sd', 'hd', 'full-hd', 'uhd'] }).notNull(),
    /** Seconds that passed for each estimated processor second, newest first. */
    ratios: doublePrecision('ratios').array().notNull(),
    learnedAt: at('learned_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.work, t.pictureSize] })],
)

/** Some seconds of a video before and after an edit that was not ordered; kept for a day. */
export const samples = pgTable(
  'samples',
  {
    id: uuid('id').primaryKey(),
    uploadRequestId: uuid('upload_request_id')
      .notNull()
      .references(() => uploadRequests.id, { onDelete: 'cascade' }),
    presetSlug: text('preset_slug').notNull(),
    payload: jsonb('payload').notNull(),
    /** Which sound of the video was taken, as its probe counts. */
    sound: integer('sound').notNull(),
    state: text('state', { enum: ['waiting', 'ready', 'failed'] }).notNull(),
    /** For the creator, where it failed. */
    message: text('message'),
    /** Where its passage lies; null before it is ready. */
    startMs: integer('start_ms'),
    durationMs: integer('duration_ms'),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    index('samples_upload').on(t.uploadRequestId, t.presetSlug),
    index('samples_created').on(t.createdAt),
  ],
)

/**
 * What the search for faces found in a video, once for all its edits. Apart from the upload's row,
 * because it is large and few calls read it.
 */
export const faceFindings = pgTable('face_findings', {
  uploadRequestId: uuid('upload_request_id')
    .primaryKey()
    .references(() => uploadRequests.id, { onDelete: 'cascade' }),
  /** FaceFinding of recipes/face-cover/types.ts. */
  finding: jsonb('finding').notNull(),
  /** What the copy of the video and the strips take. */
  sizeBytes: bytes('size_bytes').notNull(),
  foundAt: at('found_at').notNull(),
})

/** What the owner of an edit decided of the faces, once something was decided. */
export const faceReviews = pgTable('face_reviews', {
  taskId: uuid('task_id')
    .primaryKey()
    .references(() => mediaJobTasks.id, { onDelete: 'cascade' }),
  /** Raised by each write. */
  revision: integer('revision').notNull(),
  /** FaceReview of recipes/face-cover/types.ts. */
  decisions: jsonb('decisions').notNull(),
  savedAt: at('saved_at').notNull(),
})

/**
 * A stretch of a long edit that one worker makes ([Note: divided edits] in
 * processing/tasks/segments.ts); gone when its edit has ended.
 */
export const taskSegments = pgTable(
  'task_segments',
  {
    id: uuid('id').primaryKey(),
    taskId: uuid('task_id')
      .notNull()
      .references(() => mediaJobTasks.id, { onDelete: 'cascade' }),
    /** From 0 on, without gaps. */
    n: integer('n').notNull(),
    /** In the edit's own times; it ends where the next one begins, the last one with the edit. */
    fromMs: integer('from_ms').notNull(),
    toMs: integer('to_ms'),
    /** Of the whole edit and of what makes it: segments of two plans cannot be joined. */
    planDigest: text('plan_digest').notNull(),
    state: text('state', { enum: ['waiting', 'started', 'made', 'failed', 'dropped'] }).notNull(),
    /** Raised by each worker that takes it; what an older attempt writes is refused. */
    attempt: integer('attempt').notNull().default(0),
    /** Its last attempt has a slot of its own, and not the one of its edit. */
    hasSlot: boolean('has_slot').notNull().default(false),
    progressRatio: doublePrecision('progress_ratio').notNull().default(0),
    /** Of its file, once it is made. */
    objectKey: text('object_key'),
  },
  (t) => [uniqueIndex('task_segments_task').on(t.taskId, t.n)],
)

/** The right of one process to work on something: [Note: leases] in db/leases.ts. */
export const leases = pgTable('leases', {
  /** What is worked on, such as `task:<id>`. */
  name: text('name').primaryKey(),
  /** The process, by a name that no other one ever has. */
  owner: text('owner').notNull(),
  /** By the clock of the database. */
  expiresAt: at('expires_at').notNull(),
  /** Of each time that one is taken another number, so that it names its holder. */
  generation: bigserial('generation', { mode: 'number' }).notNull(),
})

/** A process that makes edits, as it said itself the last time. */
export const workers = pgTable('workers', {
  /** The owner of its leases. */
  id: text('id').primaryKey(),
  /** By the clock of the database. */
  heartbeatAt: at('heartbeat_at').notNull(),
  /** For long edits, beside one for quick ones. */
  longSlots: integer('long_slots').notNull(),
  ffmpegVersion: text('ffmpeg_version').notNull(),
  filters: text('filters').array().notNull(),
  encoders: text('encoders').array().notNull(),
  canRunNode: boolean('can_run_node').notNull(),
  findsFaces: boolean('finds_faces').notNull(),
  scratchFreeBytes: bytes('scratch_free_bytes').notNull(),
})

export const taskOutputs = pgTable(
  'task_outputs',
  {
    id: uuid('id').primaryKey(),
    taskId: uuid('task_id')
      .notNull()
      .references(() => mediaJobTasks.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    kind: text('kind', { enum: ['download-button', 'text'] }).notNull(),
    buttonText: text('button_text'),
    text: text('text'),
    fileName: text('file_name'),
    contentType: text('content_type'),
    sizeBytes: bytes('size_bytes'),
    widthPx: integer('width_px'),
    heightPx: integer('height_px'),
    durationMs: integer('duration_ms'),
    objectKey: text('object_key'),
    /** Of the file's bytes, as archives have it; null for files that are older than the column. */
    crc32: bigint('crc32', { mode: 'number' }),
  },
  (t) => [index('task_outputs_task').on(t.taskId, t.position)],
)

export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** No reference: the order of a deleted account outlives its job, because it has a receipt. */
    mediaJobId: uuid('media_job_id').notNull(),
    status: text('status', { enum: ['open', 'paid', 'canceled'] }).notNull(),
    createdAt: at('created_at').notNull(),
    paidAt: at('paid_at'),
    /** Given when tokens have paid it; null before, and when there was nothing to pay. */
    receiptNumber: text('receipt_number').unique(),
  },
  (t) => [
    index('orders_user').on(t.userId, t.createdAt),
    index('orders_job').on(t.mediaJobId),
    uniqueIndex('orders_one_per_job')
      .on(t.mediaJobId)
      .where(sql`status <> 'canceled'`),
  ],
)

export const orderLineItems = pgTable(
  'order_line_items',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    taskId: uuid('task_id').references(() => mediaJobTasks.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    productSlug: text('product_slug', { enum: ['media-job-task', 'custom'] }).notNull(),
    description: text('description').notNull(),
    presetSlug: text('preset_slug'),
    /** Frozen at ordering: FrozenPricing of operations/commerce/orders/price.ts. */
    pricing: jsonb('pricing').notNull(),
    coinAmount: integer('coin_amount').notNull(),
  },
  (t) => [
    index('order_line_items_order').on(t.orderId, t.position),
    index('order_line_items_task').on(t.taskId),
    check('order_line_items_amount', sql`${t.coinAmount} >= 0`),
  ],
)
