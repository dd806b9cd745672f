/**
 * The closed lists of the specification. Wire values; labels live with the
 * screens.
 */
export const MEDIA_KINDS = ['video', 'image', 'audio', 'unsupported'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

export const WALLET_KINDS = ['standard', 'trial', 'brand-ambassador'] as const
export type WalletKind = (typeof WALLET_KINDS)[number]

export const EXTERNAL_AUTH_PROVIDERS = ['google-oauth'] as const

export const TASK_STATUSES = ['created', 'started', 'succeeded', 'failed', 'canceled'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const OUTPUT_KINDS = ['download-button', 'text'] as const
export type OutputKind = (typeof OUTPUT_KINDS)[number]

export const PRICING_KINDS = ['per-unit', 'usage-based'] as const
export type PricingKind = (typeof PRICING_KINDS)[number]

export const USAGE_UNITS = ['source-video-seconds', 'source-video-minutes'] as const

export const CHARGE_KINDS = ['media-job-task', 'custom'] as const
export type ChargeKind = (typeof CHARGE_KINDS)[number]

const UPLOAD_PROVIDERS = [
  's3-multipart',
  's3-singlepart',
  'dropbox-chooser-single-file',
  'google-drive-picker-single-file',
  'link',
] as const
export type UploadProvider = (typeof UPLOAD_PROVIDERS)[number]

export const PROFESSIONS = ['Creator/Model', 'Video Editor', 'Other'] as const
export type Profession = (typeof PROFESSIONS)[number]

const PERMISSION_ACTIONS = ['read', 'create'] as const
export type PermissionAction = (typeof PERMISSION_ACTIONS)[number]
