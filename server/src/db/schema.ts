/**
 * Every table of the server. Owned here; changed by editing this file and running `npm run
 * db:generate`.
 *
 * [Note: rows and time] Ids are UUIDv7 made by the application, so that lists by id are lists by
 * age. Times are `timestamptz`; amounts are whole tokens; sizes are bytes; durations are
 * milliseconds.
 */
import { sql, type SQL } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const bytes = (name: string) => bigint(name, { mode: 'number' })
const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** What an account is told of by a notice. */
const NOTICE_KINDS = [
  'edits-ready',
  'review-waits',
  'upload-waits',
  'trial-ends',
  'tokens-expire',
] as const

// ---------------------------------------------------------------- people and sessions

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
    /** The person's own rule (operations/storage/owner-rule.ts), and when it was set; or null. */
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

// ---------------------------------------------------------------- mail

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

// ---------------------------------------------------------------- tokens

export const wallets = pgTable(
  'wallets',
  {
    id: uuid('id').primaryKey(),
    /** No cascade: the ledger must outlive its person, so a user with a wallet is never deleted. */
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: ['standard', 'trial', 'brand-ambassador'] }).notNull(),
    creditLimitCoinAmount: integer('credit_limit_coin_amount').notNull().default(0),
    createdAt: at('created_at').notNull(),
  },
  (t) => [index('wallets_user').on(t.userId)],
)

/**
 * The ledger: immutable. A positive amount is a grant and is itself a lot with an optional expiry;
 * a negative amount is a spend, divided over lots by `lotSpends`.
 */
export const walletTransactions = pgTable(
  'wallet_transactions',
  {
    id: uuid('id').primaryKey(),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id, { onDelete: 'cascade' }),
    kind: text('kind', {
      enum: [
        'trial-grant',
        'subscription-grant',
        'purchase',
        'referral-reward',
        'order-payment',
        'order-refund',
        'purchase-reversal',
        'chargeback',
        'chargeback-returned',
        'adjustment',
      ],
    }).notNull(),
    coinAmount: integer('coin_amount').notNull(),
    description: text('description').notNull(),
    coinsExpireAfterAt: at('coins_expire_after_at'),
    orderId: uuid('order_id'),
    /** Of a reversal: the purchase that it takes back. Of a returned chargeback: the chargeback. */
    revertsId: uuid('reverts_id').references((): AnyPgColumn => walletTransactions.id),
    /** The subscription whose month was granted. */
    subscriptionId: uuid('subscription_id').references((): AnyPgColumn => walletSubscriptions.id),
    /**
     * What this happened for, e.g. `signup`, `task:<id>`: the same cause never books twice in one
     * wallet.
     */
    cause: text('cause').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('wallet_transactions_cause').on(t.walletId, t.cause),
    index('wallet_transactions_wallet').on(t.walletId, t.createdAt),
    index('wallet_transactions_order').on(t.orderId),
    index('wallet_transactions_expiry')
      .on(t.coinsExpireAfterAt)
      .where(sql`coins_expire_after_at is not null`),
    check('wallet_transactions_nonzero', sql`${t.coinAmount} <> 0`),
  ],
)

/** The shares of spends: [Note: shares] in operations/ledger/entries.ts. */
export const lotSpends = pgTable(
  'lot_spends',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    spendId: uuid('spend_id')
      .notNull()
      .references(() => walletTransactions.id, { onDelete: 'cascade' }),
    /** The lot that gave these tokens; null while they are debt. */
    lotId: uuid('lot_id').references(() => walletTransactions.id, { onDelete: 'cascade' }),
    /** The refund that gave these tokens back; null while none has. */
    returnId: uuid('return_id').references(() => walletTransactions.id, { onDelete: 'cascade' }),
    coinAmount: integer('coin_amount').notNull(),
  },
  (t) => [
    index('lot_spends_spend').on(t.spendId),
    index('lot_spends_lot').on(t.lotId),
    check('lot_spends_positive', sql`${t.coinAmount} > 0`),
  ],
)

// ---------------------------------------------------------------- catalogue

