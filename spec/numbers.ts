/**
 * Every number of the specification, once: for the page, its workers, the server and the recipes.
 * Times are milliseconds, money is whole tokens unless the name says otherwise. Where a decision
 * changed a number of the specification, docs/product-decisions.md says so.
 */
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const GIB = 1024 ** 3
/**
 * "100 MB" and "25 GB" on screen are decimal for the warning and binary for the limit, so that no
 * file within the words is refused.
 */
const MB = 1000 ** 2

// Tokens and prices
export const WELCOME_TOKENS = 1000
export const SUBSCRIPTION_TOKENS_PER_MONTH = 1900
export const REFERRAL_REWARD_TOKENS = 1900
/** The one reward there is, as the contract names it. */
export const REFERRAL_REWARD_SLUG = `tokens-${REFERRAL_REWARD_TOKENS}-one-month`
export const TOKEN_PRICE_DOLLARS = 0.01
export const PLAN_PRICE_DOLLARS_PER_MONTH = 19
export const FREE_TRIAL_DAYS = 7
export const FREE_TRIAL_EDITS = 1
export const TOP_UP_MIN_TOKENS = 2000
export const TOP_UP_MAX_TOKENS = 100_000
export const TOP_UP_DEFAULT_TOKENS = 6969
export const CHECKOUT_DEFAULT_TOKENS = 100
/** A card cannot be charged less (coin units, = cents). */
export const CARD_MINIMUM_COINS = 50

// Referral codes
export const REFERRAL_CODES_PER_USER = 2
export const REFERRAL_CODE_MIN_LENGTH = 4
export const REFERRAL_CODE_MAX_LENGTH = 20

// Legal texts
export const ADULT_AGE_YEARS = 18
/** EU and United Kingdom. */
export const WITHDRAWAL_DAYS = 14
/** Within which money comes back after a withdrawal. */
export const REFUND_DAYS = 14
export const COMPLAINT_REPLY_DAYS = 3
/** From the notice to the end of an open-ended subscription. */
export const TERMINATION_NOTICE_DAYS = 1
export const BRAZIL_GUARANTEE_DAYS = 30
/** Of durable services. */
export const BRAZIL_DURABLE_GUARANTEE_DAYS = 90
export const EU_CONFORMITY_YEARS = 2
/** How long the duty to indemnify outlives the terms. */
export const INDEMNITY_YEARS = 5
/** Liability ends at what was paid in this time. */
export const LIABILITY_CAP_MONTHS = 12
/** Within which a request about personal data is answered. */
export const PRIVACY_REPLY_MONTHS = 1

// Uploads
export const MULTIPART_CONCURRENT_PARTS = 5
/** A stall, not a total: no byte moved (docs/product-decisions.md#part-timeouts). */
export const UPLOAD_TIMEOUT_MS = 60 * SECOND_MS
/** What the contract says in `clientFileSize`. */
export const LOCAL_FILE_MAX_BYTES = 50 * GIB
export const CLOUD_FILE_MAX_BYTES = 25 * GIB
export const SHORT_VIDEO_WARNING_BYTES = 100 * MB
export const UPLOAD_NEVER_FINISHED_AFTER_MS = 24 * HOUR_MS

// Calls
export const GENERIC_RETRIES = 3
export const READ_TIMEOUT_MS = 15 * SECOND_MS
export const WRITE_TIMEOUT_MS = 30 * SECOND_MS

// Options of edits
export const SECONDS_FIELD_MAX = 59
export const TUBE_CUT_DEFAULT_MS = 6 * MINUTE_MS
/**
 * A fifth of a minute, so that a third of most videos is not below it
 * (docs/product-decisions.md#tube-cut-length).
 */
export const TUBE_CUT_MIN_LENGTH_MS = 12 * SECOND_MS
export const SAMPLING_DEFAULT_MS = 5 * MINUTE_MS
export const SAMPLING_MIN_LENGTH_MS = 10 * SECOND_MS
export const SAMPLING_MIN_MOMENTS = 2
export const SAMPLING_MAX_MOMENTS = 60
export const TEASER_SHORT_SECONDS = 15

// Display
export const ASSET_NAME_MAX_CHARACTERS = 48
export const JOB_NAME_MAX_CHARACTERS = 60
export const BUTTON_TEXT_MAX_CHARACTERS = 40
export const REDEMPTION_USER_ID_CHARACTERS = 8
export const WALLET_ENDING_CHARACTERS = 6
export const TOAST_AUTO_CLOSE_MS = 5000
export const TOAST_DRAGGABLE_PERCENT = 80
export const FORMAT_SCREEN_MAX_WIDTH_REM = 80
/** Recorded by the specification without a use (APP-21). */
export const THREE_SECOND_INTERVAL_MS = 3 * SECOND_MS

// Library
export const MEDIA_JOBS_PAGE_SIZE = 10
/** As many as a list of recent uploads shows at once. */
export const UPLOADS_PAGE_SIZE = 20
export const SEARCH_BOX_FROM_ITEMS = 5

// Order preparation
export const PREPARATION_CAP_PERCENT = 90
export const PREPARATION_CREATING_PERCENT = 95
export const PREPARATION_DONE_PERCENT = 100
const PREPARATION_RISE_MS = 5 * MINUTE_MS
/** 3.33 s: the rise of 90 points over 5 minutes, one point at a time. */
export const PREPARATION_STEP_MS = PREPARATION_RISE_MS / PREPARATION_CAP_PERCENT
export const METADATA_POLL_FIRST_MS = 3 * SECOND_MS
export const METADATA_POLL_MAX_MS = 30 * SECOND_MS
export const METADATA_POLL_ENDS_AFTER_MS = 10 * MINUTE_MS

// Landing page claims
export const CLAIM_EDITS_DELIVERED = 7000
export const CLAIM_DELIVERY_HOURS = 4
export const CLAIM_YEARS_IN_INDUSTRY = 2
export const CLAIM_HOURS_RECLAIMED_PER_WEEK = 5