export const presets = pgTable('presets', {
  id: uuid('id').primaryKey(),
  slug: text('slug').notNull().unique(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  imageUrl: text('image_url').notNull(),
  tab: text('tab', { enum: ['promotional', 'full-scene'] }).notNull(),
  badge: text('badge', { enum: ['popular', 'new'] }),
  hasOptions: boolean('has_options').notNull(),
  pricingStrategies: jsonb('pricing_strategies').notNull(),
  position: integer('position').notNull(),
  isVisible: boolean('is_visible').notNull().default(true),
})

// ---------------------------------------------------------------- uploads

export const uploadRequests = pgTable(
  'upload_requests',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    idempotencyKey: text('idempotency_key').notNull(),
    bodyHash: text('body_hash').notNull(),
    purpose: text('purpose', { enum: ['media-job', 'media-asset'] }).notNull(),
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
    partSizeBytes: bytes('part_size_bytes').notNull(),
    partCount: integer('part_count').notNull(),
    /**
     * open: parts may come; completed: whole file stored; validated / failed: after ffprobe;
     * aborted: parts deleted.
     */
    state: text('state', {
      enum: ['open', 'completed', 'validated', 'failed', 'aborted'],
    }).notNull(),
    /** The store's own id of the multipart upload (S3), or null. */
    storeUploadId: text('store_upload_id'),
    objectKey: text('object_key').notNull(),
    /** Checksum of the whole file (operations/uploads/checksum.ts); null until it is complete. */
    checksumSha256: text('checksum_sha256'),
    failureReason: text('failure_reason'),
    failureCode: text('failure_code', {
      enum: [
        'unreadable',
        'no-video',
        'unsupported',
        'too-long',
        'too-large',
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
    /** Since when it is held after a report (operations/reports/hold.ts); null while it is not. */
    heldAt: at('held_at'),
    /** When its owner was last told that it will be deleted. */
    deletionToldAt: at('deletion_told_at'),
    createdAt: at('created_at').notNull(),
    uploadEndedAt: at('upload_ended_at'),
    /** When the check last opened it again because stored bytes were damaged. */
    reopenedAt: at('reopened_at'),
    /** How often the system killed a tool of its check, but for the last time that it may. */
    checkKills: integer('check_kills').notNull().default(0),
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
    /** The link, encrypted (operations/imports/link-vault.ts): who has it has the file. */
    linkCipher: text('link_cipher').notNull(),
    /** ETag or time of the version that is fetched; null where the host names none. */
    validator: text('validator'),
    /** The host gives out pieces of this version, so that a break costs little. */
    takesRanges: boolean('takes_ranges').notNull(),
    /** How often it was begun from its first byte, where the host gives no pieces. */
    wholeTries: integer('whole_tries').notNull().default(0),
    /** How often the file was another one. */
    changes: integer('changes').notNull().default(0),
    /** Tries in a row that brought nothing. */
    attempts: integer('attempts').notNull().default(0),
    /** Why the last try ended; null while none has failed since bytes came. */
    problem: text('problem', { enum: ['away', 'refused', 'no-space'] }),
    nextAt: at('next_at').notNull(),
    /** Bytes of parts that are not stored yet. */
    partialBytes: bytes('partial_bytes').notNull().default(0),
    /** When the process that fetches it last said so; null before the first. */
    seenAt: at('seen_at'),
    lastByteAt: at('last_byte_at').notNull(),
  },
  (t) => [index('upload_imports_due').on(t.nextAt)],
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
    what: text('what', { enum: ['source', 'picture', 'faces', 'results'] }).notNull(),
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

// ---------------------------------------------------------------- attestations and reports

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

// ---------------------------------------------------------------- jobs and orders

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
    /** How far the review of its faces is (operations/faces/review.ts); null for other edits. */
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
    createdAt: at('created_at').notNull(),
  },
  (t) => [
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
    /** The slug of a recipe, or `search` for the search for moments. */
    work: text('work').notNull(),
    pictureSize: text('picture_size', { enum: ['sd', 'hd', 'full-hd', 'uhd'] }).notNull(),
    /** Seconds that passed for each estimated processor second, newest first. */
    ratios: doublePrecision('ratios').array().notNull(),
    learnedAt: at('learned_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.work, t.pictureSize] })],
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
    /** Frozen at ordering: { pricingStrategySlug, quantity, usage, pricingStrategy }. */
    pricing: jsonb('pricing').notNull(),
    coinAmount: integer('coin_amount').notNull(),
  },
  (t) => [
    index('order_line_items_order').on(t.orderId, t.position),
    index('order_line_items_task').on(t.taskId),
    check('order_line_items_amount', sql`${t.coinAmount} >= 0`),
  ],
)

// ---------------------------------------------------------------- payments

/**
 * One visit to the payment provider's page, begun here first: the row is written, then the provider
 * is called with a key made of its id. What a person owes or gets follows from this row, never from
 * what the provider repeats of it.
 */
export const checkoutSessions = pgTable(
  'checkout_sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    /** The order that the tokens are bought for, or null. */
    orderId: uuid('order_id').references(() => orders.id),
    kind: text('kind', { enum: ['tokens', 'subscription'] }).notNull(),
    planSlug: text('plan_slug'),
    /** Tokens asked for; null of a subscription. */
    coinAmount: integer('coin_amount'),
    /** Tokens charged and credited; null of a subscription. */
    chargedCoinAmount: integer('charged_coin_amount'),
    provider: text('provider').notNull(),
    /** Null until the provider has answered. */
    providerSessionId: text('provider_session_id').unique(),
    intentKey: text('intent_key').notNull(),
    /** As the provider says: open, ended by a payment that may still be pending, or ended. */
    status: text('status', { enum: ['open', 'complete', 'expired'] }).notNull(),
    payment: text('payment', { enum: ['unpaid', 'pending', 'paid', 'failed'] }).notNull(),
    createdAt: at('created_at').notNull(),
    /** Computed once: a repeated call to the provider must carry the same value. */
    expiresAt: at('expires_at').notNull(),
    /** When the provider was last asked for it. */
    readAt: at('read_at'),
    /** When its end was booked; the provider is not asked again. */
    settledAt: at('settled_at'),
  },
  (t) => [
    unique('checkout_sessions_intent').on(t.userId, t.intentKey),
    uniqueIndex('checkout_sessions_one_open_subscription')
      .on(t.userId, t.planSlug)
      .where(sql`kind = 'subscription' and status = 'open'`),
    index('checkout_sessions_user').on(t.userId, t.createdAt),
    index('checkout_sessions_order').on(t.orderId),
    index('checkout_sessions_unsettled')
      .on(t.readAt)
      .where(sql`settled_at is null`),
  ],
)

/** What a provider keeps to bill a person by, as last read from it; no numbers. */
export const storedPaymentMethods = pgTable(
  'stored_payment_methods',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    provider: text('provider').notNull(),
    providerMethodId: text('provider_method_id').notNull().unique(),
    isActive: boolean('is_active').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [index('stored_payment_methods_user').on(t.userId, t.createdAt)],
)

/** A monthly plan of one person, as last read from the provider. */
export const walletSubscriptions = pgTable(
  'wallet_subscriptions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    planSlug: text('plan_slug').notNull(),
    provider: text('provider').notNull(),
    providerSubscriptionId: text('provider_subscription_id').notNull().unique(),
    status: text('status', {
      enum: ['active', 'payment-problem', 'canceling', 'expired'],
    }).notNull(),
    /** End of the last month that was paid; null before the first payment. */
    paidThrough: at('paid_through'),
    periodEndsAt: at('period_ends_at').notNull(),
    cancelsAt: at('cancels_at'),
    topUpCoinAmount: integer('top_up_coin_amount').notNull(),
    createdAt: at('created_at').notNull(),
    endedAt: at('ended_at'),
    /** When the reading began that this row shows; an older reading does not overwrite it. */
    readAt: at('read_at').notNull(),
    /** When it is read again without a notice; null when it is over. */
    readDueAt: at('read_due_at'),
  },
  (t) => [
    index('wallet_subscriptions_user').on(t.userId, t.createdAt),
    index('wallet_subscriptions_due').on(t.readDueAt),
  ],
)

/**
 * Money that arrived, and what of it went back. Amounts are whole cents, tax included; `coinAmount`
 * is what was credited for it.
 */
export const payments = pgTable(
  'payments',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    provider: text('provider').notNull(),
    providerPaymentId: text('provider_payment_id').notNull().unique(),
    checkoutSessionId: uuid('checkout_session_id')
      .notNull()
      .references(() => checkoutSessions.id),
    walletSubscriptionId: uuid('wallet_subscription_id').references(() => walletSubscriptions.id),
    /** The lot that was credited for it. */
    walletTransactionId: uuid('wallet_transaction_id')
      .notNull()
      .references(() => walletTransactions.id),
    amountCents: integer('amount_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    /** ISO 4217, lower case. */
    currency: text('currency').notNull(),
    coinAmount: integer('coin_amount').notNull(),
    paidAt: at('paid_at').notNull(),
    receiptNumber: text('receipt_number').notNull().unique(),
    /** As last read: how it stands, and what refunds have given back. */
    state: text('state', {
      enum: ['paid', 'partly-refunded', 'refunded', 'disputed', 'lost'],
    }).notNull(),
    refundedCents: integer('refunded_cents').notNull(),
    /** Null unless the person has given unused tokens back; the provider then owes a refund. */
    withdrawnAt: at('withdrawn_at'),
    withdrawnCents: integer('withdrawn_cents'),
    /** When the reading began that `state` shows; an older reading does not overwrite it. */
    readAt: at('read_at'),
    /** When it is read again without a notice; null when no more money can go back. */
    readDueAt: at('read_due_at'),
  },
  (t) => [
    index('payments_user').on(t.userId, t.paidAt),
    index('payments_due').on(t.readDueAt),
    check('payments_withdrawal', sql`(${t.withdrawnAt} is null) = (${t.withdrawnCents} is null)`),
  ],
)

/** The last receipt number of each year, without gaps: locked until its booking is committed. */
export const receiptCounters = pgTable(
  'receipt_counters',
  {
    series: text('series', { enum: ['payment', 'order'] }).notNull(),
    year: integer('year').notNull(),
    last: integer('last').notNull(),
  },
  (t) => [primaryKey({ columns: [t.series, t.year] })],
)

/** Notices of the provider: only that an object is worth reading again. Each is kept once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    provider: text('provider').notNull(),
    eventId: text('event_id').notNull(),
    type: text('type').notNull(),
    /** What to read again; null for a notice that concerns nothing of ours. */
    objectKind: text('object_kind', { enum: ['session', 'subscription', 'payment'] }),
    objectId: text('object_id'),
    occurredAt: at('occurred_at').notNull(),
    receivedAt: at('received_at').notNull(),
    /** When its object was last read for it, successfully or not. */
    readAt: at('read_at'),
    settledAt: at('settled_at'),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.eventId] }),
    index('payment_events_unsettled')
      .on(t.receivedAt)
      .where(sql`settled_at is null`),
    index('payment_events_settled').on(t.settledAt),
  ],
)

/** What the provider `test` remembers: sessions, subscriptions, what went back (payments/test). */
export const testPayments = pgTable(
  'test_payments',
  {
    id: text('id').primaryKey(),
    /** The key of the call that made it. */
    intentKey: text('intent_key').notNull().unique(),
    state: jsonb('state').notNull(),
    /** When it next changes by itself; null when it does not. */
    dueAt: at('due_at'),
  },
  (t) => [index('test_payments_due').on(t.dueAt)],
)

/** Notices that the provider `test` has still to deliver. */
export const testNotices = pgTable(
  'test_notices',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    objectKind: text('object_kind', { enum: ['session', 'subscription', 'payment'] }).notNull(),
    objectId: text('object_id').notNull(),
    occurredAt: at('occurred_at').notNull(),
    dueAt: at('due_at').notNull(),
    /** How often it is delivered. */
    copies: integer('copies').notNull(),
  },
  (t) => [index('test_notices_due').on(t.dueAt)],
)

// ---------------------------------------------------------------- referrals

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
